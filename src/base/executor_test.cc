#include "base/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace kueue::base {
namespace {

using ::testing::ElementsAre;

const Time kStart = Time(seconds(1767225600));  // 2026-01-01T00:00:00Z

struct VirtualExecutorTest : ::testing::Test {
  VirtualExecutor executor{kStart};
  std::vector<int> order;
  Task Note(int number) {
    return [this, number] { order.push_back(number); };
  }
};

TEST_F(VirtualExecutorTest, RunsNothingUntilAsked) {
  executor.Post(Note(1));
  executor.PostAfter(Duration(0), Note(2));
  EXPECT_THAT(order, ElementsAre());
}

TEST_F(VirtualExecutorTest, RunsPostsInOrder) {
  for (int i = 0; i < 4; ++i) executor.Post(Note(i));
  EXPECT_EQ(executor.RunReady(), 4u);
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST_F(VirtualExecutorTest, RunReadyRunsWhatTasksPostButLeavesTheClock) {
  executor.Post([this] { executor.Post(Note(1)); });
  executor.PostAfter(seconds(1), Note(2));
  EXPECT_EQ(executor.RunReady(), 2u);
  EXPECT_THAT(order, ElementsAre(1));
  EXPECT_EQ(executor.clock().Now(), kStart);
}

TEST_F(VirtualExecutorTest, TimersRunByDeadline) {
  executor.PostAfter(seconds(3), Note(3));
  executor.PostAfter(seconds(1), Note(1));
  executor.PostAfter(seconds(2), Note(2));
  executor.RunFor(seconds(10));
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST_F(VirtualExecutorTest, EqualDeadlinesRunInTheOrderSet) {
  for (int i = 0; i < 5; ++i) executor.PostAfter(seconds(1), Note(i));
  executor.RunFor(seconds(1));
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(VirtualExecutorTest, ATimersPostsRunBeforeTheNextTimer) {
  // Also at the same deadline: what one timer causes is complete before the next begins.
  executor.PostAfter(seconds(1), [this] {
    order.push_back(1);
    executor.Post(Note(2));
  });
  executor.PostAfter(seconds(1), Note(3));
  executor.RunFor(seconds(1));
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST_F(VirtualExecutorTest, ClockStandsAtTheDeadlineWhileATimerRuns) {
  Time seen, nested;
  executor.PostAfter(seconds(5), [&] {
    seen = executor.clock().Now();
    executor.PostAfter(seconds(2), [&] { nested = executor.clock().Now(); });
  });
  executor.RunUntil(kStart + minutes(1));
  EXPECT_EQ(seen, kStart + seconds(5));
  EXPECT_EQ(nested, kStart + seconds(7));
  EXPECT_EQ(executor.clock().Now(), kStart + minutes(1));
  EXPECT_EQ(executor.clock().Elapsed(), Duration(minutes(1)));
}

TEST_F(VirtualExecutorTest, RunUntilTakesDeadlinesUpToAndIncluding) {
  executor.PostAfter(seconds(1), Note(1));
  executor.PostAfter(seconds(1) + Duration(1), Note(2));
  executor.RunUntil(kStart + seconds(1));
  EXPECT_THAT(order, ElementsAre(1));
}

TEST_F(VirtualExecutorTest, ClockNeverGoesBack) {
  executor.RunFor(seconds(10));
  executor.RunUntil(kStart);
  EXPECT_EQ(executor.clock().Now(), kStart + seconds(10));
}

TEST_F(VirtualExecutorTest, NegativeDelayIsNow) {
  executor.PostAfter(seconds(-5), Note(1));
  executor.RunReady();
  EXPECT_THAT(order, ElementsAre(1));
  EXPECT_EQ(executor.clock().Now(), kStart);
}

TEST_F(VirtualExecutorTest, LongestDelayDoesNotOverflow) {
  executor.RunFor(seconds(1));
  executor.PostAfter(Duration::max(), Note(1));
  executor.RunFor(hours(24 * 365));
  EXPECT_THAT(order, ElementsAre());
}

TEST_F(VirtualExecutorTest, CancelledTimersDoNotRun) {
  const TimerId id = executor.PostAfter(seconds(1), Note(1));
  EXPECT_NE(id, 0u);
  executor.PostAfter(seconds(1), Note(2));
  executor.Cancel(id);
  executor.RunFor(seconds(2));
  EXPECT_THAT(order, ElementsAre(2));
}

TEST_F(VirtualExecutorTest, CancelIgnoresUnknownAndPastIds) {
  const TimerId id = executor.PostAfter(seconds(1), Note(1));
  executor.RunFor(seconds(1));
  executor.Cancel(id);
  executor.Cancel(0);
  executor.Cancel(12345);
  EXPECT_THAT(order, ElementsAre(1));
}

TEST_F(VirtualExecutorTest, ATaskMayCancelATimerOfTheSameDeadline) {
  TimerId second = 0;
  executor.PostAfter(seconds(1), [&] { executor.Cancel(second); });
  second = executor.PostAfter(seconds(1), Note(2));
  executor.RunFor(seconds(1));
  EXPECT_THAT(order, ElementsAre());
}

TEST_F(VirtualExecutorTest, RunUntilTrueStopsAtTheTaskThatMakesItTrue) {
  for (int i = 1; i <= 5; ++i) executor.PostAfter(seconds(i), Note(i));
  EXPECT_TRUE(executor.RunUntilTrue([&] { return order.size() == 3; }, kStart + minutes(1)));
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
  EXPECT_EQ(executor.clock().Now(), kStart + seconds(3));
}

TEST_F(VirtualExecutorTest, RunUntilTrueAsksFirst) {
  executor.Post(Note(1));
  EXPECT_TRUE(executor.RunUntilTrue([] { return true; }, kStart));
  EXPECT_THAT(order, ElementsAre());
}

TEST_F(VirtualExecutorTest, RunUntilTrueGivesUpAtTheEnd) {
  executor.PostAfter(seconds(1), Note(1));
  executor.PostAfter(seconds(61), Note(2));
  EXPECT_FALSE(executor.RunUntilTrue([] { return false; }, kStart + minutes(1)));
  EXPECT_THAT(order, ElementsAre(1));
  EXPECT_EQ(executor.clock().Now(), kStart + minutes(1));
}

TEST_F(VirtualExecutorTest, CountsTasks) {
  executor.Post(Note(1));
  executor.PostAfter(seconds(1), Note(2));
  EXPECT_EQ(executor.RunFor(seconds(1)), 2u);
  EXPECT_EQ(executor.tasks_run(), 2u);
}

// Calls the executor while it is destroyed itself, as owners of timers do.
struct CallsOnDestruction {
  CallsOnDestruction(Executor& executor_in, TimerId timer_in)
      : executor(executor_in), timer(timer_in) {}
  Executor& executor;
  TimerId timer;
  ~CallsOnDestruction() {
    executor.Cancel(timer);
    executor.Post([] {});
  }
};

TEST(VirtualExecutor, DroppedTasksMayCallTheExecutor) {
  VirtualExecutor executor(kStart);
  const TimerId timer = executor.PostAfter(seconds(1), [] {});
  auto owner = std::make_shared<CallsOnDestruction>(executor, timer);
  executor.Post([owner] {});
  executor.PostAfter(seconds(2), [owner] {});
  owner.reset();
}

struct ThreadExecutorTest : ::testing::Test {
  RealClock clock;
  ThreadExecutor executor{"test", clock};
};

TEST_F(ThreadExecutorTest, RunsPostsInOrderOnOneOtherThread) {
  std::vector<int> order;
  std::thread::id thread;
  for (int i = 0; i < 100; ++i) executor.Post([&order, i] { order.push_back(i); });
  executor.RunAndWait([&] { thread = std::this_thread::get_id(); });
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(ThreadExecutorTest, TakesPostsFromManyThreads) {
  int count = 0;  // needs no lock: tasks run one at a time
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 250; ++i) executor.Post([&count] { ++count; });
    });
  }
  for (std::thread& thread : threads) thread.join();
  executor.RunAndWait([] {});
  EXPECT_EQ(count, 1000);
}

TEST_F(ThreadExecutorTest, TimersRunByDeadlineAndNotEarly) {
  std::vector<int> order;
  std::promise<Duration> done;
  const Duration start = clock.Elapsed();
  executor.RunAndWait([&] {
    executor.PostAfter(milliseconds(4), [&] {
      order.push_back(2);
      done.set_value(clock.Elapsed());
    });
    executor.PostAfter(milliseconds(1), [&] { order.push_back(1); });
  });
  const Duration end = done.get_future().get();
  EXPECT_THAT(order, ElementsAre(1, 2));
  EXPECT_GE(end - start, Duration(milliseconds(4)));
}

TEST_F(ThreadExecutorTest, ASoonerTimerWakesTheSleepingThread) {
  std::promise<void> done;
  executor.PostAfter(Duration::max(), [] {});
  executor.RunAndWait([] {});
  executor.PostAfter(milliseconds(1), [&] { done.set_value(); });
  done.get_future().wait();
}

TEST_F(ThreadExecutorTest, CancelledTimersDoNotRun) {
  bool ran = false;
  executor.RunAndWait([&] {
    // Both are due by the time the executor is free to look.
    const TimerId id = executor.PostAfter(Duration(0), [&] { ran = true; });
    executor.Cancel(id);
  });
  executor.RunAndWait([] {});
  EXPECT_FALSE(ran);
}

TEST_F(ThreadExecutorTest, CancelDestroysTheTaskOutsideItsLock) {
  // The task holds an owner that calls the executor when it goes.
  auto owner = std::make_shared<CallsOnDestruction>(executor, 0);
  const TimerId id = executor.PostAfter(hours(1), [owner] {});
  owner.reset();
  executor.Cancel(id);
}

TEST_F(ThreadExecutorTest, StopLetsTheRunningTaskEndAndDropsTheRest) {
  std::promise<void> started, release;
  bool ended = false, dropped_ran = false;
  executor.Post([&] {
    started.set_value();
    release.get_future().wait();
    ended = true;
  });
  started.get_future().wait();
  executor.Post([&] { dropped_ran = true; });
  executor.PostAfter(Duration(0), [&] { dropped_ran = true; });
  std::thread stopper([&] { executor.Stop(); });
  // Stop has begun once timers are no longer taken.
  while (executor.PostAfter(hours(1), [] {}) != 0) std::this_thread::yield();
  release.set_value();
  stopper.join();
  EXPECT_TRUE(ended);
  EXPECT_FALSE(dropped_ran);
}

TEST_F(ThreadExecutorTest, AfterStopPostsAreDroppedAndNothingWaits) {
  executor.Stop();
  executor.Stop();
  bool ran = false;
  executor.Post([&] { ran = true; });
  EXPECT_EQ(executor.PostAfter(Duration(0), [&] { ran = true; }), 0u);
  executor.RunAndWait([&] { ran = true; });
  EXPECT_FALSE(ran);
}

TEST_F(ThreadExecutorTest, StopDropsTasksThatCallTheExecutor) {
  auto owner = std::make_shared<CallsOnDestruction>(executor, 0);
  executor.PostAfter(hours(1), [owner] {});
  owner.reset();
  executor.Stop();
}

TEST(Scope, WrappedFunctionsFallSilentWithTheirOwner) {
  int calls = 0;
  auto scope = std::make_unique<Scope>();
  auto add = scope->Wrap([&calls](int n) { calls += n; });
  add(2);
  scope.reset();
  add(3);
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace kueue::base
