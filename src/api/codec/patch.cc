#include "api/codec/patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace kueue::api {
namespace {

// Finds members by key: by looking through them when there are few, by an index otherwise, so that
// large objects do not cost their size squared. Members may be appended to the object meanwhile.
class MemberIndex {
 public:
  explicit MemberIndex(const Json::Object& members) : members_(members) {}

  // members.size() if absent.
  size_t Find(const std::string& key) {
    constexpr size_t kFewMembers = 32;
    if (members_.size() <= kFewMembers) {
      const auto found = std::find_if(members_.begin(), members_.end(),
                                      [&](const Json::Member& m) { return m.key == key; });
      return static_cast<size_t>(found - members_.begin());
    }
    for (; indexed_ < members_.size(); ++indexed_) {
      places_.emplace(members_[indexed_].key, indexed_);
    }
    const auto found = places_.find(key);
    return found == places_.end() ? members_.size() : found->second;
  }

 private:
  const Json::Object& members_;
  std::map<std::string, size_t> places_;
  size_t indexed_ = 0;
};

// ---- RFC 6902

using Pointer = std::vector<std::string>;

// What stands before the first slash is not looked at, and a "~" that escapes nothing is itself.
// Without a slash the path is that of the whole document only if it is empty.
base::Result<Pointer> ParsePointer(std::string_view text) {
  Pointer pointer;
  if (text.empty()) return pointer;
  const size_t first = text.find('/');
  if (first == std::string_view::npos) return base::Invalid("a path must have a \"/\"");
  for (size_t i = first; i < text.size(); ++i) {
    const bool escape =
        text[i] == '~' && i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1');
    if (text[i] == '/') {
      pointer.emplace_back();
    } else if (escape) {
      pointer.back() += text[++i] == '0' ? '~' : '/';
    } else {
      pointer.back() += text[i];
    }
  }
  return pointer;
}

// An index into a list of `size` entries, -1 being the last one; -1 if the text is none. "-" is one
// past the end.
ptrdiff_t IndexIn(const std::string& text, size_t size) {
  const auto length = static_cast<ptrdiff_t>(size);
  if (text == "-") return length;
  ptrdiff_t index = 0;
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(begin, end, index);
  if (parsed.ec != std::errc() || parsed.ptr != end || index > length) return -1;
  if (index < 0) index += length;
  return index < 0 ? -1 : index;
}

Json* Step(Json& from, const std::string& key) {
  if (from.IsObject()) return from.Find(key);
  if (!from.IsArray()) return nullptr;
  auto& items = from.AsArray();
  const ptrdiff_t index = IndexIn(key, items.size());
  if (index < 0 || static_cast<size_t>(index) == items.size()) return nullptr;
  return &items[static_cast<size_t>(index)];
}

Json* Resolve(Json& root, const Pointer& pointer, size_t steps) {
  Json* at = &root;
  for (size_t i = 0; i < steps && at != nullptr; ++i) at = Step(*at, pointer[i]);
  return at;
}

// How large a value is: bytes, roughly, and levels of nesting.
struct Extent {
  size_t cost = 48;
  size_t depth = 1;
};

Extent Measure(const Json& value) {
  Extent extent;
  const auto add = [&](const Json& inner) {
    const Extent measured = Measure(inner);
    extent.cost += measured.cost;
    extent.depth = std::max(extent.depth, measured.depth + 1);
  };
  if (value.IsString()) extent.cost += value.AsString().size();
  if (value.IsArray()) {
    for (const Json& item : value.AsArray()) add(item);
  } else if (value.IsObject()) {
    for (const auto& member : value.AsObject()) {
      extent.cost += member.key.size();
      add(member.value);
    }
  }
  return extent;
}

// Operations can multiply and nest what a document holds; these bound both. Moving and measuring
// costs time only, so it may be more.
constexpr size_t kMostDepth = 1000;
constexpr size_t kCopyBudget = 16u << 20;
constexpr size_t kMoveBudget = 256u << 20;

class JsonPatcher {
 public:
  explicit JsonPatcher(Json target) : root_(std::move(target)) {}
  Json Take() { return std::move(root_); }

