#include "apiserver/strategic_patch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace kueue::apiserver {

using api::Json;

namespace {

// How a list of that name merges. An empty key: a set of plain values.
struct ListRule {
  std::string_view field, key;
};
constexpr std::array<ListRule, 22> kListRules = {{
    {"containers", "name"},
    {"initContainers", "name"},
    {"ephemeralContainers", "name"},
    {"env", "name"},
    {"volumes", "name"},
    {"volumeMounts", "mountPath"},
    {"volumeDevices", "devicePath"},
    {"imagePullSecrets", "name"},
    {"hostAliases", "ip"},
    {"schedulingGates", "name"},
    {"resourceClaims", "name"},
    {"topologySpreadConstraints", "topologyKey"},
    {"ports", "containerPort"},
    {"conditions", "type"},
    {"addresses", "type"},
    {"podIPs", "ip"},
    {"hostIPs", "ip"},
    {"secrets", "name"},
    {"finalizers", ""},
    {"ownerReferences", "uid"},
    {"podCIDRs", ""},
    {"configMaps", "name"},
}};

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kDeletePrefix = "$deleteFromPrimitiveList/";
constexpr std::string_view kOrderPrefix = "$setElementOrder/";
constexpr std::string_view kRetain = "$retainKeys";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

class Merger {
 public:
  explicit Merger(const api::KindInfo& kind) : kind_(kind) {}

  const std::string& error() const { return error_; }

  Json Merge(Json target, const Json& patch, std::string_view parent) {
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
      MergeMember(member.key, member.value, patch, parent, target);
    }
    // An order may be given for a list that the patch does not touch otherwise.
    for (const Json::Member& member : patch.AsObject()) {
      if (!StartsWith(member.key, kOrderPrefix)) continue;
      const std::string field = member.key.substr(kOrderPrefix.size());
      if (patch.Find(field) != nullptr) continue;
      Json* list = target.Find(field);
      const ListRule* rule = RuleOf(field, parent);
      if (list == nullptr || !list->IsArray() || rule == nullptr) continue;
      *list = Ordered(*rule, list->AsArray(), list->AsArray(), Json::Array(), member.value);
    }
    return target;
  }

 private:
  void Fail(std::string message) {
    if (error_.empty()) error_ = std::move(message);
  }

  const ListRule* RuleOf(std::string_view field, std::string_view parent) const {
    // Lists of these names are replaced whole in these places.
    if (field == "conditions" && kind_.kind == "Job") return nullptr;
    if (field == "finalizers" && parent != "metadata") return nullptr;
    if (field == "secrets" && kind_.kind != "ServiceAccount") return nullptr;
    static constexpr ListRule kServicePorts = {"ports", "port"};
    if (field == "ports" && kind_.kind == "Service") return &kServicePorts;
    const auto rule = std::find_if(kListRules.begin(), kListRules.end(),
                                   [&](const ListRule& r) { return r.field == field; });
    return rule == kListRules.end() ? nullptr : &*rule;
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

  void MergeMember(const std::string& key, const Json& value, const Json& patch,
                   std::string_view parent, Json& target) {
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
      target.Set(key, Merge(old != nullptr ? *old : Json::MakeObject(), value, key));
      return;
    }
    const ListRule* rule = value.IsArray() ? RuleOf(key, parent) : nullptr;
    if (rule == nullptr) {
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
      const std::string directive =
          item.IsObject() ? item.StringAt({kDirective}) : std::string();
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
        merged[at] = Merge(merged[at], item, field);
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

  const api::KindInfo& kind_;
  std::string error_;
};

}  // namespace

Outcome<Json> ApplyStrategicPatch(const api::KindInfo& kind, const Json& target,
                                  const Json& patch) {
  if (!patch.IsObject()) return BadRequestError("a strategic merge patch must be an object");
  Merger merger(kind);
  Json merged = merger.Merge(target, patch, "");
  if (!merger.error().empty()) return InternalError(merger.error());
  return merged;
}

}  // namespace kueue::apiserver
