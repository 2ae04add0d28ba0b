#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apiserver/built_in_admission.h"
#include "base/check.h"

// Priority, runtime class and service account of new pods.
namespace kueue::apiserver {

using api::Json;

namespace {

const api::KindInfo& Kind(const KindRegistry& kinds, const char* group, const char* name) {
  const api::KindInfo* kind = kinds.FindKind(group, "v1", name);
  KUEUE_CHECK(kind != nullptr);
  return *kind;
}

bool IsNewPod(const AdmissionRequest& request) {
  return request.operation == Operation::kCreate && request.subresource.empty() &&
         request.kind == &api::KindOf<api::Pod>();
}

int64_t ValueOf(const Json& priority_class) {
  const Json* value = priority_class.Find("value");
  return value != nullptr && value->IsInt() ? value->AsInt() : 0;
}

bool IsDefault(const Json& priority_class) {
  const Json* flag = priority_class.Find("globalDefault");
  return flag != nullptr && flag->IsBool() && flag->AsBool();
}

Json& SpecOf(Json& pod) {
  Json& spec = pod["spec"];
  if (!spec.IsObject()) spec = Json::MakeObject();
  return spec;
}

// ---- tokens

constexpr char kTokenFolder[] = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr char kTokenVolume[] = "kube-api-access-";

Json PathItem(const char* key, const char* path) {
  Json item = Json::MakeObject();
  item.Set("key", key);
  item.Set("path", path);
  return item;
}

// The token, the certificate of the authority and the namespace, as files of one volume.
Json TokenVolume(const std::string& name) {
  Json token = Json::MakeObject();
  token["serviceAccountToken"].Set("expirationSeconds", 3607);
  token["serviceAccountToken"].Set("path", "token");
  Json authority = Json::MakeObject();
  authority["configMap"].Set("name", "kube-root-ca.crt");
  authority["configMap"]["items"].Append(PathItem("ca.crt", "ca.crt"));
  Json field = Json::MakeObject();
  field.Set("path", "namespace");
  field["fieldRef"].Set("apiVersion", "v1");
  field["fieldRef"].Set("fieldPath", "metadata.namespace");
  Json home = Json::MakeObject();
  home["downwardAPI"]["items"].Append(std::move(field));
  Json volume = Json::MakeObject();
  volume.Set("name", name);
  Json& projected = volume["projected"];
  for (Json* source : {&token, &authority, &home}) projected["sources"].Append(std::move(*source));
  projected.Set("defaultMode", 420);
  return volume;
}

// The name of the volume with a token that the pod has already; empty if it has none.
std::string KnownTokenVolume(const Json& spec) {
  const Json* volumes = spec.Find("volumes");
  if (volumes == nullptr || !volumes->IsArray()) return "";
  for (const Json& volume : volumes->AsArray()) {
    std::string name = volume.StringAt({"name"});
    if (name.rfind(kTokenVolume, 0) == 0) return name;
  }
  return "";
}

bool MountsAt(const Json& container, std::string_view path) {
  const Json* mounts = container.Find("volumeMounts");
  if (mounts == nullptr || !mounts->IsArray()) return false;
  const auto& items = mounts->AsArray();
  return std::any_of(items.begin(), items.end(),
                     [&](const Json& mount) { return mount.StringAt({"mountPath"}) == path; });
}

// True if some container got the mount.
bool MountEverywhere(const std::string& volume, Json& spec) {
  bool mounted = false;
  for (const char* list : {"initContainers", "containers"}) {
    Json* containers = spec.Find(list);
    if (containers == nullptr || !containers->IsArray()) continue;
    for (Json& container : containers->AsArray()) {
      if (!container.IsObject() || MountsAt(container, kTokenFolder)) continue;
      Json mount = Json::MakeObject();
      mount.Set("name", volume);
      mount.Set("readOnly", true);
      mount.Set("mountPath", kTokenFolder);
      Json& mounts = container["volumeMounts"];
      if (!mounts.IsArray()) mounts = Json::MakeArray();
      mounts.Append(std::move(mount));
      mounted = true;
    }
  }
  return mounted;
}

bool WantsToken(const Json& spec, const Json& account) {
  for (const Json* place : {&spec, &account}) {
    const Json* flag = place->Find("automountServiceAccountToken");
    if (flag != nullptr && flag->IsBool()) return flag->AsBool();
  }
  return true;
}

// ---- tolerations

bool Tolerates(const Json& tolerations, std::string_view key) {
  for (const Json& toleration : tolerations.AsArray()) {
    const std::string effect = toleration.StringAt({"effect"});
    if (!effect.empty() && effect != "NoExecute") continue;
    const std::string of = toleration.StringAt({"key"});
    const bool every_key = of.empty() && toleration.StringAt({"operator"}) == "Exists";
    if (of == key || every_key) return true;
  }
  return false;
}

// Pods survive five minutes on a node that is not ready, unless they say otherwise.
void AddNotReadyTolerations(Json& spec) {
  Json& tolerations = spec["tolerations"];
  if (!tolerations.IsArray()) tolerations = Json::MakeArray();
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    if (Tolerates(tolerations, key)) continue;
    Json toleration = Json::MakeObject();
    toleration.Set("key", key);
    toleration.Set("operator", "Exists");
    toleration.Set("effect", "NoExecute");
    toleration.Set("tolerationSeconds", 300);
    tolerations.Append(std::move(toleration));
  }
}

}  // namespace

