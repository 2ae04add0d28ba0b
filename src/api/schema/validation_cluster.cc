#include <algorithm>
#include <set>

#include "api/match/name_rules.h"
#include "api/rules/expression_scope.h"
#include "api/schema/validation_parts.h"

// Rules of the kinds a cluster is set up with, as the Kubernetes API documents them.
namespace kueue::api {
namespace {

constexpr char kAccessGroup[] = "rbac.authorization.k8s.io";

const Json& SpecOf(const Json& object) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* spec = object.Find("spec");
  return spec && spec->IsObject() ? *spec : *none;
}

// ---- limit ranges

// Of one resource: no value may be greater than one that stands above it.
void CheckLimitOrder(const Json& item, const std::string& path, const std::string& resource,
                     FieldErrors& errors) {
  const auto value = [&](std::string_view list) {
    return QuantityIn(item.FindPath({list, resource}));
  };
  const auto least = value("min"), most = value("max"), usual = value("default"),
             asked = value("defaultRequest");
  const auto wrong = [&](std::string_view list, const char* message) {
    AddInvalid(errors, Key(Field(path, list), resource), message);
  };
  if (least && most && *least > *most) wrong("min", "must not exceed max");
  if (asked && least && *least > *asked) wrong("defaultRequest", "must not be below min");
  if (asked && most && *asked > *most) wrong("defaultRequest", "must not exceed max");
  if (asked && usual && *asked > *usual) wrong("defaultRequest", "must not exceed default");
  if (usual && least && *least > *usual) wrong("default", "must not be below min");
  if (usual && most && *usual > *most) wrong("default", "must not exceed max");
  const auto ratio = value("maxLimitRequestRatio");
  if (ratio && *ratio < Quantity::FromNano(1000000000, ratio->format())) {
    wrong("maxLimitRequestRatio", "must be at least 1");
  }
}

void CheckLimitType(const Json& item, const std::string& path, FieldErrors& errors) {
  const std::string_view type = Text(item, "type");
  AddInvalid(errors, Field(path, "type"), QualifiedNameProblems(type));
  const bool known = type == "Pod" || type == "Container" || type == "PersistentVolumeClaim";
  if (!known && IsQualifiedName(type) && type.find('/') == std::string_view::npos) {
    AddInvalid(errors, Field(path, "type"), "must be a known type or a name with a domain");
  }
  if (type == "Pod") {
    for (const char* list : {"default", "defaultRequest"}) {
      if (Members(item.Find(list)).empty()) continue;
      AddError(errors, FieldErrorType::kForbidden, Field(path, list), "pods have no defaults");
    }
  }
  if (type == "PersistentVolumeClaim" && !item.FindPath({"min", "storage"}) &&
      !item.FindPath({"max", "storage"})) {
    AddRequired(errors, path, "needs a least or a most storage");
  }
}

// ---- quotas

bool CountsObjects(std::string_view name) {
  static constexpr std::string_view kNames[] = {"pods",
                                                "services",
                                                "secrets",
                                                "configmaps",
                                                "persistentvolumeclaims",
                                                "resourcequotas",
                                                "replicationcontrollers",
                                                "services.nodeports",
                                                "services.loadbalancers"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool IsQuotaResource(std::string_view name) {
  if (name.find('/') != std::string_view::npos || CountsObjects(name)) return true;
  for (const std::string_view prefix : {"requests.", "limits."}) {
    if (name.substr(0, prefix.size()) == prefix) name.remove_prefix(prefix.size());
  }
  return name == "cpu" || name == "memory" || name == "storage" || name == "ephemeral-storage" ||
         name.find('/') != std::string_view::npos || name.substr(0, 10) == "hugepages-";
}

void CheckScopes(const Json& spec, FieldErrors& errors) {
  static constexpr std::string_view kScopes[] = {"Terminating",
                                                 "NotTerminating",
                                                 "BestEffort",
                                                 "NotBestEffort",
                                                 "CrossNamespacePodAffinity",
                                                 "PriorityClass",
                                                 "VolumeAttributesClass"};
  std::set<std::string_view> found;
  for (const Json& scope : Items(spec, "scopes")) {
    const std::string_view text = scope.IsString() ? std::string_view(scope.AsString()) : "";
    found.insert(text);
    if (std::find(std::begin(kScopes), std::end(kScopes), text) == std::end(kScopes)) {
      AddInvalid(errors, "spec.scopes", "is no known scope");
    }
  }
  if ((found.count("Terminating") && found.count("NotTerminating")) ||
      (found.count("BestEffort") && found.count("NotBestEffort"))) {
    AddInvalid(errors, "spec.scopes", "scopes that exclude each other");
  }
}

// ---- volumes

void CheckAccessModes(const Json& spec, FieldErrors& errors) {
  const Json::Array& modes = Items(spec, "accessModes");
  if (modes.empty()) AddRequired(errors, "spec.accessModes");
  for (const Json& mode : modes) {
    const std::string_view text = mode.IsString() ? std::string_view(mode.AsString()) : "";
    if (text != "ReadWriteOnce" && text != "ReadOnlyMany" && text != "ReadWriteMany" &&
        text != "ReadWriteOncePod") {
      AddNotSupported(errors, "spec.accessModes", text,
                      {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"});
    }
  }
}

// Whether a persistent volume says where its bytes are.
bool HasSource(const Json& spec) {
  static constexpr std::string_view kOthers[] = {
      "accessModes",      "capacity",
      "claimRef",         "mountOptions",
      "nodeAffinity",     "persistentVolumeReclaimPolicy",
      "storageClassName", "volumeAttributesClassName",
      "volumeMode"};
  for (const Json::Member& member : spec.AsObject()) {
    if (std::find(std::begin(kOthers), std::end(kOthers), member.key) == std::end(kOthers)) {
      return true;
    }
  }
  return false;
}

// ---- access

void CheckSubject(const Json& subject, const std::string& path, bool in_namespace,
                  FieldErrors& errors) {
  const std::string_view kind = Text(subject, "kind");
  if (Text(subject, "name").empty()) AddRequired(errors, Field(path, "name"));
  if (kind == "ServiceAccount") {
    if (!Text(subject, "name").empty()) {
      AddInvalid(errors, Field(path, "name"), DnsSubdomainProblems(Text(subject, "name")));
    }
    CheckAllowed(subject, path, "apiGroup", {""}, errors);
    if (!in_namespace && Text(subject, "namespace").empty()) {
      AddRequired(errors, Field(path, "namespace"));
    }
  } else if (kind == "User" || kind == "Group") {
    CheckAllowed(subject, path, "apiGroup", {kAccessGroup}, errors);
  } else {
    AddNotSupported(errors, Field(path, "kind"), kind, {"ServiceAccount", "User", "Group"});
  }
}

void CheckPolicyRule(const Json& rule, const std::string& path, bool in_namespace,
                     FieldErrors& errors) {
  if (Items(rule, "verbs").empty()) AddRequired(errors, Field(path, "verbs"));
  const bool urls = !Items(rule, "nonResourceURLs").empty();
  if (urls) {
    if (in_namespace) {
      AddInvalid(errors, Field(path, "nonResourceURLs"), "a namespace has no such paths");
    }
    if (!Items(rule, "apiGroups").empty() || !Items(rule, "resources").empty() ||
        !Items(rule, "resourceNames").empty()) {
      AddInvalid(errors, Field(path, "nonResourceURLs"), "cannot stand beside resources");
    }
    return;
  }
  if (Items(rule, "apiGroups").empty()) AddRequired(errors, Field(path, "apiGroups"));
  if (Items(rule, "resources").empty()) AddRequired(errors, Field(path, "resources"));
}

}  // namespace

void CheckLimitRangeRules(const Json& object, const Json*, FieldErrors& errors) {
  const Json::Array& limits = Items(SpecOf(object), "limits");
  std::set<std::string_view> types;
  for (size_t i = 0; i < limits.size(); ++i) {
    const std::string path = Field("spec.limits", i);
    CheckLimitType(limits[i], path, errors);
    if (!types.insert(Text(limits[i], "type")).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(path, "type"), "is there twice");
    }
    std::set<std::string> resources;
    for (const char* list : {"min", "max", "default", "defaultRequest", "maxLimitRequestRatio"}) {
      for (const Json::Member& entry : Members(limits[i].Find(list))) resources.insert(entry.key);
    }
    for (const std::string& resource : resources) {
      CheckLimitOrder(limits[i], path, resource, errors);
    }
  }
}

void CheckResourceQuotaRules(const Json& object, const Json* before, FieldErrors& errors) {
  const Json& spec = SpecOf(object);
  for (const Json::Member& entry : Members(spec.Find("hard"))) {
    const std::string at = Key("spec.hard", entry.key);
    AddInvalid(errors, at, QualifiedNameProblems(entry.key));
    if (!IsQuotaResource(entry.key)) {
      AddInvalid(errors, at, "must be a standard resource or a name with a domain");
      if (IsQualifiedName(entry.key)) AddInvalid(errors, at, "is not a resource of quotas");
    }
    const auto quantity = QuantityIn(&entry.value);
    if (quantity && quantity->Sign() < 0) AddInvalid(errors, at, "must not be negative");
    if (quantity && CountsObjects(entry.key) && quantity->nano() % 1000000000 != 0) {
      AddInvalid(errors, at, "must be a whole number");
    }
  }
  CheckScopes(spec, errors);
  if (before) CheckUnchanged(spec, SpecOf(*before), "spec", "scopes", errors);
}

void CheckPriorityClassRules(const Json& object, const Json* before, FieldErrors& errors) {
  constexpr int64_t kMostOfUsers = 1000000000;
  const std::string name = object.StringAt({"metadata", "name"});
  const bool of_system = name == "system-cluster-critical" || name == "system-node-critical";
  if (name.substr(0, 7) == "system-" && !of_system) {
    AddError(errors, FieldErrorType::kForbidden, "metadata.name",
             "names with system- belong to the system");
  }
  if (!of_system && Int(object, "value").value_or(0) > kMostOfUsers) {
    AddError(errors, FieldErrorType::kForbidden, "value", "must be at most 1000000000");
  }
  CheckAllowed(object, "", "preemptionPolicy", {"PreemptLowerPriority", "Never"}, errors);
  if (!before) return;
  if (Int(object, "value").value_or(0) != Int(*before, "value").value_or(0)) {
    AddError(errors, FieldErrorType::kForbidden, "value", "may not be changed");
  }
  if (Text(object, "preemptionPolicy") != Text(*before, "preemptionPolicy")) {
    AddInvalid(errors, "preemptionPolicy", "may not be changed");
  }
}

void CheckRoleRules(const Json& object, const Json*, FieldErrors& errors) {
  const bool in_namespace = !object.StringAt({"metadata", "namespace"}).empty();
  const Json::Array& rules = Items(object, "rules");
  for (size_t i = 0; i < rules.size(); ++i) {
    CheckPolicyRule(rules[i], Field("rules", i), in_namespace, errors);
  }
}

void CheckBindingRules(const Json& object, const Json* before, FieldErrors& errors) {
  const bool in_namespace = !object.StringAt({"metadata", "namespace"}).empty();
  static const Json* const none = new Json(Json::MakeObject());
  const Json* found = object.Find("roleRef");
  const Json& role = found && found->IsObject() ? *found : *none;
  CheckAllowed(role, "roleRef", "apiGroup", {kAccessGroup}, errors);
  const std::string_view kind = Text(role, "kind");
  if (kind != "ClusterRole" && !(in_namespace && kind == "Role")) {
    AddNotSupported(errors, "roleRef.kind", kind,
                    in_namespace ? std::vector<std::string_view>{"Role", "ClusterRole"}
                                 : std::vector<std::string_view>{"ClusterRole"});
  }
  if (Text(role, "name").empty()) AddRequired(errors, "roleRef.name");
  const Json::Array& subjects = Items(object, "subjects");
  for (size_t i = 0; i < subjects.size(); ++i) {
    CheckSubject(subjects[i], Field("subjects", i), in_namespace, errors);
  }
  if (before && !SameOrBothEmpty(found, before->Find("roleRef"))) {
    AddInvalid(errors, "roleRef", "may not be changed");
  }
}

void CheckRuntimeClassRules(const Json& object, const Json* before, FieldErrors& errors) {
  const std::string_view handler = Text(object, "handler");
  if (handler.empty()) {
    AddRequired(errors, "handler");
  } else {
    AddInvalid(errors, "handler", DnsLabelProblems(handler));
  }
  if (before) CheckUnchanged(object, *before, "", "handler", errors);
}

void CheckPersistentVolumeClaimRules(const Json& object, const Json* before, FieldErrors& errors) {
  const Json& spec = SpecOf(object);
  CheckAccessModes(spec, errors);
  const std::string_view storage_class = Text(spec, "storageClassName");
  if (!storage_class.empty()) {
    AddInvalid(errors, "spec.storageClassName", DnsSubdomainProblems(storage_class));
  }
  const auto storage = QuantityIn(spec.FindPath({"resources", "requests", "storage"}));
  if (!storage) {
    AddRequired(errors, "spec.resources[storage]");
  } else if (storage->Sign() <= 0) {
    AddInvalid(errors, "spec.resources[storage]", "must be greater than 0");
  }
  CheckAllowed(spec, "spec", "volumeMode", {"Block", "Filesystem"}, errors);
  if (!before) return;
  Json now = spec, was = SpecOf(*before);
  for (Json* part : {&now, &was}) part->Erase("resources");
  // A volume may still be chosen; then nothing is left to choose.
  if (Text(was, "volumeName").empty()) now.Erase("volumeName");
  if (!(now == was)) {
    AddError(errors, FieldErrorType::kForbidden, "spec", "may not be changed but for its size");
  }
}

void CheckPersistentVolumeRules(const Json& object, const Json*, FieldErrors& errors) {
  const Json& spec = SpecOf(object);
  CheckAccessModes(spec, errors);
  const Json::Object& capacity = Members(spec.Find("capacity"));
  if (capacity.empty()) AddRequired(errors, "spec.capacity");
  if (capacity.size() != 1 || capacity[0].key != "storage") {
    AddNotSupported(errors, "spec.capacity", "", {"storage"});
  }
  if (!HasSource(spec)) AddRequired(errors, "spec", "must say where the volume is");
  const Json* path = spec.Find("hostPath");
  if (path && path->IsObject() && Text(*path, "path").empty()) {
    AddRequired(errors, "spec.hostPath.path");
  }
  CheckAllowed(spec, "spec", "persistentVolumeReclaimPolicy", {"Delete", "Recycle", "Retain"},
               errors);
  CheckAllowed(spec, "spec", "volumeMode", {"Block", "Filesystem"}, errors);
}

void CheckStorageClassRules(const Json& object, const Json* before, FieldErrors& errors) {
  const std::string_view provisioner = Text(object, "provisioner");
  if (provisioner.empty()) {
    AddRequired(errors, "provisioner");
  } else if (!IsQualifiedName(provisioner)) {
    AddInvalid(errors, "provisioner", "must be a name, with a domain or without");
  }
  CheckAllowed(object, "", "reclaimPolicy", {"Delete", "Retain"}, errors);
  CheckAllowed(object, "", "volumeBindingMode", {"Immediate", "WaitForFirstConsumer"}, errors);
  if (!before) return;
  for (const char* member : {"parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"}) {
    if (SameOrBothEmpty(object.Find(member), before->Find(member))) continue;
    AddError(errors, FieldErrorType::kForbidden, member, "may not be changed");
  }
}

void CheckResourceClaimRules(const Json& object, const Json* before, FieldErrors& errors) {
  if (!before || SpecOf(object) == SpecOf(*before)) return;
  AddInvalid(errors, "spec", "may not be changed");
}

}  // namespace kueue::api
