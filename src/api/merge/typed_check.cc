#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/merge/typed_shape.h"
#include "api/merge/typed_value.h"

// Checking values against a schema, and telling the entries of lists apart.
namespace kueue::api {

namespace {

base::Result<PathElement> ElementByKeys(const MergeSchema& list, const Json& entry) {
  if (!entry.IsObject()) {
    return base::Invalid("an entry of a list with keys must be an object");
  }
  PathElement::Key key;
  for (const std::string& name : list.list_keys) {
    if (const Json* value = entry.Find(name)) {
      key.push_back({name, *value});
      continue;
    }
    const MergeSchema::Field* field = list.item->Find(name);
    if (field != nullptr && field->default_value) key.push_back({name, *field->default_value});
  }
  if (!key.empty()) return PathElement::OfKey(std::move(key));
  std::string names;
  for (const std::string& name : list.list_keys) names += (names.empty() ? "" : ", ") + name;
  return base::Invalid("an entry has none of the keys of its list (" + names + ")");
}

class Checker {
 public:
  explicit Checker(bool duplicates) : duplicates_(duplicates) {}

  base::Status Result() const {
    if (mistakes_.empty()) return {};
    std::string all;
    for (const std::string& mistake : mistakes_) all += (all.empty() ? "" : "; ") + mistake;
    return base::Invalid(std::move(all));
  }

  void Check(const MergeSchema& schema, const Json& value, const std::string& path) {
    switch (ShapeOf(schema, &value)) {
      case ValueShape::kMap:
        return Map(schema, value, path);
      case ValueShape::kList:
        return List(schema, value, path);
      case ValueShape::kScalar:
        if (!FitsScalar(schema.scalar, &value)) Wrong(path, NameOf(schema.scalar), value);
        return;
      case ValueShape::kInvalid:
        return;
    }
  }

 private:
  static const char* NameOf(ScalarType type) {
    switch (type) {
      case ScalarType::kString:
        return "a string";
      case ScalarType::kNumber:
        return "a number";
      case ScalarType::kBool:
        return "true or false";
      default:
        return "a plain value";
    }
  }

  void Add(const std::string& path, const std::string& what) {
    mistakes_.push_back((path.empty() ? "the object" : path) + ": " + what);
  }
  void Wrong(const std::string& path, const std::string& wanted, const Json& value) {
    Add(path, "must be " + wanted + ", it is " + WriteJson(value).substr(0, 80));
  }

  void Map(const MergeSchema& schema, const Json& value, const std::string& path) {
    if (value.IsNull()) return;
    if (!value.IsObject()) return Wrong(path, "an object", value);
    for (const Json::Member& member : value.AsObject()) {
      const MergeSchema* type = schema.MemberType(member.key);
      const std::string below = path + "." + member.key;
      if (type == nullptr) {
        Add(below, "no such field");
      } else {
        Check(*type, member.value, below);
      }
    }
  }

  void List(const MergeSchema& schema, const Json& value, const std::string& path) {
    if (value.IsNull()) return;
    if (!value.IsArray()) return Wrong(path, "a list", value);
    const Json::Array& entries = value.AsArray();
    std::vector<PathElement> seen;
    for (size_t i = 0; i < entries.size(); ++i) {
      std::string below = path + "[" + std::to_string(i) + "]";
      if (!schema.list_atomic) {
        auto element = ElementOf(schema, entries[i]);
        if (!element.ok()) return Add(below, element.error().message);
        below = path + element->ToString();
        const auto at = std::lower_bound(seen.begin(), seen.end(), *element);
        if (at == seen.end() || !(*at == *element)) {
          seen.insert(at, *element);
        } else if (!duplicates_) {
          Add(below, "there is more than one of it");
        }
      }
      Check(*schema.item, entries[i], below);
    }
  }

  const bool duplicates_;
  std::vector<std::string> mistakes_;
};

}  // namespace

base::Result<PathElement> ElementOf(const MergeSchema& list, const Json& entry) {
  if (!list.list_keys.empty()) return ElementByKeys(list, entry);
  if (entry.IsObject() || entry.IsArray() || entry.IsNull()) {
    return base::Invalid("an entry of a set must be a plain value");
  }
  return PathElement::OfValue(entry);
}

base::Status CheckTyped(const MergeSchema& schema, const Json& value, bool duplicates) {
  Checker checker(duplicates);
  checker.Check(schema, value, "");
  return checker.Result();
}

}  // namespace kueue::api
