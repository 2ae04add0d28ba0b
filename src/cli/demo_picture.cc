#include "cli/demo_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "api/types/names.h"
#include "resources/resource_vector.h"

namespace kueue::cli {
namespace {

namespace names = api::names;

bool IsTrue(const api::Workload& workload, std::string_view type) {
  return api::IsConditionTrue(workload.status.conditions, type);
}

std::string OwnerName(const api::Workload& workload) {
  const api::OwnerReference* owner = api::ControllerOf(workload.metadata);
  return owner != nullptr ? owner->name : workload.metadata.name;
}

std::string Cut(const std::string& text, size_t width) {
  return text.size() <= width ? text : text.substr(0, width - 1) + "~";
}

std::string Bar(const api::Quantity& used, const api::Quantity& nominal, int width) {
  const __int128 whole = nominal.nano();
  const int filled =
      whole > 0 ? static_cast<int>(std::min<__int128>(used.nano() * width / whole, width)) : 0;
  return std::string(static_cast<size_t>(filled), '#') +
         std::string(static_cast<size_t>(width - filled), '.');
}

// Used quantities of a queue by (flavor, resource).
using Usage = std::map<std::pair<std::string, std::string>, api::Quantity>;
Usage UsageOf(const api::ClusterQueue& queue) {
  Usage usage;
  for (const api::FlavorUsage& flavor : queue.status.flavors_reservation) {
    for (const api::ResourceUsage& r : flavor.resources) usage[{flavor.name, r.name}] = r.total;
  }
  return usage;
}

void DrawQueue(const api::ClusterQueue& queue, std::string& out) {
  out += fmt::format("{}   pending {}  admitted {}\n", queue.metadata.name,
                     queue.status.pending_workloads, queue.status.admitted_workloads);
  const Usage usage = UsageOf(queue);
  for (const api::ResourceGroup& group : queue.spec.resource_groups) {
    for (const api::FlavorQuotas& flavor : group.flavors) {
      for (const api::ResourceQuota& quota : flavor.resources) {
        const auto it = usage.find({flavor.name, quota.name});
        const api::Quantity used = it == usage.end() ? api::Quantity() : it->second;
        out += fmt::format("  {:<15} {:<15} [{}] {:>6} of {}\n", flavor.name, quota.name,
                           Bar(used, quota.nominal_quota, 32), used.ToString(),
                           quota.nominal_quota.ToString());
      }
    }
  }
}

// Running first, then waiting, then finished; in each the oldest first.
int Rank(const api::Workload& workload) {
  const std::string state = StateOf(workload).state;
  if (state == "Running" || state == "Reserved") return 0;
  if (state == "Evicted") return 1;
  return state == "Pending" ? 2 : 3;
}

// Seconds between two conditions' transitions, or since creation.
std::optional<int64_t> SecondsUntil(const api::Workload& workload, std::string_view type) {
  const api::Condition* c = api::FindCondition(workload.status.conditions, type);
  if (c == nullptr || !c->last_transition_time || !workload.metadata.creation_timestamp) {
    return std::nullopt;
  }
  return std::chrono::floor<base::seconds>(*c->last_transition_time -
                                           *workload.metadata.creation_timestamp)
      .count();
}

int EvictionsOf(const api::Workload& workload) {
  int count = 0;
  if (!workload.status.scheduling_stats) return 0;
  for (const auto& e : workload.status.scheduling_stats->evictions) count += e.count;
  return count;
}

struct Span {
  base::Time first = base::Time::max(), last = base::Time::min();
};

Span SpanOf(const DemoView& view) {
  Span span;
  for (const auto& w : view.workloads) {
    const api::Condition* finished = api::FindCondition(w->status.conditions, names::kFinished);
    if (!w->metadata.creation_timestamp || finished == nullptr) continue;
    span.first = std::min(span.first, *w->metadata.creation_timestamp);
    span.last = std::max(span.last, finished->last_transition_time.value_or(span.last));
  }
  return span;
}

// Unit-seconds that ended workloads held, by (flavor, resource).
std::map<std::pair<std::string, std::string>, __int128> HeldSeconds(const DemoView& view) {
  std::map<std::pair<std::string, std::string>, __int128> held;
  for (const auto& w : view.workloads) {
    const auto reserved = SecondsUntil(*w, names::kQuotaReserved);
    const auto finished = SecondsUntil(*w, names::kFinished);
    if (!w->status.admission || !reserved || !finished) continue;
    const int64_t seconds = std::max<int64_t>(*finished - *reserved, 0) +
                            w->status.accumulated_past_execution_time_seconds.value_or(0);
    for (const auto& set : w->status.admission->pod_set_assignments) {
      for (const auto& [resource, quantity] : set.resource_usage) {
        const auto flavor = set.flavors.find(resource);
        if (flavor == set.flavors.end()) continue;
        held[{flavor->second, resource}] +=
            static_cast<__int128>(seconds) * resources::RequestUnits(resource, quantity);
      }
    }
  }
  return held;
}

}  // namespace

WorkloadState StateOf(const api::Workload& workload) {
  if (IsTrue(workload, names::kFinished)) return {"Finished", ""};
  if (IsTrue(workload, names::kEvicted)) {
    return {"Evicted", api::FindCondition(workload.status.conditions, names::kEvicted)->reason};
  }
  if (IsTrue(workload, names::kAdmitted)) return {"Running", ""};
  if (IsTrue(workload, names::kQuotaReserved)) return {"Reserved", ""};
  const api::Condition* c = api::FindCondition(workload.status.conditions, names::kQuotaReserved);
  return {"Pending", c != nullptr ? c->reason : ""};
}

size_t CountEnded(const DemoView& view) {
  return static_cast<size_t>(std::count_if(view.jobs.begin(), view.jobs.end(), [](const auto& job) {
    return std::any_of(job->status.conditions.begin(), job->status.conditions.end(),
                       [](const auto& c) {
                         return c.status == api::ConditionStatus::kTrue &&
                                (c.type == "Complete" || c.type == "Failed");
                       });
  }));
}

std::string DrawTable(const DemoView& view, int columns, int rows) {
  std::string out;
  for (const auto& queue : view.cluster_queues) DrawQueue(*queue, out);
  out +=
      fmt::format("\n{:<24} {:<34} {:>4}  {:<9} {}\n", "JOB", "QUEUE", "PRIO", "STATE", "REASON");
  auto workloads = view.workloads;
  std::stable_sort(workloads.begin(), workloads.end(), [](const auto& a, const auto& b) {
    return std::tuple(Rank(*a), a->metadata.creation_timestamp, a->metadata.name) <
           std::tuple(Rank(*b), b->metadata.creation_timestamp, b->metadata.name);
  });
  int left = rows - static_cast<int>(std::count(out.begin(), out.end(), '\n')) - 1;
  for (const auto& w : workloads) {
    if (--left <= 0) break;
    const WorkloadState state = StateOf(*w);
    const std::string line = fmt::format("{:<24} {:<34} {:>4}  {:<9} {}", Cut(OwnerName(*w), 24),
                                         Cut(w->spec.queue_name, 34), w->spec.priority.value_or(0),
                                         state.state, state.reason);
    out += Cut(line, static_cast<size_t>(std::max(columns, 20))) + "\n";
  }
  return out;
}

std::vector<std::string> DescribeChanges(const DemoView& before, const DemoView& after) {
  std::map<std::string, WorkloadState> old;
  for (const auto& w : before.workloads) old[w->metadata.uid] = StateOf(*w);
  std::vector<std::string> lines;
  for (const auto& w : after.workloads) {
    const WorkloadState now = StateOf(*w);
    const auto it = old.find(w->metadata.uid);
    if (it != old.end() && it->second.state == now.state && it->second.reason == now.reason)
      continue;
    const std::string reason = now.reason.empty() ? "" : " (" + now.reason + ")";
    lines.push_back(fmt::format("{:<24} {:<9}{}", OwnerName(*w), now.state, reason));
  }
  return lines;
}

std::string Summarise(const DemoView& view) {
  const Span span = SpanOf(view);
  const int64_t makespan =
      std::max<int64_t>(std::chrono::floor<base::seconds>(span.last - span.first).count(), 1);
  std::string out = fmt::format("{} jobs ended in {} s\n\nwaited from creation to quota\n",
                                CountEnded(view), makespan);
  std::map<int32_t, std::vector<int64_t>> waits;
  int preemptions = 0, displaced = 0, came_back = 0;
  for (const auto& w : view.workloads) {
    if (const auto wait = SecondsUntil(*w, names::kQuotaReserved)) {
      waits[-w->spec.priority.value_or(0)].push_back(std::max<int64_t>(*wait, 0));
    }
    preemptions += EvictionsOf(*w);
    if (EvictionsOf(*w) == 0) continue;
    ++displaced;
    came_back += StateOf(*w).state == "Finished" ? 1 : 0;
  }
  for (auto& [negative_priority, seconds] : waits) {
    std::sort(seconds.begin(), seconds.end());
    out += fmt::format("  priority {:>5}   {:>2} jobs   median {:>3} s   longest {:>3} s\n",
                       -negative_priority, seconds.size(), seconds[seconds.size() / 2],
                       seconds.back());
  }
  out += "\nutilisation of nominal quota\n";
  const auto held = HeldSeconds(view);
  for (const auto& queue : view.cluster_queues) {
    for (const api::ResourceGroup& group : queue->spec.resource_groups) {
      for (const api::FlavorQuotas& flavor : group.flavors) {
        for (const api::ResourceQuota& quota : flavor.resources) {
          const int64_t units = resources::RequestUnits(quota.name, quota.nominal_quota);
          const auto it = held.find({flavor.name, quota.name});
          const __int128 used = it == held.end() ? 0 : it->second;
          const __int128 whole = static_cast<__int128>(units) * makespan;
          out += fmt::format("  {:<15} {:<15} {:>3} %\n", flavor.name, quota.name,
                             static_cast<int>(whole > 0 ? used * 100 / whole : 0));
        }
      }
    }
  }
  return out + fmt::format("\npreemptions     {} ({} jobs displaced, {} of them finished later)\n",
                           preemptions, displaced, came_back);
}

}  // namespace kueue::cli
