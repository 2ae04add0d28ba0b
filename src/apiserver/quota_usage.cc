#include "apiserver/quota_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "api/match/pod_requests.h"
#include "api/types/core.h"

namespace kueue::apiserver {

using api::Json;
using resources::Quantity;

namespace {

bool IsPod(const api::KindInfo& kind) { return &kind == &api::KindOf<api::Pod>(); }

const Json::Array& ListAt(const Json& object, std::initializer_list<std::string_view> path) {
  static const Json::Array none;
  const Json* list = object.FindPath(path);
  return list != nullptr && list->IsArray() ? list->AsArray() : none;
}

bool HasEnded(const Json& pod) {
  const std::string phase = pod.StringAt({"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

// "requests.cpu" and, for the usual ones, "cpu"; extended resources only with the prefix.
void AddRequest(const std::string& name, const Quantity& amount, Usage& usage) {
  const bool plain = name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
                     name.compare(0, 10, "hugepages-") == 0;
  if (plain) usage[name] += amount;
  usage["requests." + name] += amount;
}

void AddLimits(const Json& pod, Usage& usage) {
  Usage sum;
  for (const Json& container : ListAt(pod, {"spec", "containers"})) {
    for (const auto& [name, amount] : UsageAt(container, {"resources", "limits"})) {
      sum[name] += amount;
    }
  }
  for (const Json& container : ListAt(pod, {"spec", "initContainers"})) {
    const bool stays = container.StringAt({"restartPolicy"}) == "Always";
    for (const auto& [name, amount] : UsageAt(container, {"resources", "limits"})) {
      Quantity& have = sum[name];
      if (stays) {
        have += amount;
      } else {
        have = std::max(have, amount);
      }
    }
  }
  for (const auto& [name, amount] : UsageAt(pod, {"spec", "overhead"})) {
    if (sum.count(name) > 0) sum[name] += amount;
  }
  for (const auto& [name, amount] : sum) usage["limits." + name] += amount;
}

void AddPod(const Json& pod, Usage& usage) {
  if (HasEnded(pod)) return;
  usage["pods"] = Quantity::FromUnits(1);
  const Json* spec = pod.Find("spec");
  if (spec == nullptr) return;
  const auto decoded = api::Decode<api::PodSpec>(*spec);
  if (decoded.ok()) {
    for (const auto& [name, amount] : api::PodRequestQuantities(*decoded)) {
      AddRequest(name, amount, usage);
    }
  }
  AddLimits(pod, usage);
}

void AddService(const Json& service, Usage& usage) {
  usage["services"] = Quantity::FromUnits(1);
  const std::string type = service.StringAt({"spec", "type"});
  const auto ports = static_cast<int64_t>(ListAt(service, {"spec", "ports"}).size());
  if (type == "LoadBalancer") usage["services.loadbalancers"] = Quantity::FromUnits(1);
  if (type == "NodePort" || type == "LoadBalancer") {
    usage["services.nodeports"] = Quantity::FromUnits(ports);
  }
}

void AddClaim(const Json& claim, Usage& usage) {
  usage["persistentvolumeclaims"] = Quantity::FromUnits(1);
  const std::string storage_class = claim.StringAt({"spec", "storageClassName"});
  const std::string prefix = storage_class + ".storageclass.storage.k8s.io/";
  if (!storage_class.empty()) {
    usage[prefix + "persistentvolumeclaims"] = Quantity::FromUnits(1);
  }
  const Usage requests = UsageAt(claim, {"spec", "resources", "requests"});
  const auto storage = requests.find("storage");
  if (storage == requests.end()) return;
  usage["requests.storage"] = storage->second;
  if (!storage_class.empty()) usage[prefix + "requests.storage"] = storage->second;
}

// ---- scopes

bool AsksForNothing(const Json& pod) {
  for (const char* list : {"containers", "initContainers"}) {
    for (const Json& container : ListAt(pod, {"spec", list})) {
      for (const char* kind : {"requests", "limits"}) {
        for (const char* name : {"cpu", "memory"}) {
          if (container.FindPath({"resources", kind, name}) != nullptr) return false;
        }
      }
    }
  }
  return true;
}

bool CrossesNamespaces(const Json& pod) {
  for (const char* sort : {"podAffinity", "podAntiAffinity"}) {
    for (const char* list : {"requiredDuringSchedulingIgnoredDuringExecution",
                             "preferredDuringSchedulingIgnoredDuringExecution"}) {
      for (const Json& item : ListAt(pod, {"spec", "affinity", sort, list})) {
        const Json* inside = item.Find("podAffinityTerm");
        const Json& term = inside != nullptr ? *inside : item;
        const Json* spaces = term.Find("namespaces");
        if ((spaces != nullptr && spaces->size() > 0) || term.Find("namespaceSelector"))
          return true;
      }
    }
  }
  return false;
}

bool InNamedScope(const std::string& scope, const Json& pod) {
  const Json* deadline = pod.FindPath({"spec", "activeDeadlineSeconds"});
  const bool terminating = deadline != nullptr && deadline->IsInt() && deadline->AsInt() >= 0;
  if (scope == "Terminating") return terminating;
  if (scope == "NotTerminating") return !terminating;
  if (scope == "BestEffort") return AsksForNothing(pod);
  if (scope == "NotBestEffort") return !AsksForNothing(pod);
  if (scope == "CrossNamespacePodAffinity") return CrossesNamespaces(pod);
  return false;
}

bool MatchesClass(const Json& expression, const Json& pod) {
  const std::string op = expression.StringAt({"operator"}, "Exists");
  const std::string name = pod.StringAt({"spec", "priorityClassName"});
  const Json* values = expression.Find("values");
  const bool listed = values != nullptr && values->IsArray() &&
                      std::find(values->AsArray().begin(), values->AsArray().end(), Json(name)) !=
                          values->AsArray().end();
  if (op == "In") return !name.empty() && listed;
  if (op == "NotIn") return !listed;
  if (op == "DoesNotExist") return name.empty();
  return !name.empty();
}

}  // namespace

Usage UsageOf(const api::KindInfo& kind, const Json& object) {
  Usage usage;
  usage["count/" + kind.GroupResource()] = Quantity::FromUnits(1);
  if (IsPod(kind)) AddPod(object, usage);
  if (!kind.group.empty()) return usage;
  if (kind.kind == "Service") AddService(object, usage);
  if (kind.kind == "PersistentVolumeClaim") AddClaim(object, usage);
  constexpr std::array<std::string_view, 4> kCounted = {"configmaps", "replicationcontrollers",
                                                        "resourcequotas", "secrets"};
  if (std::find(kCounted.begin(), kCounted.end(), kind.plural) != kCounted.end()) {
    usage[std::string(kind.plural)] = Quantity::FromUnits(1);
  }
  return usage;
}

bool InScope(const Json& quota, const api::KindInfo& kind, const Json& object) {
  const Json::Array& scopes = ListAt(quota, {"spec", "scopes"});
  const Json::Array& expressions = ListAt(quota, {"spec", "scopeSelector", "matchExpressions"});
  if (scopes.empty() && expressions.empty()) return true;
  if (!IsPod(kind)) return false;
  for (const Json& scope : scopes) {
    if (!scope.IsString() || !InNamedScope(scope.AsString(), object)) return false;
  }
  for (const Json& expression : expressions) {
    const std::string scope = expression.StringAt({"scopeName"});
    const bool in =
        scope == "PriorityClass" ? MatchesClass(expression, object) : InNamedScope(scope, object);
    if (!in) return false;
  }
  return true;
}

Usage UsageAt(const Json& object, std::initializer_list<std::string_view> path) {
  Usage usage;
  const Json* map = object.FindPath(path);
  if (map == nullptr || !map->IsObject()) return usage;
  for (const Json::Member& entry : map->AsObject()) {
    const auto quantity = Quantity::Parse(entry.value.IsString()   ? entry.value.AsString()
                                          : entry.value.IsNumber() ? entry.value.NumberText()
                                                                   : std::string());
    if (quantity.ok()) usage.emplace(entry.key, *quantity);
  }
  return usage;
}

Json UsageJson(const Usage& usage) {
  Json map = Json::MakeObject();
  for (const auto& [name, amount] : usage) map.Set(name, amount.ToString());
  return map;
}

std::string Describe(const Usage& usage) {
  std::vector<std::string> parts;
  for (const auto& [name, amount] : usage) parts.push_back(name + "=" + amount.ToString());
  return fmt::format("{}", fmt::join(parts, ","));
}

std::vector<std::string> Unspecified(const Usage& hard, const api::KindInfo& kind,
                                     const Json& object) {
  if (!IsPod(kind) || HasEnded(object)) return {};
  std::vector<std::string> missing;
  for (const auto& [name, amount] : hard) {
    const bool limit = name.compare(0, 7, "limits.") == 0;
    const bool request = name.compare(0, 9, "requests.") == 0;
    const std::string resource = limit ? name.substr(7) : request ? name.substr(9) : name;
    if (resource != "cpu" && resource != "memory") continue;
    std::vector<std::string> containers;
    for (const char* list : {"containers", "initContainers"}) {
      for (const Json& container : ListAt(object, {"spec", list})) {
        const char* part = limit ? "limits" : "requests";
        if (container.FindPath({"resources", part, resource}) != nullptr) continue;
        containers.push_back(container.StringAt({"name"}));
      }
    }
    std::sort(containers.begin(), containers.end());
    if (!containers.empty()) {
      missing.push_back(fmt::format("{} for: {}", name, fmt::join(containers, ",")));
    }
  }
  return missing;
}

}  // namespace kueue::apiserver
