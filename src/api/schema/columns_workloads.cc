#include "api/schema/columns_built_in.h"
#include "api/schema/validation_parts.h"

// Rows of the kinds that make pods, and of those that speak about pods.
namespace kueue::api {
namespace {

int64_t Number(const Json& object, std::string_view part, std::string_view member) {
  const Json* inside = object.Find(part);
  return inside ? Int(*inside, member).value_or(0) : 0;
}

// "ready/wanted"
std::string ReadyText(const Json& object) {
  return std::to_string(Number(object, "status", "readyReplicas")) + "/" +
         std::to_string(Number(object, "spec", "replicas"));
}

// An integer or a percentage.
std::string IntOrText(const Json& object, std::string_view member) {
  const Json* value = object.FindPath({"spec", member});
  if (!value || value->IsNull()) return "N/A";
  return value->IsNumber() ? value->NumberText() : value->IsString() ? value->AsString() : "";
}

}  // namespace

std::vector<Json> DeploymentRow(const Json& object, Time now) {
  const auto [names, images] = ContainersOf(object.FindPath({"spec", "template", "spec"}));
  return {NameOf(object),
          ReadyText(object),
          Number(object, "status", "updatedReplicas"),
          Number(object, "status", "availableReplicas"),
          CreationAge(object, now),
          names,
          images,
          SelectorText(object.FindPath({"spec", "selector"}))};
}

std::vector<Json> StatefulSetRow(const Json& object, Time now) {
  const auto [names, images] = ContainersOf(object.FindPath({"spec", "template", "spec"}));
  return {NameOf(object), ReadyText(object), CreationAge(object, now), names, images};
}

// Also of a ReplicationController, whose selector is a plain map.
std::vector<Json> ReplicaSetRow(const Json& object, Time now) {
  const auto [names, images] = ContainersOf(object.FindPath({"spec", "template", "spec"}));
  const Json* selector = object.FindPath({"spec", "selector"});
  const bool plain = object.StringAt({"kind"}) == "ReplicationController";
  return {NameOf(object),
          Number(object, "spec", "replicas"),
          Number(object, "status", "replicas"),
          Number(object, "status", "readyReplicas"),
          CreationAge(object, now),
          names,
          images,
          plain ? LabelsText(selector) : SelectorText(selector)};
}

std::vector<Json> DaemonSetRow(const Json& object, Time now) {
  const auto [names, images] = ContainersOf(object.FindPath({"spec", "template", "spec"}));
  return {NameOf(object),
          Number(object, "status", "desiredNumberScheduled"),
          Number(object, "status", "currentNumberScheduled"),
          Number(object, "status", "numberReady"),
          Number(object, "status", "updatedNumberScheduled"),
          Number(object, "status", "numberAvailable"),
          LabelsText(object.FindPath({"spec", "template", "spec", "nodeSelector"})),
          CreationAge(object, now),
          names,
          images,
          SelectorText(object.FindPath({"spec", "selector"}))};
}

std::vector<Json> CronJobRow(const Json& object, Time now) {
  const Json* spec = object.Find("spec");
  const auto [names, images] =
      ContainersOf(object.FindPath({"spec", "jobTemplate", "spec", "template", "spec"}));
  return {NameOf(object),
          object.StringAt({"spec", "schedule"}),
          OrNone(object.StringAt({"spec", "timeZone"})),
          spec && True(*spec, "suspend") ? "True" : "False",
          static_cast<int64_t>(Items(object.FindPath({"status", "active"})).size()),
          AgeAt(object, {"status", "lastScheduleTime"}, now, kNone),
          CreationAge(object, now),
          names,
          images,
          SelectorText(object.FindPath({"spec", "jobTemplate", "spec", "selector"}))};
}

std::vector<Json> PodTemplateRow(const Json& object, Time) {
  const auto [names, images] = ContainersOf(object.FindPath({"template", "spec"}));
  return {NameOf(object), names, images,
          LabelsText(object.FindPath({"template", "metadata", "labels"}))};
}

std::vector<Json> PodDisruptionBudgetRow(const Json& object, Time now) {
  return {NameOf(object), IntOrText(object, "minAvailable"), IntOrText(object, "maxUnavailable"),
          Number(object, "status", "disruptionsAllowed"), CreationAge(object, now)};
}

std::vector<Json> ControllerRevisionRow(const Json& object, Time now) {
  std::string owner;
  for (const Json& reference : Items(object.FindPath({"metadata", "ownerReferences"}))) {
    if (!True(reference, "controller")) continue;
    const std::string version(Text(reference, "apiVersion"));
    owner = std::string(Text(reference, "kind"));
    for (char& c : owner) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (const size_t slash = version.find('/'); slash != std::string::npos) {
      owner += "." + version.substr(0, slash);
    }
    owner += "/" + std::string(Text(reference, "name"));
  }
  return {NameOf(object), OrNone(owner), Int(object, "revision").value_or(0),
          CreationAge(object, now)};
}

std::vector<Json> ResourceClaimRow(const Json& object, Time now) {
  const Json* status = object.Find("status");
  const Json* deleted = object.FindPath({"metadata", "deletionTimestamp"});
  std::string state;
  if (deleted && !deleted->IsNull()) JoinInto(state, "deleted");
  const bool allocated = status && status->Find("allocation");
  JoinInto(state, allocated ? "allocated" : "pending");
  if (status && Items(*status, "reservedFor").size() > 0) JoinInto(state, "reserved");
  return {NameOf(object), state, CreationAge(object, now)};
}

std::vector<Json> ResourceSliceRow(const Json& object, Time now) {
  const Json* all = object.FindPath({"spec", "allNodes"});
  std::string node = object.StringAt({"spec", "nodeName"});
  if (node.empty()) {
    node = all && all->IsBool() && all->AsBool()       ? "<all>"
           : object.FindPath({"spec", "nodeSelector"}) ? "<labels>"
                                                       : "<unset>";
  }
  return {NameOf(object), node, object.StringAt({"spec", "driver"}),
          object.StringAt({"spec", "pool", "name"}), CreationAge(object, now)};
}

}  // namespace kueue::api
