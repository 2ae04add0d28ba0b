#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/types/kueue.h"
#include "resources/resource_vector.h"

// What one scheduling cycle decided, as data. Statuses, events, metrics and explanations are
// projections of it.
namespace kueue::scheduling {

enum class FlavorMode : uint8_t { kNoFit, kPreempt, kDeferredFit, kFit };

// One resource tried in one flavor (spec/scheduling.md §6.6), with the numbers.
struct ResourceAttempt {
  std::string resource;
  FlavorMode mode = FlavorMode::kNoFit;
  int borrowing_level = 0;
  std::string reason;          // "", NoMatchingFlavor, ExceedsMaxQuota, WaitingForQuota
  int64_t requested = 0;       // with what earlier pod sets of the workload take
  resources::Amount used, nominal, available, potential;
};
struct FlavorAttempt {
  std::string pod_set, flavor;
  FlavorMode mode = FlavorMode::kNoFit;
  std::string refusal;         // why the flavor is not eligible at all: taint, selector, missing
  std::vector<ResourceAttempt> resources;
};

// Why the pods of a pod set have no place (spec/topology.md §12.1, §12.2), as numbers.
struct PlaceRefusal {
  std::string pod_set, flavor;
  std::string problem;              // what is wrong with the request itself; then nothing else
  int64_t fitting = 0, wanted = 0;  // pods, or slices
  bool in_slices = false;
  struct Level {
    std::string key, domain;  // a domain that takes the most pods, its values joined by ','
    int64_t pods = 0;
  };
  std::vector<Level> best;  // by level, coarse to fine
  using Causes = std::vector<std::pair<std::string, uint32_t>>;
  uint32_t nodes = 0;        // lowest domains that were candidates
  Causes excluded;           // of these, by cause
  Causes unusable;           // further ones: notReady, unschedulable
};

// Quota given to a workload: what is written to status.admission.
struct Reservation {
  std::string workload, uid;   // "namespace/name"
  std::string cluster_queue;
  api::Admission admission;
  bool also_admitted = false;  // no admission check stands between reservation and admission
  bool second_pass = false;    // the quota was held before; only places are new
  bool clears_unhealthy_nodes = false;  // status.unhealthyNodes goes in the same write
  int borrowing_level = 0;
};

struct Eviction {
  std::string workload, uid;
  std::string cluster_queue;
  std::string evicted_reason;    // Preempted, NodeFailures, FlavorMigration
  std::string preempted_reason;  // InClusterQueue, InCohortReclamation, ... (Preempted only)
  std::string by_workload, by_uid;  // the preemptor
  std::string by_cluster_queue;
  std::string message = "";  // NodeFailures: what is in the way of a replacement
};

// A head that neither got quota nor was dropped.
struct Requeue {
  std::string workload, uid;
  std::string cluster_queue;
  std::string requeue_reason;  // spec/scheduling.md §4.6
  // What condition QuotaReserved=False shall say; empty reason: no status write.
  std::string condition_reason, message;
  std::map<std::string, resources::ResourceVector> requests;  // pod set -> totals
  bool write_status = false;
  // It keeps its quota and will look for places again: event SecondPassFailed, no status write
  // (spec/topology.md §15.3).
  bool second_pass = false;
};

// One head as it was judged, in the order of processing.
struct Evaluated {
  std::string workload;
  std::string cluster_queue;
  FlavorMode mode = FlavorMode::kNoFit;
  std::vector<FlavorAttempt> attempts;
  std::vector<PlaceRefusal> places;
  std::vector<std::string> victims;
  std::vector<std::string> policies;  // what those beyond the reference did, in sentences
};

struct Plan {
  uint64_t cycle = 0;   // number of the last cycle that it contains
  // Cycles of one head a queue that it contains: more than one if those before the last were fused
  // (Config::one_by_one). 0: only says of workloads passed over before why they wait.
  uint64_t cycles = 0;
  std::vector<Reservation> reservations;
  std::vector<Eviction> evictions;
  std::vector<Requeue> requeues;
  std::vector<std::string> finished_slices;  // old slices replaced (spec/scheduling.md §11)
  std::vector<Evaluated> evaluated;
  // For metrics (spec/controllers.md §17). By ClusterQueue: heads of the last cycle that did not
  // preempt because others of it took their victims or their room. And in order, ClusterQueue and
  // outcome of every look for other victims: new_targets, deferred_fit, skipped.
  std::map<std::string, uint32_t> skipped_preemptions;
  std::vector<std::pair<std::string, std::string>> recomputed_targets;
  bool progressed() const { return !reservations.empty() || !evictions.empty(); }
};

}  // namespace kueue::scheduling
