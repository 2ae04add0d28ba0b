#include "localcluster/node_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace kueue::localcluster {
namespace {

using resources::Quantity;

constexpr int32_t kMostNodes = 100000;

base::Error Wrong(std::string_view part, std::string_view what) {
  return base::Invalid(fmt::format("node spec: '{}': {}", part.substr(0, 100), what));
}

bool IsAlphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters, digits, '-', '_', '.', with a letter or digit at both ends; at most 63 characters.
bool IsNamePart(std::string_view text) {
  return !text.empty() && text.size() <= 63 && IsAlphanumeric(text.front()) &&
         IsAlphanumeric(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

// A name with an optional DNS prefix: "gpu", "nvidia.com/gpu".
bool IsQualifiedName(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return IsNamePart(text);
  const std::string_view domain = text.substr(0, slash);
  return !domain.empty() && domain.size() <= 253 && IsNamePart(text.substr(slash + 1)) &&
         std::all_of(domain.begin(), domain.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
         });
}

bool IsNodePrefix(std::string_view text) {
  return IsNamePart(text) && text.size() <= 50 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
         });
}

base::Status AddTaint(NodeGroup& group, std::string_view item, std::string_view text) {
  const size_t colon = text.rfind(':');
  const std::string_view effect =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
    return Wrong(item,
                 "write a taint as taint:key=value:Effect with the effect NoSchedule, "
                 "PreferNoSchedule or NoExecute");
  }
  const std::string_view pair = text.substr(0, colon);
  const size_t equals = std::min(pair.find('='), pair.size());
  api::Taint taint;
  taint.key = std::string(pair.substr(0, equals));
  taint.value = std::string(pair.substr(std::min(equals + 1, pair.size())));
  taint.effect = std::string(effect);
  if (!IsQualifiedName(taint.key)) return Wrong(item, "the taint's key is not a qualified name");
  if (!taint.value.empty() && !IsNamePart(taint.value)) {
    return Wrong(item, "the taint's value is not a valid label value");
  }
  group.taints.push_back(std::move(taint));
  return {};
}

base::Status AddLabel(NodeGroup& group, std::string_view item, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return Wrong(item, "write a label as label:key=value");
  const std::string_view key = text.substr(0, equals), value = text.substr(equals + 1);
  if (!IsQualifiedName(key)) return Wrong(item, "the label's key is not a qualified name");
  if (!value.empty() && !IsNamePart(value)) {
    return Wrong(item,
                 "a label's value has at most 63 letters, digits, '-', '_' and '.', and "
                 "begins and ends with a letter or digit");
  }
  if (!group.labels.emplace(std::string(key), std::string(value)).second) {
    return Wrong(item, "this label is written twice");
  }
  return {};
}

base::Status AddResource(NodeGroup& group, std::string_view item, std::string_view name,
                         std::string_view value) {
  if (!IsQualifiedName(name)) return Wrong(item, "this is not a resource name");
  const auto quantity = Quantity::Parse(value);
  if (!quantity.ok()) return Wrong(item, quantity.error().message);
  if (quantity->Sign() < 0) return Wrong(item, "a node cannot have less than nothing");
  if (!group.capacity.emplace(std::string(name), *quantity).second) {
    return Wrong(item, "this resource is written twice");
  }
  return {};
}

base::Status AddItem(NodeGroup& group, std::string_view item) {
  if (item.substr(0, 6) == "label:") return AddLabel(group, item, item.substr(6));
  if (item.substr(0, 6) == "taint:") return AddTaint(group, item, item.substr(6));
  const size_t equals = item.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Wrong(item,
                 "write resource=quantity, name-prefix=text, label:key=value or "
                 "taint:key=value:Effect");
  }
  const std::string_view name = item.substr(0, equals), value = item.substr(equals + 1);
  if (name != "name-prefix") return AddResource(group, item, name, value);
  if (!IsNodePrefix(value)) {
    return Wrong(item,
                 "a node name has lower-case letters, digits, '-' and '.', at most 50 of "
                 "them in the prefix");
  }
  group.name_prefix = std::string(value);
  return {};
}

// Pieces between commas that stand outside brackets.
std::vector<std::string_view> SplitOutsideBrackets(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      parts.push_back(text.substr(start, i - start));
      start = i + 1;
    } else {
      if (text[i] == '(') ++depth;
      if (text[i] == ')') --depth;
    }
  }
  return parts;
}

base::Status FillGroup(NodeGroup& group, std::string_view items) {
  for (const std::string_view item : SplitOutsideBrackets(items)) {
    if (auto added = AddItem(group, item); !added.ok()) return added;
  }
  group.text = std::string(items);
  const auto cpu = group.capacity.find("cpu");
  if (cpu == group.capacity.end()) {
    return Wrong(items, "say how many CPUs such a node has, for example cpu=8");
  }
  group.capacity.emplace("memory", Quantity::FromUnits(cpu->second.Units() * (int64_t{4} << 30),
                                                       Quantity::Format::kBinarySI));
  group.capacity.emplace("ephemeral-storage",
                         Quantity::FromUnits(int64_t{100} << 30, Quantity::Format::kBinarySI));
  group.capacity.emplace("pods", Quantity::FromUnits(110));
  return {};
}

