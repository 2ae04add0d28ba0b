#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/types/devices.h"
#include "api/types/kueue.h"
#include "api/types/limits.h"
#include "scheduling/config.h"
#include "scheduling/plan.h"

namespace kueue::scheduling {

struct Explanation;
class Snapshot;

// Everything the decision depends on: quota tree, usage, queues, scan progress, cycle counter,
// preemptions in flight. Built from API objects alone; told of every change ("facts"); owned by one
// thread. Pure: no clock, no I/O.
//
// Facts are whole objects as the API shows them, in the order they were seen. Telling the same
// twice changes nothing that matters.
class State {
 public:
  explicit State(Config config);
  ~State();
  State(State&&) noexcept;
  State& operator=(State&&) noexcept;

  const Config& config() const;

  // ---- facts
  // Queues whose selector begins to match retry (spec/scheduling.md §4.8): a second from `now`, or
  // at the next opportunity without it.
  void SetNamespace(const api::Namespace& object);
  void SetNamespace(const api::Namespace& object, base::Time now);
  void DeleteNamespace(const std::string& name);
  void SetResourceFlavor(const std::shared_ptr<const api::ResourceFlavor>& object, base::Time now);
  void DeleteResourceFlavor(const std::string& name);
  void SetCohort(const std::shared_ptr<const api::Cohort>& object, base::Time now);
  void DeleteCohort(const std::string& name);
  void SetClusterQueue(const std::shared_ptr<const api::ClusterQueue>& object, base::Time now);
  void DeleteClusterQueue(const std::string& name);
  void SetLocalQueue(const std::shared_ptr<const api::LocalQueue>& object, base::Time now);
  void DeleteLocalQueue(const std::string& namespace_name, const std::string& name);
  void SetAdmissionCheck(const std::shared_ptr<const api::AdmissionCheck>& object, base::Time now);
  void DeleteAdmissionCheck(const std::string& name);
  void SetTopology(const std::shared_ptr<const api::Topology>& object, base::Time now);
  void DeleteTopology(const std::string& name, base::Time now);
  // Nodes and pods matter to flavors with a topology only (spec/topology.md §3). Of pods those that
  // are bound to a node; telling of others changes nothing.
  void SetNode(const std::shared_ptr<const api::Node>& object, base::Time now);
  void DeleteNode(const std::string& name, base::Time now);
  void SetPod(const std::shared_ptr<const api::Pod>& object, base::Time now);
  void DeletePod(const std::string& namespace_name, const std::string& name, base::Time now);
  // What beside its template decides the requests of a pod (spec/scheduling.md §1.5). Waiting
  // workloads that ask for something else now are looked at again.
  void SetLimitRange(const std::shared_ptr<const api::LimitRange>& object, base::Time now);
  void DeleteLimitRange(const std::string& namespace_name, const std::string& name,
                        base::Time now);
  void SetRuntimeClass(const std::shared_ptr<const api::RuntimeClass>& object, base::Time now);
  void DeleteRuntimeClass(const std::string& name, base::Time now);
  // Devices that pods claim (spec/scheduling.md §1.9).
  void SetDeviceClass(const std::shared_ptr<const api::DeviceClass>& object, base::Time now);
  void DeleteDeviceClass(const std::string& name, base::Time now);
  void SetResourceSlice(const std::shared_ptr<const api::ResourceSlice>& object, base::Time now);
  void DeleteResourceSlice(const std::string& name, const std::string& driver, base::Time now);
  void SetClaimTemplate(const std::shared_ptr<const api::ResourceClaimTemplate>& object,
                        base::Time now);
  void DeleteClaimTemplate(const std::string& namespace_name, const std::string& name,
                           base::Time now);
  void SetWorkload(const std::shared_ptr<const api::Workload>& object, base::Time now);
  void DeleteWorkload(const std::string& namespace_name, const std::string& name, base::Time now);

  // ---- time and readiness
  // Retries asked for are batched for a second (spec/scheduling.md §4.8); this carries out those
  // that are due, and back-offs that ended. Step does not do it by itself.
  void CarryOutDueRetries(base::Time now);
  // Carries out all retries asked for, due or not: for players of recorded scenarios.
  void CarryOutAllRetries(base::Time now);
  // When CarryOutDueRetries has something to do next.
  std::optional<base::Time> NextDue() const;
  // Some active queue has a head to try.
  bool HasHeads() const;

  // ---- how writes of a Plan ended
  // The reservation could not be written: its quota is free again and the workload back in its
  // queue.
  void ReservationFailed(const std::string& workload, const std::string& uid, base::Time now);
  // The eviction could not be written: the victim may be chosen again.
  void EvictionFailed(const std::string& workload, const std::string& uid);

  // What of a Plan is still to be seen in the objects: this very admission (any, if null), the
  // eviction. False once the object shows it, or something came in between.
  bool Assumes(const std::string& workload, const api::Admission* admission = nullptr) const;
  bool Evicts(const std::string& workload) const;

  // The State as it is now, as a value that shares structure with it: microseconds, whatever the
  // size. On the owner's thread.
  Snapshot Fork();

