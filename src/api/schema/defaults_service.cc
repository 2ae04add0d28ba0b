#include <cstdint>
#include <map>
#include <set>

#include "api/schema/defaults_built_in.h"

// What the server completes in a Service: defaults, addresses and ports it chooses, and on an
// update what the client left out because it was never its own.
namespace kueue::api {
namespace {

// Stands in for an allocator: spread by the object's uid, so that two services rarely meet. Nothing
// in this cluster routes by these numbers.
uint32_t NumberOf(const Json& object, std::string_view purpose) {
  uint32_t hash = 2166136261u;
  const std::string uid = object.StringAt({"metadata", "uid"});
  for (const std::string_view text : {std::string_view(uid), purpose}) {
    for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  }
  return hash ^ hash >> 15;
}

std::string ClusterAddress(const Json& service) {
  const uint32_t number = NumberOf(service, "address") % 0xfff00u + 0x80u;  // in 10.96.0.0/12
  return "10." + std::to_string(96 + (number >> 16)) + "." + std::to_string(number >> 8 & 255) +
         "." + std::to_string(number & 255);
}

// The cluster has IPv4 alone. Whoever lists the pods of a headless service without a selector may
// list any.
void DefaultFamilies(Json& spec) {
  const Json* selector = spec.Find("selector");
  const bool any = spec.StringAt({"clusterIP"}) == "None" && (!selector || selector->size() == 0);
  const bool chosen = spec.Find("ipFamilyPolicy") || spec.Find("ipFamilies");
  Json families(Json::Array{Json("IPv4")});
  if (any && !chosen) families.Append("IPv6");
  SetIfAbsent(spec, "ipFamilies", std::move(families));
  SetIfAbsent(spec, "ipFamilyPolicy", any && !chosen ? "RequireDualStack" : "SingleStack");
}

bool HasAddress(const Json& spec) { return spec.StringAt({"type"}) != "ExternalName"; }

bool IsReachedByNodes(const Json& spec) {
  const std::string type = spec.StringAt({"type"});
  return type == "NodePort" || type == "LoadBalancer";
}

bool ChoosesNodePorts(const Json& spec) {
  const Json* wanted = spec.Find("allocateLoadBalancerNodePorts");
  const bool none = wanted && *wanted == Json(false);
  return IsReachedByNodes(spec) && (spec.StringAt({"type"}) == "NodePort" || !none);
}

bool IsChecked(const Json& spec) {
  return spec.StringAt({"type"}) == "LoadBalancer" &&
         spec.StringAt({"externalTrafficPolicy"}) == "Local";
}

// Whether somebody outside the cluster can reach it, so that there is a policy for them.
bool IsOutside(const Json& spec) {
  const Json* addresses = spec.Find("externalIPs");
  return IsReachedByNodes(spec) ||
         (spec.StringAt({"type"}) == "ClusterIP" && addresses && addresses->size() > 0);
}

bool IsNothing(const Json* value) {
  if (!value || value->IsNull() || *value == Json("") || *value == Json(0)) return true;
  return value->IsArray() && value->size() == 0;
}

bool Same(const Json& a, const Json& b, std::string_view member) {
  const Json *in_a = a.Find(member), *in_b = b.Find(member);
  if (!in_a || !in_b) return in_a == in_b;
  return *in_a == *in_b;
}

void TakeIfNothing(const Json& from, std::string_view member, Json& into) {
  const Json* was = from.Find(member);
  if (!IsNothing(was) && IsNothing(into.Find(member))) into.Set(member, *was);
}

std::set<int64_t> NodePortsOf(const Json& spec) {
  std::set<int64_t> numbers;
  const Json* ports = spec.Find("ports");
  if (!ports || !ports->IsArray()) return numbers;
  for (const Json& port : ports->AsArray()) {
    const Json* number = port.Find("nodePort");
    if (number && number->IsInt() && number->AsInt() != 0) numbers.insert(number->AsInt());
  }
  return numbers;
}

// A port that was there under the same name keeps its number, unless another port has it now.
void TakeNodePorts(const Json& before, Json& spec) {
  const std::set<int64_t> now = NodePortsOf(spec);
  std::map<std::string, Json> known;
  const Json* ports = before.Find("ports");
  if (!ports || !ports->IsArray()) return;
  for (const Json& port : ports->AsArray()) {
    if (const Json* number = port.Find("nodePort")) known[port.StringAt({"name"})] = *number;
  }
  ForEachIn(&spec, "ports", [&](Json& port) {
    if (!IsNothing(port.Find("nodePort"))) return;
    const auto it = known.find(port.StringAt({"name"}));
    if (it == known.end() || !it->second.IsInt() || now.count(it->second.AsInt())) return;
    port.Set("nodePort", it->second);
  });
}

// A client that knows of clusterIP alone changes both.
void AlignAddresses(const Json& before, Json& spec) {
  if (Same(before, spec, "clusterIP") || !Same(before, spec, "clusterIPs")) return;
  if (IsNothing(spec.Find("clusterIP"))) {
    spec.Erase("clusterIPs");
  } else {
    spec.Set("clusterIPs", Json(Json::Array{*spec.Find("clusterIP")}));
  }
}

// What the new type has no use for goes, where the client has not set it to something else.
void DropUnused(const Json& before, Json& spec) {
  const auto drop = [&](std::string_view member) {
    if (Same(before, spec, member)) spec.Erase(member);
  };
  if (HasAddress(before) && !HasAddress(spec)) {
    if (Same(before, spec, "clusterIP") && Same(before, spec, "clusterIPs")) {
      spec.Erase("clusterIP");
      spec.Erase("clusterIPs");
    }
    drop("ipFamilies");
    drop("ipFamilyPolicy");
  }
  if (IsReachedByNodes(before) && !IsReachedByNodes(spec)) {
    const std::set<int64_t> was = NodePortsOf(before);
    bool same = true;
    for (const int64_t number : NodePortsOf(spec)) same = same && was.count(number);
    if (same) ForEachIn(&spec, "ports", [](Json& port) { port.Erase("nodePort"); });
  }
  if (IsOutside(before) && !IsOutside(spec)) drop("externalTrafficPolicy");
  if (IsChecked(before) && !IsChecked(spec)) drop("healthCheckNodePort");
  if (before.StringAt({"type"}) == "LoadBalancer" && spec.StringAt({"type"}) != "LoadBalancer") {
    drop("allocateLoadBalancerNodePorts");
    drop("loadBalancerClass");
  }
}

}  // namespace

void DefaultService(Json& object) {
  Json* spec = MakeObjectIn(&object, "spec");
  if (!spec) return;
  SetIfAbsent(*spec, "sessionAffinity", "None");
  if (spec->StringAt({"sessionAffinity"}) == "ClientIP") {
    Json* config = MakeObjectIn(spec, "sessionAffinityConfig");
    if (Json* client = MakeObjectIn(config, "clientIP")) {
      SetIfAbsent(*client, "timeoutSeconds", 10800);
    }
  }
  SetIfAbsent(*spec, "type", "ClusterIP");
  ForEachIn(spec, "ports", [](Json& port) {
    SetIfAbsent(port, "protocol", "TCP");
    const Json* target = port.Find("targetPort");
    const bool none = !target || *target == Json(0) || *target == Json("");
    if (const Json* number = port.Find("port"); number && none)
      port.Set("targetPort", Json(*number));
  });
  const std::string type = spec->StringAt({"type"});
  const bool outside = type == "NodePort" || type == "LoadBalancer";
  if (outside || type == "ClusterIP") SetIfAbsent(*spec, "internalTrafficPolicy", "Cluster");
  if (outside) SetIfAbsent(*spec, "externalTrafficPolicy", "Cluster");
  if (type == "LoadBalancer") SetIfAbsent(*spec, "allocateLoadBalancerNodePorts", true);
}

void PrepareService(Json& object) {
  Json* spec = ObjectIn(&object, "spec");
  if (!spec || spec->StringAt({"type"}) == "ExternalName") return;
  if (spec->StringAt({"clusterIP"}).empty()) spec->Set("clusterIP", ClusterAddress(object));
  SetIfAbsent(*spec, "clusterIPs", Json(Json::Array{*spec->Find("clusterIP")}));
  DefaultFamilies(*spec);
  if (!ChoosesNodePorts(*spec)) return;
  ForEachIn(spec, "ports", [&](Json& port) {
    const std::string purpose = port.StringAt({"name"}) + "/" + port.StringAt({"protocol"});
    const uint32_t number = 30000 + NumberOf(object, purpose) % 2768;
    SetIfAbsent(port, "nodePort", static_cast<int64_t>(number));
  });
  // Whoever balances asks each node whether it has a pod.
  if (IsChecked(*spec)) {
    const uint32_t number = 30000 + NumberOf(object, "health") % 2768;
    SetIfAbsent(*spec, "healthCheckNodePort", static_cast<int64_t>(number));
  }
}

void UpdateService(const Json& before, Json& object) {
  const Json* was = before.Find("spec");
  Json* spec = ObjectIn(&object, "spec");
  if (!was || !was->IsObject() || !spec) return;
  if (HasAddress(*was) && HasAddress(*spec)) {
    TakeIfNothing(*was, "clusterIP", *spec);
    TakeIfNothing(*was, "clusterIPs", *spec);
    TakeIfNothing(*was, "ipFamilyPolicy", *spec);
  }
  if (ChoosesNodePorts(*was) && ChoosesNodePorts(*spec)) TakeNodePorts(*was, *spec);
  if (IsChecked(*was) && IsChecked(*spec)) TakeIfNothing(*was, "healthCheckNodePort", *spec);
  AlignAddresses(*was, *spec);
  PrepareService(object);
  DropUnused(*was, *spec);
  Json* status = ObjectIn(&object, "status");
  if (status && spec->StringAt({"type"}) != "LoadBalancer" && ObjectIn(status, "loadBalancer")) {
    status->Set("loadBalancer", Json::MakeObject());
  }
}

}  // namespace kueue::api