  base::Status Apply(const Json& operation) {
    const std::string op = operation.StringAt({"op"});
    const Json* path = operation.Find("path");
    if (path == nullptr || !path->IsString()) return base::Invalid("\"path\" must be a string");
    const auto pointer = ParsePointer(path->AsString());
    if (!pointer.ok()) return pointer.error();
    if (op == "remove") return Remove(*pointer);
    if (op == "move" || op == "copy") return MoveOrCopy(operation, op == "move", *pointer);
    if (op != "add" && op != "replace" && op != "test") {
      return base::Invalid(fmt::format(
          "\"{}\" is no operation: use add, remove, replace, move, copy or test", op));
    }
    // A missing value is null.
    const Json* given = operation.Find("value");
    const Json value = given != nullptr ? *given : Json();
    if (op == "add") return AddWithin(*pointer, value, Measure(value));
    return op == "replace" ? Replace(*pointer, value) : Test(*pointer, value);
  }

 private:
  base::Status Replace(const Pointer& pointer, const Json& value) {
    if (pointer.size() + Measure(value).depth > kMostDepth) return TooDeep();
    if (Json* found = Resolve(root_, pointer, pointer.size())) {
      *found = value;
      return {};
    }
    // A member that is not there yet is set like one that is.
    Json* parent = Resolve(root_, pointer, pointer.size() - 1);
    if (parent == nullptr || !parent->IsObject()) {
      return base::Invalid("there is nothing at that path");
    }
    parent->Set(pointer.back(), value);
    return {};
  }

  // What is absent from an object equals null.
  base::Status Test(const Pointer& pointer, const Json& value) {
    const Json* found = Resolve(root_, pointer, pointer.size());
    if (found != nullptr) {
      if (*found == value) return {};
      return base::Invalid("the value there is another one");
    }
    const Json* parent = Resolve(root_, pointer, pointer.size() - 1);
    if (parent != nullptr && parent->IsObject() && value.IsNull()) return {};
    return base::Invalid("there is nothing at that path");
  }

  static base::Error TooDeep() {
    return base::Invalid(fmt::format("values would be nested more than {} deep", kMostDepth));
  }

  base::Status AddWithin(const Pointer& pointer, Json value, const Extent& extent) {
    if (pointer.size() + extent.depth > kMostDepth) return TooDeep();
    return Add(pointer, std::move(value));
  }

  base::Status Add(const Pointer& pointer, Json value) {
    if (pointer.empty()) return base::Invalid("the whole document can only be replaced");
    Json* parent = Resolve(root_, pointer, pointer.size() - 1);
    if (parent != nullptr && parent->IsObject()) {
      parent->Set(pointer.back(), std::move(value));
      return {};
    }
    if (parent == nullptr || !parent->IsArray()) {
      return base::Invalid("the parent of that path is no object and no list");
    }
    auto& items = parent->AsArray();
    // Where a new one may stand, counted from the end: -1 is after the last.
    const ptrdiff_t index = pointer.back().size() > 1 && pointer.back()[0] == '-'
                                ? IndexIn(pointer.back(), items.size() + 1)
                                : IndexIn(pointer.back(), items.size());
    if (index < 0) return base::Invalid("that index is outside the list");
    items.insert(items.begin() + index, std::move(value));
    return {};
  }

  base::Status Remove(const Pointer& pointer) {
    if (pointer.empty()) return base::Invalid("the whole document cannot be removed");
    Json* parent = Resolve(root_, pointer, pointer.size() - 1);
    if (parent == nullptr || Step(*parent, pointer.back()) == nullptr) {
      return base::Invalid("there is nothing at that path");
    }
    if (parent->IsObject()) {
      parent->Erase(pointer.back());
    } else {
      auto& items = parent->AsArray();
      items.erase(items.begin() + IndexIn(pointer.back(), items.size()));
    }
    return {};
  }

