#pragma once

// Names on the wire: labels, annotations, finalizers, condition types, reasons (spec/api.md §16,
// §17; spec/jobs.md §1). Public facts, exact.
namespace kueue::api::names {

inline constexpr char kQueueLabel[] = "kueue.x-k8s.io/queue-name";
inline constexpr char kPriorityClassLabel[] = "kueue.x-k8s.io/priority-class";
inline constexpr char kMaxExecTimeLabel[] = "kueue.x-k8s.io/max-exec-time-seconds";
inline constexpr char kPrebuiltWorkload[] = "kueue.x-k8s.io/prebuilt-workload-name";
inline constexpr char kJobUidLabel[] = "kueue.x-k8s.io/job-uid";
inline constexpr char kManagedLabel[] = "kueue.x-k8s.io/managed";
inline constexpr char kPodSetLabel[] = "kueue.x-k8s.io/podset";
inline constexpr char kClusterQueueNameLabel[] = "kueue.x-k8s.io/cluster-queue-name";
inline constexpr char kLocalQueueNameLabel[] = "kueue.x-k8s.io/local-queue-name";
inline constexpr char kWorkloadAnnotation[] = "kueue.x-k8s.io/workload";
inline constexpr char kWorkloadSliceName[] = "kueue.x-k8s.io/workload-slice-name";
inline constexpr char kWorkloadSliceReplacementFor[] =
    "kueue.x-k8s.io/workload-slice-replacement-for";
inline constexpr char kElasticJobAnnotation[] = "kueue.x-k8s.io/elastic-job";
inline constexpr char kAdmissionGatedBy[] = "kueue.x-k8s.io/admission-gated-by";
inline constexpr char kMinParallelism[] = "kueue.x-k8s.io/job-min-parallelism";
inline constexpr char kCompletionsEqualParallelism[] =
    "kueue.x-k8s.io/job-completions-equal-parallelism";
inline constexpr char kStoppingAnnotation[] = "kueue.x-k8s.io/stopping";
inline constexpr char kPriorityBoost[] = "kueue.x-k8s.io/priority-boost";
inline constexpr char kAllowedResourceFlavors[] =
    "kueue.x-k8s.io/workload-allowed-resource-flavors";
inline constexpr char kConcurrentAdmissionParent[] = "kueue.x-k8s.io/concurrent-admission-parent";
// Topology: on pod templates and pods (spec/topology.md §1.3).
inline constexpr char kRequiredTopology[] = "kueue.x-k8s.io/podset-required-topology";
inline constexpr char kPreferredTopology[] = "kueue.x-k8s.io/podset-preferred-topology";
inline constexpr char kUnconstrainedTopology[] = "kueue.x-k8s.io/podset-unconstrained-topology";
inline constexpr char kSliceRequiredTopology[] = "kueue.x-k8s.io/podset-slice-required-topology";
inline constexpr char kSliceSize[] = "kueue.x-k8s.io/podset-slice-size";
inline constexpr char kSliceTopologyConstraints[] =
    "kueue.x-k8s.io/podset-slice-required-topology-constraints";
inline constexpr char kPodSetGroupName[] = "kueue.x-k8s.io/podset-group-name";
inline constexpr char kPodIndexOffset[] = "kueue.x-k8s.io/pod-index-offset";
inline constexpr char kTopologyGate[] = "kueue.x-k8s.io/topology";
inline constexpr char kHostnameLabel[] = "kubernetes.io/hostname";
inline constexpr char kPodGroupPodIndex[] = "kueue.x-k8s.io/pod-group-pod-index";
inline constexpr char kJobCompletionIndex[] = "batch.kubernetes.io/job-completion-index";
inline constexpr char kResourceInUseFinalizer[] = "kueue.x-k8s.io/resource-in-use";
// What an object of v1beta1 cannot say of its v1beta2 form; see schema/conversion.h. Ours.
inline constexpr char kNewerFields[] = "kueue-cpp.dev/v1beta2-fields";
// Seconds a simulated pod runs; on the pod (template). Ours.
inline constexpr char kRunSeconds[] = "kueue-cpp.dev/run-seconds";
// Order of the work of different queues inside one ClusterQueue (the simple dialect). Ours.
inline constexpr char kQueuePriority[] = "kueue-cpp.dev/queue-priority";

// Workload condition types.
inline constexpr char kQuotaReserved[] = "QuotaReserved";
inline constexpr char kAdmitted[] = "Admitted";
inline constexpr char kEvicted[] = "Evicted";
inline constexpr char kPreempted[] = "Preempted";
inline constexpr char kRequeued[] = "Requeued";
inline constexpr char kFinished[] = "Finished";
inline constexpr char kPodsReady[] = "PodsReady";
inline constexpr char kDeactivationTarget[] = "DeactivationTarget";
inline constexpr char kBlockedOnPreemptionGates[] = "BlockedOnPreemptionGates";
inline constexpr char kWaitingForReplacementPods[] = "WaitingForReplacementPods";
// Of queues.
inline constexpr char kActive[] = "Active";

}  // namespace kueue::api::names
