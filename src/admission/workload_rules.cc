#include "admission/workload_rules.h"

#include <charconv>

#include "api/match/name_rules.h"
#include "api/types/names.h"

namespace kueue::admission {
namespace {

using api::Feature;
using api::FieldErrorType;

void CheckMetadata(const api::PodSet& pod_set, const std::string& path, FieldErrors& errors) {
  const api::ObjectMeta& metadata = pod_set.pod_template.metadata;
  CheckLabelMap(metadata.labels, path + ".template.metadata.labels", errors);
  CheckAnnotationMap(metadata.annotations, path + ".template.metadata.annotations", errors);
}

// WL-W2 and WL-W3.
void CheckResources(bool signs, const api::ResourceRequirements& resources, const std::string& path,
                    FieldErrors& errors) {
  const auto check = [&](const api::ResourceList& list, const std::string& at) {
    for (const auto& [name, quantity] : list) {
      if (name == "pods") {
        AddInvalid(errors, At(at, name), "'pods' is counted by itself and cannot be asked for");
      }
      if (signs && quantity.Sign() < 0) {
        AddInvalid(errors, At(at, name), "'" + quantity.ToString() + "' must be zero or more");
      }
    }
  };
  check(resources.requests, path + ".resources.requests");
  check(resources.limits, path + ".resources.limits");
}

void CheckContainers(bool signs, const std::vector<api::Container>& containers,
                     const std::string& path, FieldErrors& errors) {
  for (size_t i = 0; i < containers.size(); ++i) {
    CheckResources(signs, containers[i].resources, At(path, i), errors);
  }
}

// WL-W4.
void CheckSlices(const api::PodSetTopologyRequest& request, const std::string& path,
                 FieldErrors& errors) {
  const auto& size = request.pod_set_slice_size;
  const std::string at = path + ".podSetSliceSize";
  if (request.pod_set_slice_required_topology && !size) {
    errors.push_back(
        {FieldErrorType::kRequired, at, "must be set together with podSetSliceRequiredTopology"});
  }
  if (!request.pod_set_slice_required_topology && size) {
    errors.push_back(
        {FieldErrorType::kForbidden, at, "goes only together with podSetSliceRequiredTopology"});
  }
  if (size && *size <= 0) {
    AddInvalid(errors, at, "'" + std::to_string(*size) + "' must be at least 1");
  }
  const auto& layers = request.podset_slice_required_topology_constraints;
  for (size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].size > 0) continue;
    AddInvalid(errors, At(path + ".podsetSliceRequiredTopologyConstraints", i) + ".size",
               "'" + std::to_string(layers[i].size) + "' must be at least 1");
  }
}

// WL-W14.
void CheckBoost(const api::ObjectMeta& metadata, FieldErrors& errors) {
  const auto found = metadata.annotations.find(api::names::kPriorityBoost);
  if (found == metadata.annotations.end()) return;
  std::string_view text = found->second;
  // A sign may be written, as programs write it.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return;
  AddInvalid(errors, At("metadata.annotations", api::names::kPriorityBoost),
             "'" + found->second + "' must be a whole number of 32 bits");
}

}  // namespace

bool IsReserved(const api::Workload& workload) {
  return api::IsConditionTrue(workload.status.conditions, api::names::kQuotaReserved);
}

bool IsElastic(const api::FeatureGates& gates, const api::Workload& workload) {
  const auto& annotations = workload.metadata.annotations;
  const auto found = annotations.find(api::names::kElasticJobAnnotation);
  return gates.Enabled(Feature::kElasticJobsViaWorkloadSlices) && found != annotations.end() &&
         found->second == "true";
}

const api::PodSet* FindPodSet(const api::Workload& workload, const std::string& name) {
  for (const api::PodSet& pod_set : workload.spec.pod_sets) {
    if (pod_set.name == name) return &pod_set;
  }
  return nullptr;
}

void CheckPodSets(const api::FeatureGates& gates, const api::Workload& workload,
                  FieldErrors& errors) {
  size_t variable = 0;
  for (size_t i = 0; i < workload.spec.pod_sets.size(); ++i) {
    const api::PodSet& pod_set = workload.spec.pod_sets[i];
    const std::string path = At("spec.podSets", i);
    variable += pod_set.min_count.has_value();
    if (gates.Enabled(Feature::kWorkloadValidationForPodSetMetadata)) {
      CheckMetadata(pod_set, path, errors);
    }
    const bool signs = gates.Enabled(Feature::kWorkloadValidateResourcesAreNonNegative);
    const api::PodSpec& spec = pod_set.pod_template.spec;
    CheckContainers(signs, spec.init_containers, path + ".template.spec.initContainers", errors);
    CheckContainers(signs, spec.containers, path + ".template.spec.containers", errors);
    if (spec.resources) CheckResources(signs, *spec.resources, path + ".template.spec", errors);
    if (pod_set.topology_request && gates.Enabled(Feature::kTASValidateWorkloadSliceSize)) {
      CheckSlices(*pod_set.topology_request, path + ".topologyRequest", errors);
    }
  }
  if (variable > 1) {
    AddInvalid(errors, "spec.podSets",
               std::to_string(variable) + " pod sets have a minCount, at most one may");
  }
  if (variable > 0 && IsElastic(gates, workload)) {
    AddInvalid(errors, "spec.podSets", "a minCount does not go with an elastic job");
  }
}

FieldErrors ValidateWorkload(const api::FeatureGates& gates, const api::Workload* before,
                             const api::Workload& workload) {
  FieldErrors errors;
  CheckPodSets(gates, workload, errors);
  CheckStatus(gates, before, workload, errors);
  if (gates.Enabled(Feature::kAdmissionGatedBy)) CheckGatedBy(before, workload, errors);
  if (gates.Enabled(Feature::kPriorityBoost)) CheckBoost(workload.metadata, errors);
  if (before != nullptr) CheckChanges(gates, *before, workload, errors);
  return errors;
}

}  // namespace kueue::admission
