#include "api/schema/descriptors.h"
#include "api/schema/patterns.h"
#include "api/schema/rules_kueue.h"
#include "api/schema/table_builder.h"

// Tables of Workload (spec/api.md §8).
namespace kueue::api {

// ---- spec (spec/api.md §8.1)

template <>
const StructDescriptor& DescriptorOf<SliceTopologyConstraint>() {
  using S = SliceTopologyConstraint;
  static const StructDescriptor table =
      MakeTable<S>("SliceTopologyConstraint", kComplete, [](TableBuilder& t) {
        t.Field<&S::topology>("topology").Required().Length(1, 63)
            .Doc("The topology level, by node label.");
        t.Field<&S::size>("size").Required().AlwaysWritten().Min(1)
            .Doc("Pods of one slice on that level.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodSetTopologyRequest>() {
  using S = PodSetTopologyRequest;
  static const StructDescriptor table =
      MakeTable<S>("PodSetTopologyRequest", kComplete, [](TableBuilder& t) {
        t.Field<&S::required>("required").MaxLength(63)
            .Doc("The level all pods must share one domain of.");
        t.Field<&S::preferred>("preferred").MaxLength(63)
            .Doc("The level all pods should share one domain of.");
        t.Field<&S::unconstrained>("unconstrained").Doc("Any nodes with free capacity will do.");
        t.Field<&S::pod_index_label>("podIndexLabel").MaxLength(317)
            .Doc("The pod label with the pod's index.");
        t.Field<&S::sub_group_index_label>("subGroupIndexLabel").MaxLength(317)
            .Doc("The pod label with the index of the replicated job.");
        t.Field<&S::sub_group_count>("subGroupCount").Min(0).Doc("The number of replicated jobs.");
        t.Field<&S::pod_set_group_name>("podSetGroupName").MaxLength(256)
            .Doc("Pod sets of one group share flavor and topology domain.");
        t.Field<&S::pod_set_slice_required_topology>("podSetSliceRequiredTopology").MaxLength(63)
            .Doc("The level each slice of pods must share one domain of.");
        t.Field<&S::pod_set_slice_size>("podSetSliceSize").Min(1).Doc("Pods of one slice.");
        t.Field<&S::podset_slice_required_topology_constraints>(
            "podsetSliceRequiredTopologyConstraints").Atomic().MaxItems(3)
            .Doc("Nested slices, the coarsest level first.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodSet>() {
  using S = PodSet;
  static const StructDescriptor table = MakeTable<S>("PodSet", kComplete, [](TableBuilder& t) {
    t.Field<&S::name>("name").Default("\"main\"").Pattern(patterns::kDnsLabel).MaxLength(63)
        .Doc("The pod set's name.");
    t.Field<&S::pod_template>("template").Required().AlwaysWritten()
        .Doc("What each pod looks like.");
    t.Field<&S::count>("count").AlwaysWritten().Default("1").Min(0).Doc("The number of pods.");
    t.Field<&S::min_count>("minCount").Min(1)
        .Doc("The least number of pods to start with; makes partial admission possible.");
    t.Field<&S::topology_request>("topologyRequest")
        .Doc("Where the pods should be, relative to each other.");
    t.Rule("!has(self.minCount) || self.minCount <= self.count", "minCount must not exceed count");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PriorityClassRef>() {
  using S = PriorityClassRef;
  static const StructDescriptor table =
      MakeTable<S>("PriorityClassRef", kComplete, [](TableBuilder& t) {
        t.Field<&S::group>("group").Required()
            .Enum({"kueue.x-k8s.io", "scheduling.k8s.io"}).Doc("The class's API group.");
        t.Field<&S::kind>("kind").Required()
            .Enum({"WorkloadPriorityClass", "PriorityClass"}).Doc("The class's kind.");
        t.Field<&S::name>("name").Required().Length(1, 253)
            .Pattern(patterns::kDnsSubdomain).Doc("The class's name.");
        t.Rule("self.group != 'scheduling.k8s.io' || self.kind == 'PriorityClass'",
               "scheduling.k8s.io has the kind PriorityClass");
        t.Rule("self.group != 'kueue.x-k8s.io' || self.kind == 'WorkloadPriorityClass'",
               "kueue.x-k8s.io has the kind WorkloadPriorityClass");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PreemptionGate>() {
  using S = PreemptionGate;
  static const StructDescriptor table =
      MakeTable<S>("PreemptionGate", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Length(1, 63).Doc("The gate's name.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<WorkloadSpec>() {
  using S = WorkloadSpec;
  static const StructDescriptor table =
      MakeTable<S>("WorkloadSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::pod_sets>("podSets").MapBy("name").Items(1, 18)
            .Doc("Groups of equal pods that start together.");
        t.Field<&S::queue_name>("queueName").ObjectName().Doc("The LocalQueue.");
        t.Field<&S::priority_class_ref>("priorityClassRef").Doc("Where the priority comes from.");
        t.Field<&S::priority>("priority").Doc("Order among workloads; absent counts as 0.");
        t.Field<&S::active>("active").Default("true").Doc("False forbids admission and evicts.");
        t.Field<&S::maximum_execution_time_seconds>("maximumExecutionTimeSeconds").Min(1)
            .Doc("The longest time the workload may stay admitted.");
        t.Field<&S::preemption_gates>("preemptionGates").MapBy("name").MaxItems(8)
            .Doc("Closed until the status says Open; a closed gate forbids preempting others.");
        t.Rule("!has(self.priorityClassRef) || has(self.priority)",
               "a priorityClassRef needs a priority");
      });
  return table;
}

// ---- topology assignment (spec/api.md §8.3)

template <>
const StructDescriptor& DescriptorOf<TopologyValueList>() {
  using S = TopologyValueList;
  static const StructDescriptor table =
      MakeTable<S>("TopologyValueList", kComplete, [](TableBuilder& t) {
        t.Field<&S::prefix>("prefix").MaxLength(63).Doc("What all values start with.");
        t.Field<&S::suffix>("suffix").MaxLength(63).Doc("What all values end with.");
        t.Field<&S::roots>("roots").Required().Atomic().Items(1, 100000).ItemLength(0, 63)
            .Doc("The middle of each value, one a domain.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<TopologyLevelValues>() {
  using S = TopologyLevelValues;
  static const StructDescriptor table =
      MakeTable<S>("TopologyLevelValues", kComplete, [](TableBuilder& t) {
        t.Field<&S::universal>("universal").MaxLength(63).Doc("The one value of all domains.");
        t.Field<&S::individual>("individual").Doc("A value for each domain.");
        t.Rule("has(self.universal) != has(self.individual)",
               "exactly one of universal and individual must be set");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<TopologyPodCounts>() {
  using S = TopologyPodCounts;
  static const StructDescriptor table =
      MakeTable<S>("TopologyPodCounts", kComplete, [](TableBuilder& t) {
        t.Field<&S::universal>("universal").Min(1).Doc("The one count of all domains.");
        t.Field<&S::individual>("individual").Atomic().Items(1, 100000).ItemMin(1)
            .Doc("A count for each domain.");
        t.Rule("has(self.universal) != has(self.individual)",
               "exactly one of universal and individual must be set");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<TopologyAssignmentSlice>() {
  using S = TopologyAssignmentSlice;
  static const StructDescriptor table =
      MakeTable<S>("TopologyAssignmentSlice", kComplete, [](TableBuilder& t) {
        t.Field<&S::domain_count>("domainCount").Required().AlwaysWritten().Min(1)
            .Doc("How many domains the slice has.");
        t.Field<&S::values_per_level>("valuesPerLevel").Required().Atomic()
            .Items(1, 16).Doc("Their values, one entry a level.");
        t.Field<&S::pod_counts>("podCounts").Required().AlwaysWritten()
            .Doc("How many pods are in each.");
        t.Rule("!has(self.podCounts.individual) || "
               "size(self.podCounts.individual) == self.domainCount",
               "podCounts must have one entry for each domain");
        t.Rule("self.valuesPerLevel.all(l, !has(l.individual) || "
               "size(l.individual.roots) == self.domainCount)",
               "every level must have one root for each domain");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<TopologyAssignment>() {
  using S = TopologyAssignment;
  static const StructDescriptor table =
      MakeTable<S>("TopologyAssignment", kComplete, [](TableBuilder& t) {
        t.Field<&S::levels>("levels").Required().Atomic().Items(1, 16).ItemLength(0, 317)
            .Doc("Keys of node labels, the highest level first.");
        t.Field<&S::slices>("slices").Required().Atomic().MaxItems(1000).Doc("Runs of domains.");
        t.Rule("self.slices.all(s, size(s.valuesPerLevel) == size(self.levels))",
               "every slice must have a value for each level");
      });
  return table;
}

// ---- status (spec/api.md §8.2)

template <>
const StructDescriptor& DescriptorOf<PodSetAssignment>() {
  using S = PodSetAssignment;
  static const StructDescriptor table =
      MakeTable<S>("PodSetAssignment", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Default("\"main\"").Pattern(patterns::kDnsLabel).MaxLength(63)
            .Doc("The pod set.");
        t.Field<&S::flavors>("flavors").ItemObjectName().Doc("The flavor of each resource.");
        t.Field<&S::resource_usage>("resourceUsage").Doc("What all pods together use.");
        t.Field<&S::count>("count").Min(0).Doc("The number of admitted pods; absent means all.");
        t.Field<&S::topology_assignment>("topologyAssignment").Doc("Where the pods go.");
        t.Field<&S::delayed_topology_request>("delayedTopologyRequest").MaxLength(7)
            .Enum({"Pending", "Ready"}).Doc("A topology request that waits for nodes to appear.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Admission>() {
  using S = Admission;
  static const StructDescriptor table = MakeTable<S>("Admission", kComplete, [](TableBuilder& t) {
    t.Field<&S::cluster_queue>("clusterQueue").AlwaysWritten().ObjectName()
        .Doc("The queue whose quota is held.");
    t.Field<&S::pod_set_assignments>("podSetAssignments").MapBy("name").MaxItems(18)
        .Doc("What each pod set got.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<RequeueState>() {
  using S = RequeueState;
  static const StructDescriptor table =
      MakeTable<S>("RequeueState", kComplete, [](TableBuilder& t) {
        t.Field<&S::count>("count").Min(0).Doc("How often the workload was put back.");
        t.Field<&S::requeue_at>("requeueAt").Doc("When it may be tried again.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ReclaimablePod>() {
  using S = ReclaimablePod;
  static const StructDescriptor table =
      MakeTable<S>("ReclaimablePod", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Pattern(patterns::kDnsLabel)
            .MaxLength(63).Doc("The pod set.");
        t.Field<&S::count>("count").Required().AlwaysWritten().Min(0)
            .Doc("Pods that are done and need no quota.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodSetUpdate>() {
  using S = PodSetUpdate;
  static const StructDescriptor table =
      MakeTable<S>("PodSetUpdate", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Pattern(patterns::kDnsLabel)
            .MaxLength(63).Doc("The pod set.");
        t.Field<&S::labels>("labels").Doc("Labels to add.");
        t.Field<&S::annotations>("annotations").Doc("Annotations to add.");
        t.Field<&S::node_selector>("nodeSelector").Doc("Node labels to add to the selector.");
        AddTolerationRules(t.Field<&S::tolerations>("tolerations").Atomic().MaxItems(8)
            .Doc("Tolerations to add."));
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<AdmissionCheckState>() {
  using S = AdmissionCheckState;
  static const StructDescriptor table =
      MakeTable<S>("AdmissionCheckState", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Length(1, 316)
            .Doc("The AdmissionCheck.");
        t.Field<&S::state>("state").Required()
            .Enum({"Pending", "Ready", "Retry", "Rejected"}).Doc("What the check says.");
        t.Field<&S::last_transition_time>("lastTransitionTime").Required()
            .Doc("When the state last changed.");
        t.Field<&S::message>("message").Required().AlwaysWritten().MaxLength(32768)
            .Doc("Why, in a sentence for people.");
        t.Field<&S::requeue_after_seconds>("requeueAfterSeconds").Min(0)
            .Doc("With Retry: how long to wait before the next try.");
        t.Field<&S::retry_count>("retryCount").Min(0).Doc("How often the check said Retry.");
        t.Field<&S::pod_set_updates>("podSetUpdates").Atomic().MaxItems(18)
            .Doc("Changes to the pods the check asks for.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodSetRequest>() {
  using S = PodSetRequest;
  static const StructDescriptor table =
      MakeTable<S>("PodSetRequest", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Pattern(patterns::kDnsLabel)
            .MaxLength(63).Doc("The pod set.");
        t.Field<&S::resources>("resources").Doc("What all its pods need.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<EvictionCount>() {
  using S = EvictionCount;
  static const StructDescriptor table =
      MakeTable<S>("EvictionCount", kComplete, [](TableBuilder& t) {
        t.Field<&S::reason>("reason").Required().AlwaysWritten().MaxLength(316)
            .Doc("Why the workload was evicted.");
        t.Field<&S::underlying_cause>("underlyingCause").Required().AlwaysWritten().MaxLength(316)
            .Doc("The finer cause, or empty.");
        t.Field<&S::count>("count").Required().AlwaysWritten().Min(0).Doc("How often.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<SchedulingStats>() {
  using S = SchedulingStats;
  static const StructDescriptor table =
      MakeTable<S>("SchedulingStats", kComplete, [](TableBuilder& t) {
        t.Field<&S::evictions>("evictions").MapBy("reason", "underlyingCause").MaxItems(256)
            .Doc("Evictions by reason and cause.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<UnhealthyNode>() {
  using S = UnhealthyNode;
  static const StructDescriptor table =
      MakeTable<S>("UnhealthyNode", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().MaxLength(63).Doc("The node.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PreemptionGateState>() {
  using S = PreemptionGateState;
  static const StructDescriptor table =
      MakeTable<S>("PreemptionGateState", kComplete, [](TableBuilder& t) {
        t.Field<&S::name>("name").Required().Length(1, 63).Doc("The gate.");
        t.Field<&S::position>("position").Required().Enum({"Closed", "Open"})
            .Doc("Whether the workload may preempt.");
        t.Field<&S::last_transition_time>("lastTransitionTime").Required()
            .Doc("When the position last changed.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<WorkloadStatus>() {
  using S = WorkloadStatus;
  static const StructDescriptor table =
      MakeTable<S>("WorkloadStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions").MapBy("type").MaxItems(16)
            .Doc("Where the workload is on its way.");
        t.Field<&S::admission>("admission").Doc("The quota it holds.");
        t.Field<&S::requeue_state>("requeueState").Doc("When it is tried again.");
        t.Field<&S::reclaimable_pods>("reclaimablePods").MapBy("name").MaxItems(18)
            .Doc("Pods that are done and need no quota.");
        t.Field<&S::admission_checks>("admissionChecks").MapBy("name").MaxItems(8)
            .Doc("What each check says.");
        t.Field<&S::resource_requests>("resourceRequests").MapBy("name").MaxItems(18)
            .Doc("What was asked for while no quota is held.");
        t.Field<&S::accumulated_past_execution_time_seconds>("accumulatedPastExecutionTimeSeconds")
            .Doc("Time admitted before the last eviction.");
        t.Field<&S::scheduling_stats>("schedulingStats").Doc("Counts of evictions.");
        t.Field<&S::nominated_cluster_names>("nominatedClusterNames").Atomic().MaxItems(20)
            .ItemLength(0, 256).Doc("Worker clusters that may take the workload.");
        t.Field<&S::cluster_name>("clusterName").MaxLength(256)
            .Doc("The worker cluster that runs it.");
        t.Field<&S::unhealthy_nodes>("unhealthyNodes").MapBy("name").MaxItems(8)
            .Doc("Nodes of the assignment that failed.");
        t.Field<&S::preemption_gates>("preemptionGates").MapBy("name").MaxItems(8)
            .Doc("Positions of the gates.");
        AddClusterNameRules(t);
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Workload>() {
  using S = Workload;
  static const StructDescriptor table =
      MakeTable<S>("Workload", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("What is to run.");
        t.Field<&S::status>("status").Doc("What became of it.");
        AddWorkloadRules(t);
      });
  return table;
}

}  // namespace kueue::api
