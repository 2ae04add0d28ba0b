#include "localcluster/workload_object.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "api/codec/json_text.h"
#include "base/check.h"
#include "localcluster/conditions.h"
#include "localcluster/pod_life.h"
#include "resources/resource_vector.h"

namespace kueue::localcluster {

using api::Json;

namespace {

// Sorted members, so that the text follows from the meaning. Nulls and empty members say nothing.
void AppendCanonical(const Json& json, std::string& text) {
  if (json.IsArray()) {
    text += '[';
    for (const Json& item : json.AsArray()) {
      AppendCanonical(item, text);
      text += ',';
    }
    text += ']';
  } else if (json.IsObject()) {
    std::vector<const Json::Member*> members;
    for (const Json::Member& member : json.AsObject()) {
      if (!member.value.IsNull()) members.push_back(&member);
    }
    std::sort(members.begin(), members.end(),
              [](const Json::Member* a, const Json::Member* b) { return a->key < b->key; });
    text += '{';
    for (const Json::Member* member : members) {
      text += member->key + ":";
      AppendCanonical(member->value, text);
      text += ',';
    }
    text += '}';
  } else {
    text += api::WriteJson(json);
  }
}

}  // namespace

const api::KindInfo& WorkloadKind(const char* group, const char* kind) {
  const api::KindInfo* info = api::FindKind(group, "v1", kind);
  KUEUE_CHECK(info != nullptr);
  return *info;
}

base::Result<WorkloadObject> DecodeWorkload(const api::KindInfo& kind, const Json& json) {
  WorkloadObject object;
  object.kind = &kind;
  const Json* metadata = json.Find("metadata");
  auto decoded = api::Decode<api::ObjectMeta>(metadata == nullptr ? Json::MakeObject() : *metadata);
  if (!decoded.ok()) return decoded.error();
  object.metadata = std::move(*decoded);
  object.object = json;
  return object;
}

int64_t IntAt(const Json& json, std::initializer_list<std::string_view> path, int64_t otherwise) {
  const Json* value = json.FindPath(path);
  return value != nullptr && value->IsInt() ? value->AsInt() : otherwise;
}

bool BoolAt(const Json& json, std::initializer_list<std::string_view> path) {
  const Json* value = json.FindPath(path);
  return value != nullptr && value->IsBool() && value->AsBool();
}

int64_t CountOrShare(const Json* value, int64_t whole, bool up, int64_t otherwise) {
  if (value == nullptr) return otherwise;
  if (value->IsInt()) return std::clamp<int64_t>(value->AsInt(), 0, INT32_MAX);
  if (!value->IsString()) return otherwise;
  const std::string& text = value->AsString();
  int64_t percent = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || *at != '%' || percent < 0) return otherwise;
  const int64_t product = std::min<int64_t>(percent, 100000) * whole;
  return up ? (product + 99) / 100 : product / 100;
}

api::OwnerReference ControlledBy(const WorkloadObject& owner) {
  api::OwnerReference reference;
  reference.api_version = owner.kind->ApiVersion();
  reference.kind = std::string(owner.kind->kind);
  reference.name = owner.metadata.name;
  reference.uid = owner.metadata.uid;
  reference.controller = true;
  reference.block_owner_deletion = true;
  return reference;
}

std::string ControllerUid(const api::ObjectMeta& meta, std::string_view kind) {
  const api::OwnerReference* owner = api::ControllerOf(meta);
  return owner != nullptr && owner->kind == kind ? owner->uid : "";
}

api::Pod PodOfTemplate(const WorkloadObject& owner, const Json& pod_template) {
  api::Pod pod;
  if (auto decoded = api::Decode<api::PodTemplateSpec>(pod_template); decoded.ok()) {
    pod.metadata.labels = decoded->metadata.labels;
    pod.metadata.annotations = decoded->metadata.annotations;
    pod.metadata.finalizers = decoded->metadata.finalizers;
    pod.spec = std::move(decoded->spec);
  }
  pod.metadata.namespace_name = owner.metadata.namespace_name;
  pod.metadata.owner_references = {ControlledBy(owner)};
  return pod;
}

std::optional<runtime::Write> PatchWorkload(const WorkloadObject& before, const Json& after,
                                            const std::string& subresource) {
  Json patch = api::DiffMergePatch(before.object, after);
  if (patch.size() == 0) return std::nullopt;
  patch["metadata"].Set("resourceVersion", before.metadata.resource_version);
  return runtime::Write{runtime::WriteVerb::kMergePatch,
                        before.kind,
                        kube::KeyOf(before.metadata),
                        subresource,
                        std::move(patch),
                        {}};
}

runtime::Write CreateWorkload(const api::KindInfo& kind, Json object) {
  const kube::ObjectKey key{object.StringAt({"metadata", "namespace"}),
                            object.StringAt({"metadata", "name"})};
  object.Set("apiVersion", kind.ApiVersion());
  object.Set("kind", kind.kind);
  return {runtime::WriteVerb::kCreate, &kind, key, "", std::move(object), {}};
}

