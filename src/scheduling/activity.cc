#include <algorithm>

#include "scheduling/world.h"

// Whether a ClusterQueue may schedule, and why not (spec/scheduling.md §3.1).
namespace kueue::scheduling {
namespace {

constexpr char kMultiKueue[] = "kueue.x-k8s.io/multikueue";
constexpr char kProvisioningRequest[] = "kueue.x-k8s.io/provisioning-request";

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Collects all causes; the first one gives the reason.
class Causes {
 public:
  void Add(const char* reason, std::string message) {
    if (reason_.empty()) reason_ = reason;
    if (!message_.empty()) message_ += "; ";
    message_ += message;
  }
  void AddNames(const char* reason, const std::string& what, std::vector<std::string> names) {
    if (!names.empty()) Add(reason, what + Join(names));
  }
  bool empty() const { return reason_.empty(); }
  Activity Take() { return {false, std::move(reason_), "Cannot admit work: " + message_}; }

 private:
  std::string reason_, message_;
};

}  // namespace

void World::AddCheckCauses(const ClusterQueue& queue, std::vector<CheckCause>& causes) const {
  const auto& strategy = queue.object->spec.admission_checks_strategy;
  if (!strategy) return;
  std::vector<std::string> missing, inactive, multikueue, provisioning, per_flavor;
  size_t flavor_count = 0;
  for (const RuleGroup& group : queue.rules.groups) flavor_count += group.flavors.size();
  for (const api::AdmissionCheckStrategyRule& rule : strategy->admission_checks) {
    const auto found = checks_.find(rule.name);
    if (found == checks_.end()) {
      missing.push_back(rule.name);
      continue;
    }
    if (!api::IsConditionTrue(found->second->status.conditions, "Active")) {
      inactive.push_back(rule.name);
    }
    const std::string& controller = found->second->spec.controller_name;
    if (controller == kProvisioningRequest) provisioning.push_back(rule.name);
    if (controller != kMultiKueue) continue;
    multikueue.push_back(rule.name);
    const std::set<std::string> covered(rule.on_flavors.begin(), rule.on_flavors.end());
    if (!covered.empty() && covered.size() != flavor_count) per_flavor.push_back(rule.name);
  }
  for (auto* names : {&missing, &inactive, &multikueue, &provisioning, &per_flavor}) {
    std::sort(names->begin(), names->end());
  }
  const auto add = [&](const char* reason, const char* what, std::vector<std::string> names) {
    if (!names.empty()) causes.push_back({reason, what, std::move(names)});
  };
  add("AdmissionCheckNotFound", "these AdmissionChecks do not exist: ", missing);
  add("AdmissionCheckInactive", "these AdmissionChecks are not active: ", inactive);
  if (multikueue.size() > 1) {
    add("MultipleMultiKueueAdmissionChecks", "more than one MultiKueue check: ", multikueue);
  }
  add("MultiKueueAdmissionCheckAppliedPerFlavor",
      "a MultiKueue check has to cover all flavors: ", per_flavor);
  if (!multikueue.empty() && !provisioning.empty()) {
    add("MultiKueueWithProvisioningRequest",
        "MultiKueue and ProvisioningRequest checks do not go together: ", provisioning);
  }
}

bool World::HasMultiKueueCheck(const ClusterQueue& queue) const {
  const auto& strategy = queue.object->spec.admission_checks_strategy;
  if (!strategy) return false;
  const auto& rules = strategy->admission_checks;
  return std::any_of(rules.begin(), rules.end(), [&](const auto& rule) {
    const api::AdmissionCheck* const check = FindCheck(rule.name);
    return check != nullptr && check->spec.controller_name == kMultiKueue;
  });
}

Activity World::ActivityOf(const ClusterQueue& queue) const {
  if (queue.object == nullptr) return {false, "NotFound", "The ClusterQueue is not known"};
  if (queue.terminating) {
    return {false, "Terminating", "Cannot admit work: the ClusterQueue is being deleted"};
  }
  Causes causes;
  if (queue.rules.stopped) causes.Add("Stopped", "the ClusterQueue is stopped");
  std::vector<std::string> missing;
  for (const RuleGroup& group : queue.rules.groups) {
    for (const RuleFlavor& entry : group.flavors) {
      if (FindFlavor(entry.flavor) == nullptr) missing.push_back(catalog.Name(entry.flavor));
    }
  }
  causes.AddNames("FlavorNotFound", "these ResourceFlavors do not exist, create them: ",
                  std::move(missing));
  if (LacksTopology(queue) && !HasMultiKueueCheck(queue)) {
    causes.Add("TopologyNotFound", "the topology of some ResourceFlavor does not exist");
  }
  std::vector<CheckCause> checks;
  AddCheckCauses(queue, checks);
  for (CheckCause& cause : checks) causes.AddNames(cause.reason, cause.what, cause.names);
  if (!causes.empty()) return causes.Take();
  return {true, "Ready", "Can admit work"};
}

}  // namespace kueue::scheduling
