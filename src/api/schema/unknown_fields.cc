#include <algorithm>

#include "api/schema/kind.h"

namespace kueue::api {
namespace {

// Walks an object beside its table. With `prune` unknown members are taken out on the way.
class UnknownFinder {
 public:
  UnknownFinder(bool custom_resource, bool prune)
      : custom_resource_(custom_resource), prune_(prune) {}

  void Root(const StructDescriptor& table, Json& object) {
    Struct(table, object, "", Place::kRoot);
  }
  std::vector<std::string> Take() { return std::move(found_); }

 private:
  enum class Place { kRoot, kMetadata, kInside };

  // Metadata below the root of a custom resource (pod templates) keeps five members (spec/api.md
  // §8.1).
  static bool IsKeptInTemplate(std::string_view name) {
    return name == "annotations" || name == "finalizers" || name == "labels" || name == "name" ||
           name == "namespace";
  }

  bool IsUnknown(const StructDescriptor& table, const FieldDescriptor* field,
                 std::string_view name, Place place) const {
    if (custom_resource_ && place == Place::kInside && table.name == "ObjectMeta") {
      return !IsKeptInTemplate(name);
    }
    if (field || !table.complete) return false;
    return !(table.top_level && (name == "apiVersion" || name == "kind"));
  }

  void Struct(const StructDescriptor& table, Json& object, const std::string& path, Place place) {
    if (!object.IsObject()) return;
    Json::Object& members = object.AsObject();
    bool any_unknown = false;
    for (Json::Member& member : members) {
      const FieldDescriptor* field = table.Find(member.key);
      const std::string at = path.empty() ? member.key : path + "." + member.key;
      if (IsUnknown(table, field, member.key, place)) {
        found_.push_back(at);
        any_unknown = true;
        continue;
      }
      if (!field) continue;
      if (place == Place::kRoot && member.key == "metadata") {
        Struct(field->ops->Table(), member.value, at, Place::kMetadata);
      } else {
        Value(*field->ops, member.value, at);
      }
    }
    if (!prune_ || !any_unknown) return;
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [&](const Json::Member& member) {
                                   return IsUnknown(table, table.Find(member.key), member.key,
                                                    place);
                                 }),
                  members.end());
  }

  void Value(const ValueOps& ops, Json& value, const std::string& path) {
    if (ops.kind == FieldKind::kStruct) {
      Struct(ops.Table(), value, path, Place::kInside);
    } else if (ops.kind == FieldKind::kList && value.IsArray()) {
      if (!ops.item || ops.item->kind != FieldKind::kStruct) return;
      size_t index = 0;
      for (Json& item : value.AsArray()) {
        Value(*ops.item, item, path + "[" + std::to_string(index++) + "]");
      }
    } else if (ops.kind == FieldKind::kMap && value.IsObject()) {
      if (!ops.item || ops.item->kind != FieldKind::kStruct) return;
      for (Json::Member& entry : value.AsObject()) {
        Value(*ops.item, entry.value, path + "." + entry.key);
      }
    }
  }

  const bool custom_resource_, prune_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> PruneUnknown(const KindInfo& kind, Json& object) {
  UnknownFinder finder(kind.custom_resource, true);
  finder.Root(*kind.table, object);
  std::vector<std::string> found = finder.Take();
  if (kind.definition != nullptr) {
    for (std::string& path : kind.definition->Prune(object)) found.push_back(std::move(path));
  }
  return found;
}

std::vector<std::string> UnknownFields(const KindInfo& kind, const Json& object) {
  if (kind.definition != nullptr) {
    Json copy = object;
    return PruneUnknown(kind, copy);
  }
  // Without pruning the walk changes nothing.
  UnknownFinder finder(kind.custom_resource, false);
  finder.Root(*kind.table, const_cast<Json&>(object));
  return finder.Take();
}

}  // namespace kueue::api
