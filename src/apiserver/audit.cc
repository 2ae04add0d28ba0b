#include "apiserver/audit.h"

#include <utility>

#include "api/codec/json_text.h"

namespace kueue::apiserver {

using api::Json;

namespace {

Json TextList(const std::vector<std::string>& texts) {
  Json list = Json::MakeArray();
  for (const std::string& text : texts) list.Append(text);
  return list;
}

Json UserJson(const User& user) {
  Json json = Json::MakeObject();
  json.Set("username", user.name);
  if (!user.uid.empty()) json.Set("uid", user.uid);
  json.Set("groups", TextList(user.groups));
  if (user.extra.empty()) return json;
  Json extra = Json::MakeObject();
  for (const auto& [key, values] : user.extra) extra.Set(key, TextList(values));
  json.Set("extra", std::move(extra));
  return json;
}

Json ObjectJson(const AuditRecord& record) {
  Json json = Json::MakeObject();
  const auto set = [&](const char* member, const std::string& value) {
    if (!value.empty()) json.Set(member, value);
  };
  set("resource", record.access.resource);
  set("namespace", record.access.namespace_name);
  set("name", record.access.name);
  set("apiGroup", record.access.group);
  set("apiVersion", record.version);
  set("subresource", record.access.subresource);
  return json;
}

// "127.0.0.1" of "127.0.0.1:4711".
std::string WithoutPort(const std::string& address) {
  const size_t colon = address.rfind(':');
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
  return host;
}

std::string Line(const AuditRecord& record, const char* stage, int status, base::Time now) {
  Json json = Json::MakeObject();
  json.Set("kind", "Event");
  json.Set("apiVersion", "audit.k8s.io/v1");
  json.Set("level", "Metadata");
  json.Set("auditID", record.id);
  json.Set("stage", stage);
  json.Set("requestURI", record.uri);
  json.Set("verb", record.verb);
  json.Set("user", UserJson(record.user));
  if (record.impersonated) json.Set("impersonatedUser", UserJson(*record.impersonated));
  json.Set("sourceIPs", TextList({WithoutPort(record.address)}));
  if (!record.user_agent.empty()) json.Set("userAgent", record.user_agent);
  if (!record.access.resource.empty()) json.Set("objectRef", ObjectJson(record));
  Json response = Json::MakeObject();
  response.Set("metadata", Json::MakeObject());
  if (status >= 400) response.Set("status", "Failure");
  response.Set("code", status);
  json.Set("responseStatus", std::move(response));
  json.Set("requestReceivedTimestamp", base::FormatMicroTime(record.received));
  json.Set("stageTimestamp", base::FormatMicroTime(now));
  if (record.decided) {
    Json annotations = Json::MakeObject();
    annotations.Set("authorization.k8s.io/decision", record.decision.allowed ? "allow" : "forbid");
    annotations.Set("authorization.k8s.io/reason", record.decision.reason);
    for (const auto& [key, value] : *record.annotations) annotations.Set(key, value);
    json.Set("annotations", std::move(annotations));
  }
  return api::WriteJson(json);
}

// Passes everything on and writes down when the answer begins and ends.
class AuditedResponder final : public net::Responder {
 public:
  AuditedResponder(std::shared_ptr<net::Responder> next, std::shared_ptr<AuditRecord> record,
                   AuditSink& sink, const base::Executor& executor)
      : next_(std::move(next)), record_(std::move(record)), sink_(sink), executor_(executor) {}

  void Start(int status, net::Headers headers) override {
    status_ = status;
    if (record_->verb == "watch") Tell("ResponseStarted");
    next_->Start(status, std::move(headers));
  }
  void Write(std::string chunk) override { next_->Write(std::move(chunk)); }
  void End() override {
    Tell("ResponseComplete");
    next_->End();
  }
  bool Closed() const override { return next_->Closed(); }
  size_t Backlog() const override { return next_->Backlog(); }

 private:
  void Tell(const char* stage) {
    sink_.Write(Line(*record_, stage, status_, executor_.clock().Now()));
  }

  const std::shared_ptr<net::Responder> next_;
  const std::shared_ptr<AuditRecord> record_;
  AuditSink& sink_;
  const base::Executor& executor_;
  int status_ = 0;
};

}  // namespace

std::shared_ptr<AuditRecord> AuditLog::Follow(Call& call) {
  auto record = std::make_shared<AuditRecord>();
  record->id = random_.Uuid();
  record->uri = call.request.target;
  record->user_agent = std::string(call.Header("user-agent"));
  record->address = call.request.peer.address;
  record->received = executor_.clock().Now();
  call.responder =
      std::make_shared<AuditedResponder>(std::move(call.responder), record, sink_, executor_);
  return record;
}

}  // namespace kueue::apiserver
