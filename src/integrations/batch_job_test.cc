#include "integrations/batch_job.h"

#include <gtest/gtest.h>

#include "api/codec/patch.h"
#include "api/types/batch.h"
#include "api/types/names.h"

namespace kueue::integrations {
namespace {

api::Job MakeJob(int32_t parallelism, std::optional<int32_t> completions) {
  api::Job job;
  job.metadata.name = "train";
  job.metadata.namespace_name = "default";
  job.metadata.uid = "u1";
  job.metadata.resource_version = "7";
  job.spec.parallelism = parallelism;
  job.spec.completions = completions;
  job.spec.suspend = true;
  job.spec.pod_template.metadata.labels = {{"job-name", "train"},
                                           {"controller-uid", "u1"},
                                           {"batch.kubernetes.io/controller-uid", "u1"},
                                           {"batch.kubernetes.io/job-name", "train"},
                                           {"app", "x"}};
  job.spec.pod_template.spec.containers.resize(1);
  return job;
}

std::unique_ptr<Job> View(const api::Job& job) {
  return BatchJobIntegration().View(std::make_shared<const api::Job>(job));
}

api::Job Patched(const api::Job& job, const JobPatch& patch) {
  return *api::Decode<api::Job>(api::ApplyMergePatch(api::Encode(job), patch.patch));
}

TEST(BatchJob, PodSetCountsThePodsThatRunAtOnce) {
  EXPECT_EQ((*View(MakeJob(5, 3))->PodSets())[0].count, 3);
  EXPECT_EQ((*View(MakeJob(5, std::nullopt))->PodSets())[0].count, 5);
}

TEST(BatchJob, PodSetLeavesOutTheControllersLabelsButKeepsTheJobName) {
  const auto labels = (*View(MakeJob(1, 1))->PodSets())[0].pod_template.metadata.labels;
  EXPECT_EQ(labels, (api::StringMap{{"app", "x"}, {"batch.kubernetes.io/job-name", "train"}}));
}

TEST(BatchJob, StartUnsuspendsAndInjectsInOnePatch) {
  const api::Job job = MakeJob(2, 2);
  PodSetInfo info;
  info.name = "main";
  info.count = 2;
  info.node_selector = {{"gpu", "a100"}};
  const auto patch = View(job)->Start({info});
  ASSERT_TRUE(patch.ok());
  const api::Job started = Patched(job, *patch);
  EXPECT_FALSE(started.spec.suspend.value_or(false));
  EXPECT_EQ(started.spec.pod_template.spec.node_selector.at("gpu"), "a100");
}

TEST(BatchJob, StartRefusesASelectorThatConflicts) {
  api::Job job = MakeJob(1, 1);
  job.spec.pod_template.spec.node_selector = {{"gpu", "v100"}};
  PodSetInfo info;
  info.node_selector = {{"gpu", "a100"}};
  const auto patch = View(job)->Start({info});
  ASSERT_FALSE(patch.ok());
  EXPECT_EQ(patch.error().code, base::Code::kInvalid);
}

// A stop that was interrupted after any of its patches ends in the same state.
TEST(BatchJob, StopRestoresTheTemplateInThreePatches) {
  api::Job job = MakeJob(2, 2);
  job.spec.suspend = false;
  job.status.start_time = base::Time(base::seconds(1));
  job.spec.pod_template.spec.node_selector = {{"gpu", "a100"}};
  const std::vector<PodSetInfo> restore{{"main", 2, {}, {{"app", "x"}}, {}, {}, {}}};
  int steps = 0;
  for (;; ++steps) {
    ASSERT_LT(steps, 5);
    const auto patches = View(job)->Stop(&restore);
    if (patches.empty()) break;
    job = Patched(job, patches.front());
  }
  EXPECT_EQ(steps, 3);
  EXPECT_TRUE(View(job)->IsSuspended());
  EXPECT_FALSE(job.status.start_time.has_value());
  EXPECT_TRUE(job.spec.pod_template.spec.node_selector.empty());
  EXPECT_EQ(job.spec.pod_template.metadata.labels.at("job-name"), "train");
}

TEST(BatchJob, ReclaimsPodsOfWhatIsLeftToDo) {
  api::Job job = MakeJob(4, 6);
  job.status.succeeded = 1;
  EXPECT_TRUE(View(job)->ReclaimablePods().empty());
  job.status.succeeded = 5;
  ASSERT_EQ(View(job)->ReclaimablePods().size(), 1u);
  EXPECT_EQ(View(job)->ReclaimablePods()[0].count, 3);
}

TEST(BatchJob, CountsDistinctIndexesOfIndexedJobs) {
  api::Job job = MakeJob(4, 6);
  job.spec.completion_mode = "Indexed";
  job.status.completed_indexes = "0,2-4,x,9";
  job.status.failed_indexes = "4";
  EXPECT_EQ(View(job)->ReclaimablePods()[0].count, 2);
}

TEST(BatchJob, RefusesMinParallelismThatLeavesNoChoice) {
  api::Job job = MakeJob(3, 3);
  job.metadata.annotations[api::names::kMinParallelism] = "3";
  const auto errors = BatchJobIntegration().Validate(nullptr, api::EncodeObject(job));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field, "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]");
}

TEST(BatchJob, ParallelismStandsWhileAPartiallyAdmittedJobRuns) {
  api::Job before = MakeJob(3, 3);
  before.metadata.annotations[api::names::kMinParallelism] = "1";
  before.spec.suspend = true;
  api::Job after = before;
  after.spec.parallelism = 2;
  after.spec.suspend = false;
  const api::Json suspended = api::EncodeObject(before);
  EXPECT_TRUE(BatchJobIntegration().Validate(&suspended, api::EncodeObject(after)).empty())
      << "the start changes both at once";
  before.spec.suspend = false;
  const api::Json running = api::EncodeObject(before);
  EXPECT_EQ(BatchJobIntegration().Validate(&running, api::EncodeObject(after)).size(), 1u);
}

}  // namespace
}  // namespace kueue::integrations
