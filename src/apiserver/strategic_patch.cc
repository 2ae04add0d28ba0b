#include "apiserver/strategic_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace kueue::apiserver {

using api::Json;

namespace {

// Where in the object the merge is: what the tables say about the members there.
struct Place {
  const api::StructDescriptor* table = nullptr;  // of an object with described members
  const api::ValueOps* entry = nullptr;          // of a map: every member's type
};

Place PlaceOf(const api::ValueOps* ops) {
  if (ops == nullptr) return {};
  if (ops->kind == api::FieldKind::kStruct) return {&ops->Table(), nullptr};
  if (ops->kind == api::FieldKind::kMap) return {nullptr, ops->item};
  return {};
}

// A member's type, null where nothing is known about it.
const api::ValueOps* TypeOf(const Place& place, std::string_view member) {
  if (place.table == nullptr) return place.entry;
  const api::FieldDescriptor* field = place.table->Find(member);
  return field != nullptr ? field->ops : nullptr;
}

// How a list merges: entries with an equal value of `key` are one. An empty key: a set of values.
struct ListRule {
  std::string_view key;
  Place entry;
};

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kDeletePrefix = "$deleteFromPrimitiveList/";
constexpr std::string_view kOrderPrefix = "$setElementOrder/";
constexpr std::string_view kRetain = "$retainKeys";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

class Merger {
 public:
  const std::string& error() const { return error_; }

  Json Merge(Json target, const Json& patch, const Place& place) {
    if (!target.IsObject()) target = Json::MakeObject();
    const std::string directive = patch.StringAt({kDirective});
    if (directive == "replace") return WithoutDirectives(patch);
    if (directive == "delete") return Json::MakeObject();
    if (!directive.empty() && directive != "merge") {
      Fail(fmt::format("unknown $patch directive \"{}\"", directive));
      return target;
    }
    Retain(patch, target);
    for (const Json::Member& member : patch.AsObject()) {
      if (StartsWith(member.key, kDeletePrefix)) {
        DeletePlain(member.key.substr(kDeletePrefix.size()), member.value, target);
      }
    }
    for (const Json::Member& member : patch.AsObject()) {
      if (StartsWith(member.key, "$")) continue;
      MergeMember(member.key, member.value, patch, place, target);
    }
    // An order may be given for a list that the patch does not touch otherwise.
    for (const Json::Member& member : patch.AsObject()) {
      if (!StartsWith(member.key, kOrderPrefix)) continue;
      const std::string field = member.key.substr(kOrderPrefix.size());
      if (patch.Find(field) != nullptr) continue;
      Json* list = target.Find(field);
      const std::optional<ListRule> rule = RuleOf(field, place);
      if (list == nullptr || !list->IsArray() || !rule) continue;
      *list = Ordered(*rule, list->AsArray(), list->AsArray(), Json::Array(), member.value);
    }
    return target;
  }

 private:
  void Fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }

  // Nothing: the list is replaced whole.
  static std::optional<ListRule> RuleOf(std::string_view member, const Place& place) {
    const api::FieldDescriptor* field =
        place.table != nullptr ? place.table->Find(member) : nullptr;
    if (field == nullptr || !field->patch_merges || field->ops->kind != api::FieldKind::kList) {
      return std::nullopt;
    }
    return ListRule{field->merge_key, PlaceOf(field->ops->item)};
  }

  static Json WithoutDirectives(const Json& value) {
    if (value.IsObject()) {
      Json out = Json::MakeObject();
      for (const Json::Member& member : value.AsObject()) {
        if (StartsWith(member.key, "$") || member.value.IsNull()) continue;
        out.Set(member.key, WithoutDirectives(member.value));
      }
      return out;
    }
    if (value.IsArray()) {
      Json out = Json::MakeArray();
      for (const Json& item : value.AsArray()) {
        const bool directive = item.IsObject() && item.Find(kDirective) != nullptr;
        if (!directive) out.Append(WithoutDirectives(item));
      }
      return out;
    }
    return value;
  }

