#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/json.h"
#include "base/result.h"

// One step of a path into an object, as metadata.managedFields writes it: the member of an object
// ("f:spec"), the entry of a list by its key fields (k:{"name":"a"}), by its value (v:"x") or by
// its position ("i:0").
namespace kueue::api {

// A total order of values: numbers by value, then texts, booleans, lists, objects, null.
// Negative, 0 or positive.
int CompareJson(const Json& a, const Json& b);

class PathElement {
 public:
  // In the order in which elements of different kinds sort.
  enum class Kind : uint8_t { kField, kKey, kValue, kIndex };
  struct KeyField {
    std::string name;
    Json value;
  };
  using Key = std::vector<KeyField>;

  static PathElement Field(std::string_view name);
  static PathElement OfKey(Key fields);  // in any order
  static PathElement OfValue(Json value);
  static PathElement OfIndex(int64_t index);
  // Of the text in managedFields. An error for one that cannot be read; kNotFound for a kind of
  // element that is not known here, which readers pass over.
  static base::Result<PathElement> Parse(std::string_view text);

  Kind kind() const { return kind_; }
  // REQUIRES: kind() == kField.
  const std::string& field() const { return field_; }
  // The text in managedFields.
  std::string Wire() const;
  // For people: .name, [name="a"], [="x"], [0].
  std::string ToString() const;

  friend int Compare(const PathElement& a, const PathElement& b);
  friend bool operator==(const PathElement& a, const PathElement& b) { return Compare(a, b) == 0; }
  friend bool operator<(const PathElement& a, const PathElement& b) { return Compare(a, b) < 0; }

 private:
  PathElement() = default;

  Kind kind_ = Kind::kField;
  std::string field_;
  // Sorted by name. Of a value or an index: that one, without a name.
  std::shared_ptr<const Key> key_;
};

using FieldPath = std::vector<PathElement>;
// ".spec.containers[name=\"c\"].image"
std::string PathText(const FieldPath& path);

}  // namespace kueue::api
