#include <gtest/gtest.h>

#include "api/match/topology_assignment.h"
#include "api/types/names.h"
#include "controllers/topology_ranks.h"
#include "integrations/index_labels.h"

// Pods go to places in the order in which their framework numbers them, for every framework: pods
// here carry the labels that its operator gives them (spec/topology.md §1.5, §16.3).
namespace kueue::controllers {
namespace {

namespace names = api::names;

// A pod set of one pod a host, made as its framework's pod set is.
struct Made {
  api::Workload workload;
  std::vector<PodPtr> pods;

  explicit Made(const char* framework, int count, const integrations::NumberedPodSet& facts = {},
                const char* group = nullptr) {
    workload.status.admission.emplace();
    Add(framework, "main", count, facts, group);
  }
  void Add(const char* framework, const std::string& name, int count,
           const integrations::NumberedPodSet& facts, const char* group) {
    api::PodSet& set = workload.spec.pod_sets.emplace_back();
    set.name = name;
    set.count = count;
    api::ObjectMeta meta;
    if (group != nullptr) {
      meta.annotations[names::kRequiredTopology] = names::kHostnameLabel;
      meta.annotations[names::kPodSetGroupName] = group;
    }
    set.topology_request =
        *integrations::TopologyRequestOf(meta, integrations::IndexLabelsOf(framework, facts));
    api::PodSetAssignment& to = workload.status.admission->pod_set_assignments.emplace_back();
    to.name = name;
    std::vector<api::TopologyDomain> domains;
    for (int i = 0; i < count; ++i) domains.push_back({{name + "-host" + std::to_string(i)}, 1});
    to.topology_assignment = api::EncodeTopology({names::kHostnameLabel}, domains, true);
  }
  // Pods made later are older: only their labels can tell where they belong.
  void AddPod(const std::string& name, const api::StringMap& labels) {
    auto pod = std::make_shared<api::Pod>();
    pod->metadata.name = name;
    pod->metadata.labels = labels;
    pod->metadata.creation_timestamp =
        base::Time(base::seconds(1000 - static_cast<int64_t>(pods.size())));
    pod->spec.scheduling_gates.push_back({names::kTopologyGate, {}});
    pods.push_back(pod);
  }
  std::map<std::string, std::string> Plan(size_t i = 0) const {
    std::map<std::string, std::string> sent;
    for (const Ungating& u :
         PlanUngating(workload, workload.status.admission->pod_set_assignments[i], pods)) {
      sent[u.pod->metadata.name] = u.node_selector.at(names::kHostnameLabel);
    }
    return sent;
  }
};

using Sent = std::map<std::string, std::string>;

TEST(FrameworkRanks, OneIndexLabel) {
  const std::pair<const char*, const char*> rows[] = {
      {"batch/job", "batch.kubernetes.io/job-completion-index"},
      {"kubeflow.org/mpijob", "training.kubeflow.org/replica-index"},
      {"kubeflow.org/pytorchjob", "training.kubeflow.org/replica-index"},
      {"kubeflow.org/tfjob", "training.kubeflow.org/replica-index"},
      {"kubeflow.org/xgboostjob", "training.kubeflow.org/replica-index"},
      {"kubeflow.org/paddlejob", "training.kubeflow.org/replica-index"},
      {"kubeflow.org/jaxjob", "training.kubeflow.org/replica-index"},
      {"pod", "kueue.x-k8s.io/pod-group-pod-index"},
      {"statefulset", "apps.kubernetes.io/pod-index"}};
  for (const auto& [framework, label] : rows) {
    Made made(framework, 3);
    for (int i = 0; i < 3; ++i) made.AddPod("p" + std::to_string(i), {{label, std::to_string(i)}});
    EXPECT_EQ(made.Plan(), (Sent{{"p0", "main-host0"}, {"p1", "main-host1"}, {"p2", "main-host2"}}))
        << framework;
  }
}

TEST(FrameworkRanks, JobsOfAJobSetFollowEachOther) {
  for (const char* framework : {"jobset.x-k8s.io/jobset", "trainer.kubeflow.org/trainjob"}) {
    Made made(framework, 4, {false, 2, nullptr});
    for (const char* job : {"0", "1"}) {
      for (const char* index : {"0", "1"}) {
        made.AddPod(std::string(job) + index,
                    {{"jobset.sigs.k8s.io/job-index", job}, {names::kJobCompletionIndex, index}});
      }
    }
    EXPECT_EQ(made.Plan(), (Sent{{"00", "main-host0"},
                                 {"01", "main-host1"},
                                 {"10", "main-host2"},
                                 {"11", "main-host3"}}))
        << framework;
  }
}

// Workers of a LeaderWorkerSet count from 1, after the leader, which has no number.
TEST(FrameworkRanks, WorkersOfALeaderWorkerSet) {
  constexpr char kFramework[] = "leaderworkerset.x-k8s.io/leaderworkerset";
  Made made(kFramework, 1, {true, {}, nullptr}, "g");
  made.Add(kFramework, "workers", 2, {}, "g");
  made.AddPod("w1", {{"leaderworkerset.sigs.k8s.io/worker-index", "1"}});
  made.AddPod("w2", {{"leaderworkerset.sigs.k8s.io/worker-index", "2"}});
  EXPECT_EQ(made.Plan(1), (Sent{{"w1", "workers-host0"}, {"w2", "workers-host1"}}));
  made.pods.clear();
  made.AddPod("leader", {{"leaderworkerset.sigs.k8s.io/worker-index", "0"}});
  EXPECT_EQ(made.Plan(0), (Sent{{"leader", "main-host0"}}));
}

TEST(FrameworkRanks, AnAppWrapperNamesItsLabels) {
  const std::string prefix = "workload.codeflare.dev.appwrapper/";
  const api::StringMap annotations{{prefix + "tas-pod-index-label", "index"}};
  Made made("workload.codeflare.dev/appwrapper", 2, {false, {}, &annotations});
  made.AddPod("a", {{"index", "0"}});
  made.AddPod("b", {{"index", "1"}});
  EXPECT_EQ(made.Plan(), (Sent{{"a", "main-host0"}, {"b", "main-host1"}}));
}

// Frameworks without numbers are filled up in the order of creation.
TEST(FrameworkRanks, NoLabelNoOrder) {
  for (const char* framework : {"ray.io/raycluster", "sparkoperator.k8s.io/sparkapplication"}) {
    Made made("batch/job", 2);
    made.workload.spec.pod_sets[0].topology_request =
        *integrations::TopologyRequestOf({}, integrations::IndexLabelsOf(framework, {}));
    made.AddPod("young", {{names::kJobCompletionIndex, "0"}});
    made.AddPod("old", {{names::kJobCompletionIndex, "1"}});
    EXPECT_EQ(made.Plan(), (Sent{{"old", "main-host0"}, {"young", "main-host1"}})) << framework;
  }
}

}  // namespace
}  // namespace kueue::controllers
