#include "integrations/pod_set_info.h"

#include <gtest/gtest.h>

#include "api/types/names.h"

namespace kueue::integrations {
namespace {

api::Workload AdmittedWorkload() {
  api::Workload w;
  w.metadata.name = "job-train-12345";
  w.spec.queue_name = "lq";
  w.spec.pod_sets.resize(1);
  w.spec.pod_sets[0].name = "main";
  w.spec.pod_sets[0].count = 3;
  w.status.admission.emplace();
  w.status.admission->cluster_queue = "cq";
  api::PodSetAssignment a;
  a.name = "main";
  a.flavors = {{"cpu", "default"}, {"nvidia.com/gpu", "a100"}};
  w.status.admission->pod_set_assignments = {a};
  return w;
}

std::shared_ptr<const api::ResourceFlavor> Flavor(const std::string& name) {
  auto flavor = std::make_shared<api::ResourceFlavor>();
  flavor->metadata.name = name;
  flavor->spec.node_labels = {{"flavor/" + name, "yes"}};
  return flavor;
}

TEST(PodSetInfo, CarriesTheLabelsOfEveryFlavor) {
  const auto infos = InfosFromAdmission(AdmittedWorkload(), Flavor);
  ASSERT_TRUE(infos.ok());
  ASSERT_EQ(infos->size(), 1u);
  EXPECT_EQ((*infos)[0].count, 3);
  EXPECT_EQ((*infos)[0].node_selector,
            (api::StringMap{{"flavor/a100", "yes"}, {"flavor/default", "yes"}}));
  EXPECT_EQ((*infos)[0].labels.at(api::names::kClusterQueueNameLabel), "cq");
}

TEST(PodSetInfo, AMissingFlavorIsTriedAgain) {
  const auto infos = InfosFromAdmission(AdmittedWorkload(), [](const std::string&) {
    return std::shared_ptr<const api::ResourceFlavor>();
  });
  ASSERT_FALSE(infos.ok());
  EXPECT_EQ(infos.error().code, base::Code::kNotFound);
}

// A ClusterQueue name may be longer than a label value allows: then the label is left out.
TEST(PodSetInfo, LeavesOutAQueueNameThatIsNoLabel) {
  api::Workload w = AdmittedWorkload();
  w.status.admission->cluster_queue = "team.a";
  const auto infos = InfosFromAdmission(w, Flavor);
  EXPECT_EQ((*infos)[0].labels.count(api::names::kClusterQueueNameLabel), 0u);
}

TEST(PodSetInfo, EqualTolerationsAreNotRepeated) {
  PodSetInfo a, b;
  api::Toleration t;
  t.key = "gpu";
  t.value = "x";
  a.tolerations = {t};
  t.op = "Equal";  // what an empty operator means
  b.tolerations = {t};
  ASSERT_TRUE(Merge(a, b).ok());
  EXPECT_EQ(a.tolerations.size(), 1u);
}

// The pods of an elastic workload can be found whichever slice started them.
TEST(PodSetInfo, ElasticWorkloadsNameTheirFirstSlice) {
  const char* const slice = api::names::kWorkloadSliceName;
  api::Workload w = AdmittedWorkload();
  EXPECT_FALSE((*InfosFromAdmission(w, Flavor))[0].annotations.contains(slice));
  w.metadata.annotations[api::names::kElasticJobAnnotation] = "true";
  EXPECT_EQ((*InfosFromAdmission(w, Flavor))[0].annotations.at(slice), "job-train-12345");
  w.metadata.annotations[slice] = "job-train-first";
  EXPECT_EQ((*InfosFromAdmission(w, Flavor))[0].annotations.at(slice), "job-train-first");
}

// The template of a running job still names the slice before.
TEST(PodSetInfo, ALaterSliceTakesTheTemplateOver) {
  api::Workload w = AdmittedWorkload();
  w.metadata.annotations[api::names::kElasticJobAnnotation] = "true";
  const auto infos = InfosFromAdmission(w, Flavor);
  api::PodTemplateSpec pod_template;
  pod_template.metadata.annotations = {{api::names::kWorkloadAnnotation, "job-train-before"},
                                       {api::names::kWorkloadSliceName, "stale"}};
  ASSERT_TRUE(MergeInto(pod_template, (*infos)[0]).ok());
  EXPECT_EQ(pod_template.metadata.annotations.at(api::names::kWorkloadAnnotation),
            "job-train-12345");
  EXPECT_EQ(pod_template.metadata.annotations.at(api::names::kWorkloadSliceName),
            "job-train-12345");
  // Of others the two names cannot both be right.
  w.metadata.annotations.clear();
  pod_template.metadata.annotations = {{api::names::kWorkloadAnnotation, "job-train-before"}};
  EXPECT_FALSE(MergeInto(pod_template, (*InfosFromAdmission(w, Flavor))[0]).ok());
}

}  // namespace
}  // namespace kueue::integrations
