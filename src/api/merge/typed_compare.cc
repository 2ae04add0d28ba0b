#include <algorithm>
#include <map>
#include <utility>

#include "api/merge/typed_shape.h"
#include "api/merge/typed_value.h"

namespace kueue::api {

namespace {

using Node = FieldSet::Node;

// All fields below a value that is only in one of the objects: everything down to its leaves.
FieldSet EverythingIn(const MergeSchema& schema, const Json& value);

FieldSet EverythingInMap(const MergeSchema& schema, const Json::Object& object) {
  std::vector<const Json::Member*> members;
  members.reserve(object.size());
  for (const Json::Member& member : object) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const Json::Member* a, const Json::Member* b) { return a->key < b->key; });
  FieldSet set;
  set.Reserve(members.size());
  for (const Json::Member* member : members) {
    set.Append({PathElement::Field(member->key), true,
                EverythingIn(KnownMember(schema, member->key), member->value)});
  }
  return set;
}

FieldSet EverythingInList(const MergeSchema& schema, const Json::Array& array) {
  std::vector<std::pair<PathElement, const Json*>> entries;
  entries.reserve(array.size());
  for (const Json& entry : array) {
    auto element = ElementOf(schema, entry);
    if (element.ok()) entries.emplace_back(std::move(*element), &entry);
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  FieldSet set;
  set.Reserve(entries.size());
  for (size_t i = 0; i < entries.size();) {
    size_t end = i + 1;
    while (end < entries.size() && entries[end].first == entries[i].first) ++end;
    // Of entries that cannot be told apart only the fact that they are there counts.
    const bool one = end == i + 1;
    const Json& value = *entries[i].second;
    set.Append(
        {std::move(entries[i].first), true, one ? EverythingIn(*schema.item, value) : FieldSet()});
    i = end;
  }
  return set;
}

FieldSet EverythingIn(const MergeSchema& schema, const Json& value) {
  const ValueShape shape = ShapeOf(schema, &value);
  if (shape == ValueShape::kMap && !schema.map_atomic && value.IsObject()) {
    return EverythingInMap(schema, value.AsObject());
  }
  if (shape == ValueShape::kList && !schema.list_atomic && value.IsArray()) {
    return EverythingInList(schema, value.AsArray());
  }
  return {};
}

// Where the walk is. Names are only made into path elements for fields that differ.
struct Step {
  std::string_view field;
  const PathElement* element = nullptr;  // of a list
};

class Walk {
 public:
  Comparison Take() { return std::move(out_); }

  // At least one of the values is there.
  void At(const MergeSchema& schema, const Json* before, const Json* after) {
    if (before == nullptr) {
      out_.added.Graft(Path(), true, EverythingIn(schema, *after));
    } else if (after == nullptr) {
      out_.removed.Graft(Path(), true, EverythingIn(schema, *before));
    } else {
      const ValueShape a = ShapeOf(schema, before), b = ShapeOf(schema, after);
      // If its form has changed: what was there, and what is there now.
      if (a != b) As(a, schema, before, after);
      As(b, schema, before, after);
    }
  }

 private:
  FieldPath Path() const {
    FieldPath path;
    path.reserve(steps_.size());
    for (const Step& step : steps_) {
      path.push_back(step.element != nullptr ? *step.element : PathElement::Field(step.field));
    }
    return path;
  }

  void As(ValueShape shape, const MergeSchema& schema, const Json* before, const Json* after) {
    if (shape == ValueShape::kMap) {
      const Json::Object *x = ObjectIn(before), *y = ObjectIn(after);
      const bool nothing = (x == nullptr || x->empty()) && (y == nullptr || y->empty());
      if (!schema.map_atomic && !nothing) return Members(schema, x, y);
    } else if (shape == ValueShape::kList) {
      const Json::Array *x = ArrayIn(before), *y = ArrayIn(after);
      const bool nothing = (x == nullptr || x->empty()) && (y == nullptr || y->empty());
      if (!schema.list_atomic && !nothing) {
        if (x == nullptr || y == nullptr || !(*before == *after)) Entries(schema, x, y);
        return;
      }
    } else if (shape == ValueShape::kScalar) {
      if (!FitsScalar(schema.scalar, before) && !FitsScalar(schema.scalar, after)) return;
    }
    if (!(*before == *after)) out_.modified.Insert(Path());
  }

  // Members mostly stand where they stood.
  static const Json* Lookup(const Json::Object* object, const std::string& key, size_t hint) {
    if (object == nullptr) return nullptr;
    if (hint < object->size() && (*object)[hint].key == key) return &(*object)[hint].value;
    for (const Json::Member& member : *object) {
      if (member.key == key) return &member.value;
    }
    return nullptr;
  }

  void Member(const MergeSchema& schema, const std::string& key, const Json* before,
              const Json* after) {
    steps_.push_back({key, nullptr});
    At(KnownMember(schema, key), before, after);
    steps_.pop_back();
  }

  void Members(const MergeSchema& schema, const Json::Object* before, const Json::Object* after) {
    size_t found = 0;
    for (size_t i = 0; before != nullptr && i < before->size(); ++i) {
      const std::string& key = (*before)[i].key;
      const Json* now = Lookup(after, key, i);
      found += now != nullptr ? 1 : 0;
      Member(schema, key, &(*before)[i].value, now);
    }
    if (after == nullptr || found == after->size()) return;
    for (size_t i = 0; i < after->size(); ++i) {
      const std::string& key = (*after)[i].key;
      if (Lookup(before, key, i) == nullptr) Member(schema, key, nullptr, &(*after)[i].value);
    }
  }

  using Group = std::pair<std::vector<const Json*>, std::vector<const Json*>>;

  void Entries(const MergeSchema& schema, const Json::Array* before, const Json::Array* after) {
    std::map<PathElement, Group> groups;
    const auto gather = [&](const Json::Array* list, std::vector<const Json*> Group::*side) {
      if (list == nullptr) return;
      for (const Json& entry : *list) {
        auto element = ElementOf(schema, entry);
        if (element.ok()) (groups[*element].*side).push_back(&entry);
      }
    };
    gather(before, &Group::first);
    gather(after, &Group::second);
    for (const auto& [element, group] : groups) {
      steps_.push_back({"", &element});
      EntryGroup(*schema.item, group.first, group.second);
      steps_.pop_back();
    }
  }

  static bool SameAll(const std::vector<const Json*>& a, const std::vector<const Json*>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Json* x, const Json* y) { return *x == *y; });
  }

  // Entries that cannot be told apart are compared as one whole.
  void EntryGroup(const MergeSchema& item, const std::vector<const Json*>& before,
                  const std::vector<const Json*>& after) {
    const bool many_before = before.size() > 1, many_after = after.size() > 1;
    if (many_before && many_after) {
      if (!SameAll(before, after)) out_.modified.Insert(Path());
    } else if (many_before) {
      if (!after.empty()) At(item, nullptr, after[0]);
      out_.removed.Insert(Path());
    } else if (many_after) {
      if (!before.empty()) At(item, before[0], nullptr);
      out_.added.Insert(Path());
    } else {
      At(item, before.empty() ? nullptr : before[0], after.empty() ? nullptr : after[0]);
    }
  }

  std::vector<Step> steps_;
  Comparison out_;
};

}  // namespace

Comparison Compare(const MergeSchema& schema, const Json& before, const Json& after) {
  Walk walk;
  walk.At(schema, &before, &after);
  return walk.Take();
}

}  // namespace kueue::api
