#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/types/kueue.h"
#include "base/time.h"
#include "scheduling/config.h"
#include "scheduling/model/catalog.h"
#include "scheduling/model/demand.h"
#include "scheduling/model/quota_tree.h"
#include "scheduling/model/shape_table.h"

namespace kueue::scheduling {

struct ClusterQueue;
struct LocalQueue;

// Quota held, in a node's numbers.
struct CellUse {
  CellId cell;
  uint32_t slot = 0;
  int64_t amount = 0;
};

// A part of what a workload holds: pods on lowest domains of one flavor (spec/topology.md §4.2).
struct DomainUse {
  FlavorId flavor;
  RequestVector per_pod;                              // with `pods`
  std::vector<std::pair<uint32_t, int32_t>> domains;  // entry of the flavor's Holdings, pods
};

// How far the flavor scan of a workload came (§6.9).
struct ScanProgress {
  struct Tried {
    uint32_t pod_set = 0;
    ResourceId resource;
    int32_t index = -1;  // last attempted; -1: that was the last flavor
  };
  std::vector<Tried> tried;
  uint64_t generation = 0;  // of the ClusterQueue
  uint64_t cycle = 0;

  bool HasUntried() const;
  // Where the next scan begins.
  uint32_t NextIndex(uint32_t pod_set, ResourceId resource) const;
};

// A workload that races others of its family for one flavor each (§10), or that may use
// some flavors only.
struct VariantFacts {
  std::string parent_uid;  // "": of no family
  bool limited = false;    // only these flavors; the first names the variant's own
  std::vector<std::string> flavors;

  bool Allows(const std::string& flavor) const {
    return !limited || std::find(flavors.begin(), flavors.end(), flavor) != flavors.end();
  }
};

// Where a waiting workload is (§4.1). A popped one is nowhere until it is requeued.
// kAlike: with others of its shape, which all are parked or all to be tried (ParkedShapes).
enum class Bucket : uint8_t { kNone, kHeap, kParked, kAlike, kInFlight };

struct ShapeGroup;

// A workload as decisions see it: the object as last told, what was read from it, and what this
// State remembers beside it.
struct WorkItem {
  std::string key;   // "namespace/name"
  uint32_t row = 0;  // in Records::workloads
  std::shared_ptr<const api::Workload> object;
  std::shared_ptr<const Demand> demand;
  Shape shape;

  // ---- read from the object
  int64_t priority = 0;     // effective (§4.2)
  int64_t queue_priority = 0;  // of its LocalQueue; first in one ClusterQueue
  base::Time order_time;    // §4.2
  base::Time reserved_at;   // since when QuotaReserved is True
  bool finished = false, active = true, reserved = false, admitted = false, evicted = false;
  bool on_hold = false;                     // QuotaReserved=False, reason OnHold
  bool waiting_for_replacement = false;     // WaitingForReplacementPods=True
  bool pods_ready = false;                  // PodsReady=True (§12)
  bool gated = false;                       // an admission gate (§4.1)
  bool parent_of_variants = false;          // its variants stand for it (§10)
  std::unique_ptr<const VariantFacts> variant;  // with gate ConcurrentAdmission
  bool requeued_false = false;              // §4.4: parked until it changes
  bool check_refuses = false;               // some check Retry or Rejected (§5.2)
  bool preemption_gate_closed = false;      // §5.6 E
  std::optional<base::Time> requeue_at;
  std::vector<int32_t> counts;  // pods still needed, by pod set (§1.10)

  // ---- reservation
  // The quota given by a cycle and not yet seen in the object. Its flags stand above as if the
  // object had them.
  std::shared_ptr<const api::Admission> assumed;
  base::Time assumed_at;  // whole seconds, as the object will show it
  bool assumed_admitted = false;
  bool assumed_again = false;            // by a second pass: the object has a reservation
  bool eviction_in_flight = false;       // issued, not yet seen (§7.9)
  ClusterQueue* accounted_in = nullptr;  // whose usage contains `usage`
  uint32_t accounted_at = 0;             // place in that queue's list
  std::vector<CellUse> usage;
  std::vector<DomainUse> domains;  // charged in the atlas
  uint64_t victim_in_cycle = 0;    // the last cycle that chose it as a victim
  bool hidden = false;             // out of the view for the moment (§3.2)

  // ---- waiting
  LocalQueue* local_queue = nullptr;  // named by the spec; may not exist as object
  uint32_t local_at = 0;              // place in that queue's list
  const double* past_use = nullptr;   // of that queue (§9.1)
  ClusterQueue* queued_in = nullptr;  // whose bucket holds it
  Bucket bucket = Bucket::kNone;
  uint32_t position = 0;        // in the heap, the parked list or its group
  ShapeGroup* alike = nullptr;  // in bucket kAlike
  Shape listed_shape;           // in the heap: under which it is found
  uint32_t listed_at = 0;
  int64_t evaluated_generation = -1;        // §4.4: of the object last popped
  int64_t aged = 0;                         // added to `priority` in its queue (policies/aging.h)
  std::unique_ptr<ScanProgress> progress;

  const std::string& uid() const { return object->metadata.uid; }
  const std::string& namespace_name() const { return object->metadata.namespace_name; }
  // The quota held: assumed, or from the object. Null without.
  const api::Admission* admission() const;
  bool leaving() const { return evicted || eviction_in_flight; }
  // May it count as usage (§2.5)?
  bool Accountable() const {
    return reserved && !finished && active && !parent_of_variants && admission() != nullptr;
  }
  // May it stand in a queue (§4.1)?
  bool Queueable() const {
    return !gated && !finished && active && !reserved && !on_hold && !waiting_for_replacement &&
           !parent_of_variants &&
           (demand == nullptr || demand->device_problem.empty());
  }
  bool BackoffOver(base::Time now) const {
    return !requeued_false && (!requeue_at || now >= *requeue_at);
  }
};

// Fills everything that is read from `item.object`; an assumed reservation stays on top of it.
void ReadStatus(WorkItem& item, const Config& config);
// Pods still needed, by pod set (§1.10).
std::vector<int32_t> NeededCounts(const api::Workload& object, const Config& config);
// §4.7; unknown without the gate.
Shape ReadShape(const WorkItem& item, const Config& config, const Catalog& catalog,
                ShapeTable& shapes);
// Requests of a pod set at a count (§1.10).
RequestVector Scaled(const RequestVector& per_pod, int64_t count);

// What the item's admission holds by (flavor, resource) (§1.10), in the numbers of `node`.
std::vector<CellUse> ReadUsage(const WorkItem& item, const Config& config, Node* node,
                               QuotaTree& tree);
// What the pod set of this name holds (§11).
RequestVector HeldBy(const api::Admission& admission, const std::string& pod_set, Catalog& catalog);

}  // namespace kueue::scheduling
