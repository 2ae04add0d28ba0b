#include "api/structural/defaulting.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

// Beyond this a fraction cannot be told apart.
constexpr double kExact = 9007199254740992.0;

bool IsTypeOrMetadata(std::string_view name) {
  return name == "apiVersion" || name == "kind" || name == "metadata";
}

constexpr std::array<std::string_view, 15> kMetadataMembers = {"annotations",
                                                               "creationTimestamp",
                                                               "deletionGracePeriodSeconds",
                                                               "deletionTimestamp",
                                                               "finalizers",
                                                               "generateName",
                                                               "generation",
                                                               "labels",
                                                               "managedFields",
                                                               "name",
                                                               "namespace",
                                                               "ownerReferences",
                                                               "resourceVersion",
                                                               "selfLink",
                                                               "uid"};

bool MustNotBeNull(const Json& value, const Schema* schema) {
  return value.IsNull() && schema != nullptr && !schema->nullable;
}

template <class Drop>
void EraseMembers(Json::Object& members, Drop drop) {
  members.erase(std::remove_if(members.begin(), members.end(), drop), members.end());
}

class Pruner {
 public:
  // A null schema knows nothing.
  void Value(const Schema* schema, Json& value, const std::string& path, bool resource) {
    const bool keeps = schema != nullptr && schema->preserve_unknown;
    if (value.IsArray()) {
      size_t index = 0;
      if (keeps && schema->items == nullptr) return;
      for (Json& item : value.AsArray()) {
        const Schema* items = schema != nullptr ? schema->items.get() : nullptr;
        Value(items, item, IndexPath(path, index++), items != nullptr && items->embedded);
      }
      return;
    }
    if (value.IsObject()) Object(schema, value.AsObject(), path, resource, keeps);
  }

  std::vector<std::string> Take() {
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  void Object(const Schema* schema, Json::Object& members, const std::string& path, bool resource,
              bool keeps) {
    EraseMembers(members, [&](Json::Member& member) {
      const std::string at = ChildPath(path, member.key);
      if (resource && IsTypeOrMetadata(member.key)) {
        // The root's own metadata is the server's, which prunes it by its table.
        if (member.key == "metadata" && !path.empty()) Metadata(member.value, at);
        return false;
      }
      const Schema* inner = schema != nullptr ? schema->FindProperty(member.key) : nullptr;
      if (inner == nullptr && schema != nullptr && schema->has_additional_properties) {
        inner = schema->additional_properties.get();
        if (inner != nullptr || !keeps) {
          Value(inner, member.value, at, inner != nullptr && inner->embedded);
        }
        return false;
      }
      if (inner != nullptr) {
        Value(inner, member.value, at, inner->embedded);
        return false;
      }
      if (keeps) return false;
      found_.push_back(at);
      return true;
    });
  }

  void Metadata(Json& metadata, const std::string& path) {
    if (!metadata.IsObject()) return;
    EraseMembers(metadata.AsObject(), [&](const Json::Member& member) {
      const bool known = std::binary_search(kMetadataMembers.begin(), kMetadataMembers.end(),
                                            std::string_view(member.key));
      if (!known) found_.push_back(ChildPath(path, member.key));
      return !known;
    });
  }

  std::vector<std::string> found_;
};

}  // namespace

void NormalizeNumbers(Json& value) {
  if (value.IsArray()) {
    for (Json& item : value.AsArray()) NormalizeNumbers(item);
  } else if (value.IsObject()) {
    for (Json::Member& member : value.AsObject()) NormalizeNumbers(member.value);
  } else if (value.type() == Json::Type::kNumber) {
    const double number = DoubleOf(value);
    if (std::abs(number) <= kExact && number == std::floor(number)) {
      value = static_cast<int64_t>(number);
    }
  }
}

void DropNulls(const Schema& schema, Json& value) {
  if (value.IsArray()) {
    if (schema.items == nullptr) return;
    for (Json& item : value.AsArray()) DropNulls(*schema.items, item);
    return;
  }
  if (!value.IsObject()) return;
  EraseMembers(value.AsObject(), [&](Json::Member& member) {
    const Schema* inner = schema.MemberSchema(member.key);
    if (inner == nullptr) return false;
    if (MustNotBeNull(member.value, inner) && !inner->default_value) return true;
    DropNulls(*inner, member.value);
    return false;
  });
}

void FillDefaults(const Schema& schema, Json& value) {
  if (value.IsArray()) {
    if (schema.items == nullptr) return;
    for (Json& item : value.AsArray()) {
      if (MustNotBeNull(item, schema.items.get()) && schema.items->default_value) {
        item = *schema.items->default_value;
      }
      FillDefaults(*schema.items, item);
    }
    return;
  }
  if (!value.IsObject()) return;
  for (const Property& property : schema.properties) {
    if (!property.schema.default_value) continue;
    const Json* member = value.Find(property.name);
    if (member == nullptr || MustNotBeNull(*member, &property.schema)) {
      value.Set(property.name, *property.schema.default_value);
    }
  }
  for (Json::Member& member : value.AsObject()) {
    const Schema* inner = schema.MemberSchema(member.key);
    if (inner == nullptr) continue;
    if (MustNotBeNull(member.value, inner) && inner->default_value) {
      member.value = *inner->default_value;
    }
    FillDefaults(*inner, member.value);
  }
}

std::vector<std::string> Prune(const Schema& root, Json& object) {
  Pruner pruner;
  pruner.Value(&root, object, "", true);
  return pruner.Take();
}

std::vector<std::string> PruneValue(const Schema& schema, Json& value) {
  Pruner pruner;
  pruner.Value(&schema, value, "", schema.embedded);
  return pruner.Take();
}

}  // namespace kueue::api::structural