  base::Status MoveOrCopy(const Json& operation, bool is_move, const Pointer& to) {
    const Json* from_text = operation.Find("from");
    if (from_text == nullptr || !from_text->IsString()) {
      return base::Invalid("\"from\" must be a string");
    }
    const auto from = ParsePointer(from_text->AsString());
    if (!from.ok()) return from.error();
    Json* found = Resolve(root_, *from, from->size());
    if (found == nullptr) {
      // A copy of what an object does not have is null.
      const Json* parent = from->empty() ? nullptr : Resolve(root_, *from, from->size() - 1);
      if (!is_move && parent != nullptr && parent->IsObject()) return AddWithin(to, Json(), {});
      return base::Invalid("there is nothing at the path in \"from\"");
    }
    const Extent extent = Measure(*found);
    size_t& budget = is_move ? move_budget_ : copy_budget_;
    if (extent.cost > budget) return base::Invalid("the patch copies or moves too much");
    budget -= extent.cost;
    if (!is_move) return AddWithin(to, Json(*found), extent);
    if (*from == to) return {};
    if (from->size() < to.size() && std::equal(from->begin(), from->end(), to.begin())) {
      return base::Invalid("a value cannot be moved into itself");
    }
    Json value = std::move(*found);
    const base::Status removed = Remove(*from);
    return removed.ok() ? AddWithin(to, std::move(value), extent) : removed;
  }

  Json root_;
  size_t copy_budget_ = kCopyBudget, move_budget_ = kMoveBudget;
};

}  // namespace

Json ApplyMergePatch(Json target, const Json& patch) {
  if (!patch.IsObject()) return patch;
  if (!target.IsObject()) target = Json::MakeObject();
  Json::Object& members = target.AsObject();
  MemberIndex index(members);
  std::vector<size_t> removed;
  for (const auto& [key, value] : patch.AsObject()) {
    const size_t at = index.Find(key);
    if (value.IsNull()) {
      if (at < members.size()) removed.push_back(at);
    } else if (at < members.size()) {
      members[at].value = ApplyMergePatch(std::move(members[at].value), value);
    } else {
      // Also what is new loses its nulls.
      members.push_back(Json::Member{key, ApplyMergePatch(Json(), value)});
    }
  }
  if (removed.empty()) return target;
  std::sort(removed.begin(), removed.end());
  Json::Object kept;
  kept.reserve(members.size());
  for (size_t i = 0, r = 0; i < members.size(); ++i) {
    while (r < removed.size() && removed[r] < i) ++r;
    if (r < removed.size() && removed[r] == i) continue;
    kept.push_back(std::move(members[i]));
  }
  return Json(std::move(kept));
}

Json DiffMergePatch(const Json& before, const Json& after) {
  if (!before.IsObject() || !after.IsObject()) {
    return before == after ? Json::MakeObject() : after;
  }
  Json::Object patch;
  const Json::Object& old_members = before.AsObject();
  const Json::Object& new_members = after.AsObject();
  MemberIndex old_index(old_members), new_index(new_members);
  for (const auto& [key, value] : old_members) {
    const size_t at = new_index.Find(key);
    const bool gone = at == new_members.size() || new_members[at].value.IsNull();
    if (gone && !value.IsNull()) patch.push_back(Json::Member{key, Json()});
  }
  for (const auto& [key, value] : new_members) {
    if (value.IsNull()) continue;
    const size_t at = old_index.Find(key);
    if (at == old_members.size()) {
      patch.push_back(Json::Member{key, value});
      continue;
    }
    const Json& old = old_members[at].value;
    if (old.IsObject() && value.IsObject()) {
      Json inner = DiffMergePatch(old, value);
      if (inner.size() > 0) patch.push_back(Json::Member{key, std::move(inner)});
    } else if (!(old == value)) {
      patch.push_back(Json::Member{key, value});
    }
  }
  return Json(std::move(patch));
}

base::Result<Json> ApplyJsonPatch(Json target, const Json& patch) {
  constexpr size_t kMostOperations = 10000;
  if (!patch.IsArray()) return base::Invalid("a JSON patch must be a list of operations");
  if (patch.size() > kMostOperations) {
    return base::Invalid(fmt::format("the JSON patch has {} operations, at most {} are taken",
                                     patch.size(), kMostOperations));
  }
  JsonPatcher patcher(std::move(target));
  for (size_t i = 0; i < patch.size(); ++i) {
    const Json& operation = patch.AsArray()[i];
    const base::Status applied = patcher.Apply(operation);
    if (!applied.ok()) {
      return base::Invalid(fmt::format("JSON patch operation {} ({} {}): {}", i,
                                       operation.StringAt({"op"}, "?"),
                                       operation.StringAt({"path"}, "?"),
                                       applied.error().message));
    }
  }
  return patcher.Take();
}

}  // namespace kueue::api