  // ---- questions (spec/scheduling.md §3.1, §2.5; spec/controllers.md §3.3, §3.4)
  struct ClusterQueueReport {
    bool known = false;
    bool active = false;
    std::string reason, message;  // of condition Active
    std::vector<api::FlavorUsage> flavors_reservation, flavors_usage;
    int32_t pending = 0, reserving = 0, admitted = 0;
    std::optional<int64_t> weighted_share;  // with fair sharing; rounded up
    std::optional<double> exact_share;      // the same unrounded; +Inf for an endless one
  };
  ClusterQueueReport ReportClusterQueue(const std::string& name) const;
  struct LocalQueueReport {
    bool known = false;
    std::vector<api::LocalQueueFlavorUsage> flavors_reservation, flavors_usage;
    int32_t pending = 0, reserving = 0, admitted = 0;
    std::optional<double> past_use;  // with open penalties, weighted; under admission fair sharing
  };
  LocalQueueReport ReportLocalQueue(const std::string& namespace_name,
                                    const std::string& name) const;
  // What waits in a ClusterQueue, in numbers (spec/controllers.md §17). Takes time by what waits.
  struct PendingReport {
    struct Count {
      size_t active = 0, parked = 0;
    };
    Count workloads;
    Count shapes;                           // different ones that are known
    std::map<std::string, Count> by_local;  // "namespace/name"
    std::map<std::string, api::Quantity> requests;  // of covered resources, zeros as well
  };
  // What is active counts as parked where the queue is not active.
  PendingReport ReportPending(const std::string& cluster_queue) const;
  // A node of the quota tree that is no ClusterQueue.
  struct CohortReport {
    bool known = false;
    std::string parent, root;  // "" without a parent; the root of the cohort's tree
    // Flavor and resource; only what is above 0.
    using Cells = std::map<std::pair<std::string, std::string>, api::Quantity>;
    Cells quota, reservations;          // of the subtree
    int32_t admitted = 0;               // of the subtree
    std::optional<double> exact_share;  // with fair sharing; +Inf for an endless one
  };
  CohortReport ReportCohort(const std::string& name) const;
  // What a LocalQueue used in the past (spec/scheduling.md §9).
  struct PastUseReport {
    api::ResourceList consumed;
    base::Time last_update;
    double usage = 0;                    // with open penalties, weighted
    std::optional<base::Duration> next;  // when to sample again; nothing: only after a change
  };
  // Lets the history of the LocalQueue fade if it is time to, and tells it. Nothing without
  // admission fair sharing, or if the queue is not known or points nowhere.
  std::optional<PastUseReport> SamplePastUse(const std::string& namespace_name,
                                             const std::string& name, base::Time now);
  // What has to be kept of workloads that are gone, as the value of annotation
  // api::names::kWallTimeDeleted; nothing without a budget, or if nothing is to be kept.
  std::optional<std::string> DeletedRunsOf(const std::string& namespace_name,
                                           const std::string& name) const;
  // Rounded up; nothing without fair sharing or for an unknown cohort.
  std::optional<int64_t> CohortWeightedShare(const std::string& name) const;
  // Every node of the quota tree of `name` upward: for finding cohorts to reconcile.
  std::vector<std::string> AncestorsOf(const std::string& cluster_queue) const;
  // The ClusterQueues that name the flavor.
  std::vector<std::string> ClusterQueuesUsingFlavor(const std::string& flavor) const;
  // Some ClusterQueue's admissionChecksStrategy names the check.
  bool IsCheckUsed(const std::string& check) const;
  // The domains of a flavor with a topology, and what is free on them (spec/topology.md §4.4);
  // nothing unless flavor and topology are both known.
  struct TopologyReport {
    std::string topology;
    std::vector<std::string> levels;  // keys, coarse to fine
    struct Cell {
      std::string resource;
      int64_t total = 0;  // of the usable nodes
      int64_t used = 0;   // by admitted workloads with a place
      int64_t plain = 0;  // by other pods
    };
    struct Domain {
      size_t level = 0;
      std::string value;
      uint32_t leaves = 0;      // lowest domains below, or itself, with a usable node
      std::vector<Cell> cells;  // by resource name; in units of requests (milli cpu)
    };
    std::vector<Domain> domains;  // every domain before those below it, in the order of values
  };
  std::optional<TopologyReport> ReportTopology(const std::string& flavor);
  // Workloads waiting in a ClusterQueue in the order in which they would be tried
  // (spec/scheduling.md §4.10), and those parked.
  std::vector<std::string> PendingInOrder(const std::string& cluster_queue) const;
  std::vector<std::string> ActiveHeap(const std::string& cluster_queue) const;    // sorted by name
  std::vector<std::string> Inadmissible(const std::string& cluster_queue) const;  // sorted by name
  // The reason remembered for a parked workload's shape (spec/controllers.md §1.3 (6)), or "".
  std::string ParkedReason(const std::string& workload) const;
  // Why no pod of the workload could be made (spec/scheduling.md §1.6 (3), (4)), or "".
  std::string Violation(const std::string& workload) const;
  // Why the devices that the workload claims cannot be counted, which keeps it out of its queue
  // (spec/scheduling.md §1.9), or "".
  std::string DeviceProblem(const std::string& workload) const;

 private:
  friend Plan Step(State& state, base::Time now, uint64_t most_cycles);
  friend Explanation Explain(State& state, const std::string& workload, base::Time now);
  friend class Snapshot;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// One scheduling cycle: takes the heads, decides, requeues what was not decided
// (spec/scheduling.md §5). Reservations are assumed in the state at once. Without heads: an empty
// plan. `most_cycles`: at most so many are fused (Config::one_by_one); at least 1.
Plan Step(State& state, base::Time now, uint64_t most_cycles = UINT64_MAX);

}  // namespace kueue::scheduling
