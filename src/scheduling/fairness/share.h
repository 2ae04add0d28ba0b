#pragma once

#include <cstddef>

#include "resources/amount.h"
#include "scheduling/model/catalog.h"

namespace kueue::scheduling {

struct Node;

// How dominant a node's borrowing is (spec/scheduling.md §2.6). Floating point only here: the
// order of the reference depends on its rounding.
struct Share {
  double ratio = 0;
  double value = 0;        // ratio / weight; meaningless if endless
  bool endless = false;    // weight 0 and borrowing
  bool borrowing = false;  // some cell is above its subtree quota
  ResourceId dominant;     // of the largest ratio; none without one
};

// So much more is used of a slot of a node; less, if negative.
struct ShareChange {
  uint32_t slot = 0;
  resources::Amount used;
};

// `changes`, `count`: what is used more or less than the node says, each slot once at most.
// `with_leaving`: victims of the cycle count as if they were still there (Slot::leaving).
Share ComputeShare(const Catalog& catalog, const Node& node, const ShareChange* changes,
                   size_t count, bool with_leaving);

// Strict order of shares (§2.6): endless ones are the largest, among themselves by ratio.
inline bool ShareLess(const Share& a, const Share& b) {
  if (a.endless != b.endless) return b.endless;
  return a.endless ? a.ratio < b.ratio : a.value < b.value;
}

// As shown in a status: rounded up, the largest integer for an endless one.
int64_t ShownShare(const Share& share);

}  // namespace kueue::scheduling
