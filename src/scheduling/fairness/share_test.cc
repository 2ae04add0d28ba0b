#include "scheduling/fairness/share.h"

#include <gtest/gtest.h>

#include "scheduling/world.h"

namespace kueue::scheduling {
namespace {

class ShareTest : public ::testing::Test {
 protected:
  CellId Cell(const std::string& resource) {
    return catalog_.Cell(catalog_.Flavor("f"), catalog_.Resource(resource));
  }
  Node* Queue(const std::string& name, int64_t cpu, double weight) {
    ClusterQueue& queue = queues_[name];
    const Quotas quotas = {{Cell("cpu"), {Amount(cpu), {}, {}}},
                           {Cell("memory"), {Amount(cpu), {}, {}}}};
    return queue.node = tree_.SetQueue(queue.node, name, &queue, quotas, "cohort", weight);
  }
  void Use(Node* node, const std::string& resource, int64_t amount) {
    tree_.Add(node, tree_.EnsureSlot(node, Cell(resource)), Amount(amount));
  }

  Catalog catalog_;
  QuotaTree tree_{catalog_};
  std::map<std::string, ClusterQueue> queues_;
};

// The worked example of §2.6.
TEST_F(ShareTest, IsExcessOverLendableDividedByWeight) {
  Node* a = Queue("a", 10000, 2);
  Queue("b", 30000, 1);
  Use(a, "cpu", 25000);
  const Share share = tree_.ShareOf(*a);
  EXPECT_EQ(share.ratio, 375.0);
  EXPECT_EQ(share.value, 187.5);
  EXPECT_EQ(ShownShare(share), 188);
}

// §16 (41).
TEST_F(ShareTest, ZeroWeightWithoutBorrowingIsZero) {
  Node* a = Queue("a", 10, 0);
  Use(a, "cpu", 10);
  EXPECT_FALSE(tree_.ShareOf(*a).endless);
  EXPECT_EQ(ShownShare(tree_.ShareOf(*a)), 0);
}

// §16 (42).
TEST_F(ShareTest, EndlessSharesCompareByRatio) {
  Node* a = Queue("a", 10, 0);
  Node* b = Queue("b", 10, 0);
  Node* c = Queue("c", 10, 1);
  Use(a, "cpu", 11);
  Use(b, "cpu", 12);
  Use(c, "cpu", 30);
  EXPECT_TRUE(ShareLess(tree_.ShareOf(*a), tree_.ShareOf(*b)));
  EXPECT_FALSE(ShareLess(tree_.ShareOf(*b), tree_.ShareOf(*a)));
  EXPECT_TRUE(ShareLess(tree_.ShareOf(*c), tree_.ShareOf(*a)));
  EXPECT_EQ(ShownShare(tree_.ShareOf(*a)), INT64_MAX);
}

TEST_F(ShareTest, EqualRatiosNameTheAlphabeticallyFirstResource) {
  Node* a = Queue("a", 10, 1);
  Use(a, "memory", 15);
  Use(a, "cpu", 15);
  EXPECT_EQ(catalog_.Name(tree_.ShareOf(*a).dominant), "cpu");
}

// §2.6 step 1: usage of quota that is gone does not count.
TEST_F(ShareTest, UsageWithoutQuotaIsIgnored) {
  Node* a = Queue("a", 10, 1);
  Use(a, "gpu", 5);
  EXPECT_FALSE(tree_.ShareOf(*a).borrowing);
}

}  // namespace
}  // namespace kueue::scheduling
