#include "scheduling/config.h"

#include <utility>

namespace kueue::scheduling {
namespace {

// Public gate names beside the members they set (spec/scheduling.md §0).
constexpr std::pair<std::string_view, bool Gates::*> kGates[] = {
    {"PartialAdmission", &Gates::partial_admission},
    {"FlavorFungibility", &Gates::flavor_fungibility},
    {"FlavorFungibilityPreserveScanProgress", &Gates::flavor_fungibility_preserve_scan_progress},
    {"PrioritySortingWithinCohort", &Gates::priority_sorting_within_cohort},
    {"PriorityBoost", &Gates::priority_boost},
    {"PrioritizePreemptorWorkloads", &Gates::prioritize_preemptor_workloads},
    {"SchedulingEquivalenceHashing", &Gates::scheduling_equivalence_hashing},
    {"RecomputeAssignmentUponPreemptionTargetsOverlap",
     &Gates::recompute_assignment_upon_preemption_targets_overlap},
    {"TASRecomputeAssignmentWithinSchedulingCycle",
     &Gates::tas_recompute_assignment_within_scheduling_cycle},
    {"FairSharingPreemptWithinNominal", &Gates::fair_sharing_preempt_within_nominal},
    {"FairSharingPrioritizeNonBorrowing", &Gates::fair_sharing_prioritize_non_borrowing},
    {"AdmissionFairSharing", &Gates::admission_fair_sharing},
    {"ElasticJobsViaWorkloadSlices", &Gates::elastic_jobs_via_workload_slices},
    {"ConcurrentAdmission", &Gates::concurrent_admission},
    {"MultiKueueOrchestratedPreemption", &Gates::multikueue_orchestrated_preemption},
    {"QuotaCheckStrategy", &Gates::quota_check_strategy},
    {"ReclaimablePods", &Gates::reclaimable_pods},
    {"UnadmittedWorkloadsObservability", &Gates::unadmitted_workloads_observability},
    {"UnadmittedWorkloadsExplicitStatus", &Gates::unadmitted_workloads_explicit_status},
    {"AdmissionGatedBy", &Gates::admission_gated_by},
    {"TopologyAwareScheduling", &Gates::topology_aware_scheduling},
    {"KueueDRAIntegration", &Gates::dra_integration},
    {"KueueDRAIntegrationExtendedResource", &Gates::dra_extended_resource},
    {"KueueDRAIntegrationPartitionableDevices", &Gates::dra_partitionable_devices},
    {"KueueDRAIntegrationConsumableCapacity", &Gates::dra_consumable_capacity},
    {"KueueDRARejectWorkloadsWhenDRADisabled", &Gates::dra_reject_when_disabled},
    {"TASProfileMixed", &Gates::tas_profile_mixed},
    {"TASBalancedPlacement", &Gates::tas_balanced_placement},
    {"TASRespectNodeAffinityPreferred", &Gates::tas_respect_node_affinity_preferred},
    {"TASHandleOverlappingFlavors", &Gates::tas_handle_overlapping_flavors},
    {"TASAssignmentsEncodingByHostnamePrefix",
     &Gates::tas_assignments_encoding_by_hostname_prefix},
    {"TASFailedNodeReplacementFailFast", &Gates::tas_failed_node_replacement_fail_fast},
    {"SkipReassignmentForPodOwnedWorkloads",
     &Gates::skip_reassignment_for_pod_owned_workloads},
    {"ElasticJobsViaWorkloadSlicesWithTAS",
     &Gates::elastic_jobs_via_workload_slices_with_tas},
};

}  // namespace

bool SetGate(Gates& gates, std::string_view name, bool value) {
  for (const auto& [gate, member] : kGates) {
    if (gate != name) continue;
    gates.*member = value;
    return true;
  }
  return false;
}

}  // namespace kueue::scheduling
