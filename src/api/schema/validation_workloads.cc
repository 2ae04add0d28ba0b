#include "api/match/selector.h"
#include "api/schema/descriptors.h"
#include "api/schema/validation_parts.h"

// Rules of the kinds whose pods always run again, and of those about groups of pods.
namespace kueue::api {
namespace {

const Json& PartOf(const Json& object, std::string_view member) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* part = object.Find(member);
  return part && part->IsObject() ? *part : *none;
}

void CheckTemplate(const Json& pod_template, const std::string& path, FieldErrors& errors) {
  const Json& metadata = PartOf(pod_template, "metadata");
  CheckLabels(metadata.Find("labels"), Field(path, "labels"), errors);
  CheckAnnotations(metadata.Find("annotations"), Field(path, "annotations"), errors);
  CheckPodSpec(PartOf(pod_template, "spec"), Field(path, "spec"), errors);
}

// Pods of these kinds never finish.
void CheckRunsForever(const Json& pod_template, FieldErrors& errors) {
  const Json& spec = PartOf(pod_template, "spec");
  CheckAllowed(spec, "spec.template.spec", "restartPolicy", {"Always"}, errors);
  if (spec.Find("activeDeadlineSeconds")) {
    AddError(errors, FieldErrorType::kForbidden, "spec.template.spec.activeDeadlineSeconds",
             "pods of this kind run until they are deleted");
  }
}

bool Selects(const Json& selector, const Json& pod_template) {
  StringMap labels;
  for (const Json::Member& label : Members(pod_template.FindPath({"metadata", "labels"}))) {
    if (label.value.IsString()) labels[label.key] = label.value.AsString();
  }
  const auto decoded = Decode<LabelSelector>(selector);
  if (!decoded.ok()) return false;
  const auto found = MatchesLabels(&*decoded, labels);
  return found.ok() && *found;
}

void CheckSelectorAndTemplate(const Json& spec, FieldErrors& errors, bool must_be_there = true) {
  const Json* selector = spec.Find("selector");
  const Json& pod_template = PartOf(spec, "template");
  if (selector && selector->IsNull()) selector = nullptr;
  const size_t mistakes = errors.size();
  if (!selector) {
    if (must_be_there) AddRequired(errors, "spec.selector");
  } else {
    CheckLabelSelector(selector, "spec.selector", errors);
    if (Members(selector->Find("matchLabels")).empty() &&
        Items(*selector, "matchExpressions").empty()) {
      AddInvalid(errors, "spec.selector", "must not be empty");
    }
  }
  if (selector && errors.size() > mistakes) {
    // One mistake more for the selector as a whole; an empty one has been told already.
    if (selector->size() > 0) AddInvalid(errors, "spec.selector", "is no label selector");
  } else if (!selector || !Selects(*selector, pod_template)) {
    AddInvalid(errors, "spec.template.metadata.labels", "must match the selector");
  }
  CheckTemplate(pod_template, "spec.template", errors);
  CheckRunsForever(pod_template, errors);
}

void CheckSelectorUnchanged(const Json& object, const Json* before, FieldErrors& errors) {
  if (before) {
    CheckUnchanged(PartOf(object, "spec"), PartOf(*before, "spec"), "spec", "selector", errors);
  }
}

bool IsNothing(const Json* value) {
  return !value || *value == Json(0) || *value == Json("0%") || *value == Json("0");
}

// spec.strategy, spec.updateStrategy.
void CheckStrategy(const Json& spec, const std::string& member, std::string_view other,
                   FieldErrors& errors) {
  const Json& strategy = PartOf(spec, member);
  const std::string path = "spec." + member;
  const Json* rolling = strategy.Find("rollingUpdate");
  const std::string_view type = Text(strategy, "type");
  if (type != "RollingUpdate" && type != other) {
    AddNotSupported(errors, path, type, {"RollingUpdate", other});
  }
  if (type == other && rolling && other == "Recreate") {
    AddError(errors, FieldErrorType::kForbidden, Field(path, "rollingUpdate"),
             "only the strategy RollingUpdate has it");
  }
  if (!rolling || !rolling->IsObject() || type != "RollingUpdate") return;
  const std::string at = Field(path, "rollingUpdate");
  CheckIntOrPercent(*rolling, at, "maxUnavailable", true, errors);
  CheckIntOrPercent(*rolling, at, "maxSurge", false, errors);
  const bool no_less = IsNothing(rolling->Find("maxUnavailable"));
  const bool no_more = IsNothing(rolling->Find("maxSurge"));
  if (other == "Recreate" && no_less && no_more) {
    AddInvalid(errors, Field(at, "maxUnavailable"), "must not be 0 when maxSurge is");
  } else if (no_less && no_more) {
    AddRequired(errors, Field(at, "maxUnavailable"), "must not be 0 when maxSurge is");
  } else if (other == "OnDelete" && !no_less && !no_more) {
    AddInvalid(errors, Field(at, "maxSurge"), "must be 0 when maxUnavailable is not");
  }
}

void CheckStatefulUpdates(const Json& spec, FieldErrors& errors) {
  const Json& strategy = PartOf(spec, "updateStrategy");
  const std::string_view type = Text(strategy, "type");
  const Json* rolling = strategy.Find("rollingUpdate");
  if (type != "RollingUpdate" && type != "OnDelete") {
    AddInvalid(errors, "spec.updateStrategy", "must be RollingUpdate or OnDelete");
  } else if (type == "OnDelete" && rolling) {
    AddInvalid(errors, "spec.updateStrategy.rollingUpdate", "only RollingUpdate has it");
  } else if (rolling && rolling->IsObject()) {
    CheckNonNegative(*rolling, "spec.updateStrategy.rollingUpdate", "partition", errors);
    CheckIntOrPercent(*rolling, "spec.updateStrategy.rollingUpdate", "maxUnavailable", true,
                      errors);
  }
}

void CheckCounts(const Json& spec, FieldErrors& errors) {
  for (const char* member :
       {"replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds"}) {
    CheckNonNegative(spec, "spec", member, errors);
  }
}

}  // namespace

