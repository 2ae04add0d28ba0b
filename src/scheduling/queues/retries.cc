#include "scheduling/queues/retries.h"

#include <algorithm>

namespace kueue::scheduling {

void CollectQueues(Node* node, std::vector<Node*>& queues) {
  if (node->is_queue()) queues.push_back(node);
  for (Node* child : node->children) CollectQueues(child, queues);
}

void Retries::Add(Node* node, base::Time due) {
  if (node->retry_asked) {
    node->retry_due = std::min(node->retry_due, due);
    return;
  }
  node->retry_asked = true;
  node->retry_due = due;
  asked_.push_back(node);
}

void Retries::Ask(Node* node, base::Time now) {
  Node* const root = QuotaTree::RootOf(node);
  if (root != nullptr) Add(root, now + base::seconds(1));
}

void Retries::AskAt(Node* node, base::Time due) {
  Node* const root = QuotaTree::RootOf(node);
  if (root != nullptr) Add(root, due);
}

void Retries::BeforeEdgeChange(Node* node) {
  Node* const root = QuotaTree::RootOf(node);
  if (root == nullptr || root->is_queue() || !root->retry_asked) return;
  const base::Time due = root->retry_due;
  Drop(root);
  std::vector<Node*> queues;
  CollectQueues(root, queues);
  for (Node* queue : queues) Add(queue, due);
}

void Retries::Drop(Node* node) {
  if (!node->retry_asked) return;
  node->retry_asked = false;
  std::erase(asked_, node);
}

std::vector<Node*> Retries::Take(std::optional<base::Time> now) {
  std::vector<Node*> queues;
  std::erase_if(asked_, [&](Node* node) {
    if (now && node->retry_due > *now) return false;
    node->retry_asked = false;
    CollectQueues(node, queues);
    return true;
  });
  std::sort(queues.begin(), queues.end(),
            [](const Node* a, const Node* b) { return a->name < b->name; });
  queues.erase(std::unique(queues.begin(), queues.end()), queues.end());
  return queues;
}

std::optional<base::Time> Retries::NextDue() const {
  std::optional<base::Time> next;
  for (const Node* node : asked_) {
    if (!next || node->retry_due < *next) next = node->retry_due;
  }
  return next;
}

}  // namespace kueue::scheduling
