#include <charconv>
#include <set>

#include "api/match/name_rules.h"
#include "api/schema/validation_parts.h"

// Rules of Service, as the Kubernetes API documents them.
namespace kueue::api {
namespace {

bool IsPort(int64_t number) { return number >= 1 && number <= 65535; }

bool IsHeadless(const Json& spec) {
  const Json::Array& addresses = Items(spec, "clusterIPs");
  return addresses.size() == 1 && addresses[0] == Json("None");
}

void CheckTargetPort(const Json& port, const std::string& path, FieldErrors& errors) {
  const Json* target = port.Find("targetPort");
  if (!target) return;
  if (target->IsInt() && !IsPort(target->AsInt())) {
    AddInvalid(errors, Field(path, "targetPort"), "must be between 1 and 65535");
  } else if (target->IsString()) {
    AddInvalid(errors, Field(path, "targetPort"), PortNameProblems(target->AsString()));
  }
}

void CheckPorts(const Json& spec, FieldErrors& errors) {
  const Json::Array& ports = Items(spec, "ports");
  const bool headless = IsHeadless(spec);
  if (ports.empty() && !headless && Text(spec, "type") != "ExternalName") {
    AddRequired(errors, "spec.ports");
  }
  std::set<std::string_view> names;
  std::set<std::pair<int64_t, std::string_view>> numbers;
  for (size_t i = 0; i < ports.size(); ++i) {
    const std::string at = Field("spec.ports", i);
    const std::string_view name = Text(ports[i], "name");
    if (name.empty()) {
      if (ports.size() > 1) AddRequired(errors, Field(at, "name"));
    } else {
      AddInvalid(errors, Field(at, "name"), DnsLabelProblems(name));
      if (!names.insert(name).second) {
        AddError(errors, FieldErrorType::kDuplicate, Field(at, "name"), "is there twice");
      }
    }
    const int64_t number = Int(ports[i], "port").value_or(0);
    if (!IsPort(number)) AddInvalid(errors, Field(at, "port"), "must be between 1 and 65535");
    CheckAllowed(ports[i], at, "protocol", {"TCP", "UDP", "SCTP"}, errors);
    CheckTargetPort(ports[i], at, errors);
    const int64_t node_port = Int(ports[i], "nodePort").value_or(0);
    if (node_port != 0 && (node_port < 30000 || node_port > 32767)) {
      AddInvalid(errors, Field(at, "nodePort"), "must be between 30000 and 32767");
    }
    if (!numbers.emplace(number, Text(ports[i], "protocol")).second) {
      AddError(errors, FieldErrorType::kDuplicate, at, "port and protocol are there twice");
    }
  }
}

// Four numbers of up to 255 between dots.
bool IsAddress(std::string_view text) {
  int parts = 0;
  while (true) {
    const size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    int value = -1;
    const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), value);
    const bool zero_led = part.size() > 1 && part[0] == '0';
    if (code != std::errc() || end != part.data() + part.size() || value < 0 || value > 255 ||
        zero_led) {
      return false;
    }
    ++parts;
    if (dot == std::string_view::npos) return parts == 4;
    text.remove_prefix(dot + 1);
  }
}

