#include "simulation/small_world.h"
#include "simulation/topology_world.h"

// Defects of the reference that must not be repeated; their numbers are those of its list
// (docs/internals/simulation.md says where the others are tested).
namespace kueue::simulation {
namespace {

namespace names = api::names;

class Defects : public SmallWorld {};

constexpr char kTwoFlavors[] = R"(
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: other}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: strict}
spec:
  namespaceSelector: {}
  queueingStrategy: StrictFIFO
  flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor}
  resourceGroups:
  - coveredResources: [cpu]
    flavors:
    - {name: default, resources: [{name: cpu, nominalQuota: "4"}]}
    - {name: other, resources: [{name: cpu, nominalQuota: "4"}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq, namespace: default}
spec: {clusterQueue: strict}
)";

// Two pod sets of a workload without a job.
constexpr char kTwoPodSets[] = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: head, namespace: default}
spec:
  queueName: lq
  podSets:
  - {name: a, count: 1, template: {spec: {restartPolicy: Never, containers: [
      {name: c, image: i, resources: {requests: {cpu: "3"}}}]}}}
  - {name: b, count: 1, template: {spec: {restartPolicy: Never, containers: [
      {name: c, image: i, resources: {requests: {cpu: "3"}}}]}}}
)";

TEST_F(Defects, D01_TheStatusOfAStrictHeadThatCannotFitIsAtRest) {
  Begin(kTwoFlavors);
  Submit(SmallJob("holder").Cpu("3").Seconds(100000));
  Run(5);
  ASSERT_TRUE(Holds("holder"));
  Add(kTwoPodSets);
  Run(10);
  const api::Workload before = Object<api::Workload>("head");
  ASSERT_EQ(Says(before, names::kQuotaReserved).rfind("False/", 0), 0u);
  // Each namespace is news to the decision: the head is judged again, and nothing else is said.
  for (int i = 0; i < 10; ++i) {
    Add("apiVersion: v1\nkind: Namespace\nmetadata: {name: n" + std::to_string(i) + "}\n");
    Run(3);
  }
  EXPECT_EQ(Object<api::Workload>("head").metadata.resource_version,
            before.metadata.resource_version);
  EXPECT_EQ(WritesIn(3600), Lines{});
}

TEST_F(Defects, D02_ChecksOfInactiveWorkChangeNothing) {
  Begin(SmallQueue("cq", "4", "  admissionChecksStrategy: {admissionChecks: [{name: check}]}\n") +
        SmallLocalQueue("lq", "cq"));
  AddCheck("check");
  Run(2);
  Submit(SmallJob("job"));
  Run(5);
  ASSERT_TRUE(Holds("job"));
  PatchWorkload("job", R"({"spec": {"active": false}})");
  Run(5);
  EXPECT_EQ(Says("job", names::kEvicted), "True/Deactivated");
  AnswerCheck("job", "check", "Retry", R"("requeueAfterSeconds": 60)");
  Run(5);
  const api::Workload workload = WorkloadOf("job");
  EXPECT_FALSE(workload.status.requeue_state);
  EXPECT_EQ(WritesIn(3600), Lines{});
  EXPECT_EQ(WorkloadOf("job"), workload);
}

TEST_F(Defects, D03_GatedWorkInAHeldQueueHasOneReason) {
  Begin(SmallQueue("cq", "4") + SmallLocalQueue("lq", "cq"));
  Patch<api::LocalQueue>("lq", R"({"spec": {"stopPolicy": "Hold"}})");
  Submit(SmallJob("job").Annotation("kueue.x-k8s.io/admission-gated-by: example.com/gate"));
  Run(5);
  EXPECT_EQ(Says("job", names::kQuotaReserved), "False/Suspended");
  EXPECT_EQ(WritesIn(3600), Lines{});
  // The other order: gated first, held then.
  Patch<api::LocalQueue>("lq", R"({"spec": {"stopPolicy": "None"}})");
  Run(5);
  EXPECT_EQ(Says("job", names::kQuotaReserved), "False/AdmissionGated");
  Patch<api::ClusterQueue>("cq", R"({"spec": {"stopPolicy": "Hold"}})");
  Run(5);
  EXPECT_EQ(Says("job", names::kQuotaReserved), "False/Suspended");
  EXPECT_EQ(WritesIn(3600), Lines{});
}

// A kind of job with more pod sets than a Workload can have: batch/v1 Jobs, seen nineteenfold.
class NineteenSets final : public integrations::Integration {
 public:
  class View19 final : public integrations::Job {
   public:
    explicit View19(std::unique_ptr<Job> one) : one_(std::move(one)) {}
    const api::ObjectMeta& metadata() const override { return one_->metadata(); }
    bool IsSuspended() const override { return one_->IsSuspended(); }
    bool IsActive() const override { return one_->IsActive(); }
    std::optional<integrations::JobEnd> End() const override { return one_->End(); }
    bool ArePodsReady() const override { return one_->ArePodsReady(); }
    base::Result<std::vector<api::PodSet>> PodSets() const override {
      const auto first = one_->PodSets();
      std::vector<api::PodSet> sets(19, first->front());
      for (size_t i = 0; i < sets.size(); ++i) sets[i].name = "set-" + std::to_string(i);
      return sets;
    }
    base::Result<integrations::JobPatch> Start(
        const std::vector<integrations::PodSetInfo>& infos) const override {
      return one_->Start(infos);
    }
    std::vector<integrations::JobPatch> Stop(
        const std::vector<integrations::PodSetInfo>* restore) const override {
      return one_->Stop(restore);
    }
    integrations::JobPatch Suspend() const override { return one_->Suspend(); }

