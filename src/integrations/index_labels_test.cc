#include "integrations/index_labels.h"

#include <gtest/gtest.h>

// spec/topology.md §1.5.
namespace kueue::integrations {
namespace {

TEST(IndexLabels, EveryFrameworkHasItsOwn) {
  const auto of = [](const char* framework) { return IndexLabelsOf(framework, {}).pod_index; };
  EXPECT_EQ(of("batch/job"), "batch.kubernetes.io/job-completion-index");
  EXPECT_EQ(of("jobset.x-k8s.io/jobset"), "batch.kubernetes.io/job-completion-index");
  EXPECT_EQ(of("kubeflow.org/mpijob"), "training.kubeflow.org/replica-index");
  EXPECT_EQ(of("kubeflow.org/pytorchjob"), "training.kubeflow.org/replica-index");
  EXPECT_EQ(of("pod"), "kueue.x-k8s.io/pod-group-pod-index");
  EXPECT_EQ(of("statefulset"), "apps.kubernetes.io/pod-index");
  EXPECT_EQ(of("leaderworkerset.x-k8s.io/leaderworkerset"),
            "leaderworkerset.sigs.k8s.io/worker-index");
  for (const char* none : {"ray.io/raycluster", "ray.io/rayjob", "ray.io/rayservice",
                           "sparkoperator.k8s.io/sparkapplication", "nobody"}) {
    EXPECT_EQ(of(none), "") << none;
  }
}

TEST(IndexLabels, OnlyJobsOfJobsHaveSubGroups) {
  for (const char* framework : {"jobset.x-k8s.io/jobset", "trainer.kubeflow.org/trainjob"}) {
    const IndexLabels labels = IndexLabelsOf(framework, {false, 3, nullptr});
    EXPECT_EQ(labels.sub_group, "jobset.sigs.k8s.io/job-index");
    EXPECT_EQ(labels.sub_group_count, 3);
  }
  EXPECT_FALSE(IndexLabelsOf("kubeflow.org/mpijob", {false, 3, nullptr}).sub_group_count);
}

TEST(IndexLabels, ALeaderHasNoNumber) {
  EXPECT_EQ(
      IndexLabelsOf("leaderworkerset.x-k8s.io/leaderworkerset", {true, {}, nullptr}).pod_index, "");
}

TEST(IndexLabels, AnAppWrapperSaysItItself) {
  const std::string prefix = "workload.codeflare.dev.appwrapper/";
  api::StringMap annotations{{prefix + "tas-pod-index-label", "index"},
                             {prefix + "tas-sub-group-index-label", "group"},
                             {prefix + "tas-sub-group-count", "4"}};
  const auto labels = [&] {
    return IndexLabelsOf("workload.codeflare.dev/appwrapper", {false, {}, &annotations});
  };
  EXPECT_EQ(labels().pod_index, "index");
  EXPECT_EQ(labels().sub_group, "group");
  EXPECT_EQ(labels().sub_group_count, 4);
  annotations[prefix + "tas-sub-group-count"] = "four";
  EXPECT_FALSE(labels().sub_group_count);
}

}  // namespace
}  // namespace kueue::integrations
