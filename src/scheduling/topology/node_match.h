#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scheduling/topology/space.h"

namespace kueue::scheduling::topology {

// Which sites the constraints of a pod leave, and how much it likes them (spec/topology.md §5).
// Kept for all pod sets that have the same constraints; catches up with changed nodes.
class NodeMatch {
 public:
  enum Cause : uint8_t { kFits, kTaint, kSelector, kAffinity };

  // `pod`: only read now. `scored`: preferred affinity counts (§5.3).
  NodeMatch(const api::PodSpec& pod, const SpaceSpec& spec, bool scored, uint64_t number);
  // The same for two pods exactly when all that matters for matching is the same.
  static std::string KeyOf(const api::PodSpec& pod, bool scored);

  void CatchUp(const Space& space);
  Cause cause(Site site) const { return static_cast<Cause>(causes_[site]); }
  bool Fits(Site site) const { return causes_[site] == kFits; }
  int64_t score(Site site) const { return scored_ ? scores_[site] : 0; }
  bool scored() const { return scored_; }
  uint64_t number() const { return number_; }  // never given twice
  // The first taint of the site that nothing tolerates, as "key[=value]:Effect".
  std::string TaintOf(const Space& space, Site site) const;

 private:
  void Read(const Space& space, Site site);
  Cause Judge(const api::Node& node) const;

  std::vector<api::Toleration> tolerations_;
  api::StringMap selector_;
  std::optional<api::NodeAffinity> affinity_;
  const bool scored_;
  const uint64_t number_;
  std::vector<uint8_t> causes_;  // by site
  std::vector<int64_t> scores_;  // by site, only if scored
  uint64_t read_ = UINT64_MAX;   // position in the space's log
};

}  // namespace kueue::scheduling::topology
