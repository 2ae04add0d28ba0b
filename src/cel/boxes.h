#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cel/value.h"

namespace kueue::cel {

struct TextBox : Box {
  explicit TextBox(std::string t) : text(std::move(t)) {}
  std::string text;
};

struct ListBox : Box {
  ListBox(std::vector<Value> e, const Type* t) : elements(std::move(e)), type(t) {}
  std::vector<Value> elements;
  const Type* type;  // how the list compares; may be nullptr
};

struct MapBox : Box {
  explicit MapBox(Value::Entries all);
  // nullptr when there is no such key. `hash` is HashOf(key); any value when index is empty.
  const Value* Find(const Value& key, uint64_t hash) const;
  Value::Entries entries;  // in the order of insertion, which is what iteration follows
  std::unordered_multimap<uint64_t, size_t> index;  // for maps that are not small
};

struct OptionalBox : Box {
  explicit OptionalBox(Value v) : inner(std::move(v)) {}
  Value inner;
};

}  // namespace kueue::cel
