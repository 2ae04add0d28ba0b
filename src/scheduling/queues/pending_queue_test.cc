#include "scheduling/queues/pending_queue.h"

#include <gtest/gtest.h>

#include <deque>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

class PendingQueueTest : public ::testing::Test {
 protected:
  WorkItem* Item(const std::string& name, int64_t priority = 0, int64_t age = 0) {
    WorkItem& item = items_.emplace_back();
    item.key = "ns/" + name;
    item.object = std::make_shared<const api::Workload>(TestCluster::Make(name, "q", 1));
    item.priority = priority;
    item.order_time = base::Time(base::seconds(100 - age));
    item.shape = shapes_.Intern("same");
    return &item;
  }
  WorkItem* Push(const std::string& name, int64_t priority = 0, int64_t age = 0) {
    WorkItem* item = Item(name, priority, age);
    queue_.PushOrUpdate(item, now_);
    return item;
  }
  std::string PopName() {
    WorkItem* item = queue_.Pop();
    return item == nullptr ? "" : item->key.substr(3);
  }
  void Retry() { queue_.Retry(now_); }

  base::Time now_{base::hours(1)};
  ShapeTable shapes_;
  std::deque<WorkItem> items_;
  PendingQueue queue_{nullptr, true, [](const WorkItem&) { return true; }};
};

// §4.3.
TEST_F(PendingQueueTest, PopsByPriorityThenAgeThenUid) {
  Push("young", 0, 1);
  Push("old", 0, 9);
  Push("important", 5, 0);
  Push("b", 0, 5);
  Push("a", 0, 5);
  std::vector<std::string> names;
  for (std::string name = PopName(); !name.empty(); name = PopName()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"important", "old", "a", "b", "young"}));
}

// §4.6: a preemptor of a BestEffortFIFO queue goes first until it leaves.
TEST_F(PendingQueueTest, PreemptorIsSticky) {
  WorkItem* waiting = Push("waiting");
  queue_.Pop();
  queue_.Requeue(waiting, RequeueReason::kPendingPreemption, "", now_);
  WorkItem* important = Push("important", 9);
  EXPECT_EQ(queue_.Pop(), waiting);
  EXPECT_TRUE(queue_.IsPreemptor(*waiting));
  queue_.Forget(waiting);
  EXPECT_EQ(queue_.Pop(), important);
}

// §16 (25).
TEST_F(PendingQueueTest, PreemptorOfAStrictQueueIsNotSticky) {
  queue_.SetStrict(true);
  WorkItem* waiting = Push("waiting");
  queue_.Pop();
  queue_.Requeue(waiting, RequeueReason::kPendingPreemption, "", now_);
  Push("important", 9);
  EXPECT_EQ(PopName(), "important");
  EXPECT_TRUE(queue_.IsPreemptor(*waiting));
}

// §4.6, §16 (31): others of the shape are parked with it, and so are those that come later.
TEST_F(PendingQueueTest, ShapeThatFoundNoPlaceIsParked) {
  WorkItem* first = Push("first");
  WorkItem* second = Push("second");
  EXPECT_EQ(queue_.Pop(), first);
  queue_.Requeue(first, RequeueReason::kNoFit, "WaitingForQuota", now_);
  EXPECT_TRUE(queue_.IsParked(*second));
  EXPECT_TRUE(queue_.IsParked(*Push("third")));
  ASSERT_NE(queue_.ParkedReason(first->shape), nullptr);
  EXPECT_EQ(*queue_.ParkedReason(first->shape), "WaitingForQuota");
  Retry();
  EXPECT_EQ(queue_.Heap().size(), 3u);
  EXPECT_EQ(queue_.ParkedReason(first->shape), nullptr);
}

// §16 (30).
TEST_F(PendingQueueTest, StrictQueueTriesItsHeadAgainAndParksNoShape) {
  queue_.SetStrict(true);
  WorkItem* first = Push("first");
  WorkItem* second = Push("second");
  queue_.Pop();
  queue_.Requeue(first, RequeueReason::kNoFit, "", now_);
  EXPECT_EQ(first->bucket, Bucket::kHeap);
  EXPECT_EQ(second->bucket, Bucket::kHeap);
}

// §16 (34).
TEST_F(PendingQueueTest, NamespaceMismatchLeavesTheLineEvenOfAStrictQueue) {
  queue_.SetStrict(true);
  WorkItem* item = Push("a");
  queue_.Pop();
  queue_.Requeue(item, RequeueReason::kNamespaceMismatch, "", now_);
  EXPECT_EQ(item->bucket, Bucket::kParked);
}

// §16 (27).
TEST_F(PendingQueueTest, SkippedWorkIsTriedAgainAtOnce) {
  WorkItem* item = Push("a");
  queue_.Pop();
  queue_.Requeue(item, RequeueReason::kFailedAfterNomination, "", now_);
  EXPECT_EQ(item->bucket, Bucket::kHeap);
}

// §16 (28).
TEST_F(PendingQueueTest, RetryDuringTheCycleIsNotLost) {
  WorkItem* item = Push("a");
  queue_.Pop();
  Retry();
  queue_.Requeue(item, RequeueReason::kNoFit, "", now_);
  EXPECT_EQ(item->bucket, Bucket::kHeap);
}

// §16 (55).
TEST_F(PendingQueueTest, UntriedFlavorsForceAnImmediateRequeue) {
  WorkItem* item = Push("a");
  queue_.Pop();
  item->progress = std::make_unique<ScanProgress>();
  item->progress->tried = {{0, {0}, 1}};
  queue_.Requeue(item, RequeueReason::kNoFit, "", now_);
  EXPECT_EQ(item->bucket, Bucket::kHeap);
}

// §4.4, §16 (89).
TEST_F(PendingQueueTest, BackoffAndRequeuedFalsePark) {
  WorkItem* later = Item("later");
  later->requeue_at = now_ + base::seconds(5);
  queue_.PushOrUpdate(later, now_);
  EXPECT_EQ(later->bucket, Bucket::kParked);
  WorkItem* held = Item("held");
  held->requeued_false = true;
  queue_.PushOrUpdate(held, now_);
  EXPECT_EQ(held->bucket, Bucket::kParked);
  now_ += base::seconds(5);
  Retry();
  EXPECT_EQ(later->bucket, Bucket::kHeap);
  EXPECT_EQ(held->bucket, Bucket::kParked);
}

}  // namespace
}  // namespace kueue::scheduling