runtime::Write DeleteWorkload(const WorkloadObject& object) {
  runtime::Write write{
      runtime::WriteVerb::kDelete, object.kind, kube::KeyOf(object.metadata), "", {}, {}};
  write.remove.precondition_uid = object.metadata.uid;
  write.remove.propagation_policy = "Background";
  return write;
}

api::ObjectReference ReferenceTo(const WorkloadObject& object) {
  api::ObjectReference reference;
  reference.kind = std::string(object.kind->kind);
  reference.api_version = object.kind->ApiVersion();
  reference.namespace_name = object.metadata.namespace_name;
  reference.name = object.metadata.name;
  reference.uid = object.metadata.uid;
  reference.resource_version = object.metadata.resource_version;
  return reference;
}

std::string TemplateHash(const Json& pod_template, int64_t collisions) {
  static constexpr char kAlphabet[] = "bcdfghjklmnpqrstvwxz2456789";
  std::string text;
  AppendCanonical(pod_template, text);
  if (collisions > 0) text += std::to_string(collisions);
  uint64_t hash = resources::Fnv1a64(text);
  std::string name;
  for (int i = 0; i < 10; ++i, hash /= 27) name += kAlphabet[hash % 27];
  return name;
}

bool IsPodReady(const api::Pod& pod) { return IsTrue(pod.status.conditions, "Ready"); }

bool IsPodAvailable(const api::Pod& pod, base::Duration min_ready, base::Time now) {
  return IsPodReady(pod) && !UntilAvailable(pod, min_ready, now);
}

std::optional<base::Duration> UntilAvailable(const api::Pod& pod, base::Duration min_ready,
                                             base::Time now) {
  const api::PodCondition* ready = FindCondition(pod.status.conditions, "Ready");
  if (min_ready <= base::Duration(0) || !IsPodReady(pod)) return std::nullopt;
  const base::Time since = ready->last_transition_time.value_or(now);
  if (since + min_ready <= now) return std::nullopt;
  return since + min_ready - now;
}

bool IsPodActive(const api::Pod& pod) { return !HasEnded(pod) && !pod.metadata.deletion_timestamp; }

void SortForDeletion(Pods& pods) {
  const auto rank = [](const api::Pod& pod) {
    int64_t cost = 0;
    const auto it = pod.metadata.annotations.find("controller.kubernetes.io/pod-deletion-cost");
    if (it != pod.metadata.annotations.end()) {
      std::from_chars(it->second.data(), it->second.data() + it->second.size(), cost);
    }
    return std::tuple(!pod.spec.node_name.empty(), pod.status.phase == "Running", IsPodReady(pod),
                      cost);
  };
  std::stable_sort(pods.begin(), pods.end(), [&](const auto& a, const auto& b) {
    return std::tuple(rank(*a), b->metadata.creation_timestamp, b->metadata.name) <
           std::tuple(rank(*b), a->metadata.creation_timestamp, a->metadata.name);
  });
}

const Json* FindWorkloadCondition(const Json& status, std::string_view type) {
  const Json* conditions = status.Find("conditions");
  if (conditions == nullptr || !conditions->IsArray()) return nullptr;
  for (const Json& condition : conditions->AsArray()) {
    if (condition.StringAt({"type"}) == type) return &condition;
  }
  return nullptr;
}

void SetWorkloadCondition(Json& status, const std::string& type, bool on, const std::string& reason,
                          const std::string& message, base::Time now, bool times_update) {
  const Json* known = FindWorkloadCondition(status, type);
  const std::string wanted = on ? "True" : "False";
  const bool moved = known == nullptr || known->StringAt({"status"}) != wanted;
  const bool news = moved || known->StringAt({"reason"}) != reason;
  if (!news && known->StringAt({"message"}) == message) return;
  Json condition = Json::MakeObject();
  const std::string time = base::FormatTime(now);
  condition.Set("type", type);
  condition.Set("status", wanted);
  if (times_update) condition.Set("lastUpdateTime", time);
  condition.Set("lastTransitionTime", moved ? Json(time) : *known->Find("lastTransitionTime"));
  condition.Set("reason", reason);
  condition.Set("message", message);
  Json& conditions = status["conditions"];
  if (!conditions.IsArray()) conditions = Json::MakeArray();
  for (Json& other : conditions.AsArray()) {
    if (other.StringAt({"type"}) != type) continue;
    other = std::move(condition);
    return;
  }
  conditions.Append(std::move(condition));
}

void LookAgainIn(runtime::Intents& intents, base::Duration delay) {
  if (!intents.look_again || delay < *intents.look_again) intents.look_again = delay;
}

}  // namespace kueue::localcluster
