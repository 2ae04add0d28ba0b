#include "cli/explanation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/text_table.h"
#include "resources/resource_vector.h"

namespace kueue::cli {
namespace {

using scheduling::Explanation;
using scheduling::FlavorMode;
using scheduling::Standing;

// Of long lists the first are named, the rest counted.
constexpr size_t kMostNames = 5;

std::string QuantityText(const std::string& resource, int64_t units) {
  return resources::UnitsToQuantity(resource, units).ToString();
}

std::string QuotaText(const std::string& resource, resources::Amount amount) {
  return amount.IsUnlimited() ? "unlimited" : QuantityText(resource, amount.value());
}

std::string Names(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kMostNames) text += fmt::format(" and {} more", names.size() - kMostNames);
  return text;
}

std::string Plural(size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string_view ModeText(FlavorMode mode) {
  switch (mode) {
    case FlavorMode::kFit:
      return "fits";
    case FlavorMode::kDeferredFit:
      return "fits later";
    case FlavorMode::kPreempt:
      return "would fit if others stopped";
    case FlavorMode::kNoFit:
      break;
  }
  return "does not fit";
}

std::string Headline(const api::Workload& workload, const Explanation& why) {
  std::string text = "Workload " + workload.metadata.namespace_name + "/" + workload.metadata.name;
  if (!workload.metadata.owner_references.empty()) {
    const api::OwnerReference& owner = workload.metadata.owner_references.front();
    text += fmt::format(" ({} {})", owner.kind, owner.name);
  }
  switch (why.standing) {
    case Standing::kUnknown:
      text += " is not known to the queues";
      break;
    case Standing::kFinished:
      text += " has finished";
      break;
    case Standing::kReserved:
      text += api::IsConditionTrue(workload.status.conditions, "Admitted") ? " is admitted"
                                                                           : " holds quota";
      break;
    case Standing::kHeld:
      text += " is held back";
      break;
    case Standing::kWaiting:
      text += " waits";
      break;
    case Standing::kBackingOff:
      text += " backs off";
      break;
  }
  text += "\n";
  if (!why.local_queue.empty()) text += "  LocalQueue    " + why.local_queue + "\n";
  if (!why.cluster_queue.empty()) text += "  ClusterQueue  " + why.cluster_queue + "\n";
  return text;
}

// Why the last run ended, if it did, and when the next may begin.
std::string History(const api::Workload& workload) {
  std::string text;
  const api::Condition* const evicted = api::FindCondition(workload.status.conditions, "Evicted");
  if (api::IsConditionTrue(workload.status.conditions, "Evicted")) {
    text += fmt::format("It was evicted: {} ({})\n", evicted->message, evicted->reason);
  }
  const auto& requeue = workload.status.requeue_state;
  if (requeue && requeue->requeue_at) {
    text += "It is tried again at " + base::FormatTime(*requeue->requeue_at) + "\n";
  }
  return text;
}

std::string Holdings(const api::Workload& workload) {
  std::string text;
  if (!workload.status.admission) return text;
  for (const api::PodSetAssignment& assigned : workload.status.admission->pod_set_assignments) {
    std::vector<TableRow> rows;
    for (const auto& [resource, flavor] : assigned.flavors) {
      const auto usage = assigned.resource_usage.find(resource);
      rows.push_back({resource,
                      usage == assigned.resource_usage.end() ? "" : usage->second.ToString(),
                      "of flavor " + flavor});
    }
    text += "Pod set " + assigned.name + " holds\n" + TextTable(rows, "  ");
  }
  for (const api::AdmissionCheckState& check : workload.status.admission_checks) {
    if (check.state == "Ready") continue;
    text += fmt::format("It waits for admission check {}: {}{}\n", check.name, check.state,
                        check.message.empty() ? "" : ", " + check.message);
  }
  return text;
}

std::string AttemptText(const scheduling::FlavorAttempt& attempt) {
  std::string text = fmt::format("  pod set {}, flavor {}: ", attempt.pod_set, attempt.flavor);
  if (!attempt.refusal.empty()) return text + attempt.refusal + "\n";
  text += std::string(ModeText(attempt.mode)) + "\n";
  std::vector<TableRow> rows;
  for (const scheduling::ResourceAttempt& tried : attempt.resources) {
    const std::string& name = tried.resource;
    rows.push_back({name, "asks " + QuantityText(name, tried.requested),
                    "free " + QuotaText(name, tried.available),
                    "used " + QuotaText(name, tried.used),
                    "nominal " + QuotaText(name, tried.nominal),
                    "at most ever " + QuotaText(name, tried.potential), tried.reason});
  }
  return text + TextTable(rows, "    ");
}

std::string PlaceText(const scheduling::PlaceRefusal& refusal) {
  std::string text = fmt::format("  pod set {}, flavor {}: no place for its pods", refusal.pod_set,
                                 refusal.flavor);
  if (!refusal.problem.empty()) return text + ": " + refusal.problem + "\n";
  text += fmt::format("; {} of {} {} fit\n", refusal.fitting, refusal.wanted,
                      refusal.in_slices ? "slices" : "pods");
  std::vector<TableRow> rows;
  for (const auto& level : refusal.best) {
    rows.push_back(
        {"best " + level.key, level.domain, Plural(static_cast<size_t>(level.pods), "pod")});
  }
  text += TextTable(rows, "    ");
  for (const auto& [cause, count] : refusal.excluded) {
    text += fmt::format("    {} of {} ruled out: {}\n", count, refusal.nodes, cause);
  }
  for (const auto& [cause, count] : refusal.unusable) {
    text += fmt::format("    {} more not usable: {}\n", count, cause);
  }
  return text;
}

std::string Verdict(const Explanation& why) {
  const std::string tried = "Were it tried now, alone: ";
  if (why.mode != FlavorMode::kPreempt)
    return tried + "it " + std::string(ModeText(why.mode)) + "\n";
  if (!why.victims.empty()) return tried + "it would preempt " + Names(why.victims) + "\n";
  return tried + "it would wait for " + (why.places.empty() ? "quota" : "room") +
         " that others use; none of them may be preempted for it\n";
}

std::string Remedy(const api::Workload& workload, const Explanation& why) {
  std::string text;
  if (!why.least_change.empty()) {
    text += fmt::format("Least change that lets it in{}: in ClusterQueue {}, nominal quota of\n",
                        why.ahead.empty() ? "" : " once none is ahead", why.cluster_queue);
    std::vector<TableRow> rows;
    for (const scheduling::QuotaIncrease& more : why.least_change) {
      rows.push_back({more.flavor, more.resource, "+" + QuantityText(more.resource, more.amount)});
    }
    return text + TextTable(rows, "  ");
  }
  if (why.mode == FlavorMode::kFit) {
    return why.ahead.empty() ? "It is next: nothing has to change.\n"
                             : "Quota is there for it: it waits only for those ahead.\n";
  }
  return fmt::format(
      "More quota would not let it in; see what was refused above, and "
      "`kubectl describe workload {} -n {}`.\n",
      workload.metadata.name, workload.metadata.namespace_name);
}

}  // namespace

std::string ExplanationText(const api::Workload& workload, const Explanation& why) {
  std::string text = Headline(workload, why);
  if (why.standing == Standing::kFinished || why.standing == Standing::kUnknown) return text;
  text += History(workload);
  if (why.standing == Standing::kReserved) return text + Holdings(workload);
  for (const scheduling::Blocker& blocker : why.blockers) {
    text += fmt::format("In the way: {} ({})\n", blocker.message, blocker.reason);
  }
  if (why.standing == Standing::kHeld) return text;
  text += why.ahead.empty() ? "It is the first of its queue.\n"
                            : fmt::format("{} ahead of it: {}\n",
                                          Plural(why.ahead.size(), "workload"), Names(why.ahead));
  if (why.attempts.empty() && !why.blockers.empty()) return text;
  text += Verdict(why);
  for (const scheduling::FlavorAttempt& attempt : why.attempts) text += AttemptText(attempt);
  for (const scheduling::PlaceRefusal& refusal : why.places) text += PlaceText(refusal);
  for (const std::string& policy : why.policies) text += "By policy: " + policy + "\n";
  return text + Remedy(workload, why);
}

}  // namespace kueue::cli
