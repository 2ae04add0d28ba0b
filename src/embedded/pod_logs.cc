#include "embedded/pod_logs.h"

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "base/log.h"
#include "localcluster/local_cluster.h"

namespace kueue::embedded {

using apiserver::LogQuery;
using localcluster::LogLine;

namespace {

// How often a followed log of the process itself is looked at.
constexpr base::Duration kLookEvery = base::milliseconds(500);

std::string Text(const LogLine& line, bool timestamps) {
  return (timestamps ? base::FormatMicroTime(line.time) + " " : "") + line.text + "\n";
}

// The lines that the query asks for, as one text.
std::string Selected(const std::vector<LogLine>& lines, const LogQuery& query, base::Time now) {
  size_t first = 0;
  std::optional<base::Time> since = query.since_time;
  if (query.since_seconds) {
    since = now - base::seconds(std::clamp<int64_t>(*query.since_seconds, 0, int64_t{1} << 31));
  }
  while (since && first < lines.size() && lines[first].time < *since) ++first;
  if (query.tail_lines) {
    const auto wanted = static_cast<size_t>(std::max<int64_t>(*query.tail_lines, 0));
    if (lines.size() - first > wanted) first = lines.size() - wanted;
  }
  std::string text;
  for (size_t i = first; i < lines.size(); ++i) text += Text(lines[i], query.timestamps);
  if (query.limit_bytes && text.size() > static_cast<size_t>(*query.limit_bytes)) {
    text.resize(static_cast<size_t>(*query.limit_bytes));
  }
  return text;
}

std::vector<LogLine> OwnLines() {
  std::vector<LogLine> lines;
  for (base::LoggedLine& line : base::RecentLog()) {
    lines.push_back({line.time, std::move(line.text)});
  }
  return lines;
}

void SendBadRequest(net::Responder& responder, const std::string& message) {
  api::Json status = api::Json::MakeObject();
  status.Set("kind", "Status");
  status.Set("apiVersion", "v1");
  status.Set("metadata", api::Json::MakeObject());
  status.Set("status", "Failure");
  status.Set("message", message);
  status.Set("reason", "BadRequest");
  status.Set("code", 400);
  responder.Start(400, {{"Content-Type", "application/json"}});
  responder.Write(api::WriteJson(status));
  responder.End();
}

void Begin(net::Responder& responder, std::string text) {
  responder.Start(200, {{"Content-Type", "text/plain"}, {"Cache-Control", "no-cache, private"}});
  if (!text.empty()) responder.Write(std::move(text));
}

}  // namespace

PodLogs::PodLogs(kube::Cache& cache, base::Executor& executor) : executor_(executor) {
  using PodPtr = std::shared_ptr<const api::Pod>;
  cache.OnChange<api::Pod>(
      scope_.Wrap([this](const PodPtr& before, const PodPtr& after) { OnPod(before, after); }));
}

void PodLogs::Read(const api::Json& json, const LogQuery& asked,
                   std::shared_ptr<net::Responder> responder) {
  const auto pod = api::Decode<api::Pod>(json);
  if (!pod.ok()) return SendBadRequest(*responder, "the pod cannot be read");
  LogQuery query = asked;
  if (query.container.empty() && !pod->spec.containers.empty()) {
    query.container = pod->spec.containers[0].name;
  }
  if (pod->metadata.annotations.count(localcluster::kRuntimeAnnotation) > 0) {
    return ReadOwn(query, std::move(responder));
  }
  const auto log = localcluster::SimulatedLog(*pod, query.container, query.previous);
  if (query.previous && log.lines.empty()) {
    return SendBadRequest(*responder, "previous terminated container \"" + query.container +
                                          "\" in pod \"" + pod->metadata.name + "\" not found");
  }
  if (!log.waiting.empty()) {
    return SendBadRequest(*responder, "container \"" + query.container + "\" in pod \"" +
                                          pod->metadata.name +
                                          "\" is waiting to start: " + log.waiting);
  }
  Begin(*responder, Selected(log.lines, query, executor_.clock().Now()));
  if (!query.follow || log.ended || query.limit_bytes) {
    responder->End();
    return;
  }
  followers_.push_back({kube::KeyOf(pod->metadata), pod->metadata.uid, query, log.lines.size(), 0,
                        std::move(responder)});
}

void PodLogs::OnPod(const std::shared_ptr<const api::Pod>& before,
                    const std::shared_ptr<const api::Pod>& after) {
  const api::Pod& pod = after ? *after : *before;
  for (auto it = followers_.begin(); it != followers_.end();) {
    if (it->uid != pod.metadata.uid || it->told_own > 0) {
      ++it;
      continue;
    }
    const auto log = localcluster::SimulatedLog(pod, it->query.container, false);
    // A restarted container begins a log of its own, which goes on in the same stream.
    if (log.lines.size() < it->told) it->told = 0;
    for (; it->told < log.lines.size(); ++it->told) {
      it->responder->Write(Text(log.lines[it->told], it->query.timestamps));
    }
    if (!after || log.ended) it->responder->End();
    it = !after || log.ended || it->responder->Closed() ? followers_.erase(it) : std::next(it);
  }
}

void PodLogs::ReadOwn(const LogQuery& query, std::shared_ptr<net::Responder> responder) {
  Begin(*responder, Selected(OwnLines(), query, executor_.clock().Now()));
  if (!query.follow || query.limit_bytes || query.previous) {
    responder->End();
    return;
  }
  Follower follower;
  follower.query = query;
  follower.told_own = base::LoggedSoFar() + 1;
  follower.responder = std::move(responder);
  followers_.push_back(std::move(follower));
  TellOwn();
}

void PodLogs::TellOwn() {
  if (looking_) return;
  bool any = false;
  const uint64_t logged = base::LoggedSoFar();
  for (auto it = followers_.begin(); it != followers_.end();) {
    if (it->told_own == 0) {
      ++it;
      continue;
    }
    if (it->responder->Closed()) {
      it = followers_.erase(it);
      continue;
    }
    any = true;
    const uint64_t fresh = logged - (it->told_own - 1);
    if (fresh > 0) {
      LogQuery rest = it->query;
      rest.since_seconds.reset();
      rest.since_time.reset();
      rest.tail_lines = static_cast<int64_t>(fresh);
      it->responder->Write(Selected(OwnLines(), rest, executor_.clock().Now()));
      it->told_own = logged + 1;
    }
    ++it;
  }
  if (!any) return;
  looking_ = true;
  executor_.PostAfter(kLookEvery, scope_.Wrap([this] {
    looking_ = false;
    TellOwn();
  }));
}

}  // namespace kueue::embedded