// "4x(...)" or "(...)".
base::Result<NodeGroup> ParseBracketed(std::string_view part) {
  const size_t open = part.find('(');
  if (part.back() != ')' || std::count(part.begin(), part.end(), '(') != 1 ||
      std::count(part.begin(), part.end(), ')') != 1) {
    return Wrong(part, "write a group of nodes as 4x(cpu=8,memory=32Gi)");
  }
  NodeGroup group;
  std::string_view head = part.substr(0, open);
  if (!head.empty()) {
    const char* const end = head.data() + head.size() - 1;
    const auto [stop, error] = std::from_chars(head.data(), end, group.count);
    if (head.back() != 'x' || error != std::errc() || stop != end || group.count < 1 ||
        group.count > kMostNodes) {
      return Wrong(part, fmt::format("the number of nodes stands in front, from 1 to {}, as in "
                                     "4x(cpu=8)",
                                     kMostNodes));
    }
  }
  if (auto filled = FillGroup(group, part.substr(open + 1, part.size() - open - 2)); !filled.ok()) {
    return filled.error();
  }
  return group;
}

std::string Address(int first, int64_t number) {
  return fmt::format("{}.{}.{}.{}", first, number >> 16 & 255, number >> 8 & 255, number & 255);
}

api::NodeCondition Condition(const char* type, bool status, const char* reason, const char* message,
                             base::Time now) {
  api::NodeCondition condition;
  condition.type = type;
  condition.status = status ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
  condition.last_heartbeat_time = condition.last_transition_time = base::CutToSeconds(now);
  condition.reason = reason;
  condition.message = message;
  return condition;
}

api::NodeStatus StatusOf(const NodeGroup& group, const std::string& name, int64_t number,
                         base::Time now) {
  api::NodeStatus status;
  status.capacity = status.allocatable = group.capacity;
  status.conditions = {
      Condition("MemoryPressure", false, "KubeletHasSufficientMemory",
                "the simulated node has enough memory", now),
      Condition("DiskPressure", false, "KubeletHasNoDiskPressure",
                "the simulated node has enough disk space", now),
      Condition("PIDPressure", false, "KubeletHasSufficientPID",
                "the simulated node has enough process ids", now),
      Condition("Ready", true, "KubeletReady", "the simulated node takes pods", now)};
  status.addresses.resize(2);
  status.addresses[0].type = "InternalIP";
  status.addresses[0].address = Address(172, (int64_t{16} << 16) + number);
  status.addresses[1].type = "Hostname";
  status.addresses[1].address = name;
  api::NodeSystemInfo& info = status.node_info;
  info.machine_id = info.system_uuid = info.boot_id = name;
  info.kernel_version = "simulated";
  info.os_image = "simulated";
  info.container_runtime_version = "simulated://1";
  info.kubelet_version = "v1.36.0";
  info.kube_proxy_version = "v1.36.0";
  info.operating_system = "linux";
  info.architecture = "amd64";
  return status;
}

}  // namespace

base::Result<std::vector<NodeGroup>> ParseNodeSpec(std::string_view text) {
  std::string dense;
  std::copy_if(text.begin(), text.end(), std::back_inserter(dense),
               [](char c) { return c != ' ' && c != '\t' && c != '\n' && c != '\r'; });
  if (dense.empty()) return Wrong(text, "nothing is written; an example is 4x(cpu=8,memory=32Gi)");
  std::vector<NodeGroup> groups;
  std::string loose;  // items without brackets that stand side by side: one node
  const auto close_loose = [&]() -> base::Status {
    if (loose.empty()) return {};
    NodeGroup group;
    if (auto filled = FillGroup(group, loose); !filled.ok()) return filled;
    groups.push_back(std::move(group));
    loose.clear();
    return {};
  };
  for (const std::string_view part : SplitOutsideBrackets(dense)) {
    if (part.empty()) return Wrong(dense, "there is nothing between two commas, or at an end");
    if (part.find_first_of("()") == std::string_view::npos) {
      loose += (loose.empty() ? "" : ",") + std::string(part);
      continue;
    }
    if (auto closed = close_loose(); !closed.ok()) return closed.error();
    auto group = ParseBracketed(part);
    if (!group.ok()) return group.error();
    groups.push_back(std::move(*group));
  }
  if (auto closed = close_loose(); !closed.ok()) return closed.error();
  int64_t total = 0;
  for (const NodeGroup& group : groups) total += group.count;
  if (total > kMostNodes) {
    return Wrong(dense, fmt::format("{} nodes in all; at most {} are allowed", total, kMostNodes));
  }
  return groups;
}

std::vector<api::Node> BuildNodes(const std::vector<NodeGroup>& groups, base::Time now) {
  std::vector<api::Node> nodes;
  std::map<std::string, int32_t> last_of_prefix;
  for (const NodeGroup& group : groups) {
    for (int32_t i = 0; i < group.count; ++i) {
      const int64_t number = static_cast<int64_t>(nodes.size()) + 1;
      api::Node node;
      const int32_t ordinal = ++last_of_prefix[group.name_prefix];
      node.metadata.name = fmt::format("{}-{}", group.name_prefix, ordinal);
      node.metadata.labels = group.labels;
      node.metadata.labels["kubernetes.io/hostname"] = node.metadata.name;
      node.metadata.labels.emplace("kubernetes.io/os", "linux");
      node.metadata.labels.emplace("kubernetes.io/arch", "amd64");
      node.metadata.annotations[kNodeSpecAnnotation] = group.text;
      // A network of 256 addresses each, so that a pod's address tells its node.
      node.spec.pod_cidr = fmt::format("10.{}.{}.0/24", number >> 8 & 255, number & 255);
      node.spec.provider_id = "simulated://" + node.metadata.name;
      node.spec.taints = group.taints;
      node.status = StatusOf(group, node.metadata.name, number, now);
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

}  // namespace kueue::localcluster
