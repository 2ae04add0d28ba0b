#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Feature gates: named switches with a default each (spec/api.md §19).
namespace kueue::api {

enum class Feature : uint8_t {
  kAdmissionFairSharing,
  kAdmissionGatedBy,
  kAssignQueueLabelsForPods,
  kCleanupProvisioningRequestsOnEviction,
  kConcurrentAdmission,
  kCustomMetricLabels,
  kDeferRayServiceFinalizationForRedisCleanup,
  kDisableWaitForPodsReady,
  kElasticJobsViaWorkloadSlices,
  kElasticJobsViaWorkloadSlicesWithTAS,
  kFailureRecoveryPolicy,
  kFairSharingPreemptWithinNominal,
  kFairSharingPrioritizeNonBorrowing,
  kFastQuotaReleaseInPodIntegration,
  kFinishOrphanedWorkloads,
  kFlavorFungibility,
  kFlavorFungibilityPreserveScanProgress,
  kKueueDRAIntegration,
  kKueueDRAIntegrationConsumableCapacity,
  kKueueDRAIntegrationExtendedResource,
  kKueueDRAIntegrationPartitionableDevices,
  kKueueDRARejectWorkloadsWhenDRADisabled,
  kLocalQueueMetrics,
  kLWSImmutableGroupSize,
  kManagedJobsNamespaceSelectorAlwaysRespected,
  kMetricForWorkloadCreationLatency,
  kMetricsForCohorts,
  kMultiKueue,
  kMultiKueueAdaptersForCustomJobs,
  kMultiKueueClusterProfile,
  kMultiKueueIncrementalDispatcherConfig,
  kMultiKueueIncrementalDispatcherRespectConfigOrder,
  kMultiKueueKubeConfigPathValidation,
  kMultiKueueManagerQuotaAutomation,
  kMultiKueueOrchestratedPreemption,
  kMultiKueueRemoteSpecSync,
  kPartialAdmission,
  kPodIntegrationValidateGroupOwner,
  kPrioritizePreemptorWorkloads,
  kPriorityBoost,
  kPrioritySortingWithinCohort,
  kQuotaCheckStrategy,
  kReclaimablePods,
  kRecomputeAssignmentUponPreemptionTargetsOverlap,
  kRejectUpdatesToCQWithInvalidOnFlavors,
  kRemoveFinalizersWithStrictPatch,
  kSchedulerLibraryIntegration,
  kSchedulingEquivalenceHashing,
  kShortWorkloadNames,
  kSkipAncestorCheckForDeletedWorkloads,
  kSkipReassignmentForPodOwnedWorkloads,
  kSparkApplicationIntegration,
  kTASAssignmentsEncodingByHostnamePrefix,
  kTASBalancedPlacement,
  kTASCacheNodeMatchResults,
  kTASCacheTopologyTree,
  kTASCachingRemainingResources,
  kTASFailedNodeReplacement,
  kTASFailedNodeReplacementFailFast,
  kTASHandleOverlappingFlavors,
  kTASMultiLayerTopology,
  kTASProfileMixed,
  kTASRecomputeAssignmentWithinSchedulingCycle,
  kTASReplaceNodeDueToNotReadyOverFixedTime,
  kTASReplaceNodeOnNodeTaints,
  kTASReplaceNodeOnPodTermination,
  kTASRespectNodeAffinityPreferred,
  kTASValidateWorkloadSliceSize,
  kTLSOptions,
  kTopologyAwareScheduling,
  kUnadmittedWorkloadsExplicitStatus,
  kUnadmittedWorkloadsObservability,
  kValidateRayAndSparkJobUpdates,
  kVectorizedResourceRequests,
  kVisibilityOnDemand,
  kWorkloadIdentifierAnnotations,
  kWorkloadPriorityClassDefaulting,
  kWorkloadRequestUseMergePatch,
  kWorkloadValidateResourcesAreNonNegative,
  kWorkloadValidationForPodSetMetadata,
};

enum class FeatureStage : uint8_t { kAlpha, kBeta, kStable, kDeprecated };

struct FeatureInfo {
  std::string_view name;
  bool by_default = false;
  FeatureStage stage = FeatureStage::kAlpha;
  bool locked = false;       // cannot be set to anything but the default
  std::string_view needs;    // names of those that must be on for it to be on, split by blanks
  std::string_view meaning;  // for people, in a few words
};

// In the order of the enumeration, which is that of the names.
const std::vector<FeatureInfo>& AllFeatures();

// Which features are on. A value type; starts with the defaults.
class FeatureGates {
 public:
  FeatureGates();
  // "A=true,B=false". Names nobody knows, other values, a locked feature and a feature whose need
  // is off are errors (kInvalid) that name what is wrong and what is allowed. AllAlpha and AllBeta
  // set every feature of that stage that is not named itself.
  static base::Result<FeatureGates> Parse(std::string_view text);
  static base::Result<FeatureGates> Of(const std::map<std::string, bool>& values);

  bool Enabled(Feature feature) const { return on_[static_cast<size_t>(feature)]; }
  void Set(Feature feature, bool on) { on_[static_cast<size_t>(feature)] = on; }

 private:
  std::vector<bool> on_;
};

}  // namespace kueue::api
