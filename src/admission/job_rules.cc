#include "admission/job_rules.h"

#include <charconv>

#include "api/match/name_rules.h"
#include "api/match/selector.h"
#include "api/types/names.h"

namespace kueue::admission {
namespace {

namespace names = api::names;
using api::FieldError;
using api::FieldErrorType;

std::string LabelPath(const char* key) { return "metadata.labels[" + std::string(key) + "]"; }
std::string LabelOf(const api::Json& object, const char* key) {
  return object.StringAt({"metadata", "labels", key});
}

bool NamespaceIsManaged(const api::Json& object, const Lookup& lookup, const Policy& policy) {
  if (!policy.managed_jobs_namespace_selector) return true;
  const auto home = lookup.Namespace(object.StringAt({"metadata", "namespace"}));
  if (!home) return false;
  const auto matches =
      api::MatchesLabels(&*policy.managed_jobs_namespace_selector, home->metadata.labels);
  return matches.ok() && *matches;
}

void CheckFormat(const api::Json& object, std::vector<FieldError>& errors) {
  const std::string queue = LabelOf(object, names::kQueueLabel);
  if (!queue.empty() && !api::IsDnsSubdomain(queue)) {
    errors.push_back({FieldErrorType::kInvalid, LabelPath(names::kQueueLabel),
                      "'" + queue + "' is not the name of a LocalQueue (a DNS-1123 subdomain)"});
  }
  const std::string limit = LabelOf(object, names::kMaxExecTimeLabel);
  if (limit.empty()) return;
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), seconds);
  if (error != std::errc() || end != limit.data() + limit.size() || seconds <= 0) {
    errors.push_back({FieldErrorType::kInvalid, LabelPath(names::kMaxExecTimeLabel),
                      "'" + limit + "' must be a whole number of seconds above 0"});
  }
}

// What may change on a job depends on whether it is suspended (spec/jobs.md §4.3).
void CheckChanges(const api::Json& before, const api::Json& after, bool was_suspended,
                  bool is_suspended, std::vector<FieldError>& errors) {
  const auto differs = [&](const char* key) { return LabelOf(before, key) != LabelOf(after, key); };
  if (!is_suspended && differs(names::kQueueLabel)) {
    errors.push_back({FieldErrorType::kInvalid, LabelPath(names::kQueueLabel),
                      "cannot change while the job is not suspended; suspend it first"});
  }
  if (!(was_suspended && is_suspended) && differs(names::kMaxExecTimeLabel)) {
    errors.push_back({FieldErrorType::kInvalid, LabelPath(names::kMaxExecTimeLabel),
                      "cannot change while the job is not suspended; suspend it first"});
  }
  const std::string old_class = LabelOf(before, names::kPriorityClassLabel);
  const std::string new_class = LabelOf(after, names::kPriorityClassLabel);
  if (old_class.empty() && !new_class.empty() && !is_suspended) {
    errors.push_back({FieldErrorType::kInvalid, LabelPath(names::kPriorityClassLabel),
                      "cannot be added while the job is not suspended; suspend it first"});
  }
  if (!old_class.empty() && new_class.empty()) {
    errors.push_back({FieldErrorType::kInvalid, LabelPath(names::kPriorityClassLabel),
                      "cannot be removed; name another class instead"});
  }
}

bool IsElastic(const api::Json& object, const Policy& policy) {
  return policy.gates.Enabled(api::Feature::kElasticJobsViaWorkloadSlices) &&
         object.StringAt({"metadata", "annotations", names::kElasticJobAnnotation}) == "true";
}

// Where pods shall run (spec/topology.md §18.1 to §18.3).
void CheckTopology(const integrations::Integration& integration, const Policy& policy,
                   const api::Json& object, std::vector<FieldError>& errors) {
  if (!policy.gates.Enabled(api::Feature::kTopologyAwareScheduling)) return;
  const auto decoded = integration.Decode(object);
  if (!decoded.ok()) return;  // the API server has refused it already
  const bool layers = policy.gates.Enabled(api::Feature::kTASMultiLayerTopology);
  const auto templates = integration.Templates(decoded->get());
  for (const integrations::TemplateAt& at : templates) {
    const auto found =
        integrations::CheckTopologyAnnotations(*at.metadata, at.path, at.count, layers);
    errors.insert(errors.end(), found.begin(), found.end());
    const auto& annotations = at.metadata->annotations;
    if (IsElastic(object, policy) && (annotations.contains(names::kRequiredTopology) ||
                                      annotations.contains(names::kPreferredTopology))) {
      errors.push_back({FieldErrorType::kForbidden, "topology",
                        "an elastic job cannot ask for a required or preferred topology"});
    }
  }
  const auto groups = integrations::CheckTopologyGroups(templates);
  errors.insert(errors.end(), groups.begin(), groups.end());
}

}  // namespace

void DefaultJob(const integrations::Integration& integration, const Lookup& lookup,
                const Policy& policy, api::Json& object) {
  if (!NamespaceIsManaged(object, lookup, policy)) return;
  const bool named = !LabelOf(object, names::kQueueLabel).empty();
  const bool owned = object.FindPath({"metadata", "ownerReferences"}) != nullptr;
  if (!named && !owned &&
      lookup.LocalQueue(object.StringAt({"metadata", "namespace"}), "default") != nullptr) {
    object["metadata"]["labels"].Set(names::kQueueLabel, "default");
  }
  if (LabelOf(object, names::kPriorityClassLabel).empty() && !owned &&
      lookup.PriorityClass("default") != nullptr) {
    object["metadata"]["labels"].Set(names::kPriorityClassLabel, "default");
  }
  const bool suspend =
      !LabelOf(object, names::kQueueLabel).empty() || policy.manage_jobs_without_queue_name;
  integration.ApplyDefaults(object, suspend);
}

std::vector<FieldError> ValidateJob(const integrations::Integration& integration,
                                    const Review& review, const Lookup& lookup,
                                    const Policy& policy, const api::Json& object) {
  std::vector<FieldError> errors;
  CheckFormat(object, errors);
  if (review.before != nullptr) {
    const auto before = integration.Decode(*review.before);
    const auto after = integration.Decode(object);
    if (before.ok() && after.ok()) {
      CheckChanges(*review.before, object, integration.View(*before)->IsSuspended(),
                   integration.View(*after)->IsSuspended(), errors);
    }
    const bool removed = !LabelOf(*review.before, names::kQueueLabel).empty() &&
                         LabelOf(object, names::kQueueLabel).empty();
    if (removed && lookup.LocalQueue(object.StringAt({"metadata", "namespace"}), "default")) {
      errors.push_back({FieldErrorType::kInvalid, LabelPath(names::kQueueLabel),
                        "cannot be removed in a namespace with a LocalQueue named default"});
    }
  }
  const auto own = integration.Validate(review.before, object);
  errors.insert(errors.end(), own.begin(), own.end());
  CheckTopology(integration, policy, object, errors);
  return errors;
}

}  // namespace kueue::admission
