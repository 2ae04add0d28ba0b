#include "localcluster/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "api/match/pod_requests.h"
#include "api/match/selector.h"

namespace kueue::localcluster {
namespace {

bool IsReady(const api::Node& node) {
  for (const api::NodeCondition& condition : node.status.conditions) {
    if (condition.type == "Ready") return condition.status == api::ConditionStatus::kTrue;
  }
  return true;  // nobody has said otherwise
}

// An unschedulable node counts as tainted so.
bool SchedulableFor(const api::PodSpec& pod, const api::Node& node) {
  if (!node.spec.unschedulable) return true;
  api::Taint taint;
  taint.key = "node.kubernetes.io/unschedulable";
  taint.effect = "NoSchedule";
  return std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                     [&](const api::Toleration& t) { return api::Tolerates(t, taint); });
}

bool AdmitsPod(const api::PodSpec& pod, const api::Node& node) {
  return IsReady(node) && SchedulableFor(pod, node) &&
         api::ToleratesAll(pod.tolerations, node.spec.taints) && api::MatchesNode(pod, node);
}

int64_t PreferredWeight(const api::PodSpec& pod, const api::Node& node) {
  if (!pod.affinity || !pod.affinity->node_affinity) return 0;
  int64_t weight = 0;
  for (const api::PreferredSchedulingTerm& term :
       pod.affinity->node_affinity->preferred_during_scheduling_ignored_during_execution) {
    api::NodeSelector selector;
    selector.node_selector_terms.push_back(term.preference);
    if (api::MatchesNodeSelector(selector, node.metadata.labels, node.metadata.name)) {
      weight += term.weight;
    }
  }
  return weight;
}

int64_t UnwelcomeTaints(const api::PodSpec& pod, const api::Node& node) {
  return std::count_if(
      node.spec.taints.begin(), node.spec.taints.end(), [&](const api::Taint& taint) {
        return taint.effect == "PreferNoSchedule" &&
               std::none_of(pod.tolerations.begin(), pod.tolerations.end(),
                            [&](const api::Toleration& t) { return api::Tolerates(t, taint); });
      });
}

int64_t At(const std::vector<int64_t>& amounts, int resource) {
  return static_cast<size_t>(resource) < amounts.size() ? amounts[resource] : 0;
}

void AddTo(std::vector<int64_t>& amounts, int resource, int64_t units) {
  if (static_cast<size_t>(resource) >= amounts.size()) amounts.resize(resource + 1);
  amounts[resource] = resources::SaturatingAdd(amounts[resource], units);
}

}  // namespace

// Larger is better.
struct Placement::Score {
  int64_t preferred_weight, welcome, free_share, few_pods;
  friend bool operator>(const Score& a, const Score& b) {
    return std::tie(a.preferred_weight, a.welcome, a.free_share, a.few_pods) >
           std::tie(b.preferred_weight, b.welcome, b.free_share, b.few_pods);
  }
};

int Placement::ResourceId(const std::string& name) {
  const auto [it, added] = resource_ids_.emplace(name, static_cast<int>(resource_names_.size()));
  if (added) resource_names_.push_back(name);
  return it->second;
}

Placement::Requests Placement::RequestsOf(const api::PodSpec& pod) {
  api::PodSpec filled = pod;
  api::FillRequestsFromLimits(filled);
  Requests requests;
  for (const auto& [name, units] : api::PodRequests(filled)) {
    if (units > 0) requests.emplace_back(ResourceId(name), units);
  }
  return requests;
}

void Placement::SetNode(std::shared_ptr<const api::Node> node) {
  Room& room = rooms_[node->metadata.name];
  room.allocatable.clear();
  room.most_pods = 0;
  for (const auto& [name, quantity] : node->status.allocatable) {
    const int64_t units = resources::RequestUnits(name, quantity);
    if (name == "pods") {
      room.most_pods = units;
    } else {
      AddTo(room.allocatable, ResourceId(name), units);
    }
  }
  room.node = std::move(node);
}

void Placement::RemoveNode(const std::string& name) {
  const auto room = rooms_.find(name);
  if (room == rooms_.end()) return;
  room->second.node = nullptr;
  DropIfUnused(room);
}

void Placement::DropIfUnused(std::map<std::string, Room>::iterator room) {
  if (!room->second.node && room->second.pods == 0) rooms_.erase(room);
}

