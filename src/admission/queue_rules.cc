#include "admission/queue_rules.h"

#include <map>
#include <set>

#include "admission/names.h"
#include "api/match/name_rules.h"

namespace kueue::admission {
namespace {

using api::FieldErrorType;

// CQ-W4, CQ-W5, CQ-W6, CQ-W10.
constexpr size_t kMaxFlavors = 256;
constexpr size_t kMaxResources = 256;
constexpr size_t kMaxQuotasPerGroup = 512;
constexpr size_t kMaxRacingFlavors = 16;

void CheckAmount(const api::Quantity& quantity, const std::string& path, FieldErrors& errors) {
  if (quantity.Sign() >= 0) return;
  AddInvalid(errors, path, "'" + quantity.ToString() + "' must be zero or more");
}

struct Rules {
  bool has_parent;
  bool lending_within_nominal;  // RG-W7, ClusterQueues only
};

void CheckLimit(const std::optional<api::Quantity>& limit, const std::string& path,
                const Rules& rules, FieldErrors& errors) {
  if (!limit) return;
  CheckAmount(*limit, path, errors);
  if (rules.has_parent) return;
  AddInvalid(
      errors, path,
      "'" + limit->ToString() + "' needs a cohort: there is nobody to borrow from or lend to");
}

void CheckQuota(const api::ResourceQuota& quota, const std::string& path, const Rules& rules,
                FieldErrors& errors) {
  CheckAmount(quota.nominal_quota, path + ".nominalQuota", errors);
  CheckLimit(quota.borrowing_limit, path + ".borrowingLimit", rules, errors);
  CheckLimit(quota.lending_limit, path + ".lendingLimit", rules, errors);
  if (!rules.lending_within_nominal || !quota.lending_limit) return;
  if (*quota.lending_limit <= quota.nominal_quota) return;
  AddInvalid(errors, path + ".lendingLimit",
             "'" + quota.lending_limit->ToString() + "' must be at most nominalQuota, " +
                 quota.nominal_quota.ToString());
}

void CheckFlavor(const api::FlavorQuotas& flavor, const std::vector<std::string>& covered,
                 const std::string& path, const Rules& rules, FieldErrors& errors) {
  for (size_t k = 0; k < flavor.resources.size(); ++k) {
    const std::string at = At(path + ".resources", k);
    if (k < covered.size() && flavor.resources[k].name != covered[k]) {
      AddInvalid(errors, at + ".name",
                 "'" + flavor.resources[k].name + "' must be '" + covered[k] +
                     "': resources come in the order of coveredResources");
    }
    CheckQuota(flavor.resources[k], at, rules, errors);
  }
}

void CheckGroups(const std::vector<api::ResourceGroup>& groups, const Rules& rules,
                 FieldErrors& errors) {
  std::set<std::string> resources, flavors;
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string path = At("spec.resourceGroups", i);
    const api::ResourceGroup& group = groups[i];
    for (size_t j = 0; j < group.covered_resources.size(); ++j) {
      const std::string& name = group.covered_resources[j];
      const std::string at = At(path + ".coveredResources", j);
      for (const std::string& problem : api::QualifiedNameProblems(name)) {
        AddInvalid(errors, at, "'" + name + "' is not a resource name: " + problem);
      }
      if (resources.insert(name).second) continue;
      errors.push_back({FieldErrorType::kDuplicate, at, "'" + name + "' is covered already"});
    }
    for (size_t j = 0; j < group.flavors.size(); ++j) {
      const std::string at = At(path + ".flavors", j);
      if (!flavors.insert(group.flavors[j].name).second) {
        errors.push_back({FieldErrorType::kDuplicate, at + ".name",
                          "flavor '" + group.flavors[j].name + "' is listed already"});
      }
      CheckFlavor(group.flavors[j], group.covered_resources, at, rules, errors);
    }
  }
}

void CheckTotals(const std::vector<api::ResourceGroup>& groups, FieldErrors& errors) {
  const auto check = [&](size_t count, size_t limit, const char* what, const std::string& path) {
    if (count <= limit) return;
    AddInvalid(errors, path,
               "has " + std::to_string(count) + " " + what + ", at most " + std::to_string(limit) +
                   " are allowed");
  };
  size_t flavors = 0, resources = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    flavors += groups[i].flavors.size();
    resources += groups[i].covered_resources.size();
    check(groups[i].flavors.size() * groups[i].covered_resources.size(), kMaxQuotasPerGroup,
          "quotas (flavors times resources)", At("spec.resourceGroups", i));
  }
  check(flavors, kMaxFlavors, "flavors in all groups", "spec.resourceGroups");
  check(resources, kMaxResources, "covered resources in all groups", "spec.resourceGroups");
}

void CheckFairSharing(const std::optional<api::FairSharing>& fair, FieldErrors& errors) {
  if (!fair || !fair->weight) return;
  const __int128 nano = fair->weight->nano();
  if (nano >= 0 && nano != 1) return;
  AddInvalid(errors, "spec.fairSharing",
             "weight '" + fair->weight->ToString() + "' must be 0 or more than 1n");
}

