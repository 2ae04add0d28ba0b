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

}  // namespace
}  // namespace kueue::integrations
