#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "apiserver/built_in_admission.h"
#include "base/check.h"
#include "resources/quantity.h"

// LimitRanges.
namespace kueue::apiserver {

using api::Json;
using resources::Quantity;

namespace {

using Amounts = std::map<std::string, Quantity>;

bool IsPod(const AdmissionRequest& request) { return request.kind == &api::KindOf<api::Pod>(); }

bool IsClaim(const AdmissionRequest& request) {
  return request.kind->group.empty() && request.kind->kind == "PersistentVolumeClaim";
}

const Json::Array& ListAt(const Json& object, std::initializer_list<std::string_view> path) {
  static const Json::Array none;
  const Json* list = object.FindPath(path);
  return list != nullptr && list->IsArray() ? list->AsArray() : none;
}

Amounts AmountsIn(const Json* map) {
  Amounts amounts;
  if (map == nullptr || !map->IsObject()) return amounts;
  for (const Json::Member& entry : map->AsObject()) {
    const auto quantity =
        entry.value.IsString()
            ? Quantity::Parse(entry.value.AsString())
            : Quantity::Parse(entry.value.IsNumber() ? entry.value.NumberText() : std::string());
    if (quantity.ok()) amounts.emplace(entry.key, *quantity);
  }
  return amounts;
}

const Quantity* Find(const Amounts& amounts, const std::string& name) {
  auto it = amounts.find(name);
  return it == amounts.end() ? nullptr : &it->second;
}

// ---- defaults

// Puts what is missing of `defaults` into a container's list; the names that were missing.
std::vector<std::string> Fill(const Json* defaults, const char* list, Json& container) {
  std::vector<std::string> names;
  if (defaults == nullptr || !defaults->IsObject()) return names;
  for (const Json::Member& entry : defaults->AsObject()) {
    if (container.FindPath({"resources", list, entry.key}) != nullptr) continue;
    Json& resources = container["resources"];
    if (!resources.IsObject()) resources = Json::MakeObject();
    Json& amounts = resources[list];
    if (!amounts.IsObject()) amounts = Json::MakeObject();
    amounts.Set(entry.key, entry.value);
    names.push_back(entry.key);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void FillContainer(const Json& defaults, const char* sort_of, Json& container,
                   std::vector<std::string>& remarks) {
  const std::string name = container.StringAt({"name"});
  const auto limits = Fill(defaults.Find("default"), "limits", container);
  const auto requests = Fill(defaults.Find("defaultRequest"), "requests", container);
  if (!requests.empty()) {
    remarks.push_back(
        fmt::format("{} request for {} {}", fmt::join(requests, ", "), sort_of, name));
  }
  if (!limits.empty()) {
    remarks.push_back(fmt::format("{} limit for {} {}", fmt::join(limits, ", "), sort_of, name));
  }
}

// The defaults of all container limits of a range; later ones win.
Json DefaultsOf(const Json& range) {
  Json defaults = Json::MakeObject();
  for (const Json& limit : ListAt(range, {"spec", "limits"})) {
    if (limit.StringAt({"type"}) != "Container") continue;
    for (const char* list : {"default", "defaultRequest"}) {
      const Json* map = limit.Find(list);
      if (map == nullptr || !map->IsObject()) continue;
      for (const Json::Member& entry : map->AsObject()) {
        defaults[list].Set(entry.key, entry.value);
      }
    }
  }
  return defaults;
}

// ---- bounds

struct Asked {
  Amounts requests, limits;
};

class Bounds {
 public:
  Bounds(const Json& limit, std::string type, std::vector<std::string>& errors)
      : limit_(limit), type_(std::move(type)), errors_(errors) {}

  void Check(const Asked& asked) const {
    for (const auto& [name, bound] : AmountsIn(limit_.Find("min"))) Minimum(asked, name, bound);
    for (const auto& [name, bound] : AmountsIn(limit_.Find("max"))) Maximum(asked, name, bound);
    for (const auto& [name, bound] : AmountsIn(limit_.Find("maxLimitRequestRatio"))) {
      Ratio(asked, name, bound);
    }
  }
  // Of what has requests only.
  void CheckRequests(const Amounts& requests) const {
    for (const auto& [name, bound] : AmountsIn(limit_.Find("min"))) {
      Minimum({requests, {}}, name, bound);
    }
    for (const auto& [name, bound] : AmountsIn(limit_.Find("max"))) {
      const Quantity* request = Find(requests, name);
      if (request == nullptr) {
        Say("maximum", name, bound, ".  No request is specified");
      } else if (*request > bound) {
        Say("maximum", name, bound, ", but request is " + request->ToString());
      }
    }
  }

 private:
  void Say(const char* bound_name, const std::string& name, const Quantity& bound,
           const std::string& what) const {
    errors_.push_back(
        fmt::format("{} {} usage per {} is {}{}", bound_name, name, type_, bound.ToString(), what));
  }

  void Minimum(const Asked& asked, const std::string& name, const Quantity& bound) const {
    const Quantity* request = Find(asked.requests, name);
    const Quantity* limit = Find(asked.limits, name);
    if (request == nullptr) return Say("minimum", name, bound, ".  No request is specified");
    if (*request < bound) {
      Say("minimum", name, bound, ", but request is " + request->ToString());
    } else if (limit != nullptr && *limit < bound) {
      Say("minimum", name, bound, ", but limit is " + limit->ToString());
    }
  }

  void Maximum(const Asked& asked, const std::string& name, const Quantity& bound) const {
    const Quantity* request = Find(asked.requests, name);
    const Quantity* limit = Find(asked.limits, name);
    if (limit == nullptr) return Say("maximum", name, bound, ".  No limit is specified");
    if (*limit > bound) {
      Say("maximum", name, bound, ", but limit is " + limit->ToString());
    } else if (request != nullptr && *request > bound) {
      Say("maximum", name, bound, ", but request is " + request->ToString());
    }
  }

  void Ratio(const Asked& asked, const std::string& name, const Quantity& bound) const {
    const Quantity* request = Find(asked.requests, name);
    const Quantity* limit = Find(asked.limits, name);
    const auto say = [&](const std::string& what) {
      errors_.push_back(fmt::format("{} max limit to request ratio per {} is {}, but {}", name,
                                    type_, bound.ToString(), what));
    };
    if (request == nullptr || request->IsZero()) {
      return say("no request is specified or request is 0");
    }
    if (limit == nullptr || limit->IsZero()) return say("no limit is specified or limit is 0");
    // limit / request > bound, in whole numbers: milli-units fit in 64 bits, products in 128.
    const __int128 left = static_cast<__int128>(limit->Milli()) * 1000;
    const __int128 right = static_cast<__int128>(request->Milli()) * bound.Milli();
    if (left > right) {
      say(fmt::format("provided ratio is {:f}", limit->ToDouble() / request->ToDouble()));
    }
  }

  const Json& limit_;
  const std::string type_;
  std::vector<std::string>& errors_;
};

Asked AskedBy(const Json& container) {
  return {AmountsIn(container.FindPath({"resources", "requests"})),
          AmountsIn(container.FindPath({"resources", "limits"}))};
}

// What a pod asks for: its containers together, or any one that runs before them.
Asked AskedByPod(const Json& pod) {
  Asked sum;
  for (const Json& container : ListAt(pod, {"spec", "containers"})) {
    const Asked asked = AskedBy(container);
    for (const auto& [name, amount] : asked.requests) sum.requests[name] += amount;
    for (const auto& [name, amount] : asked.limits) sum.limits[name] += amount;
  }
  const auto raise = [](const Amounts& from, Amounts& to) {
    for (const auto& [name, amount] : from) {
      const Quantity* have = Find(to, name);
      if (have == nullptr || *have < amount) to[name] = amount;
    }
  };
  for (const Json& container : ListAt(pod, {"spec", "initContainers"})) {
    const Asked asked = AskedBy(container);
    raise(asked.requests, sum.requests);
    raise(asked.limits, sum.limits);
  }
  return sum;
}

void CheckPod(const Json& limit, const Json& pod, std::vector<std::string>& errors) {
  const std::string type = limit.StringAt({"type"});
  const Bounds bounds(limit, type, errors);
  if (type == "Pod") bounds.Check(AskedByPod(pod));
  if (type != "Container") return;
  for (const char* list : {"containers", "initContainers"}) {
    for (const Json& container : ListAt(pod, {"spec", list})) bounds.Check(AskedBy(container));
  }
}

}  // namespace

LimitAdmission::LimitAdmission(const Store& store, const KindRegistry& kinds)
    : store_(store), limit_ranges_(*kinds.FindKind("", "v1", "LimitRange")) {}

bool LimitAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  if (!request.subresource.empty() || request.operation == Operation::kDelete) return false;
  const bool new_pod = IsPod(request) && request.operation == Operation::kCreate;
  if (mutating ? !new_pod : !new_pod && !IsClaim(request)) return false;
  bool any = false;
  store_.Scan(limit_ranges_, request.namespace_name + "/", "",
              [&](const std::string&, const StoredPtr&) {
                any = true;
                return false;
              });
  return any;
}

Verdict LimitAdmission::Mutate(AdmissionRequest& request) {
  Json& pod = *request.object;
  std::vector<std::string> remarks;
  store_.Scan(
      limit_ranges_, request.namespace_name + "/", "",
      [&](const std::string&, const StoredPtr& range) {
        const Json defaults = DefaultsOf(range->object());
        for (const auto& [list, sort_of] : {std::make_pair("containers", "container"),
                                            std::make_pair("initContainers", "init container")}) {
          Json* containers = pod["spec"].Find(list);
          if (containers == nullptr || !containers->IsArray()) continue;
          for (Json& container : containers->AsArray()) {
            FillContainer(defaults, sort_of, container, remarks);
          }
        }
        return true;
      });
  if (remarks.empty()) return Verdict::Allow();
  Json& annotations = pod["metadata"]["annotations"];
  if (!annotations.IsObject()) annotations = Json::MakeObject();
  annotations.Set("kubernetes.io/limit-ranger",
                  fmt::format("LimitRanger plugin set: {}", fmt::join(remarks, "; ")));
  return Verdict::Allow();
}

Verdict LimitAdmission::Validate(const AdmissionRequest& request) {
  std::vector<std::string> errors;
  const Json& object = *request.object;
  store_.Scan(
      limit_ranges_, request.namespace_name + "/", "",
      [&](const std::string&, const StoredPtr& range) {
        for (const Json& limit : ListAt(range->object(), {"spec", "limits"})) {
          if (IsPod(request)) {
            CheckPod(limit, object, errors);
          } else if (limit.StringAt({"type"}) == "PersistentVolumeClaim") {
            const Bounds bounds(limit, "PersistentVolumeClaim", errors);
            bounds.CheckRequests(AmountsIn(object.FindPath({"spec", "resources", "requests"})));
          }
        }
        return true;
      });
  if (errors.empty()) return Verdict::Allow();
  if (errors.size() == 1) return Verdict::Deny(errors[0]);
  return Verdict::Deny(fmt::format("[{}]", fmt::join(errors, ", ")));
}

}  // namespace kueue::apiserver
