#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "resources/quantity.h"

namespace kueue::scheduling {

// Feature gates that change a decision, with the reference's defaults (spec/scheduling.md §0).
struct Gates {
  bool partial_admission = true;
  bool flavor_fungibility = true;
  bool flavor_fungibility_preserve_scan_progress = true;
  bool priority_sorting_within_cohort = true;
  bool priority_boost = false;
  bool prioritize_preemptor_workloads = false;
  bool scheduling_equivalence_hashing = true;
  bool recompute_assignment_upon_preemption_targets_overlap = true;
  bool tas_recompute_assignment_within_scheduling_cycle = true;
  bool fair_sharing_preempt_within_nominal = true;
  bool fair_sharing_prioritize_non_borrowing = true;
  bool admission_fair_sharing = true;
  bool elastic_jobs_via_workload_slices = true;
  bool concurrent_admission = false;
  bool multikueue_orchestrated_preemption = false;
  bool quota_check_strategy = true;
  bool reclaimable_pods = true;
  bool unadmitted_workloads_observability = true;
  bool unadmitted_workloads_explicit_status = false;
  bool admission_gated_by = true;
  bool topology_aware_scheduling = true;
  bool dra_integration = true;
  bool dra_extended_resource = true;       // the next three need dra_integration
  bool dra_partitionable_devices = true;
  bool dra_consumable_capacity = false;
  bool dra_reject_when_disabled = true;
  // Those of spec/topology.md §0.
  bool tas_profile_mixed = true;
  bool tas_balanced_placement = false;
  bool tas_respect_node_affinity_preferred = false;
  bool tas_handle_overlapping_flavors = true;
  bool tas_assignments_encoding_by_hostname_prefix = true;
  bool tas_failed_node_replacement_fail_fast = true;
  bool skip_reassignment_for_pod_owned_workloads = true;
  bool elastic_jobs_via_workload_slices_with_tas = false;
};
// Sets a gate by its public name ("PartialAdmission"). False if no gate of a decision has that
// name.
bool SetGate(Gates& gates, std::string_view name, bool value);

enum class FairPreemptionStrategy { kLessThanOrEqualToFinalShare, kLessThanInitialShare };

struct FairSharingConfig {
  // Empty means both, in this order.
  std::vector<FairPreemptionStrategy> preemption_strategies;
};

// LocalQueues that used much go behind (spec/scheduling.md §9).
struct AdmissionFairSharing {
  base::Duration half_life{0};  // 0: the past does not count
  base::Duration sampling_interval = base::minutes(5);  // > 0
  std::map<std::string, double> resource_weights;       // absent: 1
  // Only ClusterQueues with the strategy of the simple dialect; others as if this were absent.
  bool only_by_strategy = false;
};

// What is asked for of one resource counts as amounts of others (spec/scheduling.md §1.7).
struct ResourceTransformation {
  std::string input;
  bool replace = false;     // the input itself does not count any more
  std::string multiply_by;  // a resource whose request multiplies the input; "": none
  std::map<std::string, resources::Quantity> outputs;  // per unit of the input
};

// Where the amount that a device is charged for is read (spec/scheduling.md §1.9).
struct DeviceSource {
  bool counter = false;  // of what the device consumes; else of its capacity
  std::string driver, name;
  std::string selector;  // CEL; "": all devices of the driver
};
// Devices of these classes count as a resource: one each, or by the sources.
struct DeviceMapping {
  std::string resource;
  std::vector<std::string> device_classes;
  std::vector<DeviceSource> sources;
};

struct Config {
  Gates gates;
  // Every head gets a cycle of its own, as in the reference. Otherwise heads that certainly fail
  // as they failed before are passed over, and cycles without any other head are fused; what is
  // decided, and in which order, stays the same.
  bool one_by_one = false;
  // Passing over begins in queues with more parked shapes than this: to look at a few is cheap,
  // and keeps the sentences about them fresh.
  uint32_t shapes_always_tried = 16;
  std::optional<FairSharingConfig> fair_sharing;  // absent: classical preemption and order
  // Absent: the past of LocalQueues does not count. Also needs the gate, and the ClusterQueue's
  // admissionScope.
  std::optional<AdmissionFairSharing> admission_fair_sharing;
  // Work is admitted only while every workload that holds quota has its pods ready
  // (spec/scheduling.md §12).
  bool block_admission_until_ready = false;
  // Where the order timestamp after a PodsReadyTimeout comes from (spec/scheduling.md §4.2).
  bool requeue_by_creation = false;
  // Resources whose name starts with one of these never count (spec/scheduling.md §1.7).
  std::vector<std::string> exclude_resource_prefixes;
  std::vector<ResourceTransformation> transformations;  // inputs are unique
  // Which resource the devices of a class count as (spec/scheduling.md §1.9).
  std::vector<DeviceMapping> device_mappings;
  // resources.quotaCheckStrategy = IgnoreUndeclared: what no resource group covers is not counted
  // instead of refused (spec/scheduling.md §1.11).
  bool ignore_undeclared_resources = false;
};

}  // namespace kueue::scheduling