  static void Retain(const Json& patch, Json& target) {
    const Json* keys = patch.Find(kRetain);
    if (keys == nullptr || !keys->IsArray()) return;
    auto& members = target.AsObject();
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [&](const Json::Member& member) {
                                   const auto& kept = keys->AsArray();
                                   return std::find(kept.begin(), kept.end(), Json(member.key)) ==
                                          kept.end();
                                 }),
                  members.end());
  }

  static void DeletePlain(const std::string& field, const Json& values, Json& target) {
    Json* list = target.Find(field);
    if (list == nullptr || !list->IsArray() || !values.IsArray()) return;
    auto& items = list->AsArray();
    const auto& gone = values.AsArray();
    items.erase(std::remove_if(items.begin(), items.end(),
                               [&](const Json& item) {
                                 return std::find(gone.begin(), gone.end(), item) != gone.end();
                               }),
                items.end());
  }

  void MergeMember(const std::string& key, const Json& value, const Json& patch, const Place& place,
                   Json& target) {
    if (value.IsNull()) {
      target.Erase(key);
      return;
    }
    Json* old = target.Find(key);
    if (value.IsObject()) {
      if (value.StringAt({kDirective}) == "delete") {
        target.Erase(key);
        return;
      }
      target.Set(key, Merge(old != nullptr ? *old : Json::MakeObject(), value,
                            PlaceOf(TypeOf(place, key))));
      return;
    }
    const std::optional<ListRule> rule =
        value.IsArray() ? RuleOf(key, place) : std::optional<ListRule>();
    if (!rule) {
      target.Set(key, WithoutDirectives(value));
      return;
    }
    const Json* order = patch.Find(std::string(kOrderPrefix) + key);
    static const Json::Array kNone;
    const Json::Array& before = old != nullptr && old->IsArray() ? old->AsArray() : kNone;
    target.Set(key, MergeList(*rule, before, value.AsArray(), order, key));
  }

  static bool Same(const ListRule& rule, const Json& a, const Json& b) {
    if (rule.key.empty()) return a == b;
    const Json* x = a.Find(rule.key);
    const Json* y = b.Find(rule.key);
    return x != nullptr && y != nullptr && *x == *y;
  }

  static int IndexOf(const ListRule& rule, const Json::Array& list, const Json& item) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (Same(rule, list[i], item)) return static_cast<int>(i);
    }
    return -1;
  }

  Json MergeList(const ListRule& rule, const Json::Array& before, const Json::Array& patch,
                 const Json* order, std::string_view field) {
    bool replace = false;
    Json::Array merged = before;
    Json::Array touched;
    for (const Json& item : patch) {
      const std::string directive = item.IsObject() ? item.StringAt({kDirective}) : std::string();
      if (directive == "replace") {
        replace = true;
        continue;
      }
      if (!rule.key.empty() && (!item.IsObject() || item.Find(rule.key) == nullptr)) {
        Fail(fmt::format("an entry of \"{}\" does not have its key \"{}\"", field, rule.key));
        return Json(before);
      }
      const int at = IndexOf(rule, merged, item);
      if (directive == "delete") {
        if (at >= 0) merged.erase(merged.begin() + at);
        continue;
      }
      if (at < 0) {
        merged.push_back(WithoutDirectives(item));
      } else if (item.IsObject()) {
        merged[at] = Merge(merged[at], item, rule.entry);
      }
      touched.push_back(item);
    }
    if (replace) {
      Json out = Json::MakeArray();
      for (const Json& item : patch) {
        if (!item.IsObject() || item.StringAt({kDirective}).empty()) {
          out.Append(WithoutDirectives(item));
        }
      }
      return out;
    }
    return Ordered(rule, before, merged, touched, order != nullptr ? *order : Json());
  }

  // Entries of the patch keep the order that it asks for (or its own), the others the order they
  // had; both are woven together so that an entry stands where it stood before, and new ones as
  // early as possible.
  static Json Ordered(const ListRule& rule, const Json::Array& before, const Json::Array& merged,
                      const Json::Array& touched, const Json& order) {
    const Json::Array& wanted = order.IsArray() ? order.AsArray() : touched;
    Json::Array first, rest;
    for (const Json& key : wanted) {
      // An order names entries by their key: {"name": "a"}, or the value itself.
      const int at = IndexOf(rule, merged, key);
      if (at >= 0) first.push_back(merged[at]);
    }
    for (const Json& item : merged) {
      if (IndexOf(rule, first, item) < 0) rest.push_back(item);
    }
    Json out = Json::MakeArray();
    size_t f = 0, r = 0;
    while (f < first.size() && r < rest.size()) {
      const int a = IndexOf(rule, before, first[f]);
      const int b = IndexOf(rule, before, rest[r]);
      if (a >= 0 && b >= 0 && b < a) {
        out.Append(rest[r++]);
      } else {
        out.Append(first[f++]);
      }
    }
    while (f < first.size()) out.Append(first[f++]);
    while (r < rest.size()) out.Append(rest[r++]);
    return out;
  }

  std::string error_;
};

}  // namespace

Outcome<Json> ApplyStrategicPatch(const api::KindInfo& kind, const Json& target,
                                  const Json& patch) {
  if (!patch.IsObject()) return BadRequestError("a strategic merge patch must be an object");
  Merger merger;
  Json merged = merger.Merge(target, patch, Place{kind.table, nullptr});
  if (!merger.error().empty()) return InternalError(merger.error());
  return merged;
}

}  // namespace kueue::apiserver
