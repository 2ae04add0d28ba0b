#include <algorithm>

#include "admission/workload_rules.h"
#include "api/match/name_rules.h"
#include "api/types/names.h"

// What a workload's status may say (spec/api.md §8.5, WL-W7..W12).
namespace kueue::admission {
namespace {

using api::FieldErrorType;

constexpr char kAssignments[] = "status.admission.podSetAssignments";

void AddUnknownPodSet(const std::string& name, std::string path, FieldErrors& errors) {
  errors.push_back({FieldErrorType::kNotSupported, std::move(path),
                    "'" + name + "' is not a pod set of this workload"});
}

// Every pod uses the same, so the sum must be a multiple (WL-W9).
bool IsMultiple(const std::string& resource, const api::Quantity& usage, int32_t count) {
  const int64_t amount = resource == "cpu" ? usage.Milli() : usage.Units();
  return amount % count == 0;
}

void CheckAssignments(const api::Workload& workload, FieldErrors& errors) {
  const auto& assignments = workload.status.admission->pod_set_assignments;
  for (size_t i = 0; i < assignments.size(); ++i) {
    const api::PodSetAssignment& assignment = assignments[i];
    const std::string path = At(kAssignments, i);
    if (FindPodSet(workload, assignment.name) == nullptr) {
      errors.push_back({FieldErrorType::kNotFound, path + ".name",
                        "'" + assignment.name + "' is not a pod set of this workload"});
    }
    const int32_t count = assignment.count.value_or(0);
    if (count <= 0) continue;
    for (const auto& [resource, usage] : assignment.resource_usage) {
      if (IsMultiple(resource, usage, count)) continue;
      AddInvalid(
          errors, At(path + ".resourceUsage", resource),
          "'" + usage.ToString() + "' must be a multiple of the count, " + std::to_string(count));
    }
  }
}

void CheckReclaimable(const api::FeatureGates& gates, const api::Workload* before,
                      const api::Workload& workload, FieldErrors& errors) {
  const bool elastic = IsElastic(gates, workload);
  for (const api::ReclaimablePod& pod : workload.status.reclaimable_pods) {
    const std::string path = At("status.reclaimablePods", pod.name);
    if (elastic && before != nullptr) {
      // A resize may have taken the pods away that were counted before.
      const auto& old = before->status.reclaimable_pods;
      if (std::find(old.begin(), old.end(), pod) != old.end()) continue;
    }
    const api::PodSet* pod_set = FindPodSet(workload, pod.name);
    if (pod_set == nullptr) {
      AddUnknownPodSet(pod.name, path + ".name", errors);
    } else if (pod.count > pod_set->count) {
      AddInvalid(errors, path + ".count",
                 "'" + std::to_string(pod.count) + "' must be at most the pod set's count, " +
                     std::to_string(pod_set->count));
    }
  }
}

void CheckUpdates(const api::Workload& workload, FieldErrors& errors) {
  const auto& checks = workload.status.admission_checks;
  for (size_t i = 0; i < checks.size(); ++i) {
    const std::string list = At("status.admissionChecks", i) + ".podSetUpdates";
    for (size_t j = 0; j < checks[i].pod_set_updates.size(); ++j) {
      const api::PodSetUpdate& update = checks[i].pod_set_updates[j];
      const std::string path = At(list, j);
      if (FindPodSet(workload, update.name) == nullptr) {
        AddUnknownPodSet(update.name, path + ".name", errors);
      }
      CheckLabelMap(update.labels, path + ".labels", errors);
      CheckAnnotationMap(update.annotations, path + ".annotations", errors);
      CheckLabelMap(update.node_selector, path + ".nodeSelector", errors);
      CheckTolerationKeys(update.tolerations, path + ".tolerations", errors);
    }
  }
}

}  // namespace

void CheckStatus(const api::FeatureGates& gates, const api::Workload* before,
                 const api::Workload& workload, FieldErrors& errors) {
  const api::WorkloadStatus& status = workload.status;
  for (size_t i = 0; i < status.conditions.size(); ++i) {
    const std::string& type = status.conditions[i].type;
    for (const std::string& problem : api::QualifiedNameProblems(type)) {
      AddInvalid(errors, At("status.conditions", i) + ".type", "'" + type + "': " + problem);
    }
  }
  if (IsReserved(workload)) {
    const bool was_without = before != nullptr && IsReserved(*before) && !before->status.admission;
    if (status.admission) {
      CheckAssignments(workload, errors);
    } else if (!was_without) {
      errors.push_back({FieldErrorType::kRequired, "status.admission",
                        "must be set while the condition QuotaReserved is True"});
    }
  }
  CheckReclaimable(gates, before, workload, errors);
  CheckUpdates(workload, errors);
}

}  // namespace kueue::admission
