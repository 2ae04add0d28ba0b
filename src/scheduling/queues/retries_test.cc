#include "scheduling/queues/retries.h"

#include <gtest/gtest.h>

#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

class RetriesTest : public ::testing::Test {
 protected:
  Node* Queue(const std::string& name, const std::string& cohort) {
    ClusterQueue& queue = queues_[name];
    if (queue.node != nullptr) retries_.BeforeEdgeChange(queue.node);
    return queue.node = tree_.SetQueue(queue.node, name, &queue, {}, cohort, 1);
  }
  std::vector<std::string> Take(std::optional<base::Time> now) {
    std::vector<std::string> names;
    for (const Node* node : retries_.Take(now)) names.push_back(node->name);
    return names;
  }

  const base::Time now_{base::hours(1)};
  Catalog catalog_;
  QuotaTree tree_{catalog_};
  Retries retries_;
  std::map<std::string, ClusterQueue> queues_;
};

// §16 (32).
TEST_F(RetriesTest, ConcernTheWholeTreeAfterASecond) {
  Queue("b", "c");
  Queue("other", "");
  retries_.Ask(Queue("a", "c"), now_);
  EXPECT_TRUE(Take(now_).empty());
  EXPECT_EQ(retries_.NextDue(), now_ + base::seconds(1));
  EXPECT_EQ(Take(now_ + base::seconds(1)), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(retries_.NextDue(), std::nullopt);
}

TEST_F(RetriesTest, TheEarliestOfATreeCounts) {
  Node* a = Queue("a", "c");
  retries_.Ask(a, now_);
  retries_.Ask(a, now_ + base::seconds(9));
  EXPECT_EQ(Take(now_ + base::seconds(1)).size(), 1u);
  EXPECT_TRUE(Take(std::nullopt).empty());
}

// Asked for the tree as it was: a queue that leaves takes its retry along.
TEST_F(RetriesTest, QueueThatMovesKeepsWhatWasAsked) {
  Queue("a", "c");
  Queue("b", "c");
  retries_.Ask(queues_["a"].node, now_);
  Queue("a", "elsewhere");
  EXPECT_EQ(Take(std::nullopt), (std::vector<std::string>{"a", "b"}));
}

TEST_F(RetriesTest, CyclicTreesAreIgnored) {
  Node* a = Queue("a", "x");
  tree_.SetCohort("x", {}, "x", 1);
  retries_.Ask(a, now_);
  EXPECT_EQ(retries_.NextDue(), std::nullopt);
}

}  // namespace
}  // namespace kueue::scheduling
