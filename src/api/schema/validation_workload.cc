#include "api/schema/validation_parts.h"

// The rules WL-C1..C18 of a Workload's definition (spec/api.md §8.4).
namespace kueue::api {
namespace {

constexpr char kWholeObject[] = "<nil>";

bool IsChanged(const Json* value, const Json* before) {
  return value && !(before && *before == *value);
}

bool HasCondition(const Json& workload, std::string_view type) {
  for (const Json& condition : Items(workload.FindPath({"status", "conditions"}))) {
    if (Text(condition, "type") == type) return Text(condition, "status") == "True";
  }
  return false;
}

const Json* ByName(const Json* list, std::string_view name) {
  for (const Json& item : Items(list)) {
    if (Text(item, "name") == name) return &item;
  }
  return nullptr;
}

void CheckPriorityClassChange(const Json& object, const Json& before, FieldErrors& errors) {
  const Json* ref = object.FindPath({"spec", "priorityClassRef"});
  const Json* old = before.FindPath({"spec", "priorityClassRef"});
  if (!ref != !old) {
    AddInvalid(errors, kWholeObject,
               "spec.priorityClassRef may not come or go while quota is reserved");  // WL-C2
  }
  if (!ref || !old) return;
  if (Text(*ref, "group") != Text(*old, "group")) {
    AddInvalid(errors, kWholeObject,
               "spec.priorityClassRef.group may not be changed while quota is reserved");  // C3
  }
  if (Text(*ref, "kind") != Text(*old, "kind")) {
    AddInvalid(errors, kWholeObject,
               "spec.priorityClassRef.kind may not be changed while quota is reserved");  // C4
  }
  if (Text(*ref, "group") == "scheduling.k8s.io" && Text(*ref, "kind") == "PriorityClass" &&
      Text(*ref, "name") != Text(*old, "name")) {
    AddInvalid(errors, kWholeObject,
               "a PriorityClass may not be changed while quota is reserved");  // WL-C5
  }
}

// v1beta1: the default makes the new source always set, so only the old one may be absent.
void CheckPrioritySourceChange(const Json& object, const Json& before, FieldErrors& errors) {
  const Json* source = object.FindPath({"spec", "priorityClassSource"});
  const Json* old_source = before.FindPath({"spec", "priorityClassSource"});
  if (source && old_source && !(*source == *old_source)) {
    AddInvalid(errors, kWholeObject,
               "spec.priorityClassSource may not be changed while quota is reserved");
  }
  const Json* name = object.FindPath({"spec", "priorityClassName"});
  const Json* old_name = before.FindPath({"spec", "priorityClassName"});
  const bool free = !source || (source->IsString() &&
                                source->AsString() == "kueue.x-k8s.io/workloadpriorityclass");
  if (name && old_name && !free && !(*name == *old_name)) {
    AddInvalid(errors, kWholeObject,
               "spec.priorityClassName may not be changed while quota is reserved");
  }
}

void CheckObject(bool older, const Json& object, const Json* before, FieldErrors& errors) {
  const bool reserved = HasCondition(object, "QuotaReserved");
  const Json* admission = object.FindPath({"status", "admission"});
  if (IsChanged(&object, before) && reserved && admission) {
    const Json* pod_sets = object.FindPath({"spec", "podSets"});
    const Json* assignments = admission->Find("podSetAssignments");
    if (!pod_sets || !assignments || pod_sets->size() != assignments->size()) {
      AddInvalid(errors, kWholeObject,
                 "status.admission must assign every pod set of spec");  // WL-C1
    }
  }
  if (!before) return;
  const bool was_reserved = HasCondition(*before, "QuotaReserved");
  if (was_reserved && older) CheckPrioritySourceChange(object, *before, errors);
  if (was_reserved && !older) CheckPriorityClassChange(object, *before, errors);
  if (was_reserved && reserved) {
    const Json* queue = object.FindPath({"spec", "queueName"});
    const Json* old = before->FindPath({"spec", "queueName"});
    if (!queue != !old || (queue && !(*queue == *old))) {
      AddInvalid(errors, kWholeObject,
                 "spec.queueName may not be changed while quota is reserved");  // WL-C6
    }
  }
  if (HasCondition(*before, "Admitted") && HasCondition(object, "Admitted")) {
    const auto seconds = [](const Json& workload) {
      const Json* spec = workload.Find("spec");
      return spec ? Int(*spec, "maximumExecutionTimeSeconds").value_or(0) : 0;
    };
    if (seconds(object) != seconds(*before)) {
      AddInvalid(errors, kWholeObject,
                 "spec.maximumExecutionTimeSeconds may not be changed while admitted");  // WL-C7
    }
  }
}

void CheckPodSets(const Json& spec, const Json* before, FieldErrors& errors) {
  const Json::Array& pod_sets = Items(spec, "podSets");
  const Json* old = before ? before->Find("podSets") : nullptr;
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    if (!IsChanged(&pod_sets[i], ByName(old, Text(pod_sets[i], "name")))) continue;
    const auto least = Int(pod_sets[i], "minCount");
    if (least && *least > Int(pod_sets[i], "count").value_or(0)) {
      AddInvalid(errors, Field("spec.podSets", i), "minCount must not exceed count");  // WL-C11
    }
  }
}

void CheckSpec(bool older, const Json& spec, const Json* before, FieldErrors& errors) {
  CheckPodSets(spec, before, errors);
  if (older) {
    if (IsChanged(&spec, before) && spec.Find("priorityClassName") && !spec.Find("priority")) {
      AddInvalid(errors, "spec", "a priorityClassName needs a priority");
    }
    return;
  }
  const Json* ref = spec.Find("priorityClassRef");
  if (IsChanged(&spec, before) && ref && !spec.Find("priority")) {
    AddInvalid(errors, "spec", "a priorityClassRef needs a priority");  // WL-C8
  }
  if (IsChanged(ref, before ? before->Find("priorityClassRef") : nullptr)) {
    const std::string_view group = Text(*ref, "group"), kind = Text(*ref, "kind");
    if (group == "scheduling.k8s.io" && kind != "PriorityClass") {
      AddInvalid(errors, "spec.priorityClassRef",
                 "scheduling.k8s.io has the kind PriorityClass");  // WL-C9
    }
    if (group == "kueue.x-k8s.io" && kind != "WorkloadPriorityClass") {
      AddInvalid(errors, "spec.priorityClassRef",
                 "kueue.x-k8s.io has the kind WorkloadPriorityClass");  // WL-C10
    }
  }
}

// Whether exactly one of "universal" and "individual" is there.
bool HasOneForm(const Json& value) {
  return !value.Find("universal") != !value.Find("individual");
}

void CheckSlice(const Json& slice, const std::string& path, FieldErrors& errors) {
  const size_t domains = static_cast<size_t>(Int(slice, "domainCount").value_or(0));
  const Json::Array& levels = Items(slice, "valuesPerLevel");
  const Json* counts = slice.Find("podCounts");
  const Json* individual = counts ? counts->Find("individual") : nullptr;
  if (individual && individual->size() != domains) {
    AddInvalid(errors, path, "podCounts must have one entry for each domain");  // WL-C15
  }
  bool roots_differ = false;
  for (const Json& level : levels) {
    const Json* values = level.Find("individual");
    roots_differ = roots_differ || (values && Items(*values, "roots").size() != domains);
  }
  if (roots_differ) {
    AddInvalid(errors, path, "every level must have one root for each domain");  // WL-C16
  }
  for (size_t i = 0; i < levels.size(); ++i) {
    if (HasOneForm(levels[i])) continue;
    AddInvalid(errors, Field(Field(path, "valuesPerLevel"), i),
               "exactly one of universal and individual must be set");  // WL-C17
  }
  if (counts && !HasOneForm(*counts)) {
    AddInvalid(errors, Field(path, "podCounts"),
               "exactly one of universal and individual must be set");  // WL-C18
  }
}

void CheckTopologyAssignment(const Json& assignment, const std::string& path,
                             FieldErrors& errors) {
  const size_t levels = Items(assignment, "levels").size();
  const Json::Array& slices = Items(assignment, "slices");
  bool levels_differ = false;
  for (const Json& slice : slices) {
    levels_differ = levels_differ || Items(slice, "valuesPerLevel").size() != levels;
  }
  if (levels_differ) {
    AddInvalid(errors, path, "every slice must have a value for each level");  // WL-C14
  }
  for (size_t i = 0; i < slices.size(); ++i) {
    CheckSlice(slices[i], Field(Field(path, "slices"), i), errors);
  }
}

void CheckAssignments(const Json& status, const Json* before, FieldErrors& errors) {
  const Json* list = status.FindPath({"admission", "podSetAssignments"});
  const Json* old = before ? before->FindPath({"admission", "podSetAssignments"}) : nullptr;
  const Json::Array& items = Items(list);
  for (size_t i = 0; i < items.size(); ++i) {
    const Json* was = ByName(old, Text(items[i], "name"));
    const Json* topology = items[i].Find("topologyAssignment");
    if (!IsChanged(topology, was ? was->Find("topologyAssignment") : nullptr)) continue;
    const std::string path = Field("status.admission.podSetAssignments", i);
    CheckTopologyAssignment(*topology, Field(path, "topologyAssignment"), errors);
  }
}

void CheckPodSetUpdates(const Json& status, const Json* before, FieldErrors& errors) {
  const Json::Array& checks = Items(status, "admissionChecks");
  const Json* old = before ? before->Find("admissionChecks") : nullptr;
  for (size_t i = 0; i < checks.size(); ++i) {
    const Json* was = ByName(old, Text(checks[i], "name"));
    const Json* updates = checks[i].Find("podSetUpdates");
    if (!IsChanged(updates, was ? was->Find("podSetUpdates") : nullptr)) continue;
    const std::string path = Field(Field("status.admissionChecks", i), "podSetUpdates");
    for (size_t k = 0; k < updates->size(); ++k) {
      CheckTolerationRules(Items(updates)[k].Find("tolerations"), nullptr,
                           Field(Field(path, k), "tolerations"), errors);
    }
  }
}

void CheckStatus(bool older, const Json& status, const Json* before, FieldErrors& errors) {
  const Json* cluster = status.Find("clusterName");
  const Json* old = before ? before->Find("clusterName") : nullptr;
  if (cluster && old && !(*cluster == *old)) {
    AddInvalid(errors, "status", "clusterName may not be changed once set");  // WL-C12
  }
  if (IsChanged(&status, before) && cluster && !Items(status, "nominatedClusterNames").empty()) {
    AddInvalid(errors, "status",
               "clusterName and nominatedClusterNames exclude each other");  // WL-C13
  }
  if (!older) CheckAssignments(status, before, errors);
  CheckPodSetUpdates(status, before, errors);
}

}  // namespace

void CheckWorkloadRules(bool older, const Json& object, const Json* before, FieldErrors& errors) {
  CheckObject(older, object, before, errors);
  if (const Json* spec = object.Find("spec")) {
    CheckSpec(older, *spec, before ? before->Find("spec") : nullptr, errors);
  }
  if (const Json* status = object.Find("status")) {
    CheckStatus(older, *status, before ? before->Find("status") : nullptr, errors);
  }
}

}  // namespace kueue::api
