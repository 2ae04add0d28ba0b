#include <algorithm>

#include "api/schema/conversion.h"
#include "api/schema/validation_parts.h"
#include "api/types/kueue.h"

// The rules that the definitions of kueue.x-k8s.io carry beside their schema (spec/api.md §2-§10,
// the rules marked C). Each applies at the object named in its path: it is not looked at there
// when an update leaves that object as it was, unless it compares the two (a transition rule).
namespace kueue::api {
namespace {

bool IsChanged(const Json* value, const Json* before) {
  return value && !(before && *before == *value);
}

bool IsKnownEffect(std::string_view effect) {
  return effect == "NoSchedule" || effect == "PreferNoSchedule" || effect == "NoExecute";
}

const Json* Sub(const Json* object, std::string_view member) {
  return object ? object->Find(member) : nullptr;
}

void CheckResourceFlavor(const Json& object, const Json* before, FieldErrors& errors) {
  const Json* spec = object.Find("spec");
  const Json* old = Sub(before, "spec");
  if (!spec) return;
  const Json* topology = spec->Find("topologyName");
  if (IsChanged(spec, old) && topology && Members(spec->Find("nodeLabels")).empty()) {
    AddInvalid(errors, "spec", "a flavor with a topology needs a node label");  // RF-C1
  }
  const Json* old_topology = Sub(old, "topologyName");
  if (old_topology && (!topology || !(*topology == *old_topology))) {
    AddInvalid(errors, "spec", "the topology may not be changed");  // RF-C2
  }
  const Json* taints = spec->Find("nodeTaints");
  if (IsChanged(taints, Sub(old, "nodeTaints"))) {
    for (const Json& taint : Items(taints)) {
      if (IsKnownEffect(Text(taint, "effect"))) continue;
      AddInvalid(errors, "spec.nodeTaints",
                 "an effect must be NoSchedule, PreferNoSchedule or NoExecute");  // RF-C3
      break;
    }
  }
  CheckTolerationRules(spec->Find("tolerations"), Sub(old, "tolerations"), "spec.tolerations",
                       errors);
}

// `older`: v1beta1, where nothing may change.
void CheckTopology(bool older, const Json& object, const Json* before, FieldErrors& errors) {
  const Json* levels = object.FindPath({"spec", "levels"});
  const Json* old = before ? before->FindPath({"spec", "levels"}) : nullptr;
  if (!IsChanged(levels, old)) return;
  const auto is_hostname = [](const Json& level) {
    return Text(level, "nodeLabel") == "kubernetes.io/hostname";
  };
  const Json::Array& items = Items(levels);
  const Json::Array& old_items = Items(old);
  if (old && (older || items.empty() || old_items.empty() || !is_hostname(items.back()) ||
              !is_hostname(old_items.back()))) {
    AddInvalid(errors, "spec.levels", "may not be changed");  // TO-C1
  }
  bool repeated = false, hostname_above = false;
  for (size_t i = 0; i < items.size(); ++i) {
    hostname_above = hostname_above || (is_hostname(items[i]) && i + 1 < items.size());
    for (size_t k = 0; k < i; ++k) repeated = repeated || items[k] == items[i];
  }
  if (repeated) AddInvalid(errors, "spec.levels", "levels must differ");  // TO-C2
  if (hostname_above) {
    AddInvalid(errors, "spec.levels", "kubernetes.io/hostname must be the lowest level");  // TO-C3
  }
}

// RG-C1.
void CheckResourceGroups(const Json* spec, const Json* before, FieldErrors& errors) {
  const Json* groups = Sub(spec, "resourceGroups");
  if (!IsChanged(groups, Sub(before, "resourceGroups"))) return;
  const Json::Array& items = Items(groups);
  for (size_t i = 0; i < items.size(); ++i) {
    const size_t covered = Items(items[i], "coveredResources").size();
    for (const Json& flavor : Items(items[i], "flavors")) {
      if (Items(flavor, "resources").size() == covered) continue;
      AddInvalid(errors, Field("spec.resourceGroups", i),
                 "every flavor must have as many resources as the group covers");
      break;
    }
  }
}

bool HasBorrowingLimit(const Json& spec) {
  for (const Json& group : Items(spec, "resourceGroups")) {
    for (const Json& flavor : Items(group, "flavors")) {
      for (const Json& resource : Items(flavor, "resources")) {
        if (resource.Find("borrowingLimit")) return true;
      }
    }
  }
  return false;
}

void CheckClusterQueue(bool older, const Json& object, const Json* before, FieldErrors& errors) {
  const Json* spec = object.Find("spec");
  const Json* old = Sub(before, "spec");
  if (!IsChanged(spec, old)) return;
  if (!spec->Find(older ? "cohort" : "cohortName") && HasBorrowingLimit(*spec)) {
    AddInvalid(errors, "spec", "a borrowingLimit needs a cohort");  // CQ-C1
  }
  const Json* fungibility = spec->Find("flavorFungibility");
  if (IsChanged(fungibility, Sub(old, "flavorFungibility")) && fungibility->Find("preference") &&
      (Text(*fungibility, "whenCanBorrow") != "TryNextFlavor" ||
       Text(*fungibility, "whenCanPreempt") != "TryNextFlavor")) {
    AddInvalid(errors, "spec.flavorFungibility",
               "a preference needs TryNextFlavor for borrowing and for preemption");  // CQ-C2
  }
  const Json* preemption = spec->Find("preemption");
  if (IsChanged(preemption, Sub(old, "preemption")) &&
      Text(*preemption, "reclaimWithinCohort") == "Never") {
    const Json* borrow = preemption->Find("borrowWithinCohort");
    if (borrow && Text(*borrow, "policy") != "Never") {
      AddInvalid(errors, "spec.preemption",
                 "borrowWithinCohort must be Never while reclaimWithinCohort is");  // CQ-C3
    }
  }
  CheckResourceGroups(spec, old, errors);
}

// LQ-C1: from or to absent is free.
void CheckLocalQueue(const Json& object, const Json* before, FieldErrors& errors) {
  const Json* queue = object.FindPath({"spec", "clusterQueue"});
  const Json* old = before ? before->FindPath({"spec", "clusterQueue"}) : nullptr;
  if (queue && old && !(*queue == *old)) {
    AddInvalid(errors, "spec.clusterQueue", "may not be changed");
  }
}

// MC-C1; v1beta1 has a set instead.
void CheckMultiKueueConfig(bool older, const Json& object, const Json* before,
                           FieldErrors& errors) {
  const Json* clusters = object.FindPath({"spec", "clusters"});
  const Json* old = before ? before->FindPath({"spec", "clusters"}) : nullptr;
  if (older || !IsChanged(clusters, old)) return;
  const Json::Array& items = Items(clusters);
  for (size_t i = 0; i < items.size(); ++i) {
    if (std::find(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(i), items[i]) ==
        items.begin() + static_cast<std::ptrdiff_t>(i)) {
      continue;
    }
    return AddInvalid(errors, "spec.clusters", "clusters must differ");
  }
}

// MKC-C1; v1beta1 has no such rule.
void CheckMultiKueueCluster(bool older, const Json& object, const Json* before,
                            FieldErrors& errors) {
  const Json* source = object.FindPath({"spec", "clusterSource"});
  const Json* old = before ? before->FindPath({"spec", "clusterSource"}) : nullptr;
  if (older || !IsChanged(source, old)) return;
  if (!source->Find("kubeConfig") == !source->Find("clusterProfileRef")) {
    AddInvalid(errors, "spec.clusterSource",
               "exactly one of kubeConfig and clusterProfileRef must be set");
  }
}

// AC-C1.
void CheckAdmissionCheck(const Json& object, const Json* before, FieldErrors& errors) {
  const Json* name = object.FindPath({"spec", "controllerName"});
  const Json* old = before ? before->FindPath({"spec", "controllerName"}) : nullptr;
  if (name && old && !(*name == *old)) {
    AddInvalid(errors, "spec.controllerName", "may not be changed");
  }
}

}  // namespace

void CheckTolerationRules(const Json* tolerations, const Json* before, const std::string& path,
                          FieldErrors& errors) {
  if (!IsChanged(tolerations, before)) return;
  bool key = false, seconds = false, unknown_operator = false, value = false, effect = false;
  for (const Json& toleration : Items(tolerations)) {
    const Json* op = toleration.Find("operator");
    const Json* of = toleration.Find("effect");
    const bool exists = op && Text(toleration, "operator") == "Exists";
    key = key || (!toleration.Find("key") && !exists);
    seconds = seconds || (toleration.Find("tolerationSeconds") &&
                          Text(toleration, "effect") != "NoExecute");
    unknown_operator =
        unknown_operator || (op && !exists && Text(toleration, "operator") != "Equal");
    value = value || (exists && toleration.Find("value"));
    effect = effect || (of && !IsKnownEffect(Text(toleration, "effect")));
  }
  if (key) AddInvalid(errors, path, "without a key the operator must be Exists");
  if (seconds) AddInvalid(errors, path, "tolerationSeconds needs the effect NoExecute");
  if (unknown_operator) AddInvalid(errors, path, "an operator must be Equal or Exists");
  if (value) AddInvalid(errors, path, "with operator Exists there is no value");
  if (effect) {
    AddInvalid(errors, path, "an effect must be NoSchedule, PreferNoSchedule or NoExecute");
  }
}

void CheckKueueRules(const KindInfo& kind, const Json& object, const Json* before,
                     FieldErrors& errors) {
  const KindInfo* stored = &StoredKind(kind);
  const bool older = stored != &kind;
  if (stored == &KindOf<Workload>()) return CheckWorkloadRules(older, object, before, errors);
  if (stored == &KindOf<ClusterQueue>()) return CheckClusterQueue(older, object, before, errors);
  if (stored == &KindOf<LocalQueue>()) return CheckLocalQueue(object, before, errors);
  if (stored == &KindOf<ResourceFlavor>()) return CheckResourceFlavor(object, before, errors);
  if (stored == &KindOf<Topology>()) return CheckTopology(older, object, before, errors);
  if (stored == &KindOf<AdmissionCheck>()) return CheckAdmissionCheck(object, before, errors);
  if (stored == &KindOf<MultiKueueConfig>()) {
    return CheckMultiKueueConfig(older, object, before, errors);
  }
  if (stored == &KindOf<MultiKueueCluster>()) {
    return CheckMultiKueueCluster(older, object, before, errors);
  }
  if (stored == &KindOf<Cohort>()) {
    CheckResourceGroups(object.Find("spec"), Sub(before, "spec"), errors);
  }
}

}  // namespace kueue::api
