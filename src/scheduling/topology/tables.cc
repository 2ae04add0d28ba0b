#include "scheduling/topology/tables.h"

#include <algorithm>

namespace kueue::scheduling::topology {

const NodeMatch* Tables::Match(const Space& space, const api::PodSpec& pod, bool scored) {
  if (!space.host_level()) return nullptr;
  std::string key = NodeMatch::KeyOf(pod, scored);
  const auto known = std::find_if(matches_.begin(), matches_.end(), [&](const Kept& kept) {
    return kept.toleration_version == space.toleration_version() && kept.key == key;
  });
  if (known != matches_.end()) {
    std::rotate(known, known + 1, matches_.end());
  } else {
    if (matches_.size() == kMatches) matches_.erase(matches_.begin());
    matches_.push_back({std::move(key), space.toleration_version(),
                        std::make_unique<NodeMatch>(pod, space.spec(), scored, ++last_number_)});
  }
  matches_.back().match->CatchUp(space);
  return matches_.back().match.get();
}

const Counts& Tables::Count(const Space& space, const Terms& terms, const NodeMatch* match,
                            bool empty) {
  Counts::Shape shape = Counts::ShapeOf(terms, match, empty);
  const auto known = std::find_if(counts_.begin(), counts_.end(),
                                  [&](const auto& kept) { return kept->shape() == shape; });
  if (known != counts_.end()) {
    std::rotate(known, known + 1, counts_.end());
  } else {
    if (counts_.size() == kCounts) counts_.erase(counts_.begin());
    counts_.push_back(std::make_unique<Counts>(std::move(shape)));
  }
  counts_.back()->CatchUp(space, match);
  return *counts_.back();
}

}  // namespace kueue::scheduling::topology
