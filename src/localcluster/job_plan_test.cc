#include "localcluster/job_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "localcluster/conditions.h"
#include "localcluster/job_pods.h"
#include "localcluster/job_policy.h"
#include "localcluster/pod_life.h"

namespace kueue::localcluster {
namespace {

using base::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

// A Job, its pods, and a server that does what PlanJob writes.
class JobPlanTest : public testing::Test {
 protected:
  JobPlanTest() {
    job.metadata.name = "train";
    job.metadata.namespace_name = "a";
    job.metadata.uid = "job-uid";
    job.spec.parallelism = 1;
    job.spec.completions = 1;
    job.spec.pod_template.spec.restart_policy = "Never";
    job.spec.pod_template.spec.containers.resize(1);
    job.spec.pod_template.spec.containers[0].name = "main";
  }

  // One look; carries the writes out.
  runtime::Intents Look() {
    Pods list;
    for (const auto& [name, pod] : pods) list.push_back(std::make_shared<const api::Pod>(pod));
    runtime::Intents intents = PlanJob(job, list, memory, now, options);
    if (drop_writes) return intents;
    for (const runtime::Write& write : intents.writes) CarryOut(write);
    return intents;
  }
  void CarryOut(const runtime::Write& write) {
    if (write.verb == runtime::WriteVerb::kCreate) {
      api::Pod pod = api::Decode<api::Pod>(write.body).value();
      ASSERT_EQ(pods.count(pod.metadata.name), 0u);
      pod.metadata.uid = "pod-" + std::to_string(++created);
      pod.metadata.creation_timestamp = base::CutToSeconds(now);
      pod.status.phase = "Pending";
      pods[pod.metadata.name] = pod;
    } else if (write.verb == runtime::WriteVerb::kDelete) {
      if (write.kind == &api::KindOf<api::Job>()) {
        job_deleted = true;
      } else {
        pods.at(write.key.name).metadata.deletion_timestamp = now + seconds(30);
      }
    } else if (write.kind == &api::KindOf<api::Pod>()) {
      const auto it = pods.find(write.key.name);
      ASSERT_TRUE(it != pods.end());
      it->second =
          api::Decode<api::Pod>(api::ApplyMergePatch(api::Encode(it->second), write.body)).value();
      if (vanishing.count(write.key.name) > 0 && !IsTracked(it->second)) pods.erase(it);
    } else {
      api::Json patch = write.body;
      patch.Erase("metadata");
      job = api::Decode<api::Job>(api::ApplyMergePatch(api::Encode(job), patch)).value();
    }
  }
  // Looks until nothing is written; fails if that takes long.
  void Settle() {
    for (int i = 0; i < 10; ++i) {
      if (Look().writes.empty()) return;
    }
    ADD_FAILURE() << "the job does not come to rest";
  }

  std::vector<std::string> Active() const {
    std::vector<std::string> names;
    for (const auto& [name, pod] : pods) {
      if (!HasEnded(pod) && !pod.metadata.deletion_timestamp) names.push_back(name);
    }
    return names;
  }
  api::Pod& AnActivePod() { return pods.at(Active().at(0)); }
  api::Pod& PodOfIndex(int32_t index) {
    for (const std::string& name : Active()) {
      if (CompletionIndexOf(pods.at(name)) == index) return pods.at(name);
    }
    ADD_FAILURE() << "no active pod has index " << index;
    return pods.begin()->second;
  }
  std::vector<int32_t> ActiveIndexes() const {
    std::vector<int32_t> indexes;
    for (const std::string& name : Active()) {
      indexes.push_back(CompletionIndexOf(pods.at(name)).value_or(-1));
    }
    std::sort(indexes.begin(), indexes.end());
    return indexes;
  }
  void End(api::Pod& pod, const char* phase, int32_t code = 1) {
    pod.status.phase = phase;
    pod.status.container_statuses.resize(1);
    api::ContainerStateTerminated end;
    end.exit_code = phase == std::string_view("Succeeded") ? 0 : code;
    end.finished_at = base::CutToSeconds(now);
    pod.status.container_statuses[0].state.terminated = end;
  }
  // The pod is deleted and its containers have stopped: it goes when its finalizer does.
  void Vanish(const std::string& name) {
    api::Pod& pod = pods.at(name);
    if (!IsTracked(pod)) {
      pods.erase(name);
      return;
    }
    pod.metadata.deletion_timestamp = now;
    if (!HasEnded(pod)) End(pod, "Failed");
    vanishing.insert(name);
  }
  void VanishTerminating() {
    std::vector<std::string> names;
    for (const auto& [name, pod] : pods) {
      if (pod.metadata.deletion_timestamp) names.push_back(name);
    }
    for (const std::string& name : names) Vanish(name);
  }
  bool True(const char* type) const { return IsTrue(job.status.conditions, type); }
  static std::vector<std::string> Reasons(const runtime::Intents& intents) {
    std::vector<std::string> reasons;
    for (const auto& event : intents.events) reasons.push_back(event.reason);
    return reasons;
  }

