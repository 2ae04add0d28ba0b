#include "api/schema/columns_built_in.h"

#include <algorithm>

#include "api/schema/validation_parts.h"
#include "base/time.h"

namespace kueue::api {
namespace {

std::string LowerCase(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

bool IsTrue(const Json& object, std::string_view condition) {
  for (const Json& item : Items(object.FindPath({"status", "conditions"}))) {
    if (Text(item, "type") == condition) return Text(item, "status") == "True";
  }
  return false;
}

// ---- jobs

std::string JobStatusText(const Json& job) {
  if (IsTrue(job, "Complete")) return "Complete";
  if (IsTrue(job, "Failed")) return "Failed";
  const Json* deleted = job.FindPath({"metadata", "deletionTimestamp"});
  if (deleted && !deleted->IsNull()) return "Terminating";
  for (const char* condition : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (IsTrue(job, condition)) return condition;
  }
  return "Running";
}

std::string JobCompletions(const Json& job) {
  const Json* spec = job.Find("spec");
  const Json* status = job.Find("status");
  const int64_t succeeded = status ? Int(*status, "succeeded").value_or(0) : 0;
  const auto completions = spec ? Int(*spec, "completions") : std::nullopt;
  const int64_t parallelism = spec ? Int(*spec, "parallelism").value_or(1) : 1;
  std::string text = std::to_string(succeeded) + "/";
  if (completions) return text + std::to_string(*completions);
  text += "1";
  if (parallelism > 1) text += " of " + std::to_string(parallelism);
  return text;
}

std::string JobDuration(const Json& job, Time now) {
  const auto start = base::ParseTime(job.StringAt({"status", "startTime"}));
  if (!start.ok()) return "";
  const auto end = base::ParseTime(job.StringAt({"status", "completionTime"}));
  return base::FormatAge((end.ok() ? *end : now) - *start);
}

// ---- nodes

std::string NodeStatusText(const Json& node) {
  std::string text = "Unknown";
  for (const Json& condition : Items(node.FindPath({"status", "conditions"}))) {
    if (Text(condition, "type") != "Ready") continue;
    text = Text(condition, "status") == "True" ? "Ready" : "NotReady";
  }
  const Json* spec = node.Find("spec");
  if (spec && True(*spec, "unschedulable")) text += ",SchedulingDisabled";
  return text;
}

std::string NodeRoles(const Json& node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::vector<std::string> roles;
  for (const Json::Member& label : Members(node.FindPath({"metadata", "labels"}))) {
    const std::string_view key = label.key;
    if (key.substr(0, kPrefix.size()) == kPrefix && key.size() > kPrefix.size()) {
      roles.emplace_back(key.substr(kPrefix.size()));
    } else if (key == "kubernetes.io/role" && label.value.IsString() &&
               !label.value.AsString().empty()) {
      roles.push_back(label.value.AsString());
    }
  }
  std::sort(roles.begin(), roles.end());
  roles.erase(std::unique(roles.begin(), roles.end()), roles.end());
  std::string text;
  for (const std::string& role : roles) JoinInto(text, role);
  return OrNone(text);
}

std::string NodeAddressText(const Json& node, std::string_view type) {
  for (const Json& address : Items(node.FindPath({"status", "addresses"}))) {
    if (Text(address, "type") == type) return std::string(Text(address, "address"));
  }
  return kNone;
}

std::string NodeInfo(const Json& node, std::string_view member) {
  const std::string text = node.StringAt({"status", "nodeInfo", member});
  return text.empty() ? "<unknown>" : text;
}

// ---- events

std::string EventSourceText(const Json& event) {
  std::string component, host;
  for (const char* source : {"source", "deprecatedSource"}) {
    if (component.empty()) component = event.StringAt({source, "component"});
    if (host.empty()) host = event.StringAt({source, "host"});
  }
  for (const char* member : {"reportingComponent", "reportingController"}) {
    if (component.empty()) component = event.StringAt({member});
  }
  if (host.empty()) host = event.StringAt({"reportingInstance"});
  if (host.empty()) return component;
  return component + ", " + host;
}

int64_t EventCount(const Json& event) {
  if (const Json* series = event.Find("series"); series && series->IsObject()) {
    return Int(*series, "count").value_or(0);
  }
  const int64_t count = Int(event, "count").value_or(Int(event, "deprecatedCount").value_or(0));
  return count == 0 ? 1 : count;
}

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// An event's members have other names in events.k8s.io.
std::vector<Json> EventCells(const Json& event, Time now, const char* of_member,
                             const char* first_member, const char* last_member,
                             const char* message) {
  const std::string at = AgeAt(event, {"eventTime"}, now);
  const std::string first = AgeAt(event, {first_member}, now, at);
  const std::string seen = AgeAt(event, {"series", "lastObservedTime"}, now, first);
  const std::string last = AgeAt(event, {last_member}, now, seen);
  const std::string of = event.StringAt({of_member, "name"});
  std::string target = LowerCase(event.StringAt({of_member, "kind"}));
  if (!of.empty()) target += "/" + of;
  return {last,
          event.StringAt({"type"}),
          event.StringAt({"reason"}),
          target,
          event.StringAt({of_member, "fieldPath"}),
          EventSourceText(event),
          Trimmed(event.StringAt({message})),
          first,
          EventCount(event),
          NameOf(event)};
}

}  // namespace

std::string NameOf(const Json& object) { return object.StringAt({"metadata", "name"}); }

std::string CreationAge(const Json& object, Time now) {
  return AgeAt(object, {"metadata", "creationTimestamp"}, now);
}

std::string OrNone(std::string text) { return text.empty() ? kNone : text; }

void JoinInto(std::string& list, std::string_view text) {
  if (!list.empty()) list += ',';
  list += text;
}

int64_t EntriesOf(const Json& object, std::string_view member) {
  return static_cast<int64_t>(Members(object.Find(member)).size());
}

std::string LabelsText(const Json* labels) {
  std::vector<std::string> texts;
  for (const Json::Member& label : Members(labels)) {
    texts.push_back(label.key + "=" + (label.value.IsString() ? label.value.AsString() : ""));
  }
  std::sort(texts.begin(), texts.end());
  std::string text;
  for (const std::string& label : texts) JoinInto(text, label);
  return OrNone(text);
}

std::string SelectorText(const Json* selector) {
  if (!selector || !selector->IsObject()) return kNone;
  std::string text;
  if (const Json* labels = selector->Find("matchLabels"); labels && labels->size() > 0) {
    text = LabelsText(labels);
  }
  for (const Json& requirement : Items(*selector, "matchExpressions")) {
    const std::string key(Text(requirement, "key"));
    const std::string_view op = Text(requirement, "operator");
    std::string values;
    for (const Json& value : Items(requirement, "values")) {
      if (value.IsString()) JoinInto(values, value.AsString());
    }
    if (op == "In") JoinInto(text, key + " in (" + values + ")");
    if (op == "NotIn") JoinInto(text, key + " notin (" + values + ")");
    if (op == "Exists") JoinInto(text, key);
    if (op == "DoesNotExist") JoinInto(text, "!" + key);
  }
  return OrNone(text);
}

std::pair<std::string, std::string> ContainersOf(const Json* pod_spec) {
  std::string names, images;
  if (!pod_spec) return {};
  for (const Json& container : Items(*pod_spec, "containers")) {
    JoinInto(names, Text(container, "name"));
    JoinInto(images, Text(container, "image"));
  }
  return {names, images};
}

std::vector<Json> ConfigMapRow(const Json& object, Time now) {
  return {NameOf(object), EntriesOf(object, "data") + EntriesOf(object, "binaryData"),
          CreationAge(object, now)};
}

std::vector<Json> SecretRow(const Json& object, Time now) {
  return {NameOf(object), object.StringAt({"type"}), EntriesOf(object, "data"),
          CreationAge(object, now)};
}

std::vector<Json> LeaseRow(const Json& object, Time now) {
  return {NameOf(object), object.StringAt({"spec", "holderIdentity"}), CreationAge(object, now)};
}

std::vector<Json> NamespaceRow(const Json& object, Time now) {
  return {NameOf(object), object.StringAt({"status", "phase"}), CreationAge(object, now)};
}

std::vector<Json> NodeRow(const Json& object, Time now) {
  return {NameOf(object),
          NodeStatusText(object),
          NodeRoles(object),
          CreationAge(object, now),
          object.StringAt({"status", "nodeInfo", "kubeletVersion"}),
          NodeAddressText(object, "InternalIP"),
          NodeAddressText(object, "ExternalIP"),
          NodeInfo(object, "osImage"),
          NodeInfo(object, "kernelVersion"),
          NodeInfo(object, "containerRuntimeVersion")};
}

std::vector<Json> JobRow(const Json& object, Time now) {
  const auto [names, images] = ContainersOf(object.FindPath({"spec", "template", "spec"}));
  return {NameOf(object),
          JobStatusText(object),
          JobCompletions(object),
          JobDuration(object, now),
          CreationAge(object, now),
          names,
          images,
          SelectorText(object.FindPath({"spec", "selector"}))};
}

std::vector<Json> EventRow(const Json& object, Time now) {
  return EventCells(object, now, "involvedObject", "firstTimestamp", "lastTimestamp", "message");
}

std::vector<Json> NewEventRow(const Json& object, Time now) {
  return EventCells(object, now, "regarding", "deprecatedFirstTimestamp", "deprecatedLastTimestamp",
                    "note");
}

std::vector<Json> NameAndAgeRow(const Json& object, Time now) {
  return {NameOf(object), CreationAge(object, now)};
}

}  // namespace kueue::api
