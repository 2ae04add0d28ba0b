#pragma once

#include <optional>
#include <vector>

#include "base/time.h"
#include "scheduling/model/quota_tree.h"

namespace kueue::scheduling {

// Retries asked for and not yet carried out (spec/scheduling.md §4.8): for whole trees, or for
// single queues. One is kept per tree, the earliest.
class Retries {
 public:
  // A second from `now` for the tree of the node, or for the node alone without a parent. Nothing
  // happens for a cyclic tree.
  void Ask(Node* node, base::Time now);
  // The same, at that time: when a policy lets go of what it held back.
  void AskAt(Node* node, base::Time due);
  // Before an edge of the tree changes: what was asked for the tree is meant for the queues that
  // are in it now.
  void BeforeEdgeChange(Node* node);
  // The node is about to go.
  void Drop(Node* node);

  // The queues whose retry is due (all of them: `now` empty), by name; they count as done.
  std::vector<Node*> Take(std::optional<base::Time> now);
  std::optional<base::Time> NextDue() const;

 private:
  void Add(Node* node, base::Time due);
  std::vector<Node*> asked_;  // those with retry_asked, in the order of asking
};

// All leaves below the node (itself, if it is one), children in their order.
void CollectQueues(Node* node, std::vector<Node*>& queues);

}  // namespace kueue::scheduling
