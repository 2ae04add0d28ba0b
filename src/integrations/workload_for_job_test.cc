#include "integrations/workload_for_job.h"

#include <gtest/gtest.h>

#include "api/types/batch.h"
#include "api/types/names.h"

namespace kueue::integrations {
namespace {

// The hash is a public fact: SHA-1 of "Job\nbatch\ntrain\nu1" starts with these digits.
TEST(WorkloadName, IsKindNameAndFiveHashDigits) {
  const std::string name = WorkloadName(api::KindOf<api::Job>(), "train", "u1");
  EXPECT_EQ(name.substr(0, 10), "job-train-");
  EXPECT_EQ(name.size(), 15u);
  EXPECT_NE(name, WorkloadName(api::KindOf<api::Job>(), "train", "u2"));
}

TEST(WorkloadName, IsCutToWhatAnObjectNameAllows) {
  EXPECT_EQ(WorkloadName(api::KindOf<api::Job>(), std::string(300, 'a'), "u").size(), 253u);
}

TEST(PodSetsAgree, ComparesCountsAndContainersByPosition) {
  std::vector<api::PodSet> a(1), b(1);
  a[0].count = b[0].count = 2;
  b[0].name = "other";
  b[0].pod_template.spec.node_selector = {{"x", "y"}};
  EXPECT_TRUE(PodSetsAgree(a, b, false)) << "names and selectors are not compared";
  b[0].count = 3;
  EXPECT_FALSE(PodSetsAgree(a, b, false));
}

TEST(RemoveRepeatedEnv, KeepsFirstPositionAndLastValue) {
  std::vector<api::PodSet> sets(1);
  sets[0].pod_template.spec.containers.resize(1);
  auto& env = sets[0].pod_template.spec.containers[0].env;
  env = {{"A", "1", {}}, {"B", "2", {}}, {"A", "3", {}}};
  RemoveRepeatedEnv(sets);
  ASSERT_EQ(env.size(), 2u);
  EXPECT_EQ(env[0].name, "A");
  EXPECT_EQ(env[0].value, "3");
}

}  // namespace
}  // namespace kueue::integrations
