#include <algorithm>

#include "api/schema/columns_built_in.h"
#include "api/schema/validation_parts.h"

// Rows of the kinds a cluster is set up with: network, storage, access, extension.
namespace kueue::api {
namespace {

constexpr char kUnset[] = "<unset>";

std::string OrUnset(std::string text) { return text.empty() ? kUnset : text; }

std::string TextOf(const Json* value) {
  if (!value || value->IsNull()) return "";
  if (value->IsString()) return value->AsString();
  if (value->IsBool()) return value->AsBool() ? "true" : "false";
  return value->IsNumber() ? value->NumberText() : "";
}

// ---- services

std::string ExternalAddress(const Json& service) {
  const std::string type = service.StringAt({"spec", "type"});
  if (type == "ExternalName") return service.StringAt({"spec", "externalName"});
  std::string text;
  if (type == "LoadBalancer") {
    for (const Json& entry : Items(service.FindPath({"status", "loadBalancer", "ingress"}))) {
      const std::string_view ip = Text(entry, "ip");
      JoinInto(text, ip.empty() ? Text(entry, "hostname") : ip);
    }
  }
  for (const Json& ip : Items(service.FindPath({"spec", "externalIPs"}))) {
    if (ip.IsString()) JoinInto(text, ip.AsString());
  }
  if (text.empty() && type == "LoadBalancer") return "<pending>";
  return OrNone(text);
}

std::string ServicePorts(const Json& service) {
  std::string text;
  for (const Json& port : Items(service.FindPath({"spec", "ports"}))) {
    std::string one = TextOf(port.Find("port"));
    if (const auto node_port = Int(port, "nodePort"); node_port && *node_port > 0) {
      one += ":" + std::to_string(*node_port);
    }
    JoinInto(text, one + "/" + std::string(Text(port, "protocol")));
  }
  return OrNone(text);
}

// At most three, and how many more there are.
std::string FirstOf(const std::vector<std::string>& texts) {
  std::string text;
  for (size_t i = 0; i < texts.size() && i < 3; ++i) JoinInto(text, texts[i]);
  if (texts.size() > 3) text += " + " + std::to_string(texts.size() - 3) + " more...";
  return text;
}

// ---- volumes

std::string AccessModes(const Json* modes) {
  std::string text;
  for (const auto& [mode, letters] :
       {std::pair("ReadWriteOnce", "RWO"), std::pair("ReadOnlyMany", "ROX"),
        std::pair("ReadWriteMany", "RWX"), std::pair("ReadWriteOncePod", "RWOP")}) {
    const Json::Array& given = Items(modes);
    if (std::find(given.begin(), given.end(), Json(mode)) != given.end()) JoinInto(text, letters);
  }
  return text;
}

std::string StorageClassOf(const Json& object) {
  const Json* old =
      object.FindPath({"metadata", "annotations", "volume.beta.kubernetes.io/storage-class"});
  return old ? TextOf(old) : object.StringAt({"spec", "storageClassName"});
}

// ---- quota

struct QuotaTexts {
  std::string requests, limits;
};

QuotaTexts QuotaUse(const Json& quota) {
  std::vector<std::string> names;
  for (const Json::Member& entry : Members(quota.FindPath({"status", "hard"}))) {
    names.push_back(entry.key);
  }
  std::sort(names.begin(), names.end());
  QuotaTexts texts;
  for (const std::string& name : names) {
    const std::string used = TextOf(quota.FindPath({"status", "used", name}));
    std::string& text = name.substr(0, 6) == "limits" ? texts.limits : texts.requests;
    if (!text.empty()) text += ", ";
    text += name + ": " + (used.empty() ? "0" : used) + "/" +
            TextOf(quota.FindPath({"status", "hard", name}));
  }
  return texts;
}

}  // namespace

std::vector<Json> ServiceRow(const Json& object, Time now) {
  return {NameOf(object),
          object.StringAt({"spec", "type"}),
          OrNone(object.StringAt({"spec", "clusterIP"})),
          ExternalAddress(object),
          ServicePorts(object),
          CreationAge(object, now),
          LabelsText(object.FindPath({"spec", "selector"}))};
}

std::vector<Json> EndpointsRow(const Json& object, Time now) {
  std::vector<std::string> all;
  for (const Json& subset : Items(object, "subsets")) {
    for (const Json& address : Items(subset, "addresses")) {
      const std::string ip(Text(address, "ip"));
      if (Items(subset, "ports").empty()) all.push_back(ip);
      for (const Json& port : Items(subset, "ports")) {
        all.push_back(ip + ":" + TextOf(port.Find("port")));
      }
    }
  }
  return {NameOf(object), OrNone(FirstOf(all)), CreationAge(object, now)};
}

std::vector<Json> EndpointSliceRow(const Json& object, Time now) {
  std::vector<std::string> ports, addresses;
  for (const Json& port : Items(object, "ports")) {
    const std::string number = TextOf(port.Find("port"));
    ports.push_back(!number.empty() ? number : std::string(Text(port, "name")));
  }
  for (const Json& endpoint : Items(object, "endpoints")) {
    for (const Json& address : Items(endpoint, "addresses")) addresses.push_back(TextOf(&address));
  }
  return {NameOf(object), object.StringAt({"addressType"}), ports.empty() ? kUnset : FirstOf(ports),
          addresses.empty() ? kUnset : FirstOf(addresses), CreationAge(object, now)};
}

std::vector<Json> IngressRow(const Json& object, Time now) {
  std::vector<std::string> hosts;
  std::string addresses;
  for (const Json& rule : Items(object.FindPath({"spec", "rules"}))) {
    if (!Text(rule, "host").empty()) hosts.emplace_back(Text(rule, "host"));
  }
  for (const Json& entry : Items(object.FindPath({"status", "loadBalancer", "ingress"}))) {
    JoinInto(addresses, Text(entry, "ip").empty() ? Text(entry, "hostname") : Text(entry, "ip"));
  }
  const bool tls = !Items(object.FindPath({"spec", "tls"})).empty();
  return {NameOf(object),
          OrNone(object.StringAt({"spec", "ingressClassName"})),
          hosts.empty() ? "*" : FirstOf(hosts),
          addresses,
          tls ? "80, 443" : "80",
          CreationAge(object, now)};
}

std::vector<Json> IngressClassRow(const Json& object, Time now) {
  std::string parameters = kNone;
  if (object.FindPath({"spec", "parameters"})) {
    parameters = object.StringAt({"spec", "parameters", "kind"});
    const std::string group = object.StringAt({"spec", "parameters", "apiGroup"});
    if (!group.empty()) parameters += "." + group;
    parameters += "/" + object.StringAt({"spec", "parameters", "name"});
  }
  return {NameOf(object), object.StringAt({"spec", "controller"}), parameters,
          CreationAge(object, now)};
}

std::vector<Json> NetworkPolicyRow(const Json& object, Time now) {
  return {NameOf(object), SelectorText(object.FindPath({"spec", "podSelector"})),
          CreationAge(object, now)};
}

std::vector<Json> PersistentVolumeRow(const Json& object, Time now) {
  std::string claim;
  if (object.FindPath({"spec", "claimRef"})) {
    claim = object.StringAt({"spec", "claimRef", "namespace"}) + "/" +
            object.StringAt({"spec", "claimRef", "name"});
  }
  const Json* deleted = object.FindPath({"metadata", "deletionTimestamp"});
  return {NameOf(object),
          TextOf(object.FindPath({"spec", "capacity", "storage"})),
          AccessModes(object.FindPath({"spec", "accessModes"})),
          object.StringAt({"spec", "persistentVolumeReclaimPolicy"}),
          deleted && !deleted->IsNull() ? "Terminating" : object.StringAt({"status", "phase"}),
          claim,
          StorageClassOf(object),
          OrUnset(object.StringAt({"spec", "volumeAttributesClassName"})),
          object.StringAt({"status", "reason"}),
          CreationAge(object, now),
          OrUnset(object.StringAt({"spec", "volumeMode"}))};
}

std::vector<Json> PersistentVolumeClaimRow(const Json& object, Time now) {
  const Json* deleted = object.FindPath({"metadata", "deletionTimestamp"});
  const std::string volume = object.StringAt({"spec", "volumeName"});
  const bool bound = !volume.empty();
  std::string capacity = TextOf(object.FindPath({"status", "capacity", "storage"}));
  if (capacity.empty()) capacity = "0";
  return {NameOf(object),
          deleted && !deleted->IsNull() ? "Terminating" : object.StringAt({"status", "phase"}),
          volume,
          bound ? capacity : "",
          bound ? AccessModes(object.FindPath({"status", "accessModes"})) : "",
          StorageClassOf(object),
          OrUnset(object.StringAt({"spec", "volumeAttributesClassName"})),
          CreationAge(object, now),
          OrUnset(object.StringAt({"spec", "volumeMode"}))};
}

std::vector<Json> StorageClassRow(const Json& object, Time now) {
  std::string name = NameOf(object);
  const Json* usual =
      object.FindPath({"metadata", "annotations", "storageclass.kubernetes.io/is-default-class"});
  if (TextOf(usual) == "true") name += " (default)";
  return {name,
          object.StringAt({"provisioner"}),
          object.StringAt({"reclaimPolicy"}),
          object.StringAt({"volumeBindingMode"}),
          True(object, "allowVolumeExpansion"),
          CreationAge(object, now)};
}

std::vector<Json> ResourceQuotaRow(const Json& object, Time now) {
  const QuotaTexts texts = QuotaUse(object);
  return {NameOf(object), texts.requests, texts.limits, CreationAge(object, now)};
}

std::vector<Json> PriorityClassRow(const Json& object, Time now) {
  return {NameOf(object), Int(object, "value").value_or(0), True(object, "globalDefault"),
          CreationAge(object, now), object.StringAt({"preemptionPolicy"})};
}

std::vector<Json> RuntimeClassRow(const Json& object, Time now) {
  return {NameOf(object), object.StringAt({"handler"}), CreationAge(object, now)};
}

std::vector<Json> RoleBindingRow(const Json& object, Time now) {
  std::string users, groups, accounts;
  for (const Json& subject : Items(object, "subjects")) {
    const std::string_view kind = Text(subject, "kind");
    const std::string name(Text(subject, "name"));
    const auto join = [](std::string& list, const std::string& text) {
      if (!list.empty()) list += ", ";
      list += text;
    };
    if (kind == "User") join(users, name);
    if (kind == "Group") join(groups, name);
    if (kind == "ServiceAccount") {
      join(accounts, std::string(Text(subject, "namespace")) + "/" + name);
    }
  }
  return {NameOf(object),
          object.StringAt({"roleRef", "kind"}) + "/" + object.StringAt({"roleRef", "name"}),
          CreationAge(object, now),
          users,
          groups,
          accounts};
}

std::vector<Json> WebhookConfigurationRow(const Json& object, Time now) {
  return {NameOf(object), static_cast<int64_t>(Items(object, "webhooks").size()),
          CreationAge(object, now)};
}

std::vector<Json> AdmissionPolicyRow(const Json& object, Time now) {
  std::string parameters = kUnset;
  if (object.FindPath({"spec", "paramKind"})) {
    parameters = object.StringAt({"spec", "paramKind", "apiVersion"}) + "/" +
                 object.StringAt({"spec", "paramKind", "kind"});
  }
  const Json::Array& validations = Items(object.FindPath({"spec", "validations"}));
  return {NameOf(object), static_cast<int64_t>(validations.size()), parameters,
          CreationAge(object, now)};
}

std::vector<Json> PolicyBindingRow(const Json& object, Time now) {
  std::string parameters = kUnset;
  if (const Json* reference = object.FindPath({"spec", "paramRef"})) {
    const std::string_view space = Text(*reference, "namespace");
    const std::string_view name = Text(*reference, "name");
    if (!name.empty()) {
      parameters = (space.empty() ? "*" : std::string(space)) + "/" + std::string(name);
    } else if (reference->Find("selector")) {
      parameters = SelectorText(reference->Find("selector"));
    }
  }
  return {NameOf(object), object.StringAt({"spec", "policyName"}), parameters,
          CreationAge(object, now)};
}

std::vector<Json> ApiServiceRow(const Json& object, Time now) {
  std::string service = "Local";
  if (object.FindPath({"spec", "service"})) {
    service = object.StringAt({"spec", "service", "namespace"}) + "/" +
              object.StringAt({"spec", "service", "name"});
  }
  std::string available = "Unknown";
  for (const Json& condition : Items(object.FindPath({"status", "conditions"}))) {
    if (Text(condition, "type") != "Available") continue;
    available = std::string(Text(condition, "status"));
    if (available != "True" && !Text(condition, "reason").empty()) {
      available += " (" + std::string(Text(condition, "reason")) + ")";
    }
  }
  return {NameOf(object), service, available, CreationAge(object, now)};
}

}  // namespace kueue::api
