#include "kube/client.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <vector>

#include "api/codec/json_text.h"
#include "kube/status.h"
#include "kube/watch_stream.h"

namespace kueue::kube {
namespace {

using api::Json;
using TextCallback = std::function<void(base::Result<std::string>)>;

const char* ContentTypeOf(PatchType type) {
  switch (type) {
    case PatchType::kMerge: return "application/merge-patch+json";
    case PatchType::kJson: return "application/json-patch+json";
    case PatchType::kStrategic: return "application/strategic-merge-patch+json";
    case PatchType::kApply: return "application/apply-patch+yaml";
  }
  return "";
}

std::string CollectionPath(const api::KindInfo& kind, const std::string& namespace_name) {
  std::string path = kind.group.empty() ? "/api/" : "/apis/" + std::string(kind.group) + "/";
  path += kind.version;
  if (kind.namespaced && !namespace_name.empty()) {
    path += "/namespaces/" + net::UrlEncode(namespace_name);
  }
  path += "/";
  path += kind.plural;
  return path;
}

std::string ObjectPath(const api::KindInfo& kind, const ObjectKey& key,
                       const std::string& subresource) {
  // Without a name a DELETE would mean the whole collection.
  KUEUE_CHECK_MSG(!key.name.empty(), "a request for one of the " + std::string(kind.plural) +
                                         " names none");
  KUEUE_CHECK_MSG(kind.namespaced == !key.namespace_name.empty(),
                  "wrong namespace for " + std::string(kind.kind) + " " + key.ToString());
  std::string path = CollectionPath(kind, key.namespace_name) + "/" + net::UrlEncode(key.name);
  if (!subresource.empty()) path += "/" + subresource;
  return path;
}

class QueryText {
 public:
  void Add(const char* name, const std::string& value) {
    if (value.empty()) return;
    text_ += text_.empty() ? '?' : '&';
    text_ += name;
    text_ += '=';
    text_ += net::UrlEncode(value);
  }
  void Add(const char* name, int64_t value) {
    if (value > 0) Add(name, std::to_string(value));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string QueryOf(const ListOptions& options, bool watch) {
  QueryText query;
  if (watch) {
    query.Add("watch", "1");
    query.Add("allowWatchBookmarks", "true");
  }
  query.Add("labelSelector", options.label_selector);
  query.Add("fieldSelector", options.field_selector);
  query.Add("resourceVersion", options.resource_version);
  query.Add("continue", options.continue_token);
  query.Add("limit", options.limit);
  query.Add("timeoutSeconds", options.timeout_seconds);
  return query.text();
}

std::string BodyOf(const DeleteOptions& options) {
  Json body;
  if (!options.precondition_uid.empty()) {
    body["preconditions"].Set("uid", options.precondition_uid);
  }
  if (!options.precondition_resource_version.empty()) {
    body["preconditions"].Set("resourceVersion", options.precondition_resource_version);
  }
  if (!options.propagation_policy.empty()) {
    body.Set("propagationPolicy", options.propagation_policy);
  }
  if (options.grace_period_seconds) {
    body.Set("gracePeriodSeconds", *options.grace_period_seconds);
  }
  if (body.size() == 0) return "";
  body.Set("apiVersion", "v1");
  body.Set("kind", "DeleteOptions");
  return api::WriteJson(body);
}

TextCallback Parsed(Client::ObjectCallback done) {
  return [done = std::move(done)](base::Result<std::string> text) {
    if (!text.ok()) return done(text.error());
    auto json = api::ParseJson(*text);
    if (!json.ok()) return done(base::Internal("the answer is no JSON: " + json.error().message));
    done(std::move(*json));
  };
}

// Retry-After in whole seconds; dates are not used by API servers and count as absent.
std::optional<base::Duration> RetryAfter(const net::Headers& headers) {
  const std::string_view text = net::HeaderOf(headers, "Retry-After");
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) {
    return std::nullopt;
  }
  return base::seconds(std::min<int64_t>(value, 86400));
}

}  // namespace

class Client::Impl {
 public:
  Impl(net::Transport& transport, std::string bearer_token, std::string user_agent,
       base::Executor* executor, ClientSettings settings)
      : user_agent_(std::move(user_agent)),
        bearer_token_(std::move(bearer_token)),
        counters_(std::make_shared<ClientCounters>()),
        transport_(transport),
        executor_(executor),
        settings_(std::move(settings)) {}

  ~Impl() {
    if (executor_ == nullptr) return;
    for (const auto& [id, call] : calls_) executor_->Cancel(call->timer);
  }

