#include "localcluster/job_pods.h"

#include <gtest/gtest.h>

#include <set>

namespace kueue::localcluster {
namespace {

api::Job NamedJob(const std::string& name) {
  api::Job job;
  job.metadata.name = name;
  job.metadata.namespace_name = "a";
  job.metadata.uid = "8e1f";
  return job;
}

TEST(JobPodName, IsReproducibleAndDifferentForEachNumber) {
  const api::Job job = NamedJob("train");
  std::set<std::string> names;
  for (int64_t i = 0; i < 20000; ++i) names.insert(JobPodName(job, std::nullopt, i));
  EXPECT_EQ(names.size(), 20000u);
  EXPECT_EQ(JobPodName(job, std::nullopt, 7), JobPodName(job, std::nullopt, 7));
  EXPECT_EQ(JobPodName(job, std::nullopt, 7).size(), std::string("train-12345").size());
  EXPECT_EQ(JobPodName(job, 3, 7).substr(0, 8), "train-3-");
}

TEST(JobPodName, FitsIntoALabelValue) {
  const api::Job job = NamedJob(std::string(200, 'x'));
  EXPECT_EQ(JobPodName(job, std::nullopt, 0).size(), 63u);
  EXPECT_EQ(JobPodName(job, 123456, 0).size(), 63u);
}

TEST(BuildJobPod, CarriesTemplateLabelsAndOwner) {
  api::Job job = NamedJob("train");
  job.spec.pod_template.metadata.labels["app"] = "x";
  job.spec.pod_template.spec.containers.resize(1);
  const api::Pod pod = BuildJobPod(job, std::nullopt, "train-abc");
  EXPECT_EQ(pod.metadata.labels.at("app"), "x");
  EXPECT_EQ(pod.metadata.labels.at("job-name"), "train");
  EXPECT_EQ(pod.metadata.labels.at("batch.kubernetes.io/controller-uid"), "8e1f");
  EXPECT_EQ(pod.metadata.namespace_name, "a");
  EXPECT_EQ(JobUidOf(pod), "8e1f");
  EXPECT_FALSE(CompletionIndexOf(pod).has_value());
  EXPECT_TRUE(pod.spec.containers[0].env.empty());
}

TEST(BuildJobPod, TellsAnIndexedPodItsIndex) {
  api::Job job = NamedJob("train");
  job.spec.pod_template.spec.containers.resize(2);
  job.spec.pod_template.spec.containers[1].env.push_back({"JOB_COMPLETION_INDEX", "own", {}});
  const api::Pod pod = BuildJobPod(job, 4, "train-4-abc");
  EXPECT_EQ(CompletionIndexOf(pod), 4);
  EXPECT_EQ(pod.metadata.labels.at(kCompletionIndex), "4");
  EXPECT_EQ(pod.spec.hostname, "train-4");
  EXPECT_EQ(pod.spec.containers[0].env.at(0).value, "4");
  ASSERT_EQ(pod.spec.containers[1].env.size(), 1u);
  EXPECT_EQ(pod.spec.containers[1].env[0].value, "own");
}

}  // namespace
}  // namespace kueue::localcluster
