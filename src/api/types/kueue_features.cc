#include "api/types/kueue_features.h"

#include <algorithm>
#include <optional>

namespace kueue::api {
namespace {

using S = FeatureStage;

constexpr FeatureInfo kFeatures[] = {
    {"AdmissionFairSharing", true, S::kBeta, false, "", "usage-based ordering between LocalQueues"},
    {"AdmissionGatedBy", true, S::kBeta, false, "", "honour the admission-gated-by annotation"},
    {"AssignQueueLabelsForPods", true, S::kBeta, false, "",
     "label pods with their LocalQueue and ClusterQueue"},
    {"CleanupProvisioningRequestsOnEviction", true, S::kBeta, false, "",
     "delete the ProvisioningRequests of an evicted Workload"},
    {"ConcurrentAdmission", false, S::kAlpha, false, "", "race several flavors through variants"},
    {"CustomMetricLabels", false, S::kAlpha, false, "", "extra metric labels from object metadata"},
    {"DeferRayServiceFinalizationForRedisCleanup", true, S::kBeta, false, "",
     "keep a deleted RayService's Workload until its Redis cleanup job ends"},
    {"DisableWaitForPodsReady", false, S::kAlpha, false, "",
     "switch waitForPodsReady off during the migration to its being on by default; to be dropped "
     "in 0.21"},
    {"ElasticJobsViaWorkloadSlices", true, S::kBeta, false, "",
     "resize running jobs by workload slices"},
    {"ElasticJobsViaWorkloadSlicesWithTAS", false, S::kAlpha, false,
     "ElasticJobsViaWorkloadSlices TopologyAwareScheduling",
     "same together with topology-aware scheduling"},
    {"FailureRecoveryPolicy", false, S::kAlpha, false, "",
     "force-delete opted-in pods stuck terminating on unreachable nodes"},
    {"FairSharingPreemptWithinNominal", true, S::kBeta, false, "",
     "fair sharing: a queue within nominal for the contested resources may preempt without passing "
     "the share comparison"},
    {"FairSharingPrioritizeNonBorrowing", true, S::kBeta, false, "",
     "fair sharing: prefer entries whose subtree does not borrow the requested flavors, at each "
     "cohort level"},
    {"FastQuotaReleaseInPodIntegration", false, S::kAlpha, false, "",
     "treat terminating pods as inactive so quota frees at once"},
    {"FinishOrphanedWorkloads", true, S::kBeta, false, "",
     "finish Workloads whose owner is gone (reason OwnerNotFound)"},
    {"FlavorFungibility", true, S::kBeta, false, "",
     "honour the flavor fungibility policy and remember which flavor was tried last"},
    {"FlavorFungibilityPreserveScanProgress", true, S::kBeta, false, "FlavorFungibility",
     "keep the flavor scan position across cycles despite other queue activity"},
    {"KueueDRAIntegration", true, S::kBeta, false, "", "account DRA devices in quota"},
    {"KueueDRAIntegrationConsumableCapacity", false, S::kAlpha, false, "KueueDRAIntegration",
     "capacity-based quota for devices with several allocations"},
    {"KueueDRAIntegrationExtendedResource", true, S::kBeta, false, "KueueDRAIntegration",
     "account DRA devices requested through extended resource names"},
    {"KueueDRAIntegrationPartitionableDevices", true, S::kBeta, false, "KueueDRAIntegration",
     "counter-based quota for partitionable devices"},
    {"KueueDRARejectWorkloadsWhenDRADisabled", true, S::kBeta, false, "",
     "mark DRA workloads inadmissible when KueueDRAIntegration is off"},
    {"LocalQueueMetrics", true, S::kBeta, false, "", "per-LocalQueue metrics"},
    {"LWSImmutableGroupSize", true, S::kBeta, false, "",
     "forbid changing the group size of a managed LeaderWorkerSet"},
    {"ManagedJobsNamespaceSelectorAlwaysRespected", true, S::kStable, true, "",
     "the managed-jobs namespace selector also filters jobs with a queue name"},
    {"MetricForWorkloadCreationLatency", true, S::kBeta, false, "",
     "record workload creation latency"},
    {"MetricsForCohorts", true, S::kBeta, false, "",
     "cohort metrics and the ClusterQueue info metric"},
    {"MultiKueue", true, S::kBeta, false, "", "multi-cluster dispatch"},
    {"MultiKueueAdaptersForCustomJobs", true, S::kBeta, false, "",
     "configurable MultiKueue adapters for external job kinds"},
    {"MultiKueueClusterProfile", false, S::kAlpha, false, "",
     "connect to workers through ClusterProfile objects"},
    {"MultiKueueIncrementalDispatcherConfig", true, S::kBeta, false, "",
     "configurable step of the incremental dispatcher"},
    {"MultiKueueIncrementalDispatcherRespectConfigOrder", true, S::kBeta, false, "",
     "nominate in spec.clusters order"},
    {"MultiKueueKubeConfigPathValidation", true, S::kBeta, false, "",
     "confine kubeconfig paths to /etc/multikueue/kubeconfigs/"},
    {"MultiKueueManagerQuotaAutomation", false, S::kAlpha, false, "",
     "derive manager quotas from the workers"},
    {"MultiKueueOrchestratedPreemption", false, S::kAlpha, false, "",
     "gate preemption on workers so that one worker preempts at a time"},
    {"MultiKueueRemoteSpecSync", true, S::kBeta, false, "",
     "forward later manager-side spec changes (RayService serve config) to the worker"},
    {"PartialAdmission", true, S::kBeta, false, "", "admit with fewer pods down to minCount"},
    {"PodIntegrationValidateGroupOwner", true, S::kBeta, false, "",
     "do not adopt a same-named Workload that was not built from the pod group"},
    {"PrioritizePreemptorWorkloads", false, S::kAlpha, false, "",
     "keep a preemptor ahead until its victims are gone"},
    {"PriorityBoost", false, S::kAlpha, false, "", "honour the priority-boost annotation"},
    {"PrioritySortingWithinCohort", true, S::kBeta, false, "",
     "order entries of one cohort by priority in a scheduling cycle"},
    {"QuotaCheckStrategy", true, S::kBeta, false, "",
     "configurable strategy for resources the queue does not cover"},
    {"ReclaimablePods", true, S::kBeta, false, "", "release quota of pods no longer needed"},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap", true, S::kBeta, false, "",
     "recompute preemption targets that overlap another entry's in the cycle"},
    {"RejectUpdatesToCQWithInvalidOnFlavors", false, S::kAlpha, false, "",
     "drop the CQ-W7 ratchet"},
    {"RemoveFinalizersWithStrictPatch", true, S::kBeta, false, "",
     "remove pod finalizers with a patch that carries the resource version"},
    {"SchedulerLibraryIntegration", false, S::kAlpha, false, "",
     "use the Kubernetes scheduler library"},
    {"SchedulingEquivalenceHashing", true, S::kBeta, false, "",
     "skip workloads equivalent to one just found inadmissible (BestEffortFIFO)"},
    {"ShortWorkloadNames", false, S::kAlpha, false, "",
     "keep generated Workload names within 63 characters"},
    {"SkipAncestorCheckForDeletedWorkloads", true, S::kBeta, false, "",
     "tolerate a missing owner while an object is being deleted"},
    {"SkipReassignmentForPodOwnedWorkloads", true, S::kBeta, false, "",
     "never recompute placement for a workload owned by one pod"},
    {"SparkApplicationIntegration", false, S::kAlpha, false, "", "SparkApplication integration"},
    {"TASAssignmentsEncodingByHostnamePrefix", true, S::kBeta, false, "",
     "split topology assignments by hostname prefix"},
    {"TASBalancedPlacement", false, S::kAlpha, false, "TopologyAwareScheduling",
     "spread pods evenly over the chosen domains"},
    {"TASCacheNodeMatchResults", true, S::kBeta, false, "",
     "cache node match results within a cycle"},
    {"TASCacheTopologyTree", true, S::kBeta, false, "",
     "reuse the topology tree across cycles while nodes are unchanged"},
    {"TASCachingRemainingResources", true, S::kBeta, false, "",
     "cache remaining capacity in the TAS snapshot"},
    {"TASFailedNodeReplacement", true, S::kBeta, false, "TopologyAwareScheduling",
     "replace a failed node in an existing topology assignment"},
    {"TASFailedNodeReplacementFailFast", true, S::kBeta, false,
     "TopologyAwareScheduling TASFailedNodeReplacement",
     "evict when the first replacement search fails"},
    {"TASHandleOverlappingFlavors", true, S::kBeta, false, "TopologyAwareScheduling",
     "correct node accounting when several flavors match one node"},
    {"TASMultiLayerTopology", true, S::kBeta, false, "TopologyAwareScheduling",
     "up to three nested slice layers"},
    {"TASProfileMixed", true, S::kBeta, false, "TopologyAwareScheduling",
     "choose best-fit or least-free-capacity by the kind of topology request"},
    {"TASRecomputeAssignmentWithinSchedulingCycle", true, S::kBeta, false,
     "TopologyAwareScheduling",
     "recompute a TAS assignment that no longer fits later in the same cycle"},
    {"TASReplaceNodeDueToNotReadyOverFixedTime", false, S::kDeprecated, false,
     "TopologyAwareScheduling TASFailedNodeReplacement",
     "count a node as failed after a fixed time not ready, whatever its pods do"},
    {"TASReplaceNodeOnNodeTaints", true, S::kBeta, false, "TopologyAwareScheduling",
     "replace or evict when a node is tainted and pods cannot run there"},
    {"TASReplaceNodeOnPodTermination", true, S::kBeta, false,
     "TopologyAwareScheduling TASFailedNodeReplacement",
     "count a not-ready node as failed once the pods on it terminate"},
    {"TASRespectNodeAffinityPreferred", false, S::kAlpha, false, "TopologyAwareScheduling",
     "weigh preferred node affinity before the placement policy"},
    {"TASValidateWorkloadSliceSize", true, S::kBeta, false, "", "rule WL-W4"},
    {"TLSOptions", true, S::kStable, true, "",
     "apply TLS minimum version, cipher suites and curves to the servers"},
    {"TopologyAwareScheduling", true, S::kBeta, false, "", "topology-aware placement"},
    {"UnadmittedWorkloadsExplicitStatus", false, S::kBeta, false,
     "UnadmittedWorkloadsObservability",
     "write QuotaReserved and Admitted as False at first reconcile"},
    {"UnadmittedWorkloadsObservability", true, S::kBeta, false, "",
     "granular reasons and metrics for unadmitted workloads"},
    {"ValidateRayAndSparkJobUpdates", true, S::kBeta, false, "",
     "validate updates of Ray and Spark jobs that had a queue name before"},
    {"VectorizedResourceRequests", true, S::kBeta, false, "",
     "index resource requests by slice position in TAS snapshots"},
    {"VisibilityOnDemand", true, S::kBeta, false, "", "run the visibility API server"},
    {"WorkloadIdentifierAnnotations", true, S::kBeta, false, "",
     "group and prebuilt names in annotations"},
    {"WorkloadPriorityClassDefaulting", true, S::kBeta, false, "",
     "default jobs to the WorkloadPriorityClass default"},
    {"WorkloadRequestUseMergePatch", false, S::kAlpha, false, "",
     "write Workloads with merge patch instead of server-side apply"},
    {"WorkloadValidateResourcesAreNonNegative", true, S::kBeta, false, "", "rule WL-W3"},
    {"WorkloadValidationForPodSetMetadata", true, S::kBeta, false, "", "rule WL-W1"},
};

std::optional<Feature> Find(std::string_view name) {
  const auto& all = AllFeatures();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<Feature>(i);
  }
  return std::nullopt;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

const char* Word(bool on) { return on ? "true" : "false"; }

}  // namespace