  net::Request MakeRequest(const std::string& method, const std::string& target,
                           const char* content_type, std::string body) const {
    net::Request request;
    request.method = method;
    request.target = settings_.path_prefix + target;
    // Nobody here looks at managedFields. A server that does not know the last header sends them.
    request.headers = {{"Accept", "application/json"},
                       {"User-Agent", user_agent_},
                       {"Kueue-Omit", "managedFields"}};
    if (!bearer_token_.empty()) {
      request.headers.emplace_back("Authorization", "Bearer " + bearer_token_);
    }
    if (!body.empty()) request.headers.emplace_back("Content-Type", content_type);
    request.body = std::move(body);
    return request;
  }

  void Start(const std::string& method, const std::string& target, const char* content_type,
             std::string body, TextCallback done) {
    const uint64_t id = ++last_id_;
    auto call = std::make_unique<Call>();
    call->request = MakeRequest(method, target, content_type, std::move(body));
    call->what = method + " " + target;
    call->done = std::move(done);
    calls_.emplace(id, std::move(call));
    Send(id);
  }

  std::unique_ptr<net::Exchange> Watch(const std::string& target,
                                       std::function<void(WatchEvent)> on_event,
                                       std::function<void(base::Status)> on_end) {
    ++counters_->requests;
    ++counters_->watches;
    // The stream may outlive the client; the numbers live as long as either.
    auto on_answer = [counters = counters_](int status) {
      if (status >= 400) ++counters->refused;
    };
    return OpenWatchStream(transport_, MakeRequest("GET", target, "", ""), std::move(on_answer),
                           std::move(on_event), std::move(on_end));
  }

  const std::string user_agent_;
  std::string bearer_token_;
  const std::shared_ptr<ClientCounters> counters_;

 private:
  struct Call {
    net::Request request;
    std::string what;  // names the request in errors
    TextCallback done;
    std::unique_ptr<net::Exchange> exchange;
    base::TimerId timer = 0;
    int attempts = 0;
    int status = 0;
    std::optional<base::Duration> retry_after;
    std::string body;
  };

  void Send(uint64_t id) {
    Call& call = *calls_.at(id);
    ++call.attempts;
    ++counters_->requests;
    call.status = 0;
    call.retry_after.reset();
    call.body.clear();
    net::ResponseEvents events;
    events.on_start = [&call](int status, const net::Headers& headers) {
      call.status = status;
      call.retry_after = RetryAfter(headers);
    };
    events.on_data = [&call](std::string_view chunk) { call.body.append(chunk); };
    events.on_end = [this, id](base::Status status) { OnEnd(id, std::move(status)); };
    if (executor_ != nullptr) {
      call.timer = executor_->PostAfter(settings_.request_timeout, [this, id] { OnTimeout(id); });
    }
    // The request is kept for a repetition.
    call.exchange = transport_.Send(executor_ != nullptr ? call.request : std::move(call.request),
                                    std::move(events));
  }

  void OnTimeout(uint64_t id) {
    Call& call = *calls_.at(id);
    call.timer = 0;
    call.exchange->Cancel();
    Finish(id, base::MakeError(base::Code::kTimeout,
                               call.what + ": no answer within " +
                                   base::FormatDuration(settings_.request_timeout)));
  }

  void OnEnd(uint64_t id, base::Status status) {
    Call& call = *calls_.at(id);
    if (!status.ok() || call.status == 0) {
      const std::string why = status.ok() ? "no answer" : status.error().message;
      const base::Code code = status.ok() ? base::Code::kUnavailable : status.error().code;
      return Finish(id, base::MakeError(code, call.what + ": " + why));
    }
    if (call.status < 400) return Finish(id, std::move(call.body));
    const bool busy = call.status == 429 || call.status == 503;
    if (busy && call.retry_after && executor_ != nullptr &&
        call.attempts < settings_.max_attempts) {
      return RetryLater(id);
    }
    Finish(id, ErrorOfAnswer(call.status, call.body, call.what));
  }

  void RetryLater(uint64_t id) {
    Call& call = *calls_.at(id);
    ++counters_->retried;
    executor_->Cancel(call.timer);
    call.exchange.reset();
    const base::Duration wait = std::min(*call.retry_after, settings_.longest_retry_wait);
    call.timer = executor_->PostAfter(wait, [this, id] {
      calls_.at(id)->timer = 0;
      Send(id);
    });
  }

