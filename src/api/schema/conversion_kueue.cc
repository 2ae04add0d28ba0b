#include "api/schema/conversion.h"
#include "api/schema/conversion_workload.h"
#include "api/schema/descriptors.h"
#include "api/schema/kept_fields.h"
#include "api/schema/validation_parts.h"

// v1beta1 <-> v1beta2 of the queues and of MultiKueue (spec/api.md §18).
namespace kueue::api {
namespace {

void Rename(Json& object, std::string_view from, std::string_view to) {
  object.Erase(to);
  Json* value = object.Find(from);
  if (value == nullptr) return;
  Json moved = std::move(*value);
  object.Erase(from);
  object.Set(to, std::move(moved));
}

void Replace(Json* object, std::string_view member, std::string_view from, std::string_view to) {
  if (object == nullptr) return;
  Json* value = object->Find(member);
  if (value && value->IsString() && value->AsString() == from) *value = to;
}

// ---- ClusterQueue

const KeptFields& ClusterQueueKept() {
  static const KeptFields fields = {{"spec", "concurrentAdmissionPolicy"}};
  return fields;
}

// A plain list of names stands for checks on all flavors, and wins.
void TakeCheckNames(Json& spec) {
  const Json* names = spec.Find("admissionChecks");
  if (names && names->IsArray() && names->size() > 0) {
    Json rules = Json::MakeArray();
    for (const Json& name : names->AsArray()) {
      Json rule = Json::MakeObject();
      rule.Set("name", name);
      rules.Append(std::move(rule));
    }
    Json strategy = Json::MakeObject();
    strategy.Set("admissionChecks", std::move(rules));
    spec.Set("admissionChecksStrategy", std::move(strategy));
  }
  spec.Erase("admissionChecks");
}

FieldErrors ClusterQueueToStored(Json& object) {
  if (Json* spec = object.Find("spec")) {
    Rename(*spec, "cohort", "cohortName");
    TakeCheckNames(*spec);
    Json* fungibility = spec->Find("flavorFungibility");
    Replace(fungibility, "whenCanBorrow", "Borrow", "MayStopSearch");
    Replace(fungibility, "whenCanPreempt", "Preempt", "MayStopSearch");
    spec->Erase("concurrentAdmissionPolicy");
  }
  FieldErrors errors = PutBackKept(KindOf<ClusterQueue>(), ClusterQueueKept(), object);
  if (errors.empty()) errors = InEncodedForm<ClusterQueue>(object);
  return errors;
}

FieldErrors ClusterQueueFromStored(Json& object) {
  FieldErrors errors = InEncodedForm<ClusterQueue>(object);
  if (!errors.empty()) return errors;
  Keep(ClusterQueueKept(), object);
  if (Json* spec = object.Find("spec")) Rename(*spec, "cohortName", "cohort");
  return {};
}

// ---- Cohort, LocalQueue

FieldErrors CohortBothWays(Json& object) { return InEncodedForm<Cohort>(object); }

FieldErrors LocalQueueToStored(Json& object) {
  if (Json* status = object.Find("status")) {
    status->Erase("flavors");
    Rename(*status, "flavorUsage", "flavorsUsage");
  }
  return InEncodedForm<LocalQueue>(object);
}

FieldErrors LocalQueueFromStored(Json& object) {
  FieldErrors errors = InEncodedForm<LocalQueue>(object);
  if (Json* status = object.Find("status")) Rename(*status, "flavorsUsage", "flavorUsage");
  return errors;
}

// ---- MultiKueueConfig

const KeptFields& MultiKueueConfigKept() {
  static const KeptFields fields = {{"spec", "quotaManagement"}};
  return fields;
}

FieldErrors MultiKueueConfigToStored(Json& object) {
  return PutBackKept(KindOf<MultiKueueConfig>(), MultiKueueConfigKept(), object);
}

FieldErrors MultiKueueConfigFromStored(Json& object) {
  Keep(MultiKueueConfigKept(), object);
  return {};
}

// ---- MultiKueueCluster

FieldErrors MultiKueueClusterToStored(Json& object) {
  if (Json* spec = object.Find("spec")) {
    Json source = Json::MakeObject();
    const Json* kube_config = spec->Find("kubeConfig");
    if (kube_config && !kube_config->StringAt({"location"}).empty()) {
      source.Set("kubeConfig", *kube_config);
    }
    if (const Json* profile = spec->Find("clusterProfileRef")) {
      source.Set("clusterProfileRef", *profile);
    }
    spec->Erase("kubeConfig");
    spec->Erase("clusterProfileRef");
    spec->Set("clusterSource", std::move(source));
  }
  return InEncodedForm<MultiKueueCluster>(object);
}

FieldErrors MultiKueueClusterFromStored(Json& object) {
  FieldErrors errors = InEncodedForm<MultiKueueCluster>(object);
  Json* spec = object.Find("spec");
  if (!errors.empty() || spec == nullptr) return errors;
  const Json* found = spec->Find("clusterSource");
  const Json source = found ? *found : Json::MakeObject();
  spec->Erase("clusterSource");
  if (const Json* kube_config = source.Find("kubeConfig")) {
    spec->Set("kubeConfig", *kube_config);
  } else {
    // The member is required in this version.
    Json none = Json::MakeObject();
    none.Set("location", "");
    none.Set("locationType", "");
    spec->Set("kubeConfig", std::move(none));
  }
  if (const Json* profile = source.Find("clusterProfileRef")) {
    spec->Set("clusterProfileRef", *profile);
  }
  return {};
}

}  // namespace

void FindConversion(std::string_view kind, FieldErrors (*&to_stored)(Json& object),
                    FieldErrors (*&from_stored)(Json& object)) {
  if (kind == "ClusterQueue") {
    to_stored = ClusterQueueToStored;
    from_stored = ClusterQueueFromStored;
  } else if (kind == "Cohort") {
    to_stored = from_stored = CohortBothWays;
  } else if (kind == "LocalQueue") {
    to_stored = LocalQueueToStored;
    from_stored = LocalQueueFromStored;
  } else if (kind == "MultiKueueCluster") {
    to_stored = MultiKueueClusterToStored;
    from_stored = MultiKueueClusterFromStored;
  } else if (kind == "MultiKueueConfig") {
    to_stored = MultiKueueConfigToStored;
    from_stored = MultiKueueConfigFromStored;
  } else if (kind == "Workload") {
    to_stored = WorkloadToStored;
    from_stored = WorkloadFromStored;
  } else {
    // Nothing but apiVersion changes.
    to_stored = from_stored = nullptr;
  }
}

}  // namespace kueue::api
