#include "admission/queue_rules.h"

#include <set>

#include "api/types/kueue.h"

namespace kueue::admission {
namespace {

using api::FieldError;
using api::FieldErrorType;
using Errors = std::vector<FieldError>;

std::string At(const std::string& list, size_t i) { return list + "[" + std::to_string(i) + "]"; }

bool IsNamePart(const std::string& text) {
  const auto edge = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto inner = [&](char c) { return edge(c) || c == '-' || c == '_' || c == '.'; };
  if (text.empty() || text.size() > 63 || !edge(text.front()) || !edge(text.back())) return false;
  return std::all_of(text.begin(), text.end(), inner);
}

// An optional DNS prefix and "/", then a name of at most 63 characters.
bool IsQualifiedName(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return IsNamePart(text);
  const std::string prefix = text.substr(0, slash);
  const auto dns = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  };
  return !prefix.empty() && prefix.size() <= 253 &&
         std::all_of(prefix.begin(), prefix.end(), dns) && IsNamePart(text.substr(slash + 1));
}

void CheckAmount(const api::Quantity& quantity, const std::string& path, Errors& errors) {
  if (quantity.Sign() < 0) {
    errors.push_back(
        {FieldErrorType::kInvalid, path, "'" + quantity.ToString() + "' must be zero or more"});
  }
}

struct Rules {
  bool has_parent;
  bool lending_within_nominal;  // RG-W7, ClusterQueues only
};

void CheckQuota(const api::ResourceQuota& quota, const std::string& path, const Rules& rules,
                Errors& errors) {
  CheckAmount(quota.nominal_quota, path + ".nominalQuota", errors);
  const std::string no_parent = "needs a cohort: there is nobody to borrow from or lend to";
  if (quota.borrowing_limit) {
    CheckAmount(*quota.borrowing_limit, path + ".borrowingLimit", errors);
    if (!rules.has_parent) {
      errors.push_back({FieldErrorType::kInvalid, path + ".borrowingLimit", no_parent});
    }
  }
  if (quota.lending_limit) {
    CheckAmount(*quota.lending_limit, path + ".lendingLimit", errors);
    if (!rules.has_parent) {
      errors.push_back({FieldErrorType::kInvalid, path + ".lendingLimit", no_parent});
    }
    if (rules.lending_within_nominal && *quota.lending_limit > quota.nominal_quota) {
      errors.push_back({FieldErrorType::kInvalid, path + ".lendingLimit",
                        "'" + quota.lending_limit->ToString() + "' is more than nominalQuota " +
                            quota.nominal_quota.ToString()});
    }
  }
}

void CheckFlavor(const api::FlavorQuotas& flavor, const std::vector<std::string>& covered,
                 const std::string& path, const Rules& rules, Errors& errors) {
  for (size_t k = 0; k < flavor.resources.size(); ++k) {
    const std::string at = At(path + ".resources", k);
    if (k < covered.size() && flavor.resources[k].name != covered[k]) {
      errors.push_back({FieldErrorType::kInvalid, at + ".name",
                        "'" + flavor.resources[k].name + "' must be '" + covered[k] +
                            "': resources come in the order of coveredResources"});
    }
    CheckQuota(flavor.resources[k], at, rules, errors);
  }
}

void CheckGroups(const std::vector<api::ResourceGroup>& groups, const Rules& rules,
                 Errors& errors) {
  std::set<std::string> resources, flavors;
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string path = At("spec.resourceGroups", i);
    const api::ResourceGroup& group = groups[i];
    for (size_t j = 0; j < group.covered_resources.size(); ++j) {
      const std::string& name = group.covered_resources[j];
      const std::string at = At(path + ".coveredResources", j);
      if (!IsQualifiedName(name)) {
        errors.push_back({FieldErrorType::kInvalid, at, "'" + name + "' is not a resource name"});
      }
      if (!resources.insert(name).second) {
        errors.push_back({FieldErrorType::kDuplicate, at, "'" + name + "' is covered already"});
      }
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

void CheckFairSharing(const std::optional<api::FairSharing>& fair, Errors& errors) {
  if (!fair || !fair->weight) return;
  const __int128 nano = fair->weight->nano();
  if (nano < 0 || nano == 1) {
    errors.push_back({FieldErrorType::kInvalid, "spec.fairSharing",
                      "weight '" + fair->weight->ToString() + "' must be 0 or more than 1n"});
  }
}

void CheckChecks(const api::ClusterQueueSpec& spec, Errors& errors) {
  if (!spec.admission_checks_strategy) return;
  std::set<std::string> flavors;
  for (const auto& group : spec.resource_groups) {
    for (const auto& flavor : group.flavors) flavors.insert(flavor.name);
  }
  const auto& checks = spec.admission_checks_strategy->admission_checks;
  for (size_t i = 0; i < checks.size(); ++i) {
    for (size_t j = 0; j < checks[i].on_flavors.size(); ++j) {
      if (flavors.count(checks[i].on_flavors[j]) > 0) continue;
      errors.push_back({FieldErrorType::kNotSupported,
                        At(At("spec.admissionChecksStrategy.admissionChecks", i) + ".onFlavors", j),
                        "'" + checks[i].on_flavors[j] + "' is not a flavor of this queue"});
    }
  }
}

}  // namespace

Errors ValidateClusterQueue(const api::Json& object) {
  const auto queue = api::Decode<api::ClusterQueue>(object);
  if (!queue.ok()) return {};  // types are the schema's business
  Errors errors;
  CheckGroups(queue->spec.resource_groups, {!queue->spec.cohort_name.empty(), true}, errors);
  CheckFairSharing(queue->spec.fair_sharing, errors);
  CheckChecks(queue->spec, errors);
  return errors;
}

Errors ValidateCohort(const api::Json& object) {
  const auto cohort = api::Decode<api::Cohort>(object);
  if (!cohort.ok()) return {};
  Errors errors;
  CheckGroups(cohort->spec.resource_groups, {!cohort->spec.parent_name.empty(), false}, errors);
  CheckFairSharing(cohort->spec.fair_sharing, errors);
  return errors;
}

}  // namespace kueue::admission