  // Calls back last: the callback may destroy the client.
  void Finish(uint64_t id, base::Result<std::string> outcome) {
    const auto it = calls_.find(id);
    std::unique_ptr<Call> call = std::move(it->second);
    calls_.erase(it);
    if (executor_ != nullptr) executor_->Cancel(call->timer);
    if (!outcome.ok()) ++(call->status >= 400 ? counters_->refused : counters_->broken);
    TextCallback done = std::move(call->done);
    call.reset();
    done(std::move(outcome));
  }

  net::Transport& transport_;
  base::Executor* const executor_;
  const ClientSettings settings_;
  uint64_t last_id_ = 0;
  std::map<uint64_t, std::unique_ptr<Call>> calls_;
};

Client::Client(net::Transport& transport, std::string bearer_token, std::string user_agent)
    : impl_(std::make_unique<Impl>(transport, std::move(bearer_token), std::move(user_agent),
                                   nullptr, ClientSettings())) {}
Client::Client(net::Transport& transport, std::string bearer_token, std::string user_agent,
               base::Executor& executor, ClientSettings settings)
    : impl_(std::make_unique<Impl>(transport, std::move(bearer_token), std::move(user_agent),
                                   &executor, std::move(settings))) {}
Client::~Client() = default;

void Client::SetBearerToken(std::string bearer_token) {
  impl_->bearer_token_ = std::move(bearer_token);
}
const ClientCounters& Client::counters() const { return *impl_->counters_; }

void Client::Get(const api::KindInfo& kind, const ObjectKey& key, ObjectCallback done) {
  impl_->Start("GET", ObjectPath(kind, key, ""), "", "", Parsed(std::move(done)));
}

void Client::List(const api::KindInfo& kind, const std::string& namespace_name,
                  const ListOptions& options, ObjectCallback done) {
  impl_->Start("GET", CollectionPath(kind, namespace_name) + QueryOf(options, false), "", "",
               Parsed(std::move(done)));
}

void Client::Create(const api::KindInfo& kind, const Json& object, ObjectCallback done) {
  impl_->Start("POST", CollectionPath(kind, object.StringAt({"metadata", "namespace"})),
               "application/json", api::WriteJson(object), Parsed(std::move(done)));
}

void Client::Update(const api::KindInfo& kind, const Json& object, const std::string& subresource,
                    ObjectCallback done) {
  const ObjectKey key{object.StringAt({"metadata", "namespace"}),
                      object.StringAt({"metadata", "name"})};
  impl_->Start("PUT", ObjectPath(kind, key, subresource), "application/json",
               api::WriteJson(object), Parsed(std::move(done)));
}

void Client::Patch(const api::KindInfo& kind, const ObjectKey& key, const std::string& subresource,
                   PatchType type, const Json& patch, ObjectCallback done) {
  std::string target = ObjectPath(kind, key, subresource);
  if (type == PatchType::kApply) {
    // The manager's name is the program's, so that a new version owns what the old one applied.
    const std::string& agent = impl_->user_agent_;
    target += "?force=true&fieldManager=" + net::UrlEncode(agent.substr(0, agent.find('/')));
  }
  impl_->Start("PATCH", target, ContentTypeOf(type), api::WriteJson(patch),
               Parsed(std::move(done)));
}

void Client::Delete(const api::KindInfo& kind, const ObjectKey& key, const DeleteOptions& options,
                    ObjectCallback done) {
  impl_->Start("DELETE", ObjectPath(kind, key, ""), "application/json", BodyOf(options),
               Parsed(std::move(done)));
}

void Client::CreateSub(const api::KindInfo& kind, const ObjectKey& key,
                       const std::string& subresource, const Json& body, ObjectCallback done) {
  impl_->Start("POST", ObjectPath(kind, key, subresource), "application/json",
               api::WriteJson(body), Parsed(std::move(done)));
}

void Client::Raw(const std::string& method, const std::string& target, const std::string& body,
                 std::function<void(base::Result<std::string>)> done) {
  impl_->Start(method, target, "application/json", body, std::move(done));
}

std::unique_ptr<net::Exchange> Client::Watch(const api::KindInfo& kind,
                                             const std::string& namespace_name,
                                             const ListOptions& options,
                                             std::function<void(WatchEvent)> on_event,
                                             std::function<void(base::Status)> on_end) {
  return impl_->Watch(CollectionPath(kind, namespace_name) + QueryOf(options, true),
                      std::move(on_event), std::move(on_end));
}

}  // namespace kueue::kube
