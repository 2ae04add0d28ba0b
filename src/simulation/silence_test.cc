#include "simulation/small_world.h"

// Invariant 8: nothing is written that says nothing new. A world with something for every
// controller is left alone for an hour.
namespace kueue::simulation {
namespace {

class Silence : public SmallWorld {};

constexpr char kEverything[] = R"(
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: hall}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: racks}
spec: {nodeLabels: {pool: tas}, topologyName: hall}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata: {name: root}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Cohort
metadata: {name: team}
spec: {parentName: root}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: fair}
spec:
  namespaceSelector: {}
  cohortName: team
  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}
  preemption: {withinClusterQueue: LowerPriority, reclaimWithinCohort: Any}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: default, resources: [{name: cpu, nominalQuota: "4"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: checked}
spec:
  namespaceSelector: {}
  cohortName: root
  queueingStrategy: StrictFIFO
  admissionChecksStrategy: {admissionChecks: [{name: check}]}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: default, resources: [{name: cpu, nominalQuota: "4"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: placed}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: racks, resources: [{name: cpu, nominalQuota: "40"}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: broken}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: missing, resources: [{name: cpu, nominalQuota: "4"}]}]
)";

// What else a cluster holds, with its own controllers.
constexpr char kAround[] = R"(
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store, namespace: default}
spec:
  replicas: 2
  serviceName: store
  selector: {matchLabels: {app: store}}
  template: {metadata: {labels: {app: store}}, spec: {containers: [{name: c, image: i}]}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: default}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: c, image: i}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: stuck, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: stuck}}
  template:
    metadata: {labels: {app: stuck}}
    spec: {nodeSelector: {no: where}, containers: [{name: c, image: i}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: yearly, namespace: default}
spec:
  schedule: "0 0 1 6 *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: all, namespace: default}
spec: {hard: {pods: "1000"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: some, namespace: default}
spec: {limits: [{type: Container, defaultRequest: {cpu: 10m}}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: things, singular: thing, kind: Thing}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
)";

TEST_F(Silence, AWorldWithWorkForEveryControllerIsSilentForAnHour) {
  Options().plane.cluster.nodes = *localcluster::ParseNodeSpec(
      "4x(cpu=16),2x(cpu=4,label:pool=tas,label:rack=r1,name-prefix=t)");
  Options().plane.show_manager = true;
  ManagerOptions().scheduling.fair_sharing.emplace();
  auto& past = ManagerOptions().scheduling.admission_fair_sharing.emplace();
  past.half_life = base::minutes(5);
  past.sampling_interval = base::seconds(30);
  ManagerOptions().controllers.wait_for_pods_ready.emplace();
  ManagerOptions().controllers.retain_finished = base::minutes(10);
  ManagerOptions().controllers.retain_deactivated = base::minutes(10);
  std::string yaml = std::string(kEverything) + kSmallClasses;
  for (const char* queue : {"fair", "checked", "placed", "broken", "held", "nowhere"}) {
    yaml += SmallLocalQueue(queue, std::string(queue) == "held" ? "fair" : queue);
  }
  Begin(yaml + kAround);
  AddCheck("check");
  Patch<api::LocalQueue>("held", R"({"spec": {"stopPolicy": "Hold"}})");
  const int kLong = 1'000'000;
  const auto submit = [&](const std::string& name, const std::string& queue,
                          const std::string& cpu) {
    Submit(SmallJob(name).Queue(queue).Cpu(cpu).Seconds(kLong));
  };
  submit("runs", "fair", "3");
  submit("waits", "fair", "6");
  submit("never-fits", "fair", "100");
  submit("undecided", "checked", "4");
  submit("behind", "checked", "4");
  submit("rejected", "checked", "1");
  submit("placed", "placed", "3");
  submit("no-place", "placed", "30");
  submit("broken", "broken", "1");
  submit("held", "held", "1");
  submit("lost", "nowhere", "1");
  Submit(SmallJob("gated").Queue("fair").Annotation(
      "kueue.x-k8s.io/admission-gated-by: example.com/gate"));
  Submit(SmallJob("ends").Queue("fair").Seconds(10));
  Submit(SmallJob("unmanaged").Queue("").Seconds(kLong));
  Run(30);
  PatchWorkload("never-fits", R"({"spec": {"active": false}})");
  Run(3 * 3600);
  EXPECT_TRUE(Running("runs"));
  EXPECT_NE(Holds("undecided"), Holds("behind")) << "one of them waits for its check";
  EXPECT_EQ(WritesIn(3600), Lines{});
}

}  // namespace
}  // namespace kueue::simulation
