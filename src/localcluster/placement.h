#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/types/core.h"

namespace kueue::localcluster {

// Where a pod may go.
struct Choice {
  std::string node_name;  // empty: nowhere
  std::string why_not;    // if nowhere: a sentence with counts, "0/4 nodes are available: ..."
};

// What nodes have and what pods take of it; finds a node for a pod. Not thread-safe.
//
// A node is possible if it is ready and schedulable, its taints are tolerated, selector and
// required node affinity match, and all requests and one pod more fit into its allocatable. Among
// those: the largest weight of preferred node affinity, then the fewest untolerated
// PreferNoSchedule taints, then the largest free share after placing (mean over the requested
// resources, in thousandths), then the fewest pods, then the name. Integers only.
class Placement {
 public:
  void SetNode(std::shared_ptr<const api::Node> node);
  void RemoveNode(const std::string& name);

  // The pod takes its requests from that node (whether known or not) from now on; an earlier place
  // of the same pod is given up.
  void Occupy(const std::string& pod_uid, const std::string& node_name, const api::PodSpec& pod);
  // True if that made room.
  bool Release(const std::string& pod_uid);

  Choice Choose(const api::PodSpec& pod);

 private:
  // (resource, units) of what a pod asks for; positive entries only.
  using Requests = std::vector<std::pair<int, int64_t>>;
  struct Room {
    std::shared_ptr<const api::Node> node;   // null: pods name it, but it does not exist
    std::vector<int64_t> allocatable, used;  // by resource; shorter means 0
    int64_t pods = 0, most_pods = 0;
  };
  struct Place {
    std::string node_name;
    Requests requests;
  };
  struct Score;

  int ResourceId(const std::string& name);
  Requests RequestsOf(const api::PodSpec& pod);
  static int64_t FreeOf(const Room& room, int resource);
  static bool Fits(const Room& room, const Requests& requests);
  static Score ScoreOf(const Room& room, const api::PodSpec& pod, const Requests& requests);
  std::string WhyNot(const api::PodSpec& pod, const Requests& requests) const;
  std::vector<std::string> Obstacles(const Room& room, const api::PodSpec& pod,
                                     const Requests& requests) const;
  void DropIfUnused(std::map<std::string, Room>::iterator room);

  std::map<std::string, Room> rooms_;    // by node name
  std::map<std::string, Place> places_;  // by pod uid
  // Names of resources become small numbers, so that comparing capacities touches no text.
  std::map<std::string, int> resource_ids_;
  std::vector<std::string> resource_names_;
};

}  // namespace kueue::localcluster
