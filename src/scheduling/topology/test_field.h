#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scheduling/topology/placement.h"

namespace kueue::scheduling::topology {

// A small cluster of hosts for tests: capacities in pods of one cpu, `pods` never limiting.
class Field {
 public:
  // Level keys are "block", "rack" and the hostname; `levels`: the lowest so many of them.
  explicit Field(int levels) : space_("tas", nodes_, holdings_) {
    const std::vector<std::string> all{"block", "rack", kHostname};
    SpaceSpec spec;
    spec.keys.assign(all.end() - levels, all.end());
    space_.SetSpec(spec);
  }
  // "b1/r1/a:2" or, with fewer levels, "r1/a:2" or "a:2", separated by spaces.
  explicit Field(int levels, const std::string& hosts) : Field(levels) {
    size_t at = 0;
    while (at < hosts.size()) {
      const size_t end = std::min(hosts.find(' ', at), hosts.size());
      AddHost(hosts.substr(at, end - at));
      at = end + 1;
    }
  }

  static std::shared_ptr<api::Node> NewNode(const std::string& name, int cpus) {
    auto node = std::make_shared<api::Node>();
    node->metadata.name = name;
    node->metadata.labels[kHostname] = name;
    node->status.allocatable["cpu"] = *resources::Quantity::Parse(std::to_string(cpus));
    node->status.allocatable["pods"] = *resources::Quantity::Parse("1000");
    api::NodeCondition ready;
    ready.type = "Ready";
    ready.status = api::ConditionStatus::kTrue;
    node->status.conditions.push_back(ready);
    return node;
  }
  void AddHost(const std::string& text) {
    const size_t colon = text.find(':');
    const std::string path = text.substr(0, colon);
    const size_t slash = path.rfind('/');
    auto node = NewNode(slash == std::string::npos ? path : path.substr(slash + 1),
                        std::stoi(text.substr(colon + 1)));
    if (slash != std::string::npos) {
      const std::string above = path.substr(0, slash);
      const size_t first = above.find('/');
      node->metadata.labels["rack"] = first == std::string::npos ? above : above.substr(first + 1);
      if (first != std::string::npos) node->metadata.labels["block"] = above.substr(0, first);
    }
    Set(node);
  }
  void Set(const std::shared_ptr<const api::Node>& node) { space_.NodeChanged(nodes_.Set(node)); }
  void Delete(const std::string& name) {
    Row row = 0;
    if (!nodes_.Find(name, row)) return;
    space_.NodeLeaves(row);
    nodes_.Delete(row);
  }

  // `count` pods of `cpus` each.
  Request Ask(int32_t count, int cpus = 1) {
    Request request;
    request.count = count;
    request.per_pod = {{catalog_.Resource("cpu"), int64_t{1000} * cpus}};
    request.pod = pod_;
    return request;
  }
  Request Required(const std::string& level, int32_t count) {
    Request request = Ask(count);
    request.topology.required = level;
    return request;
  }
  Request Preferred(const std::string& level, int32_t count) {
    Request request = Ask(count);
    request.topology.preferred = level;
    return request;
  }
  Request Unconstrained(int32_t count) {
    Request request = Ask(count);
    request.topology.unconstrained = true;
    return request;
  }
  static Request Slices(Request request, const std::string& level, int32_t size) {
    request.topology.pod_set_slice_required_topology = level;
    request.topology.pod_set_slice_size = size;
    return request;
  }

  std::string Show(const Portions& portions) const {
    std::string text;
    for (const Portion& portion : portions) {
      text += (text.empty() ? "" : " ") + space_.Value(portion.site, space_.depth() - 1) + ":" +
              std::to_string(portion.count);
    }
    return text;
  }
  Placed Try(const Request& workers, const Request* leader = nullptr,
             const Conditions& conditions = {}) {
    return Place({space_, tables_}, workers, leader, conditions, rules_, catalog_);
  }
  // The hosts and pods on them, or why there are none.
  std::string Put(const Request& workers, const Request* leader = nullptr) {
    const Placed placed = Try(workers, leader);
    if (!placed.ok) return "not fit";
    return leader == nullptr ? Show(placed.workers)
                             : Show(placed.leader) + " | " + Show(placed.workers);
  }
  // Pods of one cpu that a Workload holds from now on.
  void Charge(const std::string& host, int64_t count, int cpus = 1) {
    const Holdings::Entry entry = holdings_.Hold(host);
    holdings_.Add(entry, WithPods({{catalog_.Resource("cpu"), int64_t{1000} * cpus}}, 1, catalog_),
                  count);
  }

  Rules& rules() { return rules_; }
  Space& space() { return space_; }
  Catalog& catalog() { return catalog_; }
  api::PodSpec& pod() { return *pod_; }
  Ground ground() { return {space_, tables_}; }

 private:
  Catalog catalog_;
  PlainPods pods_{catalog_};
  NodeTable nodes_{catalog_, pods_};
  Holdings holdings_;
  Space space_;
  Tables tables_;
  Rules rules_;
  std::shared_ptr<api::PodSpec> pod_ = std::make_shared<api::PodSpec>();
};

}  // namespace kueue::scheduling::topology
