#include "scheduling/model/quota_tree.h"

#include <gtest/gtest.h>

#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

class QuotaTreeTest : public ::testing::Test {
 protected:
  Quotas Cpu(int64_t nominal, std::optional<int64_t> borrowing = {},
             std::optional<int64_t> lending = {}) {
    const auto limit = [](std::optional<int64_t> value) {
      return value ? std::optional(Amount(*value)) : std::nullopt;
    };
    return {{cell_, {Amount(nominal), limit(borrowing), limit(lending)}}};
  }
  Node* Queue(const std::string& name, const Quotas& quotas, const std::string& cohort = "") {
    ClusterQueue& queue = queues_[name];
    queue.name = name;
    return queue.node = tree_.SetQueue(queue.node, name, &queue, quotas, cohort, 1);
  }
  void Use(Node* node, int64_t amount) {
    tree_.Add(node, tree_.EnsureSlot(node, cell_), Amount(amount));
  }
  int64_t Available(Node* node) {
    return QuotaTree::AvailableToQueue(*node, tree_.EnsureSlot(node, cell_)).value();
  }
  int64_t Used(Node* node) {
    const Slot* slot = node->Find(cell_);
    return slot == nullptr ? 0 : slot->usage.value();
  }

  Catalog catalog_;
  QuotaTree tree_{catalog_};
  CellId cell_ = catalog_.Cell(catalog_.Flavor("f"), catalog_.Resource("cpu"));
  std::map<std::string, ClusterQueue> queues_;
};

// The worked example of §2.3.
TEST_F(QuotaTreeTest, AvailabilityFollowsLimitsOnBothSides) {
  Node* a = Queue("a", Cpu(10, {}, 4), "root");
  Node* b = Queue("b", Cpu(6, 3), "root");
  EXPECT_EQ(a->parent->Find(cell_)->subtree, Amount(10));
  Use(a, 8);
  EXPECT_EQ(Used(a->parent), 2);
  EXPECT_EQ(Available(b), 8);
  EXPECT_EQ(b->Find(cell_)->potential, Amount(9));
  EXPECT_EQ(Available(a), 8);
}

// §17, debt: the unused local quota is eaten by it.
TEST_F(QuotaTreeTest, DebtOfAnAncestorEatsLocalQuota) {
  Node* a = Queue("a", Cpu(10), "root");
  Node* b = Queue("b", Cpu(6, {}, 2), "root");
  Use(a, 12);
  Queue("a", Cpu(6), "root");
  EXPECT_EQ(QuotaTree::Available(*b->parent, tree_.EnsureSlot(b->parent, cell_)), Amount(-4));
  EXPECT_EQ(Available(b), 0);
}

// §16 (3).
TEST_F(QuotaTreeTest, UnlimitedQuotaWithLendingLimitLendsNothing) {
  Node* a = Queue("a", Cpu(INT64_MAX, {}, 5), "root");
  EXPECT_EQ(a->parent->Find(cell_)->subtree, Amount(0));
}

// §2.4: usage within the local quota does not show above, and comes back exactly.
TEST_F(QuotaTreeTest, AddAndRemoveAreInverse) {
  Node* a = Queue("a", Cpu(10, {}, 4), "root");
  Use(a, 5);
  EXPECT_EQ(Used(a->parent), 0);
  Use(a, 5);
  EXPECT_EQ(Used(a->parent), 4);
  tree_.Remove(a, tree_.EnsureSlot(a, cell_), Amount(7));
  EXPECT_EQ(Used(a), 3);
  EXPECT_EQ(Used(a->parent), 0);
}

// §2.4: a negative amount never reaches the parent.
TEST_F(QuotaTreeTest, NegativeAmountStaysInTheNode) {
  Node* a = Queue("a", Cpu(10), "root");
  Use(a, 12);
  Use(a, -3);
  EXPECT_EQ(Used(a), 9);
  EXPECT_EQ(Used(a->parent), 12);
}

// §2.1: the children of a deleted middle Cohort become a tree of their own.
TEST_F(QuotaTreeTest, DeletedCohortWithChildrenBecomesARoot) {
  tree_.SetCohort("root", Cpu(20), "", 1);
  tree_.SetCohort("middle", Cpu(5), "root", 1);
  Node* a = Queue("a", Cpu(10), "middle");
  EXPECT_EQ(Available(a), 35);
  tree_.DeleteCohort("middle");
  EXPECT_EQ(a->root->name, "middle");
  EXPECT_EQ(Available(a), 10);
  EXPECT_EQ(tree_.FindCohort("root")->Find(cell_)->subtree, Amount(20));
}

// §2.1: nobody declared it, nobody is in it.
TEST_F(QuotaTreeTest, ImplicitCohortGoesWithItsLastChild) {
  Queue("a", Cpu(10), "implicit");
  EXPECT_NE(tree_.FindCohort("implicit"), nullptr);
  Queue("a", Cpu(10), "");
  EXPECT_EQ(tree_.FindCohort("implicit"), nullptr);
}

