#include "controllers/topology_ranks.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/types/names.h"
#include "controllers/topology_pods.h"

namespace kueue::controllers {
namespace {

namespace names = api::names;

std::optional<int64_t> ParseCount(const std::string& text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const std::string* LabelOf(const api::Pod& pod, const std::optional<std::string>& key) {
  if (!key) return nullptr;
  const auto found = pod.metadata.labels.find(*key);
  return found == pod.metadata.labels.end() ? nullptr : &found->second;
}

// Where the indices of a pod set begin and end.
struct Base {
  int64_t offset = 0, bound = 0;
};

int64_t CountOf(const api::Workload& workload, const api::PodSet& pod_set) {
  for (const auto& assignment : workload.status.admission->pod_set_assignments) {
    if (assignment.name == pod_set.name) return assignment.count.value_or(pod_set.count);
  }
  return pod_set.count;
}

const std::string* GroupOf(const api::PodSet& pod_set) {
  const auto& request = pod_set.topology_request;
  return request && request->pod_set_group_name ? &*request->pod_set_group_name : nullptr;
}

// Of two in a group the smaller has the first indices; of equals the one listed first (§16.3).
Base BaseOf(const api::Workload& workload, const api::PodSet& pod_set) {
  const int64_t count = CountOf(workload, pod_set);
  const std::string* const group = GroupOf(pod_set);
  if (group == nullptr) return {0, count};
  bool before = false;  // the other one is listed before
  for (const api::PodSet& other : workload.spec.pod_sets) {
    if (&other == &pod_set) {
      before = true;
      continue;
    }
    if (GroupOf(other) == nullptr || *GroupOf(other) != *group) continue;
    const int64_t others = CountOf(workload, other);
    const bool second = others < count || (others == count && !before);
    return second ? Base{others, others + count} : Base{0, count};
  }
  return {0, count};
}

class Ranks {
 public:
  Ranks(const api::PodSetTopologyRequest& request, Base base, int64_t count)
      : request_(request), base_(base), count_(count) {}

  // False: the annotation says something that is no number.
  bool Shift(const api::Pod& first) {
    const auto found = first.metadata.annotations.find(names::kPodIndexOffset);
    if (found == first.metadata.annotations.end()) return true;
    const auto offset = ParseCount(found->second);
    if (!offset) return false;
    base_.offset += *offset;
    base_.bound += *offset;
    return true;
  }

  std::optional<int64_t> Of(const api::Pod& pod) const {
    const std::string* const text = LabelOf(pod, request_.pod_index_label);
    const auto index = text == nullptr ? std::nullopt : ParseCount(*text);
    if (!index || *index >= base_.bound) return std::nullopt;
    int64_t rank = *index - base_.offset;
    if (request_.sub_group_index_label) {
      const auto job = SubGroup(pod);
      const int64_t groups = request_.sub_group_count.value_or(0);
      if (!job || groups <= 0) return std::nullopt;
      const int64_t each = count_ / groups;
      if (*index >= each) return std::nullopt;
      rank += *job * each;
    }
    return rank >= 0 && rank < count_ ? std::optional(rank) : std::nullopt;
  }

 private:
  std::optional<int64_t> SubGroup(const api::Pod& pod) const {
    const std::string* const text = LabelOf(pod, request_.sub_group_index_label);
    const auto job = text == nullptr ? std::nullopt : ParseCount(*text);
    return job && *job < request_.sub_group_count.value_or(0) ? job : std::nullopt;
  }

  const api::PodSetTopologyRequest& request_;
  Base base_;
  const int64_t count_;
};

class Plan {
 public:
  Plan(const api::Workload& workload, const api::PodSetAssignment& assignment,
       std::vector<PodPtr> pods)
      : workload_(workload),
        levels_(assignment.topology_assignment->levels),
        domains_(DomainsOf(assignment)),
        pods_(std::move(pods)) {
    for (size_t d = 0; d < domains_.size(); ++d) {
      for (int32_t i = 0; i < domains_[d].count; ++i) of_rank_.push_back(d);
    }
  }

  std::vector<Ungating> Run(const api::PodSet& pod_set) {
    if (pod_set.topology_request && pod_set.topology_request->pod_index_label) {
      Ranks ranks(*pod_set.topology_request, BaseOf(workload_, pod_set),
                  CountOf(workload_, pod_set));
      if (!ranks.Shift(*pods_.front())) return {};
      if (ByRank(ranks)) return std::move(out_);
      out_.clear();
    }
    Greedily();
    return std::move(out_);
  }

 private:
  bool IsIn(const api::Pod& pod, size_t domain) const {
    for (size_t l = 0; l < levels_.size(); ++l) {
      const auto found = pod.spec.node_selector.find(levels_[l]);
      if (found == pod.spec.node_selector.end() || found->second != domains_[domain].values[l]) {
        return false;
      }
    }
    return true;
  }

  void Ungate(const PodPtr& pod, size_t domain) {
    const api::TopologyDomain& to = domains_[domain];
    if (levels_.back() == names::kHostnameLabel && IsUnhealthy(workload_, to.values.back())) return;
    Ungating& out = out_.emplace_back();
    out.pod = pod;
    for (size_t l = 0; l < levels_.size(); ++l) out.node_selector[levels_[l]] = to.values[l];
  }

  // False: some pod has no rank of its own, or runs where another one should.
  bool ByRank(const Ranks& ranks) {
    std::vector<uint8_t> taken(of_rank_.size());
    for (const PodPtr& pod : pods_) {
      const auto rank = ranks.Of(*pod);
      if (!rank || *rank >= static_cast<int64_t>(of_rank_.size())) return false;
      const auto r = static_cast<size_t>(*rank);
      if (std::exchange(taken[r], 1) != 0) return false;
      if (HasTopologyGate(*pod)) {
        Ungate(pod, of_rank_[r]);
      } else if (!IsIn(*pod, of_rank_[r])) {
        return false;
      }
    }
    return true;
  }

  void Greedily() {
    std::vector<int32_t> room;
    for (const api::TopologyDomain& domain : domains_) room.push_back(domain.count);
    for (const PodPtr& pod : pods_) {
      if (HasTopologyGate(*pod)) continue;
      for (size_t d = 0; d < domains_.size(); ++d) {
        if (!IsIn(*pod, d)) continue;
        --room[d];
        break;
      }
    }
    size_t d = 0;
    for (const PodPtr& pod : pods_) {
      if (!HasTopologyGate(*pod)) continue;
      while (d < domains_.size() && room[d] <= 0) ++d;
      if (d == domains_.size()) return;
      --room[d];
      Ungate(pod, d);
    }
  }

  const api::Workload& workload_;
  const std::vector<std::string>& levels_;
  const std::vector<api::TopologyDomain> domains_;
  std::vector<PodPtr> pods_;
  std::vector<size_t> of_rank_;  // domain by rank
  std::vector<Ungating> out_;
};

}  // namespace

std::vector<Ungating> PlanUngating(const api::Workload& workload,
                                   const api::PodSetAssignment& assignment,
                                   std::vector<PodPtr> pods) {
  std::erase_if(pods, [](const PodPtr& pod) { return IsTerminated(*pod); });
  const auto spec = std::find_if(workload.spec.pod_sets.begin(), workload.spec.pod_sets.end(),
                                 [&](const auto& set) { return set.name == assignment.name; });
  const bool gated = std::any_of(pods.begin(), pods.end(),
                                 [](const PodPtr& pod) { return HasTopologyGate(*pod); });
  if (spec == workload.spec.pod_sets.end() || !gated || !assignment.topology_assignment ||
      assignment.topology_assignment->levels.empty()) {
    return {};
  }
  std::sort(pods.begin(), pods.end(), [](const PodPtr& a, const PodPtr& b) {
    return std::tie(a->metadata.creation_timestamp, a->metadata.name) <
           std::tie(b->metadata.creation_timestamp, b->metadata.name);
  });
  return Plan(workload, assignment, std::move(pods)).Run(*spec);
}

}  // namespace kueue::controllers