bool TolerationAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  return mutating && request.operation != Operation::kDelete && request.subresource.empty() &&
         request.kind == &api::KindOf<api::Pod>();
}

Verdict TolerationAdmission::Mutate(AdmissionRequest& request) {
  AddNotReadyTolerations(SpecOf(*request.object));
  return Verdict::Allow();
}

PriorityAdmission::PriorityAdmission(const Store& store, const KindRegistry& kinds)
    : store_(store), classes_(Kind(kinds, "scheduling.k8s.io", "PriorityClass")) {}

bool PriorityAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  if (mutating) {
    return request.operation != Operation::kDelete && request.subresource.empty() &&
           request.kind == &api::KindOf<api::Pod>();
  }
  return request.kind == &classes_ && request.operation != Operation::kDelete;
}

StoredPtr PriorityAdmission::DefaultClass() const {
  StoredPtr lowest;
  store_.Scan(classes_, "", "", [&](const std::string&, const StoredPtr& item) {
    const bool lower = lowest == nullptr || ValueOf(item->object()) < ValueOf(lowest->object());
    if (IsDefault(item->object()) && lower) lowest = item;
    return true;
  });
  return lowest;
}

Verdict PriorityAdmission::Mutate(AdmissionRequest& request) {
  Json& spec = SpecOf(*request.object);
  if (request.operation == Operation::kUpdate) {
    // Settled when the pod was made; whoever leaves it out does not mean to change it.
    for (const char* member : {"priority", "preemptionPolicy"}) {
      const Json* old = request.old_object->FindPath({"spec", member});
      if (old != nullptr && spec.Find(member) == nullptr) spec.Set(member, *old);
    }
    return Verdict::Allow();
  }
  const std::string name = spec.StringAt({"priorityClassName"});
  const StoredPtr found = name.empty() ? DefaultClass() : store_.Get(classes_, name);
  if (!name.empty() && found == nullptr) {
    return Verdict::Deny(fmt::format("no PriorityClass with name {} was found", name));
  }
  int64_t value = 0;
  std::string policy = "PreemptLowerPriority";
  if (found != nullptr) {
    value = ValueOf(found->object());
    policy = found->object().StringAt({"preemptionPolicy"}, policy);
    spec.Set("priorityClassName", found->object().StringAt({"metadata", "name"}));
  }
  const Json* given = spec.Find("priority");
  if (given != nullptr && given->IsInt() && given->AsInt() != value) {
    return Verdict::Deny(
        fmt::format("the integer value of priority ({}) must not be provided in pod spec; priority "
                    "admission controller computed {} from the given PriorityClass name",
                    given->AsInt(), value));
  }
  const std::string own = spec.StringAt({"preemptionPolicy"}, policy);
  if (own != policy) {
    return Verdict::Deny(
        fmt::format("the string value of PreemptionPolicy ({}) must not be provided in pod spec; "
                    "priority admission controller computed {} from the given PriorityClass name",
                    own, policy));
  }
  spec.Set("priority", value);
  spec.Set("preemptionPolicy", policy);
  return Verdict::Allow();
}

Verdict PriorityAdmission::Validate(const AdmissionRequest& request) {
  if (!IsDefault(*request.object)) return Verdict::Allow();
  const StoredPtr present = DefaultClass();
  if (present == nullptr) return Verdict::Allow();
  const std::string name = present->object().StringAt({"metadata", "name"});
  if (name == request.name) return Verdict::Allow();
  return Verdict::Deny(fmt::format(
      "PriorityClass {} is already marked as default. Only one default can exist", name));
}

RuntimeClassAdmission::RuntimeClassAdmission(const Store& store, const KindRegistry& kinds)
    : store_(store), classes_(Kind(kinds, "node.k8s.io", "RuntimeClass")) {}

