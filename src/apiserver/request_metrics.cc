#include "apiserver/request_metrics.h"

#include <chrono>
#include <utility>

namespace kueue::apiserver {

namespace {

constexpr char kTextType[] = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";

// The verb in the words of these metrics: GET and LIST of what access calls get and list, and for
// writes the method.
std::string VerbOf(const Call& call, const AccessAttributes& access) {
  if (access.verb == "watch" || access.verb == "list" || access.verb == "deletecollection") {
    std::string verb = access.verb;
    for (char& c : verb) c = static_cast<char>(c - 'a' + 'A');
    return verb;
  }
  const bool apply = BareMediaType(call.Header("content-type")) == "application/apply-patch+yaml";
  return call.request.method == "PATCH" && apply ? "APPLY" : call.request.method;
}

std::string ScopeOf(const AccessAttributes& access) {
  if (access.resource.empty()) return "";
  if (!access.name.empty()) return "resource";
  return access.namespace_name.empty() ? "cluster" : "namespace";
}

}  // namespace

struct RequestMetrics::Counters {
  metrics::Registry registry;
  metrics::Counter& requests = registry.AddCounter(
      "apiserver_request_total", "Requests answered, by verb, resource and code.",
      {"code", "component", "dry_run", "group", "resource", "scope", "subresource", "verb",
       "version"});
  metrics::Histogram& durations = registry.AddHistogram(
      "apiserver_request_duration_seconds", "How long answers took.",
      {"component", "dry_run", "group", "resource", "scope", "subresource", "verb", "version"},
      {0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1,  1.25, 1.5, 2,
       3,     4,     5,    6,   8,   10,  15,  20,  30, 45,   60});
  metrics::Gauge& long_running = registry.AddGauge(
      "apiserver_longrunning_requests", "Open watches and other answers without an end.",
      {"component", "dry_run", "group", "resource", "scope", "subresource", "verb", "version"});
  metrics::Gauge& inflight = registry.AddGauge(
      "apiserver_current_inflight_requests", "Requests that are being answered.", {"request_kind"});
  metrics::Gauge& objects =
      registry.AddGauge("apiserver_resource_objects", "Stored objects.", {"group", "resource"});
};

// Hands everything on, and counts the answer when it ends or is given up.
class RequestMetrics::Following final : public net::Responder {
 public:
  Following(std::shared_ptr<Counters> counters, const base::Executor& executor,
            std::shared_ptr<net::Responder> inner, metrics::LabelValues labels, bool long_running,
            bool mutating)
      : counters_(std::move(counters)),
        executor_(executor),
        inner_(std::move(inner)),
        labels_(std::move(labels)),
        kind_(mutating ? "mutating" : "readOnly"),
        long_running_(long_running),
        started_(executor.clock().Now()) {
    if (long_running_) {
      counters_->long_running.Add(labels_, 1);
    } else {
      counters_->inflight.Add({kind_}, 1);
    }
  }
  // Given up without an end; the executor may be gone.
  ~Following() override { Count(); }

  void Start(int status, net::Headers headers) override {
    status_ = status;
    inner_->Start(status, std::move(headers));
  }
  void Write(std::string chunk) override { inner_->Write(std::move(chunk)); }
  void End() override {
    inner_->End();
    if (!long_running_ && !counted_) {
      const auto took = executor_.clock().Now() - started_;
      counters_->durations.Observe(labels_, std::chrono::duration<double>(took).count());
    }
    Count();
  }
  bool Closed() const override { return inner_->Closed(); }
  size_t Backlog() const override { return inner_->Backlog(); }

 private:
  void Count() {
    if (std::exchange(counted_, true)) return;
    if (long_running_) {
      counters_->long_running.Add(labels_, -1);
    } else {
      counters_->inflight.Add({kind_}, -1);
    }
    metrics::LabelValues with_code = labels_;
    with_code.insert(with_code.begin(), std::to_string(status_));
    counters_->requests.Add(with_code);
  }

  const std::shared_ptr<Counters> counters_;
  const base::Executor& executor_;
  const std::shared_ptr<net::Responder> inner_;
  const metrics::LabelValues labels_;
  const std::string kind_;
  const bool long_running_;
  const base::Time started_;
  int status_ = 0;
  bool counted_ = false;
};

RequestMetrics::RequestMetrics(base::Executor& executor, const Store& store)
    : executor_(executor), store_(store), counters_(std::make_shared<Counters>()) {}

void RequestMetrics::Follow(Call& call, const AccessAttributes& access) {
  const std::string verb = VerbOf(call, access);
  const bool long_running = verb == "WATCH";
  const bool read = verb == "GET" || verb == "LIST" || verb == "HEAD";
  std::string dry_run = call.target.Query("dryRun").value_or("");
  if (dry_run != "All") dry_run.clear();
  // Unknown paths come in any number; only known ones get a name of their own.
  std::string subresource = access.subresource;
  if (access.resource.empty() && call.segments.size() == 1) subresource = access.path;
  const bool known =
      access.resource.empty() || call.path.kind != nullptr || call.path.virtual_resource != nullptr;
  const std::string group = known ? access.group : "", resource = known ? access.resource : "";
  if (!known) subresource.clear();
  metrics::LabelValues labels = {
      "apiserver",     dry_run,     group, resource,
      ScopeOf(access), subresource, verb,  known ? call.path.version : ""};
  call.responder = std::make_shared<Following>(counters_, executor_, std::move(call.responder),
                                               std::move(labels), long_running, !read);
}

bool RequestMetrics::Handle(Call& call) {
  if (call.segments.size() != 1 || call.segments[0] != "metrics") return false;
  if (call.request.method != "GET") {
    SendError(call, MethodNotAllowedError());
    return true;
  }
  for (const api::KindInfo* kind : store_.kinds()) {
    counters_->objects.Set({std::string(kind->group), std::string(kind->plural)},
                           static_cast<double>(store_.Count(*kind)));
  }
  const std::string text = counters_->registry.Text();
  net::Headers headers = AnswerHeaders(call, kTextType);
  headers.emplace_back("Content-Length", std::to_string(text.size()));
  call.responder->Start(200, std::move(headers));
  call.responder->Write(text);
  call.responder->End();
  return true;
}

}  // namespace kueue::apiserver