   private:
    const std::unique_ptr<Job> one_;
  };
  std::string_view framework() const override { return one_.framework(); }
  const api::KindInfo& kind() const override { return one_.kind(); }
  base::Result<std::shared_ptr<const void>> Decode(const api::Json& json) const override {
    return one_.Decode(json);
  }
  std::unique_ptr<integrations::Job> View(std::shared_ptr<const void> object) const override {
    return std::make_unique<View19>(one_.View(std::move(object)));
  }
  void ApplyDefaults(api::Json& object, bool suspend) const override {
    one_.ApplyDefaults(object, suspend);
  }
  std::vector<api::FieldError> Validate(const api::Json* before,
                                        const api::Json& after) const override {
    return one_.Validate(before, after);
  }

 private:
  const integrations::Integration& one_ = *manager::ManagerOptions().integrations.front();
};

TEST_F(Defects, D10_AJobWithMorePodSetsThanAWorkloadTakesIsTold) {
  static const NineteenSets kind;
  ManagerOptions().integrations = {&kind};
  Begin(SmallQueue("cq", "40") + SmallLocalQueue("lq", "cq"));
  Submit(SmallJob("job"));
  Run(30);
  EXPECT_TRUE(WorkloadOf("job").metadata.name.empty());
  ASSERT_GE(EventsAbout("job", "ErrWorkloadCompose"), 1);
  for (const api::Event& event : world().All<api::Event>()) {
    if (event.reason != "ErrWorkloadCompose") continue;
    EXPECT_EQ(event.type, "Warning");
    EXPECT_NE(event.message.find("podSets"), std::string::npos) << event.message;
    EXPECT_NE(event.message.find("18"), std::string::npos) << event.message;
  }
}

// Whatever the reason: a workload that the server does not take is told on its job.
TEST_F(Defects, D10_AJobWhoseWorkloadIsRefusedIsTold) {
  Begin(SmallQueue("cq", "40") + SmallLocalQueue("lq", "cq"));
  Add("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: none, namespace: default}\n"
      "spec: {hard: {count/workloads.kueue.x-k8s.io: '0'}}\n");
  Run(2);
  Submit(SmallJob("job"));
  Run(30);
  EXPECT_GE(EventsAbout("job", "ErrWorkloadCompose"), 1);
  const auto raised = world().Patch(
      *api::FindKind("", "v1", "ResourceQuota"), {"default", "none"},
      *api::ParseJson(R"({"spec": {"hard": {"count/workloads.kueue.x-k8s.io": "5"}}})"));
  ASSERT_TRUE(raised.ok()) << raised.error().message;
  Run(60);
  EXPECT_TRUE(Running("job"));
}

class DefectsOnRacks : public TopologyWorld {};

// Its finalizer keeps the object; the pod is gone all the same, and so is its claim to a place.
TEST_F(DefectsOnRacks, D11_APodThatIsGoingAwayDoesNotCount) {
  Submit(Ask("job", 2, "3", "kueue.x-k8s.io/podset-required-topology: rack"));
  Run(10);
  std::vector<std::string> first;
  for (const api::Pod& pod : world_.All<api::Pod>()) {
    ASSERT_TRUE(pod.spec.scheduling_gates.empty());
    first.push_back(pod.metadata.name);
  }
  ASSERT_EQ(first.size(), 2u);
  ASSERT_TRUE(world_
                  .Patch(api::KindOf<api::Pod>(), {"default", first[0]},
                         *api::ParseJson(R"({"metadata": {"finalizers": ["example.com/hold"]}})"))
                  .ok());
  kube::DeleteOptions now;
  now.grace_period_seconds = 0;
  world_.client().Delete(api::KindOf<api::Pod>(), {"default", first[0]}, now, [](const auto&) {});
  Run(20);
  int running = 0;
  for (const api::Pod& pod : world_.All<api::Pod>()) {
    if (pod.metadata.deletion_timestamp) continue;
    EXPECT_TRUE(pod.spec.scheduling_gates.empty()) << pod.metadata.name << " stays gated";
    running += pod.status.phase == "Running" ? 1 : 0;
  }
  EXPECT_EQ(running, 2) << "the replacement runs, and is not removed as one too many";
  EXPECT_EQ(WorkloadOf("job").status.unhealthy_nodes.size(), 0u);
}

TEST_F(Defects, D12_QuotaOfEvictedWorkWhosePodsVanishIsFreedOnce) {
  Begin(SmallQueue("cq", "4") + SmallLocalQueue("lq", "cq"));
  for (const bool crash : {false, true}) {
    const std::string name = crash ? "crash" : "calm";
    Submit(SmallJob(name).Pods(4));
    Run(10);
    ASSERT_TRUE(Running(name));
    PatchWorkload(name, R"({"spec": {"active": false}})");
    for (const api::Pod& pod : world().All<api::Pod>()) {
      kube::DeleteOptions now;
      now.grace_period_seconds = 0;
      world().client().Delete(api::KindOf<api::Pod>(), {"default", pod.metadata.name}, now,
                              [](const auto&) {});
    }
    if (crash) world().plane().RestartManager();
    Run(20);
    EXPECT_FALSE(Holds(name));
    EXPECT_EQ(Says(name, names::kEvicted), "True/Deactivated");
    EXPECT_EQ(Reserved("cq"), "0");
    const auto stats = WorkloadOf(name).status.scheduling_stats;
    ASSERT_TRUE(stats);
    ASSERT_EQ(stats->evictions.size(), 1u);
    EXPECT_EQ(stats->evictions[0].count, 1);
  }
  Submit(SmallJob("next").Pods(4).Seconds(5));
  Run(30);
  EXPECT_TRUE(Completed("next"));
}

}  // namespace
}  // namespace kueue::simulation
