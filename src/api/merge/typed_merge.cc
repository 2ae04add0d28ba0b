#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "api/merge/typed_shape.h"
#include "api/merge/typed_value.h"

namespace kueue::api {

namespace {

using Merged = std::optional<Json>;

// A list by its entries. Of entries that are there more than once `value` is null: they are not
// merged with anything.
struct Index {
  std::vector<PathElement> order;
  std::vector<const Json*> entries;  // parallel to `order`
  std::map<PathElement, const Json*> values;

  bool Has(const PathElement& element) const { return values.count(element) > 0; }
  const Json* Of(const PathElement& element) const {
    const auto at = values.find(element);
    return at != values.end() ? at->second : nullptr;
  }
};

class Merger {
 public:
  const std::string& mistakes() const { return mistakes_; }

  // Nothing: no value is left.
  Merged At(const MergeSchema& schema, const Json* live, const Json* config) {
    const ValueShape a = ShapeOf(schema, live), b = ShapeOf(schema, config);
    if (config == nullptr) return As(a, schema, live, config);
    return As(b, schema, live, config);
  }

 private:
  static Merged Leaf(const Json* live, const Json* config) {
    if (config != nullptr) return *config;
    return live != nullptr ? Merged(*live) : Merged();
  }

  Merged As(ValueShape shape, const MergeSchema& schema, const Json* live, const Json* config) {
    if (shape == ValueShape::kMap) {
      const Json::Object *x = ObjectIn(live), *y = ObjectIn(config);
      const bool nothing = (x == nullptr || x->empty()) && (y == nullptr || y->empty());
      if (!schema.map_atomic && !nothing) return Map(schema, x, y);
    } else if (shape == ValueShape::kList) {
      const Json::Array *x = ArrayIn(live), *y = ArrayIn(config);
      const bool nothing = (x == nullptr || x->empty()) && (y == nullptr || y->empty());
      if (!schema.list_atomic && !nothing) return List(schema, x, y);
    }
    return Leaf(live, config);
  }

  Merged Map(const MergeSchema& schema, const Json::Object* live, const Json::Object* config) {
    Json out = Json::MakeObject();
    const auto find = [](const Json::Object* object, const std::string& key) -> const Json* {
      if (object == nullptr) return nullptr;
      const auto at = std::find_if(object->begin(), object->end(),
                                   [&](const Json::Member& member) { return member.key == key; });
      return at != object->end() ? &at->value : nullptr;
    };
    const auto put = [&](const std::string& key, const Json* x, const Json* y) {
      if (Merged merged = At(KnownMember(schema, key), x, y)) {
        out.AsObject().push_back({key, std::move(*merged)});
      }
    };
    if (live != nullptr) {
      for (const Json::Member& member : *live) {
        put(member.key, &member.value, find(config, member.key));
      }
    }
    if (config != nullptr) {
      for (const Json::Member& member : *config) {
        if (find(live, member.key) == nullptr) put(member.key, nullptr, &member.value);
      }
    }
    if (out.size() == 0) return std::nullopt;
    return out;
  }

  Index IndexOf(const MergeSchema& list, const Json::Array* array, bool duplicates) {
    Index index;
    if (array == nullptr) return index;
    for (const Json& entry : *array) {
      auto element = ElementOf(list, entry);
      if (!element.ok()) {
        Mistake(element.error().message);
        continue;
      }
      const auto [at, fresh] = index.values.emplace(*element, &entry);
      if (!fresh && !duplicates) {
        Mistake("there is more than one " + element->ToString());
        continue;
      }
      if (!fresh) at->second = nullptr;
      index.order.push_back(std::move(*element));
      index.entries.push_back(&entry);
    }
    return index;
  }

  void Mistake(const std::string& what) { mistakes_ += (mistakes_.empty() ? "" : "; ") + what; }

  // Entries of `config` keep its order; those only `live` has go where they stood relative to the
  // ones both have.
  Merged List(const MergeSchema& schema, const Json::Array* live, const Json::Array* config) {
    const Index theirs = IndexOf(schema, config, false);
    const Index ours = IndexOf(schema, live, true);
    std::vector<const PathElement*> shared;  // in the order of `config`
    for (const PathElement& element : theirs.order) {
      if (ours.Has(element)) shared.push_back(&element);
    }
    size_t next_shared = 0;
    std::map<PathElement, bool> done;
    Json::Array out;
    const auto put = [&](const Json* x, const Json* y) {
      if (x == nullptr && y == nullptr) return;
      if (Merged merged = At(*schema.item, x, y)) out.push_back(std::move(*merged));
    };
    const auto both = [&](const PathElement& element) {
      done[element] = true;
      put(ours.Of(element), theirs.Of(element));
      if (next_shared < shared.size() && *shared[next_shared] == element) ++next_shared;
    };
    size_t l = 0, r = 0;
    while (l < ours.order.size() || r < theirs.order.size()) {
      if (l < ours.order.size()) {
        const PathElement& element = ours.order[l];
        if (r < theirs.order.size() && element == theirs.order[r]) {
          both(element);
          ++l, ++r;
          continue;
        }
        if (!theirs.Has(element)) {
          put(ours.entries[l++], nullptr);
          continue;
        }
        const bool later = r < theirs.order.size() && next_shared < shared.size() &&
                           !(*shared[next_shared] == element);
        if (later || done.count(element) > 0) ++l;
        if (later) continue;
      }
      if (r < theirs.order.size()) both(theirs.order[r++]);
    }
    if (out.empty()) return std::nullopt;
    return Json(std::move(out));
  }

  std::string mistakes_;
};

}  // namespace

base::Result<Json> MergeTyped(const MergeSchema& schema, const Json& live, const Json& config) {
  Merger merger;
  Merged merged = merger.At(schema, &live, &config);
  if (!merger.mistakes().empty()) return base::Invalid(merger.mistakes());
  return merged ? std::move(*merged) : Json();
}

}  // namespace kueue::api
