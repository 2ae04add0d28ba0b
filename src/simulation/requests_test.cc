#include "simulation/small_world.h"

// What workloads ask for beyond their templates (spec/scheduling.md §1.5, §1.9), through the API.
namespace kueue::simulation {
namespace {

namespace names = api::names;

std::string LimitRange(const std::string& limits) {
  return "apiVersion: v1\nkind: LimitRange\nmetadata: {name: range, namespace: default}\n"
         "spec: {limits: [{type: Container, " +
         limits + "}]}\n";
}

class Requests : public SmallWorld {};

// R17: the workload is older than the LimitRange, and both than the LocalQueue.
TEST_F(Requests, R17_LimitRangeCountsForWorkThatWasThereBefore) {
  Begin(SmallQueue("cq", "4"));
  Submit(SmallJob("job").Resources("{}"));
  Run(5);
  Add(LimitRange("defaultRequest: {cpu: '3'}"));
  Run(5);
  Add(SmallLocalQueue("lq", "cq"));
  Run(10);
  ASSERT_TRUE(Holds("job"));
  EXPECT_EQ(Reserved("cq"), "3");
}

TEST_F(Requests, WorkOutsideItsRangeIsMisconfiguredUntilTheRangeGoes) {
  Begin(SmallQueue("cq", "4") + SmallLocalQueue("lq", "cq"));
  Add(LimitRange("max: {cpu: '1'}"));
  Submit(SmallJob("job").Cpu("2"));
  Run(10);
  EXPECT_EQ(Says("job", names::kQuotaReserved), "False/Misconfigured");
  const api::KindInfo* range = api::FindKind("", "v1", "LimitRange");
  ASSERT_TRUE(world().Delete(*range, {"default", "range"}).ok());
  Run(10);
  EXPECT_TRUE(Holds("job"));
}

TEST_F(Requests, OverheadOfTheRuntimeClassCounts) {
  Begin(SmallQueue("cq", "4") + SmallLocalQueue("lq", "cq") +
        "---\napiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: kata}\n"
        "handler: kata\noverhead: {podFixed: {cpu: 500m}}\n");
  Submit(SmallJob("job").Cpu("1").PodSpec("runtimeClassName: kata"));
  Run(10);
  ASSERT_TRUE(Holds("job"));
  EXPECT_EQ(Reserved("cq"), "1500m");
}

TEST_F(Requests, ClaimsOfDevicesWaitUntilTheyCanBeCounted) {
  ManagerOptions().scheduling.device_mappings = {{"example.com/gpus", {"gpu"}, {}}};
  Begin(
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: cq}\n"
      "spec:\n  namespaceSelector: {}\n  resourceGroups:\n"
      "  - coveredResources: [cpu, example.com/gpus]\n"
      "    flavors: [{name: default, resources: [{name: cpu, nominalQuota: 4}, "
      "{name: example.com/gpus, nominalQuota: 2}]}]\n" +
      SmallLocalQueue("lq", "cq"));
  Submit(SmallJob("job").PodSpec("resourceClaims: [{name: c, resourceClaimTemplateName: t}]"));
  Run(10);
  EXPECT_EQ(Says("job", names::kQuotaReserved), "False/Misconfigured");
  EXPECT_EQ(Says("job", names::kRequeued), "False/Inadmissible");
  Add("apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\n"
      "metadata: {name: t, namespace: default}\n"
      "spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, "
      "allocationMode: ExactCount, count: 2}}]}}}\n");
  Run(10);
  ASSERT_TRUE(Holds("job"));
  const auto usage = WorkloadOf("job").status.admission->pod_set_assignments.at(0).resource_usage;
  EXPECT_EQ(usage.at("example.com/gpus"), resources::Quantity::FromUnits(2));
}

}  // namespace
}  // namespace kueue::simulation