void Placement::Occupy(const std::string& pod_uid, const std::string& node_name,
                       const api::PodSpec& pod) {
  const auto place = places_.find(pod_uid);
  if (place != places_.end()) {
    // Requests of a bound pod do not change (resizing in place is not simulated).
    if (place->second.node_name == node_name) return;
    Release(pod_uid);
  }
  Requests requests = RequestsOf(pod);
  Room& room = rooms_[node_name];
  for (const auto& [resource, units] : requests) AddTo(room.used, resource, units);
  ++room.pods;
  places_[pod_uid] = {node_name, std::move(requests)};
}

bool Placement::Release(const std::string& pod_uid) {
  const auto place = places_.find(pod_uid);
  if (place == places_.end()) return false;
  const auto room = rooms_.find(place->second.node_name);
  for (const auto& [resource, units] : place->second.requests) {
    AddTo(room->second.used, resource, -units);
  }
  --room->second.pods;
  places_.erase(place);
  DropIfUnused(room);
  return true;
}

int64_t Placement::FreeOf(const Room& room, int resource) {
  return resources::SaturatingSub(At(room.allocatable, resource), At(room.used, resource));
}

bool Placement::Fits(const Room& room, const Requests& requests) {
  if (room.pods >= room.most_pods) return false;
  return std::all_of(requests.begin(), requests.end(), [&](const auto& request) {
    return request.second <= FreeOf(room, request.first);
  });
}

Placement::Score Placement::ScoreOf(const Room& room, const api::PodSpec& pod,
                                    const Requests& requests) {
  __int128 thousandths = 0;
  for (const auto& [resource, units] : requests) {
    const int64_t all = At(room.allocatable, resource);  // > 0: the request fits
    thousandths += __int128{all - At(room.used, resource) - units} * 1000 / all;
  }
  const int64_t count = std::max<int64_t>(1, static_cast<int64_t>(requests.size()));
  const int64_t share = static_cast<int64_t>(thousandths / count);
  return {PreferredWeight(pod, *room.node), -UnwelcomeTaints(pod, *room.node), share, -room.pods};
}

Choice Placement::Choose(const api::PodSpec& pod) {
  const Requests requests = RequestsOf(pod);
  const Room* best = nullptr;
  Score best_score{};
  for (const auto& [name, room] : rooms_) {  // ascending names: the first of equals stays
    if (!room.node || !Fits(room, requests) || !AdmitsPod(pod, *room.node)) continue;
    const Score score = ScoreOf(room, pod, requests);
    if (best == nullptr || score > best_score) {
      best = &room;
      best_score = score;
    }
  }
  if (best != nullptr) return {best->node->metadata.name, ""};
  return {"", WhyNot(pod, requests)};
}

std::vector<std::string> Placement::Obstacles(const Room& room, const api::PodSpec& pod,
                                              const Requests& requests) const {
  const api::Node& node = *room.node;
  if (!IsReady(node)) return {"node(s) were not ready"};
  if (!SchedulableFor(pod, node)) return {"node(s) were unschedulable"};
  const api::Taint* taint = nullptr;
  if (!api::ToleratesAll(pod.tolerations, node.spec.taints, &taint)) {
    return {taint == nullptr ? "node(s) had untolerated taints"
                             : fmt::format("node(s) had untolerated taint {{{}: {}}}", taint->key,
                                           taint->value)};
  }
  if (!api::MatchesNode(pod, node)) {
    return {"node(s) didn't match the pod's node affinity/selector"};
  }
  std::vector<std::string> obstacles;
  if (room.pods >= room.most_pods) obstacles.push_back("Too many pods");
  for (const auto& [resource, units] : requests) {
    if (units > FreeOf(room, resource)) {
      obstacles.push_back("Insufficient " + resource_names_[resource]);
    }
  }
  return obstacles;
}

std::string Placement::WhyNot(const api::PodSpec& pod, const Requests& requests) const {
  std::map<std::string, int> counts;
  int nodes = 0;
  for (const auto& [name, room] : rooms_) {
    if (!room.node) continue;
    ++nodes;
    for (const std::string& obstacle : Obstacles(room, pod, requests)) ++counts[obstacle];
  }
  if (nodes == 0) return "0/0 nodes are available: there are no nodes.";
  std::string text = fmt::format("0/{} nodes are available:", nodes);
  const char* separator = " ";
  for (const auto& [obstacle, count] : counts) {
    text += fmt::format("{}{} {}", separator, count, obstacle);
    separator = ", ";
  }
  return text + ".";
}

}  // namespace kueue::localcluster