// §16 (21).
TEST_F(QuotaTreeTest, EverythingBelowACycleIsCyclicUntilItIsBroken) {
  Node* a = Queue("a", Cpu(10), "x");
  tree_.SetCohort("x", {}, "y", 1);
  tree_.SetCohort("y", {}, "z", 1);
  EXPECT_FALSE(a->cyclic);
  tree_.SetCohort("z", {}, "y", 1);
  EXPECT_TRUE(a->cyclic);
  EXPECT_EQ(QuotaTree::RootOf(a), nullptr);
  tree_.SetCohort("z", Cpu(1), "", 1);
  EXPECT_FALSE(a->cyclic);
  EXPECT_EQ(a->root->name, "z");
  EXPECT_EQ(Available(a), 11);
}

TEST_F(QuotaTreeTest, CohortMayBeItsOwnParent) {
  Node* a = Queue("a", Cpu(10), "x");
  tree_.SetCohort("x", {}, "x", 1);
  EXPECT_TRUE(a->cyclic);
  tree_.SetCohort("x", {}, "", 1);
  EXPECT_FALSE(a->cyclic);
}

// §6.6: queues out of view are no children.
TEST_F(QuotaTreeTest, HeightCountsLevelsOfCohortsInView) {
  Node* a = Queue("a", Cpu(1), "low");
  tree_.SetCohort("low", {}, "high", 1);
  EXPECT_EQ(tree_.FindCohort("low")->height, 1);
  EXPECT_EQ(tree_.FindCohort("high")->height, 2);
  tree_.SetInView(a, false);
  EXPECT_EQ(tree_.FindCohort("low")->height, 0);
  EXPECT_EQ(tree_.FindCohort("high")->height, 1);
}

TEST_F(QuotaTreeTest, UndoBringsBackUsageAndVersions) {
  Node* a = Queue("a", Cpu(10), "root");
  Use(a, 3);
  const uint64_t version = a->version, above = a->parent->version;
  tree_.StartJournal();
  const QuotaTree::Mark mark = tree_.Here();
  Use(a, 4);
  EXPECT_NE(a->version, version);
  tree_.Undo(mark);
  EXPECT_EQ(Used(a), 3);
  EXPECT_EQ(Used(a->parent), 3);
  EXPECT_EQ(a->version, version);
  EXPECT_EQ(a->parent->version, above);
  tree_.StopJournal();
}

// A number is never used again, so what was computed under it stays right.
TEST_F(QuotaTreeTest, UndoneVersionsAreNotReused) {
  Node* a = Queue("a", Cpu(10), "root");
  tree_.StartJournal();
  Use(a, 4);
  const uint64_t undone = a->version;
  tree_.Undo({});
  Use(a, 5);
  EXPECT_NE(a->version, undone);
  tree_.StopJournal();
}

// §2.5: also for the siblings.
TEST_F(QuotaTreeTest, RebuildRaisesTheGenerationOfTheWholeTree) {
  Node* a = Queue("a", Cpu(10), "root");
  const uint64_t before = a->generation;
  Queue("b", Cpu(1), "root");
  EXPECT_GT(a->generation, before);
}

// Between rebuilds the incremental usage of Cohorts is what a rebuild would find (§2.4), whatever
// comes and goes.
TEST_F(QuotaTreeTest, IncrementalUsageEqualsARebuild) {
  std::vector<Node*> queues;
  for (int i = 0; i < 6; ++i) {
    const std::optional<int64_t> lending = i % 2 == 0 ? std::optional<int64_t>(i) : std::nullopt;
    queues.push_back(Queue("q" + std::to_string(i), Cpu(5 + i, {}, lending),
                           i < 3 ? "left" : "right"));
  }
  tree_.SetCohort("left", Cpu(3, {}, 2), "top", 1);
  tree_.SetCohort("right", Cpu(1), "top", 1);
  std::vector<std::pair<Node*, int64_t>> held;
  uint32_t seed = 7;
  for (int i = 0; i < 500; ++i) {
    seed = seed * 1664525 + 1013904223;
    const uint32_t draw = seed >> 16;
    if (held.size() > 20 || (draw % 3 == 0 && !held.empty())) {
      const size_t at = draw % held.size();
      tree_.Remove(held[at].first, tree_.EnsureSlot(held[at].first, cell_),
                   Amount(held[at].second));
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      held.emplace_back(queues[draw % queues.size()], draw % 5);
      Use(held.back().first, held.back().second);
    }
  }
  const int64_t left = Used(tree_.FindCohort("left")), right = Used(tree_.FindCohort("right")),
                top = Used(tree_.FindCohort("top"));
  tree_.SetCohort("top", {}, "", 1);
  EXPECT_EQ(Used(tree_.FindCohort("left")), left);
  EXPECT_EQ(Used(tree_.FindCohort("right")), right);
  EXPECT_EQ(Used(tree_.FindCohort("top")), top);
}

}  // namespace
}  // namespace kueue::scheduling