std::set<std::string> FlavorNames(const api::ClusterQueueSpec& spec) {
  std::set<std::string> flavors;
  for (const auto& group : spec.resource_groups) {
    for (const auto& flavor : group.flavors) flavors.insert(flavor.name);
  }
  return flavors;
}

using FlavorsOfCheck = std::map<std::string, std::set<std::string>>;

// Checks an update leaves as they were are let pass while the flavors stay the same, so that
// objects from before the rule can be changed.
FlavorsOfCheck KnownChecks(const api::FeatureGates& gates, const api::ClusterQueue* before,
                           const std::set<std::string>& flavors) {
  FlavorsOfCheck known;
  if (before == nullptr || !before->spec.admission_checks_strategy ||
      gates.Enabled(api::Feature::kRejectUpdatesToCQWithInvalidOnFlavors) ||
      FlavorNames(before->spec) != flavors) {
    return known;
  }
  for (const auto& check : before->spec.admission_checks_strategy->admission_checks) {
    known[check.name] = {check.on_flavors.begin(), check.on_flavors.end()};
  }
  return known;
}

// CQ-W7.
void CheckChecks(const api::FeatureGates& gates, const api::ClusterQueue* before,
                 const api::ClusterQueueSpec& spec, FieldErrors& errors) {
  if (!spec.admission_checks_strategy) return;
  const std::set<std::string> flavors = FlavorNames(spec);
  const FlavorsOfCheck known = KnownChecks(gates, before, flavors);
  const auto& checks = spec.admission_checks_strategy->admission_checks;
  for (size_t i = 0; i < checks.size(); ++i) {
    const auto& on_flavors = checks[i].on_flavors;
    const auto old = known.find(checks[i].name);
    if (old != known.end() &&
        old->second == std::set<std::string>(on_flavors.begin(), on_flavors.end())) {
      continue;
    }
    const std::string path = At("spec.admissionChecksStrategy.admissionChecks", i) + ".onFlavors";
    for (size_t j = 0; j < on_flavors.size(); ++j) {
      if (flavors.count(on_flavors[j]) > 0) continue;
      errors.push_back({FieldErrorType::kNotSupported, At(path, j),
                        "'" + on_flavors[j] + "' is not a flavor of this queue"});
    }
  }
}

// CQ-W9..W12.
void CheckConcurrentAdmission(const api::ClusterQueueSpec& spec, FieldErrors& errors) {
  const std::string path = "spec.concurrentAdmissionPolicy.migration.constraints";
  const auto& groups = spec.resource_groups;
  if (groups.size() != 1) {
    AddInvalid(errors, "spec.resourceGroups",
               "has " + std::to_string(groups.size()) +
                   " groups, a queue with concurrent admission has exactly one");
  } else if (groups[0].flavors.size() > kMaxRacingFlavors) {
    AddInvalid(errors, "spec.resourceGroups[0].flavors",
               "has " + std::to_string(groups[0].flavors.size()) +
                   " flavors, a queue with concurrent admission has at most 16");
  }
  const auto& migration = spec.concurrent_admission_policy->migration;
  if (migration.constraints && migration.mode != "TryPreferredFlavors") {
    errors.push_back(
        {FieldErrorType::kForbidden, path,
         "goes with mode TryPreferredFlavors only, not with '" + migration.mode + "'"});
  } else if (migration.constraints && migration.constraints->last_acceptable_flavor_name) {
    const std::string& name = *migration.constraints->last_acceptable_flavor_name;
    if (FlavorNames(spec).count(name) == 0) {
      AddInvalid(errors, path + ".lastAcceptableFlavorName",
                 "'" + name + "' is not a flavor of this queue");
    }
  }
  if (spec.queueing_strategy == "StrictFIFO") {
    AddInvalid(errors, "spec.queueingStrategy",
               "'StrictFIFO' does not go with concurrent admission; use BestEffortFIFO");
  }
}

}  // namespace

std::vector<api::FieldError> ValidateClusterQueue(const api::FeatureGates& gates,
                                                  const api::ClusterQueue* before,
                                                  const api::ClusterQueue& queue) {
  FieldErrors errors;
  const api::ClusterQueueSpec& spec = queue.spec;
  CheckGroups(spec.resource_groups, {!spec.cohort_name.empty(), true}, errors);
  CheckSelector(spec.namespace_selector, "spec.namespaceSelector", errors);
  CheckFairSharing(spec.fair_sharing, errors);
  CheckTotals(spec.resource_groups, errors);
  CheckChecks(gates, before, spec, errors);
  if (before != nullptr &&
      before->spec.concurrent_admission_policy != spec.concurrent_admission_policy) {
    AddInvalid(errors, "spec.concurrentAdmissionPolicy",
               "may not be set, removed or changed once the queue exists");  // CQ-W8
  }
  if (spec.concurrent_admission_policy && gates.Enabled(api::Feature::kConcurrentAdmission)) {
    CheckConcurrentAdmission(spec, errors);
  }
  return errors;
}

std::vector<api::FieldError> ValidateCohort(const api::Cohort& cohort) {
  FieldErrors errors;
  CheckGroups(cohort.spec.resource_groups, {!cohort.spec.parent_name.empty(), false}, errors);
  CheckFairSharing(cohort.spec.fair_sharing, errors);
  return errors;
}

}  // namespace kueue::admission
