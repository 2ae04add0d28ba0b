#include <algorithm>
#include <cctype>

#include "api/schema/columns_built_in.h"
#include "api/schema/conversion_autoscaler.h"
#include "api/schema/validation_parts.h"

// Rows of the kinds by which a cluster's own parts are steered: autoscaling, certificates, flow
// control, storage drivers, addresses, mutating policies.
namespace kueue::api {
namespace {

constexpr char kUnset[] = "<unset>";
constexpr char kUnknown[] = "<unknown>";

std::string TextOf(const Json* value, std::string_view otherwise = "") {
  if (value == nullptr || value->IsNull()) return std::string(otherwise);
  if (value->IsString()) return value->AsString();
  if (value->IsBool()) return value->AsBool() ? "true" : "false";
  return value->IsNumber() ? value->NumberText() : std::string(otherwise);
}

bool BoolAt(const Json& object, std::initializer_list<std::string_view> path, bool otherwise) {
  const Json* value = object.FindPath(path);
  return value != nullptr && value->IsBool() ? value->AsBool() : otherwise;
}

Json NumberAt(const Json& object, std::initializer_list<std::string_view> path, Json otherwise) {
  const Json* value = object.FindPath(path);
  return value != nullptr && value->IsInt() ? *value : otherwise;
}

// ---- autoscaling

// The member of a metric that its type names: "ContainerResource" -> containerResource.
const Json* PartOf(const Json& metric) {
  std::string name(Text(metric, "type"));
  if (!name.empty()) name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  return metric.Find(name);
}

// "cpu: 12%/80%", "500m/1 (avg)": what is measured and what is wanted.
std::string MetricText(const Json& wanted, const Json* measured) {
  const Json* part = PartOf(wanted);
  if (part == nullptr) return "<unknown type>";
  const Json* now = measured != nullptr ? PartOf(*measured) : nullptr;
  const auto current = [&](const char* field) {
    return TextOf(now != nullptr ? now->FindPath({"current", field}) : nullptr, kUnknown);
  };
  const std::string_view type = Text(wanted, "type");
  const bool resource = type == "Resource" || type == "ContainerResource";
  const std::string lead = resource ? std::string(Text(*part, "name")) + ": " : "";
  const Json* average = part->FindPath({"target", "averageValue"});
  if (average != nullptr || type == "Pods") {
    const char* tail = resource || type == "Pods" ? "" : " (avg)";
    return lead + current("averageValue") + "/" + TextOf(average) + tail;
  }
  if (!resource) {
    return current("value") + "/" + TextOf(part->FindPath({"target", "value"}));
  }
  const Json* utilization = part->FindPath({"target", "averageUtilization"});
  const std::string used = current("averageUtilization");
  return lead + (used == kUnknown ? used : used + "%") + "/" +
         (utilization != nullptr ? TextOf(utilization) + "%" : "<auto>");
}

std::string MetricsText(const Json& object) {
  constexpr size_t kShown = 2;
  const Json::Array& wanted = Items(object.FindPath({"spec", "metrics"}));
  const Json::Array& measured = Items(object.FindPath({"status", "currentMetrics"}));
  std::string text;
  for (size_t i = 0; i < std::min(wanted.size(), kShown); ++i) {
    if (i > 0) text += ", ";
    text += MetricText(wanted[i], i < measured.size() ? &measured[i] : nullptr);
  }
  if (wanted.size() > kShown) {
    text += " + " + std::to_string(wanted.size() - kShown) + " more...";
  }
  return OrNone(text);
}

// ---- certificates

std::string RequestState(const Json& object) {
  const auto has = [&](std::string_view type) {
    const Json::Array& conditions = Items(object.FindPath({"status", "conditions"}));
    return std::any_of(conditions.begin(), conditions.end(),
                       [&](const Json& c) { return Text(c, "type") == type; });
  };
  std::string state = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  if (has("Failed")) state += ",Failed";
  if (!object.StringAt({"status", "certificate"}).empty()) state += ",Issued";
  return state;
}

}  // namespace

std::vector<Json> AutoscalerRow(const Json& object, Time now) {
  return {NameOf(object),
          object.StringAt({"spec", "scaleTargetRef", "kind"}) + "/" +
              object.StringAt({"spec", "scaleTargetRef", "name"}),
          MetricsText(object),
          TextOf(object.FindPath({"spec", "minReplicas"}), kUnset),
          NumberAt(object, {"spec", "maxReplicas"}, 0),
          NumberAt(object, {"status", "currentReplicas"}, 0),
          CreationAge(object, now)};
}

std::vector<Json> AutoscalerV1Row(const Json& object, Time now) {
  Json newer = object;
  AutoscalerToV2(newer);
  return AutoscalerRow(newer, now);
}

std::vector<Json> CertificateRequestRow(const Json& object, Time now) {
  std::string wanted = kNone;
  const Json* seconds = object.FindPath({"spec", "expirationSeconds"});
  if (seconds != nullptr && seconds->IsInt()) {
    wanted = base::FormatAge(base::seconds(seconds->AsInt()));
  }
  return {NameOf(object),
          CreationAge(object, now),
          OrNone(object.StringAt({"spec", "signerName"})),
          object.StringAt({"spec", "username"}),
          wanted,
          RequestState(object)};
}

std::vector<Json> ComponentStatusRow(const Json& object, Time) {
  for (const Json& condition : Items(object, "conditions")) {
    if (Text(condition, "type") != "Healthy") continue;
    return {NameOf(object), Text(condition, "status") == "True" ? "Healthy" : "Unhealthy",
            Text(condition, "message"), Text(condition, "error")};
  }
  return {NameOf(object), "Unknown", "", ""};
}

std::vector<Json> CsiDriverRow(const Json& object, Time now) {
  std::string modes, audiences = kUnset;
  for (const Json& mode : Items(object.FindPath({"spec", "volumeLifecycleModes"}))) {
    JoinInto(modes, TextOf(&mode));
  }
  if (const Json* requests = object.FindPath({"spec", "tokenRequests"})) {
    audiences.clear();
    for (const Json& request : Items(requests)) JoinInto(audiences, Text(request, "audience"));
  }
  return {NameOf(object),
          BoolAt(object, {"spec", "attachRequired"}, true),
          BoolAt(object, {"spec", "podInfoOnMount"}, false),
          BoolAt(object, {"spec", "storageCapacity"}, false),
          audiences,
          BoolAt(object, {"spec", "requiresRepublish"}, false),
          OrNone(modes),
          CreationAge(object, now)};
}

std::vector<Json> CsiNodeRow(const Json& object, Time now) {
  const Json::Array& drivers = Items(object.FindPath({"spec", "drivers"}));
  return {NameOf(object), static_cast<int64_t>(drivers.size()), CreationAge(object, now)};
}

std::vector<Json> StorageCapacityRow(const Json& object, Time) {
  return {NameOf(object), object.StringAt({"storageClassName"}),
          TextOf(object.Find("capacity"), kUnset)};
}

std::vector<Json> VolumeAttachmentRow(const Json& object, Time now) {
  return {NameOf(object),
          object.StringAt({"spec", "attacher"}),
          object.StringAt({"spec", "source", "persistentVolumeName"}),
          object.StringAt({"spec", "nodeName"}),
          BoolAt(object, {"status", "attached"}, false),
          CreationAge(object, now)};
}

std::vector<Json> VolumeAttributesClassRow(const Json& object, Time now) {
  return {NameOf(object), object.StringAt({"driverName"}), CreationAge(object, now)};
}

std::vector<Json> FlowSchemaRow(const Json& object, Time now) {
  std::string dangling = "?";
  for (const Json& condition : Items(object.FindPath({"status", "conditions"}))) {
    if (Text(condition, "type") == "Dangling") dangling = Text(condition, "status");
  }
  return {NameOf(object),
          object.StringAt({"spec", "priorityLevelConfiguration", "name"}),
          NumberAt(object, {"spec", "matchingPrecedence"}, 0),
          object.StringAt({"spec", "distinguisherMethod", "type"}, kNone),
          CreationAge(object, now),
          dangling};
}

std::vector<Json> PriorityLevelRow(const Json& object, Time now) {
  return {
      NameOf(object),
      object.StringAt({"spec", "type"}),
      NumberAt(object, {"spec", "limited", "nominalConcurrencyShares"}, kNone),
      NumberAt(object, {"spec", "limited", "limitResponse", "queuing", "queues"}, kNone),
      NumberAt(object, {"spec", "limited", "limitResponse", "queuing", "handSize"}, kNone),
      NumberAt(object, {"spec", "limited", "limitResponse", "queuing", "queueLengthLimit"}, kNone),
      CreationAge(object, now)};
}

std::vector<Json> IpAddressRow(const Json& object, Time now) {
  std::string parent = kNone;
  if (const Json* reference = object.FindPath({"spec", "parentRef"})) {
    const std::string group(Text(*reference, "group")), space(Text(*reference, "namespace"));
    parent = std::string(Text(*reference, "resource")) + (group.empty() ? "" : "." + group);
    std::transform(parent.begin(), parent.end(), parent.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!space.empty()) parent += "/" + space;
    parent += "/" + std::string(Text(*reference, "name"));
  }
  return {NameOf(object), parent, CreationAge(object, now)};
}

std::vector<Json> ServiceCidrRow(const Json& object, Time now) {
  std::string cidrs;
  for (const Json& cidr : Items(object.FindPath({"spec", "cidrs"}))) JoinInto(cidrs, TextOf(&cidr));
  return {NameOf(object), cidrs, CreationAge(object, now)};
}

std::vector<Json> MutatingPolicyRow(const Json& object, Time now) {
  std::string parameters = kUnset;
  if (object.FindPath({"spec", "paramKind"})) {
    parameters = object.StringAt({"spec", "paramKind", "apiVersion"}) + "/" +
                 object.StringAt({"spec", "paramKind", "kind"});
  }
  const Json::Array& mutations = Items(object.FindPath({"spec", "mutations"}));
  return {NameOf(object), static_cast<int64_t>(mutations.size()), parameters,
          CreationAge(object, now)};
}

}  // namespace kueue::api