  base::Time now{base::hours(24 * 365 * 56)};
  api::Job job;
  std::map<std::string, api::Pod> pods;
  JobMemory memory;
  JobOptions options;
  int created = 0;
  std::set<std::string> vanishing;
  bool job_deleted = false, drop_writes = false;
};

TEST_F(JobPlanTest, MakesAPodAndCompletes) {
  EXPECT_THAT(Reasons(Look()), ElementsAre("SuccessfulCreate"));
  EXPECT_EQ(job.status.active, 1);
  EXPECT_EQ(job.status.start_time, now);
  EXPECT_THAT(Look().writes, IsEmpty());
  End(AnActivePod(), "Succeeded");
  now += seconds(5);
  // The end is listed first, then the pod loses its finalizer; then it is counted.
  EXPECT_THAT(Reasons(Look()), IsEmpty());
  EXPECT_EQ(job.status.uncounted_terminated_pods->succeeded.size(), 1u);
  EXPECT_FALSE(IsTracked(pods.begin()->second));
  EXPECT_EQ(job.status.succeeded, 0);
  EXPECT_TRUE(True("SuccessCriteriaMet"));
  EXPECT_FALSE(True("Complete"));
  EXPECT_THAT(Reasons(Look()), ElementsAre("Completed"));
  EXPECT_EQ(job.status.succeeded, 1);
  EXPECT_THAT(job.status.uncounted_terminated_pods->succeeded, IsEmpty());
  EXPECT_EQ(job.status.active, 0);
  EXPECT_EQ(job.status.completion_time, now);
  EXPECT_TRUE(True("SuccessCriteriaMet"));
  EXPECT_TRUE(True("Complete"));
  EXPECT_EQ(FindCondition(job.status.conditions, "Complete")->reason, "CompletionsReached");
  EXPECT_THAT(Look().writes, IsEmpty());
}

TEST_F(JobPlanTest, KeepsParallelismUntilCompletionsAreInSight) {
  job.spec.parallelism = 2;
  job.spec.completions = 3;
  Settle();
  EXPECT_EQ(Active().size(), 2u);
  End(AnActivePod(), "Succeeded");
  Settle();
  EXPECT_EQ(Active().size(), 2u);
  End(AnActivePod(), "Succeeded");
  Settle();
  EXPECT_EQ(Active().size(), 1u);
  End(AnActivePod(), "Succeeded");
  Settle();
  EXPECT_EQ(job.status.succeeded, 3);
  EXPECT_TRUE(True("Complete"));
  EXPECT_EQ(created, 3);
}

TEST_F(JobPlanTest, CountsReadyPods) {
  Settle();
  SetCondition(AnActivePod().status.conditions, "Ready", true, "", "", now);
  Settle();
  EXPECT_EQ(job.status.ready, 1);
}

TEST_F(JobPlanTest, SuspendedFromTheStartMakesNothing) {
  job.spec.suspend = true;
  EXPECT_THAT(Reasons(Look()), ElementsAre("Suspended"));
  EXPECT_THAT(Active(), IsEmpty());
  EXPECT_TRUE(True("Suspended"));
  EXPECT_FALSE(job.status.start_time.has_value());
  EXPECT_THAT(Look().writes, IsEmpty());
  job.spec.suspend = false;
  now += seconds(9);
  EXPECT_THAT(Reasons(Look()), ElementsAre("Resumed", "SuccessfulCreate"));
  EXPECT_FALSE(True("Suspended"));
  EXPECT_EQ(job.status.start_time, now);
}

TEST_F(JobPlanTest, SuspensionDeletesPodsWithoutCountingThemAsFailed) {
  Settle();
  job.spec.suspend = true;
  EXPECT_THAT(Reasons(Look()), ElementsAre("Suspended", "SuccessfulDelete"));
  EXPECT_EQ(job.status.active, 0);
  EXPECT_EQ(job.status.terminating, 1);
  EXPECT_FALSE(job.status.start_time.has_value());
  // Resumed while the pod is still on its way out.
  job.spec.suspend = false;
  Settle();
  EXPECT_EQ(Active().size(), 1u);
  VanishTerminating();
  Settle();
  EXPECT_EQ(job.status.failed, 0) << "the controller let it go first";
  EXPECT_EQ(job.status.terminating, 0);
  EXPECT_EQ(job.status.active, 1);
}

TEST_F(JobPlanTest, ReplacesFailedPodsAfterAGrowingDelay) {
  Settle();
  End(AnActivePod(), "Failed");
  Settle();
  EXPECT_EQ(Look().look_again, seconds(10));
  EXPECT_EQ(job.status.failed, 1);
  EXPECT_THAT(Active(), IsEmpty());
  now += seconds(10);
  Settle();
  EXPECT_EQ(Active().size(), 1u);
  End(AnActivePod(), "Failed");
  Settle();
  EXPECT_EQ(Look().look_again, seconds(20));
  EXPECT_EQ(job.status.failed, 2);
}

TEST_F(JobPlanTest, FailsBeyondItsBackoffLimit) {
  job.spec.parallelism = 2;
  job.spec.completions = 2;
  job.spec.backoff_limit = 0;
  Settle();
  End(AnActivePod(), "Failed");
  Look();
  EXPECT_TRUE(True("FailureTarget"));
  EXPECT_FALSE(True("Failed"));  // the other pod still ends
  EXPECT_EQ(job.status.active, 0);
  VanishTerminating();
  Settle();
  EXPECT_TRUE(True("Failed"));
  EXPECT_EQ(FindCondition(job.status.conditions, "Failed")->reason, "BackoffLimitExceeded");
  EXPECT_EQ(job.status.failed, 2) << "what is stopped with the Job has failed too";
  EXPECT_FALSE(job.status.completion_time.has_value());
}

TEST_F(JobPlanTest, CountsRestartsInsidePodsAgainstTheLimit) {
  job.spec.backoff_limit = 2;
  job.spec.pod_template.spec.restart_policy = "OnFailure";
  Settle();
  AnActivePod().status.container_statuses.resize(1);
  AnActivePod().status.container_statuses[0].restart_count = 2;
  Look();
  EXPECT_TRUE(True("FailureTarget"));
}

TEST_F(JobPlanTest, FailsAtItsDeadline) {
  job.spec.active_deadline_seconds = 60;
  EXPECT_EQ(Look().look_again, seconds(60));
  now += seconds(60);
  Look();
  VanishTerminating();
  Settle();
  EXPECT_TRUE(True("Failed"));
  EXPECT_EQ(FindCondition(job.status.conditions, "Failed")->reason, "DeadlineExceeded");
}

TEST_F(JobPlanTest, SuspensionStopsTheDeadlineClock) {
  job.spec.active_deadline_seconds = 60;
  Settle();
  job.spec.suspend = true;
  Settle();
  now += seconds(100);
  job.spec.suspend = false;
  EXPECT_EQ(Look().look_again, seconds(60));
  EXPECT_FALSE(True("FailureTarget"));
}

// A pod that somebody deletes before the Job was looked at is counted all the same, and once.
TEST_F(JobPlanTest, CountsEndsOfDeletedPodsOnce) {
  job.spec.completions = 2;
  Settle();
  End(AnActivePod(), "Succeeded");
  Vanish(Active().empty() ? pods.begin()->first : "");
  Settle();
  EXPECT_EQ(job.status.succeeded, 1);
  End(AnActivePod(), "Succeeded");
  const std::string second = pods.begin()->first;
  Settle();
  EXPECT_EQ(job.status.succeeded, 2);
  Vanish(second);
  Settle();
  EXPECT_EQ(job.status.succeeded, 2);
}

TEST_F(JobPlanTest, CountsPodsDeletedByOthersAsFailed) {
  Settle();
  const std::string name = Active().at(0);
  pods.at(name).metadata.deletion_timestamp = now + seconds(30);
  Settle();
  EXPECT_EQ(job.status.failed, 1);
  EXPECT_EQ(Active().size(), 1u);  // the replacement does not wait
  Vanish(name);
  Settle();
  EXPECT_EQ(job.status.failed, 1);
}

TEST_F(JobPlanTest, WaitsForTerminatingPodsIfOnlyFailedOnesAreReplaced) {
  job.spec.pod_replacement_policy = "Failed";
  Settle();
  const std::string name = Active().at(0);
  pods.at(name).metadata.deletion_timestamp = now + seconds(30);
  Settle();
  EXPECT_THAT(Active(), IsEmpty());
  EXPECT_EQ(job.status.terminating, 1);
  Vanish(name);
  Settle();
  EXPECT_EQ(job.status.failed, 1);
  EXPECT_EQ(Active().size(), 1u);
}

// A write that was lost is made again with the same numbers.
TEST_F(JobPlanTest, CountsAgainAfterALostWrite) {
  job.spec.completions = 2;
  Settle();
  End(AnActivePod(), "Succeeded");
  drop_writes = true;
  Look();
  Look();
  drop_writes = false;
  Settle();
  EXPECT_EQ(job.status.succeeded, 1);
}

TEST_F(JobPlanTest, RestartOfTheProcessNeitherLosesNorDoubles) {
  job.spec.completions = 3;
  Settle();
  End(AnActivePod(), "Succeeded");
  Settle();
  memory = {};
  Settle();
  EXPECT_EQ(job.status.succeeded, 1);
  now += seconds(1);
  End(AnActivePod(), "Succeeded");  // ends while the process is away
  memory = {};
  Settle();
  EXPECT_EQ(job.status.succeeded, 2);
  EXPECT_EQ(created, 3);
}

TEST_F(JobPlanTest, IndexedJobRunsEachIndexOnce) {
  job.spec.completion_mode = "Indexed";
  job.spec.parallelism = 2;
  job.spec.completions = 4;
  Settle();
  EXPECT_THAT(ActiveIndexes(), ElementsAre(0, 1));
  End(PodOfIndex(1), "Succeeded");
  Settle();
  EXPECT_THAT(ActiveIndexes(), ElementsAre(0, 2));
  EXPECT_EQ(job.status.completed_indexes, "1");
  End(PodOfIndex(0), "Failed");
  Settle();
  now += seconds(10);
  Settle();
  EXPECT_THAT(ActiveIndexes(), ElementsAre(0, 2));
  for (const int32_t index : {0, 2, 3}) {
    End(PodOfIndex(index), "Succeeded");
    Settle();
  }
  EXPECT_EQ(job.status.completed_indexes, "0-3");
  EXPECT_EQ(job.status.succeeded, 4);
  EXPECT_EQ(job.status.failed, 1);
  EXPECT_TRUE(True("Complete"));
}

TEST_F(JobPlanTest, AnIndexFailsByItsOwnLimitAndTheOthersGoOn) {
  job.spec.completion_mode = "Indexed";
  job.spec.parallelism = 2;
  job.spec.completions = 2;
  job.spec.backoff_limit_per_index = 1;
  job.spec.backoff_limit = INT32_MAX;
  Settle();
  End(PodOfIndex(0), "Failed");
  Settle();
  EXPECT_EQ(job.status.failed, 0) << "the failed pod is kept until its replacement is there";
  EXPECT_THAT(ActiveIndexes(), ElementsAre(1));
  now += seconds(10);
  Settle();
  EXPECT_EQ(job.status.failed, 1);
  EXPECT_EQ(PodOfIndex(0).metadata.annotations[kIndexFailureCount], "1");
  End(PodOfIndex(0), "Failed");
  Settle();
  EXPECT_EQ(job.status.failed_indexes, "0");
  EXPECT_FALSE(True("FailureTarget"));
  End(PodOfIndex(1), "Succeeded");
  Settle();
  EXPECT_EQ(FindCondition(job.status.conditions, "Failed")->reason, "FailedIndexes");
  EXPECT_EQ(job.status.completed_indexes, "1");
  EXPECT_EQ(job.status.failed, 2);
}

TEST_F(JobPlanTest, FailsWhenTooManyIndexesHaveFailed) {
  job.spec.completion_mode = "Indexed";
  job.spec.parallelism = 3;
  job.spec.completions = 3;
  job.spec.backoff_limit_per_index = 0;
  job.spec.backoff_limit = INT32_MAX;
  job.spec.max_failed_indexes = 1;
  Settle();
  End(PodOfIndex(0), "Failed");
  Settle();
  EXPECT_FALSE(True("FailureTarget"));
  End(PodOfIndex(1), "Failed");
  Settle();
  EXPECT_EQ(FindCondition(job.status.conditions, "FailureTarget")->reason,
            "MaxFailedIndexesExceeded");
  EXPECT_THAT(Active(), IsEmpty());
}

TEST_F(JobPlanTest, AnIgnoredFailureIsReplacedAndNotCounted) {
  job.spec.backoff_limit = 0;
  job.spec.extra.Add(
      "podFailurePolicy",
      api::ParseJson(
          R"({"rules":[{"action":"Ignore","onExitCodes":{"operator":"In","values":[3]}}]})")
          .value());
  Settle();
  End(AnActivePod(), "Failed", 3);
  Settle();
  EXPECT_EQ(job.status.failed, 0);
  now += seconds(10);
  Settle();
  EXPECT_EQ(Active().size(), 1u);
  EXPECT_FALSE(True("FailureTarget"));
}

TEST_F(JobPlanTest, ARuleFailsTheWholeJob) {
  job.spec.extra.Add(
      "podFailurePolicy",
      api::ParseJson(
          R"({"rules":[{"action":"FailJob","onExitCodes":{"operator":"In","values":[3]}}]})")
          .value());
  Settle();
  End(AnActivePod(), "Failed", 3);
  Settle();
  EXPECT_EQ(FindCondition(job.status.conditions, "Failed")->reason, "PodFailurePolicy");
  EXPECT_EQ(job.status.failed, 1);
}

TEST_F(JobPlanTest, ASuccessRuleEndsTheOthers) {
  job.spec.completion_mode = "Indexed";
  job.spec.parallelism = 3;
  job.spec.completions = 3;
  job.spec.extra.Add("successPolicy",
                     api::ParseJson(R"({"rules":[{"succeededIndexes":"0"}]})").value());
  Settle();
  End(PodOfIndex(0), "Succeeded");
  Settle();
  EXPECT_EQ(FindCondition(job.status.conditions, "SuccessCriteriaMet")->reason, "SuccessPolicy");
  EXPECT_FALSE(True("Complete"));
  VanishTerminating();
  Settle();
  EXPECT_TRUE(True("Complete"));
  EXPECT_EQ(job.status.completed_indexes, "0");
}

TEST_F(JobPlanTest, WhatTheServerRefusesDoesNotHoldUpTheStatus) {
  job.spec.parallelism = job.spec.completions = 2;
  memory.job_uid = job.metadata.uid;
  memory.create_refused = "exceeded quota";
  const auto intents = Look();
  EXPECT_THAT(Reasons(intents), ElementsAre("FailedCreate"));
  EXPECT_TRUE(job.status.start_time.has_value());
  EXPECT_EQ(intents.look_again, seconds(10));
}

TEST_F(JobPlanTest, ElasticIndexedJobDropsIndexesOutside) {
  job.spec.completion_mode = "Indexed";
  job.spec.parallelism = 3;
  job.spec.completions = 3;
  Settle();
  job.spec.parallelism = 2;
  job.spec.completions = 2;
  Settle();
  EXPECT_THAT(ActiveIndexes(), ElementsAre(0, 1));
  VanishTerminating();
  Settle();
  EXPECT_EQ(job.status.failed, 0);
}

TEST_F(JobPlanTest, LoweringParallelismDeletesWaitingPodsFirst) {
  job.spec.parallelism = 3;
  job.spec.completions = 9;
  Settle();
  const std::string runs = Active().at(1);
  pods.at(runs).spec.node_name = "node-1";
  pods.at(runs).status.phase = "Running";
  job.spec.parallelism = 1;
  Settle();
  EXPECT_THAT(Active(), ElementsAre(runs));
}

TEST_F(JobPlanTest, WorkQueueEndsWhenAllPodsHaveEnded) {
  job.spec.parallelism = 2;
  job.spec.completions.reset();
  Settle();
  End(AnActivePod(), "Succeeded");
  Settle();
  EXPECT_EQ(Active().size(), 1u);
  EXPECT_FALSE(True("Complete"));
  End(AnActivePod(), "Succeeded");
  Settle();
  EXPECT_TRUE(True("Complete"));
}

TEST_F(JobPlanTest, GoesAfterItsTimeToLive) {
  job.spec.ttl_seconds_after_finished = 5;
  Settle();
  End(AnActivePod(), "Succeeded");
  Settle();
  EXPECT_EQ(Look().look_again, seconds(5));
  now += seconds(5);
  Look();
  EXPECT_TRUE(job_deleted);
}

TEST_F(JobPlanTest, MakesManyPodsInPortions) {
  job.spec.parallelism = 5;
  job.spec.completions = 5;
  options.most_creates = 2;
  Look();
  EXPECT_EQ(job.status.active, 2);
  Settle();
  EXPECT_EQ(job.status.active, 5);
}

TEST_F(JobPlanTest, LeavesForeignAndDeletedJobsAlone) {
  job.spec.managed_by = "kueue.x-k8s.io/multikueue";
  EXPECT_THAT(Look().writes, IsEmpty());
  job.spec.managed_by = "kubernetes.io/job-controller";
  job.metadata.deletion_timestamp = now;
  EXPECT_THAT(Look().writes, IsEmpty());
}

TEST_F(JobPlanTest, ADeletedJobLetsItsPodsGo) {
  Settle();
  job.metadata.deletion_timestamp = now;
  Settle();
  EXPECT_FALSE(IsTracked(pods.begin()->second));
}

// The server refuses an end without a start, so the Job would be judged again for ever.
TEST_F(JobPlanTest, AnEndedJobHasAStartThoughItNeverRan) {
  job.spec.suspend = true;
  job.spec.completions = 0;
  Settle();
  EXPECT_TRUE(True("Complete"));
  EXPECT_EQ(job.status.start_time, now);
}

TEST_F(JobPlanTest, WarnsOfAnIndexedJobWithoutCompletions) {
  job.spec.completion_mode = "Indexed";
  job.spec.completions.reset();
  const auto intents = Look();
  EXPECT_THAT(intents.writes, IsEmpty());
  EXPECT_THAT(Reasons(intents), ElementsAre("InvalidSpec"));
}

}  // namespace
}  // namespace kueue::localcluster