void CheckNoAddress(const Json& spec, FieldErrors& errors) {
  for (const char* member : {"clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    if (!spec.Find(member)) continue;
    AddError(errors, FieldErrorType::kForbidden, Field("spec", member),
             "services of type ExternalName have none");
  }
}

// The first address stays for life.
void CheckAddressUpdate(const Json& spec, const Json& was, FieldErrors& errors) {
  if (Text(was, "type") == "ExternalName" || (IsHeadless(was) && IsHeadless(spec))) return;
  const Json::Array &now = Items(spec, "clusterIPs"), &old = Items(was, "clusterIPs");
  if (!old.empty() && (now.empty() || !(now[0] == old[0]))) {
    AddInvalid(errors, "spec.clusterIPs[0]", "may not be changed once set");
  }
}

void CheckFamilies(const Json& spec, FieldErrors& errors) {
  std::set<std::string> seen;
  const Json::Array& families = Items(spec, "ipFamilies");
  for (size_t i = 0; i < families.size(); ++i) {
    const std::string family = families[i].IsString() ? families[i].AsString() : std::string();
    const std::string at = Field("spec.ipFamilies", i);
    if (family != "IPv4" && family != "IPv6") {
      AddNotSupported(errors, at, family, {"IPv4", "IPv6"});
    }
    if (!seen.insert(family).second) {
      AddError(errors, FieldErrorType::kDuplicate, at, "is there twice");
    }
  }
}

void CheckAddresses(const Json& spec, FieldErrors& errors) {
  const Json::Array& addresses = Items(spec, "clusterIPs");
  const std::string_view address = Text(spec, "clusterIP");
  if (!address.empty() && addresses.empty()) {
    AddRequired(errors, "spec.clusterIPs");
  } else if (!addresses.empty() && !(addresses[0] == Json(std::string(address)))) {
    AddInvalid(errors, "spec.clusterIPs",
               address.empty() ? "must be empty where clusterIP is" : "must begin with clusterIP");
  }
  for (size_t i = 0; i < addresses.size(); ++i) {
    const std::string text = addresses[i].IsString() ? addresses[i].AsString() : std::string();
    if (i == 0 && text == "None") {
      if (addresses.size() > 1) AddInvalid(errors, "spec.clusterIPs", "None stands alone");
    } else if (!IsAddress(text)) {
      AddInvalid(errors, Field("spec.clusterIPs", i), "must be an address, None or empty");
    } else if (text.substr(0, 3) != "10.") {
      AddInvalid(errors, "spec.clusterIPs", "is not in the range of service addresses");
    }
  }
  if (addresses.size() > 2) AddInvalid(errors, "spec.clusterIPs", "may hold two at most");
}

void CheckAddress(const Json& spec, const Json* before, FieldErrors& errors) {
  if (Text(spec, "type") == "ExternalName") return CheckNoAddress(spec, errors);
  CheckAddresses(spec, errors);
  CheckFamilies(spec, errors);
  const Json* was = before ? before->Find("spec") : nullptr;
  if (was && was->IsObject()) CheckAddressUpdate(spec, *was, errors);
}

}  // namespace

void CheckServiceRules(const Json& object, const Json* before, FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* found = object.Find("spec");
  const Json& spec = found && found->IsObject() ? *found : *none;
  CheckPorts(spec, errors);
  CheckLabels(spec.Find("selector"), "spec.selector", errors);
  CheckAllowed(spec, "spec", "sessionAffinity", {"None", "ClientIP"}, errors);
  CheckAllowed(spec, "spec", "type", {"ClusterIP", "NodePort", "LoadBalancer", "ExternalName"},
               errors);
  CheckAllowed(spec, "spec", "internalTrafficPolicy", {"Cluster", "Local"}, errors);
  CheckAllowed(spec, "spec", "externalTrafficPolicy", {"Cluster", "Local"}, errors);
  const std::string_view type = Text(spec, "type");
  if (spec.Find("externalTrafficPolicy") && type != "NodePort" && type != "LoadBalancer" &&
      Items(spec, "externalIPs").empty()) {
    AddInvalid(errors, "spec.externalTrafficPolicy", "needs a service reached from outside");
  }
  CheckAllowed(spec, "spec", "ipFamilyPolicy",
               {"SingleStack", "PreferDualStack", "RequireDualStack"}, errors);
  CheckAddress(spec, before, errors);
  if (type != "ExternalName") return;
  const std::string_view name = Text(spec, "externalName");
  if (name.empty()) {
    AddRequired(errors, "spec.externalName");
  } else {
    AddInvalid(errors, "spec.externalName", DnsSubdomainProblems(name));
  }
}

}  // namespace kueue::api
