#include "cli/demo_picture.h"

#include <gtest/gtest.h>

#include <set>

#include "api/types/names.h"
#include "cli/demo_scenario.h"

namespace kueue::cli {
namespace {

std::shared_ptr<api::Workload> MakeWorkload(const std::string& name) {
  auto w = std::make_shared<api::Workload>();
  w->metadata.name = w->metadata.uid = name;
  w->metadata.creation_timestamp = base::Time(base::seconds(100));
  return w;
}

void Set(api::Workload& w, const char* type, bool status, const char* reason, int at) {
  api::Condition c;
  c.type = type;
  c.status = status ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
  c.reason = reason;
  api::SetCondition(w.status.conditions, c, base::Time(base::seconds(at)));
}

TEST(DemoPicture, StatesFollowTheConditions) {
  const auto w = MakeWorkload("a");
  EXPECT_EQ(StateOf(*w).state, "Pending");
  Set(*w, api::names::kQuotaReserved, false, "WaitingForQuota", 101);
  EXPECT_EQ(StateOf(*w).reason, "WaitingForQuota");
  Set(*w, api::names::kQuotaReserved, true, "QuotaReserved", 102);
  Set(*w, api::names::kAdmitted, true, "Admitted", 102);
  EXPECT_EQ(StateOf(*w).state, "Running");
  Set(*w, api::names::kEvicted, true, "Preempted", 103);
  EXPECT_EQ(StateOf(*w).state, "Evicted");
}

TEST(DemoPicture, OnlyChangesAreTold) {
  DemoView before, after;
  before.workloads = {MakeWorkload("a")};
  after.workloads = {MakeWorkload("a"), MakeWorkload("b")};
  EXPECT_EQ(DescribeChanges(before, after).size(), 1u);
}

// Byte-seconds of large memories stay within 64 bits, and utilisation is of nominal quota.
TEST(DemoPicture, UtilisationIsHeldTimeOverNominal) {
  DemoView view;
  auto queue = std::make_shared<api::ClusterQueue>();
  api::FlavorQuotas flavor;
  flavor.name = "f";
  api::ResourceQuota quota;
  quota.name = "memory";
  quota.nominal_quota = *api::Quantity::Parse("160Gi");
  flavor.resources = {quota};
  api::ResourceGroup group;
  group.flavors = {flavor};
  queue->spec.resource_groups = {group};
  view.cluster_queues = {queue};
  auto w = MakeWorkload("a");
  w->status.admission.emplace();
  api::PodSetAssignment set;
  set.flavors = {{"memory", "f"}};
  set.resource_usage = {{"memory", *api::Quantity::Parse("80Gi")}};
  w->status.admission->pod_set_assignments = {set};
  Set(*w, api::names::kQuotaReserved, true, "QuotaReserved", 100);
  Set(*w, api::names::kFinished, true, "Succeeded", 110);
  view.workloads = {w};
  EXPECT_NE(Summarise(view).find(" 50 %"), std::string::npos) << Summarise(view);
}

TEST(DemoScenario, ThirtyJobsOfThreeTeamsWithBothPriorities) {
  const auto jobs = PlanDemo(7);
  ASSERT_EQ(jobs.size(), 30u);
  std::set<std::string> queues, classes, names;
  for (const DemoJob& job : jobs) {
    queues.insert(job.queue);
    classes.insert(job.priority_class);
    names.insert(job.name);
  }
  EXPECT_EQ(queues.size(), 3u);
  EXPECT_EQ(classes.size(), 2u);
  EXPECT_EQ(names.size(), 30u);
}

TEST(DemoScenario, AnotherSeedIsAnotherRun) { EXPECT_NE(PlanDemo(1)[0].at, PlanDemo(2)[0].at); }

}  // namespace
}  // namespace kueue::cli
