#include "runtime/work_queue.h"

#include <gtest/gtest.h>

namespace kueue::runtime {
namespace {

using base::seconds;
using kube::ObjectKey;

class Idle final : public Reconciler {
 public:
  std::string name() const override { return "idle"; }
  Intents Reconcile(const ObjectKey&, base::Time) override { return {}; }
};

class WorkQueueTest : public testing::Test {
 protected:
  base::VirtualExecutor executor{base::Time(base::hours(1))};
  std::vector<std::string> ready;
  WorkQueue queue{std::make_unique<Idle>(), executor,
                  [this](const ObjectKey& key) { ready.push_back(key.name); }};
  const ObjectKey x{"", "x"};
};

TEST_F(WorkQueueTest, AWaitingKeyIsNotAddedTwice) {
  queue.Add(x);
  queue.Add(x);
  queue.Add({"", "y"});
  EXPECT_EQ(ready, (std::vector<std::string>{"x", "y"}));
}

TEST_F(WorkQueueTest, AKeyBeingWorkedOnWaitsForItsTurn) {
  queue.Add(x);
  queue.Begin(x);
  queue.Add(x);
  queue.Add(x);
  EXPECT_EQ(ready.size(), 1u);
  queue.EndWell(x, std::nullopt);
  EXPECT_EQ(ready.size(), 2u);
  queue.Begin(x);
  queue.EndWell(x, std::nullopt);
  EXPECT_EQ(ready.size(), 2u);
  EXPECT_TRUE(queue.idle());
}

TEST_F(WorkQueueTest, TheEarliestDeadlineWins) {
  queue.AddAfter(x, seconds(10));
  queue.AddAfter(x, seconds(20));
  executor.RunFor(seconds(5));
  queue.AddAfter(x, seconds(2));
  EXPECT_EQ(queue.counters().delayed, 1u);
  executor.RunFor(seconds(1));
  EXPECT_TRUE(ready.empty());
  executor.RunFor(seconds(60));
  EXPECT_EQ(ready.size(), 1u);  // the others are gone
}

TEST_F(WorkQueueTest, FailuresInARowAreCounted) {
  for (int i = 1; i <= 3; ++i) {
    queue.Add(x);
    queue.Begin(x);
    EXPECT_EQ(queue.EndBadly(x), i);
  }
  queue.Add(x);
  queue.Begin(x);
  queue.EndWell(x, std::nullopt);
  queue.Add(x);
  queue.Begin(x);
  EXPECT_EQ(queue.EndBadly(x), 1);
}

TEST_F(WorkQueueTest, NumbersTellWaitingAndWork) {
  queue.Add(x);
  executor.RunFor(seconds(2));
  queue.Begin(x);
  executor.RunFor(seconds(3));
  queue.EndWell(x, seconds(1));
  const ReconcilerCounters counters = queue.counters();
  EXPECT_EQ(counters.waited, seconds(2));
  EXPECT_EQ(counters.worked, seconds(3));
  EXPECT_EQ(counters.look_again, 1u);
  EXPECT_EQ(counters.delayed, 1u);
  EXPECT_EQ(counters.succeeded, 1u);
}

}  // namespace
}  // namespace kueue::runtime