const std::vector<FeatureInfo>& AllFeatures() {
  static const std::vector<FeatureInfo> all(std::begin(kFeatures), std::end(kFeatures));
  return all;
}

FeatureGates::FeatureGates() {
  for (const FeatureInfo& feature : AllFeatures()) on_.push_back(feature.by_default);
}

base::Result<FeatureGates> FeatureGates::Parse(std::string_view text) {
  std::map<std::string, bool> values;
  while (!Trim(text).empty()) {
    const size_t comma = text.find(',');
    const std::string_view entry = Trim(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const size_t equals = entry.find('=');
    const std::string_view name = Trim(entry.substr(0, equals));
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : Trim(entry.substr(equals + 1));
    if (value != "true" && value != "false") {
      return base::Invalid("feature gates are written Name=true or Name=false, not \"" +
                           std::string(entry) + "\"");
    }
    values[std::string(name)] = value == "true";
  }
  return Of(values);
}

base::Result<FeatureGates> FeatureGates::Of(const std::map<std::string, bool>& values) {
  FeatureGates gates;
  const auto& all = AllFeatures();
  for (const auto& [stage, name] :
       {std::pair(FeatureStage::kAlpha, "AllAlpha"), std::pair(FeatureStage::kBeta, "AllBeta")}) {
    const auto it = values.find(name);
    if (it == values.end()) continue;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].stage == stage) gates.on_[i] = it->second;
    }
  }
  for (const auto& [name, on] : values) {
    if (name == "AllAlpha" || name == "AllBeta") continue;
    const auto feature = Find(name);
    if (!feature) return base::Invalid("there is no feature gate \"" + name + "\"");
    const FeatureInfo& info = all[static_cast<size_t>(*feature)];
    if (info.locked && on != info.by_default) {
      return base::Invalid("feature gate " + name + " is locked to " + Word(info.by_default));
    }
    gates.Set(*feature, on);
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (!gates.on_[i]) continue;
    for (std::string_view left = all[i].needs; !left.empty();) {
      const std::string_view needed = left.substr(0, left.find(' '));
      left.remove_prefix(std::min(needed.size() + 1, left.size()));
      if (gates.Enabled(*Find(needed))) continue;
      return base::Invalid("feature gate " + std::string(all[i].name) + " needs " +
                           std::string(needed) + ", which is off; turn " + std::string(needed) +
                           " on or " + std::string(all[i].name) + " off");
    }
  }
  return gates;
}

}  // namespace kueue::api