bool RuntimeClassAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  return mutating && IsNewPod(request);
}

Verdict RuntimeClassAdmission::Mutate(AdmissionRequest& request) {
  Json& spec = SpecOf(*request.object);
  const std::string name = spec.StringAt({"runtimeClassName"});
  const Json* own = spec.Find("overhead");
  const bool has_overhead = own != nullptr && own->size() > 0;
  const StoredPtr found = name.empty() ? nullptr : store_.Get(classes_, name);
  if (!name.empty() && found == nullptr) {
    return Verdict::Deny(fmt::format("pod rejected: RuntimeClass \"{}\" not found", name));
  }
  const Json* overhead =
      found != nullptr ? found->object().FindPath({"overhead", "podFixed"}) : nullptr;
  if (overhead == nullptr) {
    if (!has_overhead) return Verdict::Allow();
    return Verdict::Deny(
        "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
  }
  if (has_overhead && !(*own == *overhead)) {
    return Verdict::Deny(
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  spec.Set("overhead", *overhead);
  const Json* selector = found->object().FindPath({"scheduling", "nodeSelector"});
  if (selector != nullptr && selector->IsObject()) {
    for (const Json::Member& label : selector->AsObject()) {
      const std::string wanted = spec.StringAt({"nodeSelector", label.key});
      const std::string value = label.value.IsString() ? label.value.AsString() : std::string();
      if (spec.FindPath({"nodeSelector", label.key}) != nullptr && wanted != value) {
        return Verdict::Deny(
            fmt::format("conflict: runtimeClass.Scheduling.NodeSelector[{0}] = "
                        "{1}; pod.Spec.NodeSelector[{0}] = {2}",
                        label.key, value, wanted));
      }
      spec["nodeSelector"].Set(label.key, value);
    }
  }
  const Json* tolerations = found->object().FindPath({"scheduling", "tolerations"});
  if (tolerations == nullptr || !tolerations->IsArray()) return Verdict::Allow();
  Json& list = spec["tolerations"];
  if (!list.IsArray()) list = Json::MakeArray();
  for (const Json& toleration : tolerations->AsArray()) {
    const auto& have = list.AsArray();
    if (std::find(have.begin(), have.end(), toleration) == have.end()) list.Append(toleration);
  }
  return Verdict::Allow();
}

ServiceAccountAdmission::ServiceAccountAdmission(const Store& store, const KindRegistry& kinds,
                                                 base::Random random)
    : store_(store), accounts_(Kind(kinds, "", "ServiceAccount")), random_(std::move(random)) {}

bool ServiceAccountAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  return mutating && IsNewPod(request);
}

Verdict ServiceAccountAdmission::Mutate(AdmissionRequest& request) {
  Json& spec = SpecOf(*request.object);
  std::string name = spec.StringAt({"serviceAccountName"});
  if (name.empty()) name = spec.StringAt({"serviceAccount"}, "default");
  const StoredPtr account = store_.Get(accounts_, StoreKey(request.namespace_name, name));
  if (account == nullptr) {
    return Verdict::Deny(
        fmt::format("error looking up service account {}/{}: serviceaccount \"{}\" "
                    "not found",
                    request.namespace_name, name, name));
  }
  spec.Set("serviceAccountName", name);
  spec.Set("serviceAccount", name);
  const Json* secrets = account->object().Find("imagePullSecrets");
  const Json* own = spec.Find("imagePullSecrets");
  if (secrets != nullptr && secrets->size() > 0 && (own == nullptr || own->size() == 0)) {
    spec.Set("imagePullSecrets", *secrets);
  }
  if (!WantsToken(spec, account->object())) return Verdict::Allow();
  // Containers that a webhook has added share the volume of those that were there before.
  const std::string known = KnownTokenVolume(spec);
  const std::string volume = known.empty() ? kTokenVolume + Suffix(request) : known;
  if (!MountEverywhere(volume, spec) || !known.empty()) return Verdict::Allow();
  Json& volumes = spec["volumes"];
  if (!volumes.IsArray()) volumes = Json::MakeArray();
  volumes.Append(TokenVolume(volume));
  return Verdict::Allow();
}

// The same in every pass of a write that waits for webhooks.
std::string ServiceAccountAdmission::Suffix(const AdmissionRequest& request) {
  if (request.session == nullptr) return random_.NameSuffix(5);
  if (!request.session->volume_suffix) request.session->volume_suffix = random_.NameSuffix(5);
  return *request.session->volume_suffix;
}

}  // namespace kueue::apiserver