void CheckDeploymentRules(const Json& object, const Json* before, FieldErrors& errors) {
  const Json& spec = PartOf(object, "spec");
  CheckCounts(spec, errors);
  CheckSelectorAndTemplate(spec, errors);
  CheckStrategy(spec, "strategy", "Recreate", errors);
  const auto deadline = Int(spec, "progressDeadlineSeconds");
  if (deadline && *deadline <= Int(spec, "minReadySeconds").value_or(0)) {
    AddInvalid(errors, "spec.progressDeadlineSeconds", "must be greater than minReadySeconds");
  }
  CheckSelectorUnchanged(object, before, errors);
}

void CheckReplicaSetRules(const Json& object, const Json* before, FieldErrors& errors) {
  CheckCounts(PartOf(object, "spec"), errors);
  CheckSelectorAndTemplate(PartOf(object, "spec"), errors);
  CheckSelectorUnchanged(object, before, errors);
}

void CheckDaemonSetRules(const Json& object, const Json* before, FieldErrors& errors) {
  const Json& spec = PartOf(object, "spec");
  CheckCounts(spec, errors);
  CheckSelectorAndTemplate(spec, errors, false);
  CheckStrategy(spec, "updateStrategy", "OnDelete", errors);
  CheckSelectorUnchanged(object, before, errors);
}

void CheckStatefulSetRules(const Json& object, const Json* before, FieldErrors& errors) {
  const Json& spec = PartOf(object, "spec");
  CheckCounts(spec, errors);
  const std::string_view policy = Text(spec, "podManagementPolicy");
  if (policy != "OrderedReady" && policy != "Parallel") {
    AddInvalid(errors, "spec.podManagementPolicy", "must be OrderedReady or Parallel");
  }
  CheckSelectorAndTemplate(spec, errors);
  CheckStatefulUpdates(spec, errors);
  const Json& kept = PartOf(spec, "persistentVolumeClaimRetentionPolicy");
  for (const char* member : {"whenDeleted", "whenScaled"}) {
    CheckAllowed(kept, "spec.persistentVolumeClaimRetentionPolicy", member, {"Retain", "Delete"},
                 errors);
  }
  if (!before) return;
  Json now = spec, was = PartOf(*before, "spec");
  for (const char* member :
       {"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit",
        "persistentVolumeClaimRetentionPolicy", "minReadySeconds"}) {
    now.Erase(member);
    was.Erase(member);
  }
  for (Json* part : {&now, &was}) {
    if (Items(*part, "volumeClaimTemplates").empty()) part->Erase("volumeClaimTemplates");
  }
  if (!(now == was)) {
    AddError(errors, FieldErrorType::kForbidden, "spec",
             "only replicas, template, updateStrategy and how long things are kept may change");
  }
}

void CheckReplicationControllerRules(const Json& object, const Json*, FieldErrors& errors) {
  const Json& spec = PartOf(object, "spec");
  CheckCounts(spec, errors);
  const Json& selector = PartOf(spec, "selector");
  if (selector.size() == 0) AddRequired(errors, "spec.selector");
  const Json* pod_template = spec.Find("template");
  if (!pod_template || !pod_template->IsObject()) return AddRequired(errors, "spec.template");
  Json full = Json::MakeObject();
  full.Set("matchLabels", selector);
  if (!Selects(full, *pod_template)) {
    AddInvalid(errors, "spec.template.metadata.labels", "must match the selector");
  }
  CheckTemplate(*pod_template, "spec.template", errors);
  CheckRunsForever(*pod_template, errors);
}

void CheckPodTemplateRules(const Json& object, const Json*, FieldErrors& errors) {
  CheckTemplate(PartOf(object, "template"), "template", errors);
}

void CheckPodDisruptionBudgetRules(const Json& object, const Json*, FieldErrors& errors) {
  const Json& spec = PartOf(object, "spec");
  if (spec.Find("minAvailable") && spec.Find("maxUnavailable")) {
    AddInvalid(errors, "spec", "minAvailable and maxUnavailable exclude each other");
  }
  CheckIntOrPercent(spec, "spec", "minAvailable", true, errors);
  CheckIntOrPercent(spec, "spec", "maxUnavailable", true, errors);
  CheckAllowed(spec, "spec", "unhealthyPodEvictionPolicy", {"IfHealthyBudget", "AlwaysAllow"},
               errors);
  if (spec.Find("selector")) CheckLabelSelector(spec.Find("selector"), "spec.selector", errors);
}

}  // namespace kueue::api
