#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "simulation/dialect_world.h"

// The two case studies of docs/using/case-studies.md, from the first document to the last pod.
namespace kueue::simulation {
namespace {

using base::minutes;

constexpr char kResearch[] = R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: research-cluster-queue}
spec:
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: default-flavor
      resources: [{name: cpu, nominalQuota: "80"}, {name: memory, nominalQuota: 160Gi}]
  - coveredResources: [nvidia.com/gpu]
    flavors: [{name: a100, resources: [{name: nvidia.com/gpu, nominalQuota: "8"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Queue
metadata: {name: computer-vision-queue}
spec: {clusterQueue: research-cluster-queue, priority: 100}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Queue
metadata: {name: natural-language-processing-queue}
spec: {clusterQueue: research-cluster-queue, priority: 80}
)";

constexpr char kProduction[] = R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: production-cluster-queue}
spec:
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: default-flavor
      resources: [{name: cpu, nominalQuota: "200"}, {name: memory, nominalQuota: 400Gi}]
  - coveredResources: [nvidia.com/gpu]
    flavors: [{name: a100, resources: [{name: nvidia.com/gpu, nominalQuota: "16"}]}]
  - coveredResources: [amd.com/rocm]
    flavors: [{name: mi200, resources: [{name: amd.com/rocm, nominalQuota: "4"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Queue
metadata: {name: recommendation-system-queue}
spec: {clusterQueue: production-cluster-queue, priority: 100}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: Queue
metadata: {name: advertising-queue}
spec: {clusterQueue: production-cluster-queue, priority: 90}
)";

struct Case {
  std::string name, manifests, file;
  std::vector<std::string> queues;  // the higher one first
  std::string accelerator;
  int accelerators_each = 4;
  std::map<std::string, int64_t> nominal;  // as DialectWorld::most
};

std::vector<Case> Cases() {
  return {{"research",
           kResearch,
           "case-research.yaml",
           {"computer-vision-queue", "natural-language-processing-queue"},
           "nvidia.com/gpu",
           4,
           {{"research-cluster-queue/default-flavor/cpu", 80000},
            {"research-cluster-queue/default-flavor/memory", int64_t{160} << 30},
            {"research-cluster-queue/a100/nvidia.com/gpu", 8}}},
          {"production",
           kProduction,
           "case-production.yaml",
           {"recommendation-system-queue", "advertising-queue"},
           "amd.com/rocm",
           2,
           {{"production-cluster-queue/default-flavor/cpu", 200000},
            {"production-cluster-queue/default-flavor/memory", int64_t{400} << 30},
            {"production-cluster-queue/a100/nvidia.com/gpu", 16},
            {"production-cluster-queue/mi200/amd.com/rocm", 4}}}};
}

std::string WorkYaml(const Case& study, const std::string& name, const std::string& queue,
                     int priority) {
  const std::string accelerators =
      study.accelerator + ": '" + std::to_string(study.accelerators_each) + "'";
  return "apiVersion: kueue.x-k8s.io/v1beta1\nkind: Workload\nmetadata: {name: " + name +
         "}\nspec:\n  queueName: " + queue + "\n  priority: " + std::to_string(priority) +
         "\n  podSets:\n  - name: main\n    spec:\n      containers:\n      - {name: trainer, "
         "image: trainer, resources: {requests: {cpu: '8', memory: 16Gi, " +
         accelerators + "}, limits: {" + accelerators + "}}}\n";
}

// Six pieces of work for each queue, the lower queue's handed in first and with the higher
// priorities of their own: only the queue's priority speaks for the others.
void Play(const Case& study, DialectWorld& world, const std::string& manifests) {
  for (size_t q = study.queues.size(); q-- > 0;) {
    for (int i = 0; i < 6; ++i) {
      const std::string name = study.queues[q].substr(0, 6) + "-" + std::to_string(i);
      const auto applied =
          world.Apply(WorkYaml(study, name, study.queues[q], static_cast<int>(q) * 1000 + i));
      ASSERT_TRUE(applied.ok()) << applied.error().message;
    }
  }
  // The queues come last, the ClusterQueue after them: everybody starts at once.
  auto documents = *api::ParseYaml(manifests);
  std::rotate(documents.begin(), documents.begin() + 1, documents.end());
  for (const api::Json& document : documents) {
    if (document.StringAt({"kind"}) == "ClusterQueue") world.Run(base::seconds(5));
    const auto applied = world.Apply(api::WriteJson(document));
    ASSERT_TRUE(applied.ok()) << applied.error().message;
  }
  world.Run(minutes(10));
}

void Check(const Case& study, const DialectWorld& world) {
  ASSERT_EQ(world.finished.size(), 12u);
  ASSERT_EQ(world.admitted.size(), 12u);
  for (size_t i = 0; i < 12; ++i) {
    // In the higher queue first; in a queue by the work's own priority.
    const std::string queue = study.queues[i / 6].substr(0, 6);
    EXPECT_EQ(world.admitted[i].name, queue + "-" + std::to_string(5 - i % 6)) << i;
  }
  for (const auto& [cell, limit] : study.nominal) {
    const auto found = world.most.find(cell);
    if (found != world.most.end()) {
      EXPECT_LE(found->second, limit) << cell;
    }
  }
  for (const auto& [cell, amount] : world.most) {
    EXPECT_EQ(study.nominal.count(cell), 1u) << cell;
  }
}

TEST(CaseStudies, RunToTheirEndInOrderWithinTheirQuota) {
  for (const Case& study : Cases()) {
    SCOPED_TRACE(study.name);
    DialectWorld world;
    Play(study, world, study.manifests);
    Check(study, world);
    if (HasFatalFailure()) return;
  }
}

TEST(CaseStudies, RunFromTheUsersOwnDocuments) {
  for (const Case& study : Cases()) {
    SCOPED_TRACE(study.name);
    std::ifstream in(std::string(KUEUE_SEED_DOCUMENTS) + "/" + study.file);
    if (!in) GTEST_SKIP() << study.file << " is not here: its own documents are not played";
    std::ostringstream text;
    text << in.rdbuf();
    DialectWorld world;
    Play(study, world, text.str());
    Check(study, world);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace kueue::simulation
