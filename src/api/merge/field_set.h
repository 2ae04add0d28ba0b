#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/merge/path_element.h"
#include "api/types/json.h"
#include "base/result.h"

// A set of fields of an object, as an ordered tree of path elements. A value type.
namespace kueue::api {

class FieldSet {
 public:
  struct Node;

  // No field is in it.
  bool empty() const;
  size_t size() const;  // fields
  const std::vector<Node>& nodes() const { return nodes_; }

  // The object itself (an empty path) is never in a set.
  void Insert(const FieldPath& path);
  bool Has(const FieldPath& path) const;
  // Null if neither the field nor anything below it is in the set.
  const Node* Find(const PathElement& element) const;

  static FieldSet Union(FieldSet a, FieldSet b);
  static FieldSet Intersection(const FieldSet& a, const FieldSet& b);
  // What is in `a` and not in `b`; a field stays when only something above or below it is in `b`.
  static FieldSet Difference(FieldSet a, const FieldSet& b);
  // As Difference, but a field in `b` takes everything below it along.
  static FieldSet RecursiveDifference(FieldSet a, const FieldSet& b);
  // Whether Intersection is not empty, without making it.
  static bool Intersects(const FieldSet& a, const FieldSet& b);

  // Every field, parents before children.
  void ForEach(const std::function<void(const FieldPath&)>& visit) const;

  friend bool operator==(const FieldSet& a, const FieldSet& b);

  // For those who build a set in order. `node` must sort behind all that are there; an empty one is
  // left out.
  void Append(Node node);
  void Reserve(size_t nodes);
  // Everything in `below` under `path`. Of the field itself nothing is in the set yet.
  void Graft(const FieldPath& path, bool member, FieldSet below);

 private:
  Node& Descend(const PathElement& element);
  void Subtract(const FieldSet& other, bool recursive);
  void Visit(FieldPath& path, const std::function<void(const FieldPath&)>& visit) const;

  std::vector<Node> nodes_;  // sorted; none without a member in it or below
};

struct FieldSet::Node {
  PathElement element;
  bool member = false;  // the field itself is in the set
  FieldSet children;    // what of below it is
};

inline bool FieldSet::empty() const { return nodes_.empty(); }
inline void FieldSet::Reserve(size_t nodes) { nodes_.reserve(nodes); }

// The form of managedFields: {"f:spec":{".":{},"f:a":{}}}.
Json EncodeFields(const FieldSet& set);
// The same as compact text, appended.
void AppendFieldsText(const FieldSet& set, std::string& out);
// Elements of an unknown kind are passed over.
base::Result<FieldSet> DecodeFields(const Json& fields);

}  // namespace kueue::api
