#include "localcluster/pod_life.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/types/names.h"
#include "localcluster/conditions.h"

namespace kueue::localcluster {
namespace {

using base::milliseconds;
using base::seconds;

// A pod and its life, one step after the other.
class PodLifeTest : public testing::Test {
 protected:
  PodLifeTest() {
    pod.metadata.name = "p";
    pod.metadata.uid = "uid";
    pod.spec.node_name = "node-1";
    pod.spec.restart_policy = "Never";
    pod.spec.containers.resize(1);
    pod.spec.containers[0].name = "main";
    pod.status.phase = "Pending";
  }
  PodStep Step() {
    PodStep step = StepPod(pod, "172.16.0.1", memory, now, options);
    pod.status = step.status;
    return step;
  }
  // Steps until nothing is due any more or `until` is reached; then the clock stands there.
  void RunUntil(base::Time until) {
    for (;;) {
      const PodStep step = Step();
      if (!step.look_again || now + *step.look_again > until) break;
      now += *step.look_again;
    }
    now = until;
  }
  const api::ContainerState& State() const { return pod.status.container_statuses[0].state; }

  const base::Time start{base::hours(24 * 365 * 56) + milliseconds(700)};
  base::Time now = start;
  api::Pod pod;
  PodMemory memory;
  PodLifeOptions options;
};

TEST_F(PodLifeTest, StartsRunsAndSucceeds) {
  pod.metadata.annotations[api::names::kRunSeconds] = "2.5";
  PodStep step = Step();
  EXPECT_EQ(pod.status.phase, "Pending");
  EXPECT_EQ(State().waiting->reason, "ContainerCreating");
  EXPECT_EQ(pod.status.host_ip, "172.16.0.1");
  EXPECT_TRUE(IsTrue(pod.status.conditions, "PodScheduled"));
  EXPECT_EQ(step.look_again, seconds(1));
  now += seconds(1);
  step = Step();
  EXPECT_EQ(pod.status.phase, "Running");
  EXPECT_TRUE(State().running.has_value());
  EXPECT_TRUE(IsTrue(pod.status.conditions, "Ready"));
  EXPECT_EQ(step.look_again, milliseconds(2500));
  now += milliseconds(2499);
  EXPECT_EQ(Step().look_again, milliseconds(1));
  now += milliseconds(1);
  step = Step();
  EXPECT_EQ(pod.status.phase, "Succeeded");
  EXPECT_EQ(State().terminated->exit_code, 0);
  EXPECT_EQ(State().terminated->reason, "Completed");
  EXPECT_FALSE(IsTrue(pod.status.conditions, "Ready"));
  EXPECT_FALSE(step.look_again.has_value());
}

TEST_F(PodLifeTest, SaysNothingNewBetweenStages) {
  Step();
  const api::PodStatus before = pod.status;
  now += milliseconds(300);
  Step();
  EXPECT_TRUE(before == pod.status);
}

TEST_F(PodLifeTest, FailsWithItsExitCode) {
  pod.metadata.annotations[kExitCodeAnnotation] = "3";
  RunUntil(start + seconds(11));
  EXPECT_EQ(pod.status.phase, "Failed");
  EXPECT_EQ(State().terminated->exit_code, 3);
  EXPECT_EQ(State().terminated->reason, "Error");
}

TEST_F(PodLifeTest, RestartsOnFailureWithGrowingDelays) {
  pod.spec.restart_policy = "OnFailure";
  pod.metadata.annotations[kExitCodeAnnotation] = "1";
  pod.metadata.annotations[api::names::kRunSeconds] = "1";
  // Runs 1-2, 2-3 (first restart at once), then waits 10 s; runs 13-14; waits 20 s.
  RunUntil(start + milliseconds(3500));
  EXPECT_EQ(pod.status.phase, "Running");
  EXPECT_EQ(pod.status.container_statuses[0].restart_count, 1);
  EXPECT_EQ(State().waiting->reason, "CrashLoopBackOff");
  EXPECT_EQ(pod.status.container_statuses[0].last_state.terminated->exit_code, 1);
  RunUntil(start + milliseconds(33500));
  EXPECT_EQ(pod.status.container_statuses[0].restart_count, 2);
  RunUntil(start + milliseconds(34500));
  EXPECT_EQ(pod.status.container_statuses[0].restart_count, 3);
}

TEST_F(PodLifeTest, ServicesRunForEver) {
  pod.spec.restart_policy = "Always";
  RunUntil(start + base::hours(1000));
  EXPECT_EQ(pod.status.phase, "Running");
  EXPECT_EQ(pod.status.container_statuses[0].restart_count, 0);
}

TEST_F(PodLifeTest, RunsForEverIfToldSo) {
  pod.metadata.annotations[api::names::kRunSeconds] = "forever";
  RunUntil(start + base::hours(1000));
  EXPECT_EQ(pod.status.phase, "Running");
}

TEST_F(PodLifeTest, WarnsOfAnnotationsThatMakeNoSense) {
  for (const char* text : {"soon", "-1", "", "1.", ".5", "1e3"}) {
    pod.status = {};
    memory = {};
    options.start_delay = seconds(0);
    pod.metadata.annotations[api::names::kRunSeconds] = text;
    const PodStep step = Step();
    EXPECT_THAT(step.warning, testing::HasSubstr("run-seconds")) << text;
    EXPECT_EQ(step.look_again, seconds(10)) << text;
  }
  pod.metadata.annotations[api::names::kRunSeconds] = "99999999999999999999999";
  pod.status = {};
  EXPECT_FALSE(Step().look_again.has_value());
}

TEST_F(PodLifeTest, EndsAtItsDeadline) {
  pod.spec.active_deadline_seconds = 5;
  // The deadline counts from the start time, which the status holds in whole seconds.
  RunUntil(base::CutToSeconds(start) + seconds(5));
  Step();
  EXPECT_EQ(pod.status.phase, "Failed");
  EXPECT_EQ(pod.status.reason, "DeadlineExceeded");
}

TEST_F(PodLifeTest, DeletionWaitsForTheContainersToEnd) {
  RunUntil(start + seconds(3));
  pod.metadata.deletion_timestamp = now + seconds(30);
  pod.metadata.deletion_grace_period_seconds = 30;
  PodStep step = Step();
  EXPECT_FALSE(step.remove);
  EXPECT_EQ(step.look_again, seconds(1));
  now += seconds(1);
  EXPECT_TRUE(Step().remove);
}

TEST_F(PodLifeTest, DeletionOfAPodThatDoesNotRunIsAtOnce) {
  Step();
  pod.metadata.deletion_timestamp = now + seconds(30);
  pod.metadata.deletion_grace_period_seconds = 30;
  EXPECT_TRUE(Step().remove);
}

// Whoever put the finalizer there wants to read how the pod ended.
TEST_F(PodLifeTest, PodWithFinalizersFailsBeforeItIsRemovedOnce) {
  RunUntil(start + seconds(3));
  pod.metadata.finalizers = {"example.com/wait"};
  pod.metadata.deletion_timestamp = now;
  pod.metadata.deletion_grace_period_seconds = 0;
  EXPECT_FALSE(Step().remove);
  EXPECT_EQ(pod.status.phase, "Failed");
  EXPECT_TRUE(Step().remove);
  memory.removed = true;
  EXPECT_FALSE(Step().remove);
}

TEST_F(PodLifeTest, InitContainersEndAndSidecarsRun) {
  pod.spec.init_containers.resize(2);
  pod.spec.init_containers[0].name = "prepare";
  pod.spec.init_containers[1].name = "log";
  pod.spec.init_containers[1].restart_policy = "Always";
  Step();
  EXPECT_FALSE(IsTrue(pod.status.conditions, "Initialized"));
  EXPECT_EQ(State().waiting->reason, "PodInitializing");
  now += seconds(1);
  Step();
  EXPECT_TRUE(IsTrue(pod.status.conditions, "Initialized"));
  EXPECT_EQ(pod.status.init_container_statuses[0].state.terminated->reason, "Completed");
  EXPECT_TRUE(pod.status.init_container_statuses[1].state.running.has_value());
}

// After a restart of the process only the whole seconds of the status are known.
TEST_F(PodLifeTest, GoesOnFromTheStatusAlone) {
  RunUntil(start + seconds(4));
  memory = {};
  const PodStep step = Step();
  EXPECT_EQ(pod.status.phase, "Running");
  EXPECT_EQ(step.look_again, base::CutToSeconds(start) + seconds(11) - now);
}

}  // namespace
}  // namespace kueue::localcluster
