#include "apiserver/field_manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "api/codec/json_text.h"
#include "api/merge/typed_value.h"
#include "api/schema/conversion.h"

namespace kueue::apiserver {

using api::FieldSet;
using api::Json;
using api::ManagedFields;
using api::PathElement;

namespace {

constexpr size_t kMaxManagerBytes = 128;
constexpr char kBeforeApply[] = "before-first-apply";
constexpr char kLastApplied[] = "kubectl.kubernetes.io/last-applied-configuration";

FieldSet SetOf(std::initializer_list<std::initializer_list<std::string_view>> paths) {
  FieldSet set;
  for (const auto& path : paths) {
    api::FieldPath elements;
    for (const std::string_view name : path) elements.push_back(PathElement::Field(name));
    set.Insert(elements);
  }
  return set;
}

// What a write to that part of the kind puts back, whatever the client says.
const FieldSet* NeverOwnedOf(const api::KindInfo& kind, const std::string& subresource) {
  static const FieldSet status = SetOf({{"status"}});
  static const FieldSet spec = SetOf({{"spec"}});
  static const FieldSet all_but_status = SetOf({{"metadata"}, {"spec"}});
  static const FieldSet deployment = SetOf({{"spec"}, {"metadata", "labels"}});
  static const FieldSet pod =
      SetOf({{"spec"}, {"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}});
  if (subresource.empty()) return kind.has_status ? &status : nullptr;
  if (subresource == "finalize") return &status;
  if (subresource != "status") return nullptr;
  if (kind.custom_resource || kind.kind == "ResourceClaim") return &all_but_status;
  if (kind.group == "apps" && kind.kind == "Deployment") return &deployment;
  if (kind.group.empty() && kind.kind == "Pod") return &pod;
  return &spec;
}

class KindVersions final : public api::MergeVersions {
 public:
  explicit KindVersions(const WriteWay& way)
      : kind_(*way.kind),
        api_version_(kind_.ApiVersion()),
        never_owned_(NeverOwnedOf(kind_, way.subresource)) {}

  const std::string& api_version() const { return api_version_; }

  const api::MergeSchema* SchemaOf(const std::string& api_version) const override {
    if (kind_.definition != nullptr) return SameGroup(api_version) ? &Defined() : nullptr;
    const api::KindInfo* kind = KindAs(api_version);
    return kind != nullptr ? &api::MergeSchemaOf(*kind->table) : nullptr;
  }

  bool Convert(const std::string& from, const std::string& to, Json& object) const override {
    if (kind_.definition != nullptr) {
      object.Set("apiVersion", to);
      return true;
    }
    const api::KindInfo *source = KindAs(from), *target = KindAs(to);
    return source != nullptr && target != nullptr && api::ToStored(*source, object).empty() &&
           api::FromStored(*target, object).empty();
  }

  const FieldSet* NeverOwned(const std::string& api_version) const override {
    // Custom resources know only of the version they are written in.
    return kind_.custom_resource && api_version != api_version_ ? nullptr : never_owned_;
  }

 private:
  // Versions of a kind that came at run time differ in their name only.
  bool SameGroup(const std::string& api_version) const {
    const size_t slash = api_version.find('/');
    return slash != std::string::npos && api_version.substr(0, slash) == kind_.group;
  }

  const api::MergeSchema& Defined() const {
    if (defined_ == nullptr) {
      const api::FieldDescriptor* metadata = kind_.table->Find("metadata");
      const bool typed = metadata != nullptr && metadata->ops->Struct() != nullptr;
      defined_ = api::OwnedMergeSchema::OfStructural(
          kind_.definition->schema_json(),
          typed ? api::MergeSchemaOf(*metadata->ops->Struct()) : api::MergeSchema::Deduced());
    }
    return defined_->root();
  }

  const api::KindInfo* KindAs(const std::string& api_version) const {
    if (api_version == api_version_) return &kind_;
    const size_t slash = api_version.find('/');
    const bool core = slash == std::string::npos;
    return api::FindKind(core ? "" : api_version.substr(0, slash),
                         core ? api_version : api_version.substr(slash + 1), kind_.kind);
  }

  const api::KindInfo& kind_;
  const std::string api_version_;
  const FieldSet* never_owned_;
  mutable std::unique_ptr<api::OwnedMergeSchema> defined_;
};

api::Writing WritingOf(const WriteWay& way, const std::string& manager, base::Time now) {
  return {manager, way.kind->ApiVersion(), way.subresource, base::CutToSeconds(now)};
}

ApiError ConflictError(const std::vector<api::FieldConflict>& conflicts) {
  ApiError error;
  error.code = 409;
  error.reason = "Conflict";
  error.message = api::ConflictText(conflicts);
  error.has_details = true;
  for (const api::FieldConflict& conflict : conflicts) {
    error.causes.push_back(
        {"FieldManagerConflict", api::PathText(conflict.path), api::ConflictCause(conflict)});
  }
  return error;
}

// ---- kubectl's move from applying on the client to applying on the server

// What kubectl wrote last and is still so: fields that are its own, whoever has them by name.
FieldSet OwnedByLastApplied(const KindVersions& versions, const Json& live) {
  const auto last = api::ParseJson(live.StringAt({"metadata", "annotations", kLastApplied}));
  if (!last.ok() || last->StringAt({"apiVersion"}) != versions.api_version()) return {};
  const api::MergeSchema& schema = *versions.SchemaOf(versions.api_version());
  if (!api::CheckTyped(schema, *last, false).ok()) return {};
  const api::Comparison now = api::Compare(schema, *last, live);
  FieldSet set = FieldSet::Difference(api::FieldsOf(schema, *last), now.modified);
  return FieldSet::Difference(FieldSet::Difference(set, now.added), now.removed);
}

Json SortedByKey(const Json& value) {
  if (value.IsArray()) {
    Json out = Json::MakeArray();
    for (const Json& item : value.AsArray()) out.Append(SortedByKey(item));
    return out;
  }
  if (!value.IsObject()) return value;
  Json::Object members = value.AsObject();
  std::sort(members.begin(), members.end(),
            [](const Json::Member& a, const Json::Member& b) { return a.key < b.key; });
  for (Json::Member& member : members) member.value = SortedByKey(member.value);
  return Json(std::move(members));
}

void RenewLastApplied(const Json& config, Json& object) {
  if (object.StringAt({"metadata", "annotations", kLastApplied}).empty()) return;
  Json written = SortedByKey(config);
  if (Json* metadata = written.Find("metadata")) {
    Json* annotations = metadata->Find("annotations");
    if (annotations != nullptr) annotations->Erase(kLastApplied);
  }
  object["metadata"]["annotations"].Set(kLastApplied, api::WriteJson(written) + "\n");
}

Refusal CheckConfig(const WriteWay& way, const Json& config) {
  if (!config.IsObject()) return BadRequestError("what is applied must be one object");
  const std::string version = config.StringAt({"apiVersion"}), kind = config.StringAt({"kind"});
  if (version != way.kind->ApiVersion() || kind != way.kind->kind) {
    return BadRequestError(
        fmt::format("what is applied must name apiVersion {} and kind {}, it "
                    "names \"{}\" and \"{}\"",
                    way.kind->ApiVersion(), way.kind->kind, version, kind));
  }
  const Json* managed = config.FindPath({"metadata", "managedFields"});
  if (managed != nullptr && !managed->IsNull()) {
    return BadRequestError("metadata.managedFields must not be applied; leave it out");
  }
  return std::nullopt;
}

}  // namespace

ManagedFields OwnershipBefore(const WriteWay& way, const Json* given, const ManagedFields& live) {
  if (given == nullptr || !way.subresource.empty()) return live;
  // Of a custom resource an empty list is as good as none.
  const bool none = way.kind->custom_resource && given->size() == 0;
  if (!none && api::ResetsManagedFields(given)) return {};
  auto decoded = api::DecodeManagedFields(given);
  if (!decoded.ok() || decoded->empty()) return live;
  api::Reconcile(KindVersions(way), *decoded);
  return std::move(*decoded);
}

ManagedFields TrackWrite(const WriteWay& way, const std::string& manager, base::Time now,
                         const Json* before, const Json& after, const ManagedFields& managed) {
  if (before != nullptr && managed.empty()) return {};
  const KindVersions versions(way);
  if (before != nullptr) {
    return api::TrackUpdate(versions, WritingOf(way, manager, now), *before, after, managed);
  }
  return api::TrackUpdate(versions, WritingOf(way, manager, now), api::NewObject(*way.kind), after,
                          managed);
}

Outcome<api::Applied> ApplyTo(const WriteWay& way, const ApplyWish& wish, base::Time now,
                              const Json* live, const ManagedFields& managed, const Json& config) {
  if (Refusal refusal = CheckConfig(way, config)) return *refusal;
  const KindVersions versions(way);
  const api::MergeSchema& schema = *versions.SchemaOf(versions.api_version());
  const base::Status typed = api::CheckTyped(schema, config, false);
  if (!typed.ok()) {
    return InternalError(
        fmt::format("what is applied is no {}: {}", way.kind->kind, typed.error().message));
  }
  const Json fresh = api::NewObject(*way.kind);
  ManagedFields owned = managed;
  if (live != nullptr && managed.empty()) {
    owned = api::TrackUpdate(versions, WritingOf(way, kBeforeApply, now), fresh, *live, {});
  }
  if (live == nullptr) live = &fresh;
  const api::Writing writing = WritingOf(way, wish.manager, now);
  auto applied = api::ApplyConfiguration(versions, writing, *live, config, owned, wish.force);
  const bool kubectl = wish.manager == "kubectl";
  if (applied.ok() && !applied->conflicts.empty() && kubectl) {
    const FieldSet allowed = OwnedByLastApplied(versions, *live);
    auto& conflicts = applied->conflicts;
    conflicts.erase(std::remove_if(conflicts.begin(), conflicts.end(),
                                   [&](const api::FieldConflict& conflict) {
                                     return allowed.Has(conflict.path);
                                   }),
                    conflicts.end());
    if (conflicts.empty()) {
      applied = api::ApplyConfiguration(versions, writing, *live, config, owned, true);
    }
  }
  if (!applied.ok()) {
    return InternalError("what is applied cannot be merged: " + applied.error().message);
  }
  if (!applied->conflicts.empty()) return ConflictError(applied->conflicts);
  if (kubectl) {
    Json object = applied->object ? std::move(*applied->object) : *live;
    RenewLastApplied(config, object);
    applied->object = std::move(object);
  }
  return std::move(*applied);
}

std::string ManagerOfUserAgent(std::string_view user_agent) {
  std::string manager;
  for (const char c : user_agent.substr(0, user_agent.find('/'))) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) continue;
    if (manager.size() == kMaxManagerBytes) break;
    manager += c;
  }
  // A character that was cut in two does not stay in halves.
  while (!manager.empty() && manager.size() == kMaxManagerBytes &&
         (static_cast<unsigned char>(manager.back()) & 0xc0) == 0x80) {
    manager.pop_back();
  }
  return manager;
}

}  // namespace kueue::apiserver
