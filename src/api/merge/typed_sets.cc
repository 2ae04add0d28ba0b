#include <algorithm>
#include <utility>

#include "api/merge/typed_shape.h"
#include "api/merge/typed_value.h"

// From values to sets of fields and from sets to parts of values.
namespace kueue::api {

using Node = FieldSet::Node;

namespace {

struct Entry {
  PathElement element;
  const Json* value;
};

// The entries that can be told apart, in their order.
std::vector<Entry> EntriesOf(const MergeSchema& list, const Json::Array& array) {
  std::vector<Entry> entries;
  for (const Json& value : array) {
    auto element = ElementOf(list, value);
    if (element.ok()) entries.push_back({std::move(*element), &value});
  }
  return entries;
}

bool IsEmptyMap(const Json& value) { return value.IsObject() && value.size() == 0; }

// What a value contributes to the set: whether it is a leaf, and the fields below it.
struct Part {
  bool leaf = false;
  FieldSet below;
};

Part PartOf(const MergeSchema& schema, const Json& value);

FieldSet FieldsOfMap(const MergeSchema& schema, const Json::Object& object) {
  std::vector<Node> nodes;
  nodes.reserve(object.size());
  for (const Json::Member& member : object) {
    const MergeSchema::Field* declared = schema.Find(member.key);
    Part part = PartOf(KnownMember(schema, member.key), member.value);
    const bool in =
        part.leaf || declared == nullptr || member.value.IsNull() || IsEmptyMap(member.value);
    nodes.push_back({PathElement::Field(member.key), in, std::move(part.below)});
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const Node& a, const Node& b) { return a.element < b.element; });
  FieldSet set;
  for (Node& node : nodes) set.Append(std::move(node));
  return set;
}

FieldSet FieldsOfList(const MergeSchema& schema, const Json::Array& array) {
  std::vector<Entry> entries = EntriesOf(schema, array);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.element < b.element; });
  FieldSet set;
  for (size_t i = 0; i < entries.size();) {
    size_t end = i + 1;
    while (end < entries.size() && entries[end].element == entries[i].element) ++end;
    // Of entries that cannot be told apart nothing below is owned.
    Part part;
    if (end == i + 1) part = PartOf(*schema.item, *entries[i].value);
    set.Append({std::move(entries[i].element), true, std::move(part.below)});
    i = end;
  }
  return set;
}

Part PartOf(const MergeSchema& schema, const Json& value) {
  switch (ShapeOf(schema, &value)) {
    case ValueShape::kScalar:
      return {true, {}};
    case ValueShape::kMap:
      if (schema.map_atomic) return {true, {}};
      return {false, value.IsObject() ? FieldsOfMap(schema, value.AsObject()) : FieldSet()};
    case ValueShape::kList:
      if (schema.list_atomic) return {true, {}};
      return {false, value.IsArray() ? FieldsOfList(schema, value.AsArray()) : FieldSet()};
    case ValueShape::kInvalid:
      break;
  }
  return {};
}

// Takes fields out of a value, or keeps only them.
class Cutter {
 public:
  explicit Cutter(bool extract) : extract_(extract) {}

  Json Cut(const MergeSchema& schema, const Json& value, const FieldSet& fields) const {
    switch (ShapeOf(schema, &value)) {
      case ValueShape::kScalar:
        return value;
      case ValueShape::kMap:
        return value.IsObject() ? Map(schema, value, fields) : Json();
      case ValueShape::kList:
        return value.IsArray() ? List(schema, value, fields) : Json();
      case ValueShape::kInvalid:
        break;
    }
    return Json();
  }

 private:
  Json Map(const MergeSchema& schema, const Json& value, const FieldSet& fields) const {
    if (value.size() == 0 || schema.map_atomic) return extract_ ? value : Json();
    Json out;
    for (const Json::Member& member : value.AsObject()) {
      const Node* node = fields.Find(PathElement::Field(member.key));
      const MergeSchema& type = KnownMember(schema, member.key);
      const bool below = node != nullptr && !node->children.empty();
      if (node != nullptr && node->member) {
        if (!extract_) continue;
        out.Set(member.key, below ? Cut(type, member.value, node->children) : member.value);
      } else if (below) {
        out.Set(member.key, Cut(type, member.value, node->children));
      } else if (!extract_) {
        out.Set(member.key, member.value);
      }
    }
    return out;
  }

  Json List(const MergeSchema& schema, const Json& value, const FieldSet& fields) const {
    if (value.size() == 0 || schema.list_atomic) return extract_ ? value : Json();
    Json out;
    for (const Json& item : value.AsArray()) {
      const auto element = ElementOf(schema, item);
      const Node* node = element.ok() ? fields.Find(*element) : nullptr;
      const bool below = node != nullptr && !node->children.empty();
      if (node != nullptr && node->member && !extract_) continue;
      if (node == nullptr && extract_) continue;
      out.Append(below ? Cut(*schema.item, item, node->children) : item);
    }
    return out;
  }

  const bool extract_;
};

const MergeSchema* TypeBelow(const MergeSchema& schema, const PathElement& element) {
  if (element.kind() == PathElement::Kind::kField) {
    return schema.map ? schema.MemberType(element.field()) : nullptr;
  }
  return schema.list ? schema.item : nullptr;
}

Node Reconciled(const MergeSchema& schema, const Node& node) {
  const ValueShape shape = ShapeOf(schema, nullptr);
  const Node whole{node.element, true, {}};
  if (shape == ValueShape::kMap) {
    if (schema.fields.empty() && schema.values == &MergeSchema::Deduced()) return node;
    if (schema.map_atomic) return node.children.empty() ? node : whole;
  } else if (shape == ValueShape::kList) {
    if (schema.list_atomic) return node.children.empty() ? node : whole;
  } else {
    return node;
  }
  return {node.element, node.member, ReconcileFields(schema, node.children)};
}

}  // namespace

FieldSet FieldsOf(const MergeSchema& schema, const Json& value) {
  return PartOf(schema, value).below;
}

Json RemoveFields(const MergeSchema& schema, const Json& value, const FieldSet& fields) {
  return Cutter(false).Cut(schema, value, fields);
}

Json ExtractFields(const MergeSchema& schema, const Json& value, const FieldSet& fields) {
  return Cutter(true).Cut(schema, value, fields);
}

FieldSet WithNamedParents(const MergeSchema& schema, const FieldSet& set) {
  FieldSet out;
  for (const Node& node : set.nodes()) {
    const MergeSchema* type = nullptr;
    bool named = false;
    if (node.element.kind() == PathElement::Kind::kField && schema.map) {
      type = schema.MemberType(node.element.field());
      named = schema.Find(node.element.field()) != nullptr;
    } else if (node.element.kind() == PathElement::Kind::kKey && schema.list) {
      type = schema.item;
    }
    static const MergeSchema kNothing;
    out.Append({node.element, node.member || (named && !node.children.empty()),
                WithNamedParents(type != nullptr ? *type : kNothing, node.children)});
  }
  return out;
}

FieldSet ReconcileFields(const MergeSchema& schema, const FieldSet& set) {
  FieldSet out;
  for (const Node& node : set.nodes()) {
    const MergeSchema* type = TypeBelow(schema, node.element);
    out.Append(type != nullptr ? Reconciled(*type, node) : node);
  }
  return out;
}

}  // namespace kueue::api
