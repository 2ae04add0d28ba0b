#include "apiserver/object_meta.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/kind_registry.h"

namespace kueue::apiserver {

using api::FieldErrorType;
using api::Json;

namespace {

const Json* MetaMember(const Json& object, std::string_view name) {
  return object.FindPath({"metadata", name});
}

bool IsBlank(const Json* value) {
  return value == nullptr || value->IsNull() || (value->IsString() && value->AsString().empty());
}

}  // namespace

Refusal AdmitNewMetadata(const api::KindInfo& kind, const std::string& namespace_name,
                         Json& object) {
  Json& metadata = object["metadata"];
  if (metadata.IsNull()) metadata = Json::MakeObject();
  if (!metadata.IsObject()) return BadRequestError("metadata must be an object");
  const std::string given = metadata.StringAt({"namespace"});
  metadata.Erase("namespace");
  if (kind.namespaced) {
    if (!given.empty() && given != namespace_name) {
      return BadRequestError(
          fmt::format("the object's namespace \"{}\" is not \"{}\", the one of "
                      "the request",
                      given, namespace_name));
    }
    metadata.Set("namespace", namespace_name);
  }
  if (!metadata.StringAt({"resourceVersion"}).empty()) {
    return InternalError("resourceVersion must not be set on objects to be created");
  }
  for (const char* field : {"resourceVersion", "uid", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds", "selfLink", "managedFields"}) {
    metadata.Erase(field);
  }
  return std::nullopt;
}

void StampNew(const api::KindInfo& kind, const std::string& uid, base::Time now, Json& object) {
  Json& metadata = object["metadata"];
  metadata.Set("uid", uid);
  metadata.Set("creationTimestamp", base::FormatTime(now));
  if (TraitsOf(kind).generation) metadata.Set("generation", 1);
}

void KeepSystemMetadata(const api::KindInfo& kind, const Json& before, Json& after) {
  Json& metadata = after["metadata"];
  if (!metadata.IsObject()) metadata = Json::MakeObject();
  const auto take_old = [&](const char* field) {
    const Json* old = MetaMember(before, field);
    if (old != nullptr) {
      metadata.Set(field, *old);
    } else {
      metadata.Erase(field);
    }
  };
  for (const char* field : {"uid", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds", "generateName"}) {
    if (IsBlank(metadata.Find(field))) take_old(field);
  }
  // A deletion cannot be begun or called off by an update.
  if (!IsDeleting(before)) {
    metadata.Erase("deletionTimestamp");
    metadata.Erase("deletionGracePeriodSeconds");
  }
  take_old("generation");
  take_old("resourceVersion");
  take_old("name");
  if (kind.namespaced) {
    take_old("namespace");
  } else {
    metadata.Erase("namespace");
  }
  metadata.Erase("selfLink");
  metadata.Erase("managedFields");
}

std::vector<api::FieldError> SystemMetadataErrors(const Json& before, const Json& after) {
  std::vector<api::FieldError> errors;
  for (const char* field :
       {"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const Json* old = MetaMember(before, field);
    const Json* now = MetaMember(after, field);
    if (old != nullptr && now != nullptr && !(*old == *now)) {
      errors.push_back({FieldErrorType::kInvalid, fmt::format("metadata.{}", field),
                        "is set by the server and does not change"});
    }
  }
  return errors;
}

std::vector<std::string> DropEmptyMetadata(Json& object) {
  std::vector<std::string> dropped;
  Json* metadata = object.Find("metadata");
  if (metadata == nullptr || !metadata->IsObject()) return dropped;
  auto& members = metadata->AsObject();
  members.erase(std::remove_if(members.begin(), members.end(),
                               [&](const Json::Member& member) {
                                 const Json& value = member.value;
                                 const bool holds = value.IsArray() || value.IsObject();
                                 if (!value.IsNull() && (!holds || value.size() > 0)) return false;
                                 dropped.push_back(member.key + (holds ? "" : ": null"));
                                 return true;
                               }),
                members.end());
  std::sort(dropped.begin(), dropped.end());
  return dropped;
}

int64_t GenerationOf(const Json& object) {
  const Json* generation = MetaMember(object, "generation");
  return generation != nullptr && generation->IsInt() ? generation->AsInt() : 0;
}

void BumpGeneration(const api::KindInfo& kind, Json& object) {
  if (TraitsOf(kind).generation) object["metadata"].Set("generation", GenerationOf(object) + 1);
}

bool SpecChanged(const api::KindInfo& kind, const Json& before, const Json& after) {
  // Counted as one change for ever: its creation.
  if (!kind.custom_resource && kind.kind == "PriorityClass") return false;
  // Of a Deployment annotations are wishes, too.
  if (!kind.custom_resource && kind.group == "apps" && kind.kind == "Deployment") {
    const Json* old = MetaMember(before, "annotations");
    const Json* now = MetaMember(after, "annotations");
    static const Json kNone;
    if (!((old != nullptr ? *old : kNone) == (now != nullptr ? *now : kNone))) return true;
  }
  const bool status_apart = kind.has_status || !kind.custom_resource;
  const auto skipped = [&](const std::string& key) {
    return key == "metadata" || (status_apart && key == "status");
  };
  size_t old_members = 0, new_members = 0;
  for (const Json::Member& member : before.AsObject()) old_members += !skipped(member.key);
  for (const Json::Member& member : after.AsObject()) {
    if (skipped(member.key)) continue;
    ++new_members;
    const Json* old = before.Find(member.key);
    if (old == nullptr || !(*old == member.value)) return true;
  }
  return old_members != new_members;
}

bool IsDefinition(const api::KindInfo& kind) {
  return kind.kind == "CustomResourceDefinition" && kind.group == "apiextensions.k8s.io";
}

bool IsDeleting(const Json& object) { return !IsBlank(MetaMember(object, "deletionTimestamp")); }

bool HasFinalizers(const Json& object) {
  const Json* finalizers = MetaMember(object, "finalizers");
  return finalizers != nullptr && finalizers->size() > 0;
}

bool HasFinalizer(const Json& object, std::string_view finalizer) {
  const Json* finalizers = MetaMember(object, "finalizers");
  if (finalizers == nullptr || !finalizers->IsArray()) return false;
  const auto& items = finalizers->AsArray();
  return std::any_of(items.begin(), items.end(), [&](const Json& item) {
    return item.IsString() && item.AsString() == finalizer;
  });
}

bool AddFinalizer(Json& object, std::string_view finalizer) {
  if (HasFinalizer(object, finalizer)) return false;
  Json& finalizers = object["metadata"]["finalizers"];
  if (!finalizers.IsArray()) finalizers = Json::MakeArray();
  finalizers.Append(finalizer);
  return true;
}

bool RemoveFinalizer(Json& object, std::string_view finalizer) {
  if (!HasFinalizer(object, finalizer)) return false;
  auto& items = object["metadata"]["finalizers"].AsArray();
  items.erase(std::remove_if(items.begin(), items.end(),
                             [&](const Json& item) {
                               return item.IsString() && item.AsString() == finalizer;
                             }),
              items.end());
  if (items.empty()) object["metadata"].Erase("finalizers");
  return true;
}

int64_t GraceOf(const Json& object) {
  const Json* grace = MetaMember(object, "deletionGracePeriodSeconds");
  return grace != nullptr && grace->IsInt() ? grace->AsInt() : 0;
}

}  // namespace kueue::apiserver
