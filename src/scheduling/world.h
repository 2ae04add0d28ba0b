#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/match/policy_annotations.h"
#include "api/types/kueue.h"
#include "scheduling/config.h"
#include "scheduling/fairness/usage_ledger.h"
#include "scheduling/model/queue_rules.h"
#include "scheduling/model/quota_tree.h"
#include "scheduling/model/shape_table.h"
#include "scheduling/model/work_item.h"
#include "scheduling/policies/sparing.h"
#include "scheduling/queues/pending_queue.h"
#include "scheduling/queues/retries.h"
#include "scheduling/queues/second_passes.h"
#include "scheduling/topology/atlas.h"
#include "scheduling/records.h"
#include "scheduling/state.h"

namespace kueue::scheduling {

// A LocalQueue, or only its name as long as workloads name it.
struct LocalQueue {
  std::string key;  // "namespace/name"
  std::shared_ptr<const api::LocalQueue> object;  // null: not there
  ClusterQueue* target = nullptr;                 // named by the spec; may be only a name
  bool stopped = false;
  int64_t priority = 0;  // among the queues of its ClusterQueue; annotation of the simple dialect
  std::vector<WorkItem*> items;  // all workloads naming it
  double weight = 1;             // §9.1
  double past_use = 0;           // §9.1; 0 without admission fair sharing
  api::WallTimeBudget budget;    // policies/budget.h
  api::DeletedRuns deleted_runs;
  bool usable() const { return object != nullptr && !stopped; }
};

struct VictimList;

// A ClusterQueue, or only its name as long as something names it.
struct ClusterQueue {
  std::string name;
  std::shared_ptr<const api::ClusterQueue> object;  // null: not there; then node and pending too
  QueueRules rules;
  Node* node = nullptr;
  std::unique_ptr<PendingQueue> pending;
  bool terminating = false;  // sticky (spec/scheduling.md §3.1)
  bool active = false;       // §3.1; equals node->in_view
  bool topology_only = false;  // every flavor has a topology (§6.5)
  bool selects_all = false;    // namespaceSelector {}
  bool by_past_use = false;    // its LocalQueues are ordered by what they used (§9)
  api::QueuePolicies policies;  // beyond the reference, all off by default
  bool by_queue_priority = false;  // some LocalQueue has a priority of its own
  std::vector<WorkItem*> accounted;       // whose admission names it (§2.5)
  // The same, sorted; good as long as the node's victims_known (preemption/candidates.h).
  std::shared_ptr<VictimList> victims;
  std::vector<LocalQueue*> local_queues;  // pointing to it, by key
};

// Why a ClusterQueue may not schedule (§3.1).
struct Activity {
  bool active = false;
  std::string reason, message;
};

// Whether some resource group of the queue names the flavor.
bool UsesFlavor(const ClusterQueue& queue, FlavorId flavor);
topology::Rules RulesOf(const Gates& gates);

// What the State holds and how facts change it. The cycle (cycle.h) works on the same data under
// the tree's journal.
class World {
 public:
  explicit World(Config c);

  // ---- facts: see State
  void SetNamespace(const std::string& name, const api::StringMap& labels, base::Time now);
  void DeleteNamespace(const std::string& name);
  void SetResourceFlavor(std::shared_ptr<const api::ResourceFlavor> object, base::Time now);
  void DeleteResourceFlavor(const std::string& name);
  void SetCohort(std::shared_ptr<const api::Cohort> object, base::Time now);
  void DeleteCohort(const std::string& name);
  void SetClusterQueue(std::shared_ptr<const api::ClusterQueue> object, base::Time now);
  void DeleteClusterQueue(const std::string& name);
  void SetLocalQueue(std::shared_ptr<const api::LocalQueue> object, base::Time now);
  void DeleteLocalQueue(const std::string& key);
  void SetAdmissionCheck(std::shared_ptr<const api::AdmissionCheck> object, base::Time now);
  void DeleteAdmissionCheck(const std::string& name);
  void SetTopology(std::shared_ptr<const api::Topology> object, base::Time now);
  void DeleteTopology(const std::string& name, base::Time now);
  void SetNode(std::shared_ptr<const api::Node> object, base::Time now);
  void DeleteNode(const std::string& name, base::Time now);
  void SetPod(std::shared_ptr<const api::Pod> object, base::Time now);
  void DeletePod(const std::string& key, base::Time now);
  void SetLimitRange(std::shared_ptr<const api::LimitRange> object, base::Time now);
  void DeleteLimitRange(const std::string& namespace_name, const std::string& name,
                        base::Time now);
  void SetRuntimeClass(std::shared_ptr<const api::RuntimeClass> object, base::Time now);
  void DeleteRuntimeClass(const std::string& name, base::Time now);
  void SetDeviceClass(std::shared_ptr<const api::DeviceClass> object, base::Time now);
  void DeleteDeviceClass(const std::string& name, base::Time now);
  void SetResourceSlice(std::shared_ptr<const api::ResourceSlice> object, base::Time now);
  void DeleteResourceSlice(const std::string& name, const std::string& driver, base::Time now);
  void SetClaimTemplate(std::shared_ptr<const api::ResourceClaimTemplate> object, base::Time now);
  void DeleteClaimTemplate(const std::string& namespace_name, const std::string& name,
                           base::Time now);
  void SetWorkload(std::shared_ptr<const api::Workload> object, base::Time now);
  void DeleteWorkload(const std::string& key, base::Time now);
  void ReservationFailed(const std::string& key, const std::string& uid, base::Time now);
  void EvictionFailed(const std::string& key, const std::string& uid);
  std::optional<State::PastUseReport> SamplePastUse(const std::string& local_queue, base::Time now);

  // ---- time
  // `all`: also those that are not due yet.
  void CarryOutRetries(base::Time now, bool all);
  std::optional<base::Time> NextDue() const;
  bool HasHeads() const;

  // ---- for the cycle
  // The quota of a cycle's decision, before the object shows it (§13).
  void Assume(WorkItem* item, std::shared_ptr<const api::Admission> admission,
              std::vector<CellUse> usage, bool also_admitted, base::Time now);
  // New places in quota that is held already (spec/topology.md §15).
  void AssumeAgain(WorkItem* item, std::shared_ptr<const api::Admission> admission, bool admitted);
  bool NeedsSecondPass(const WorkItem& item) const;
  void Requeue(WorkItem* item, ClusterQueue* queue, RequeueReason reason,
               const std::string& parked_reason, base::Time now);
  // What a State knew beyond the object, when it is built anew from a row.
  void Restore(const WorkloadRow& row, base::Time now);
  void RestorePastUse(const PastUse& entry);
  // An eviction was issued and is not seen yet (§7.9), or is not under way any more.
  void SetEvictionInFlight(WorkItem* item, bool in_flight);
  // §1.6 (2); false without the namespace.
  bool NamespaceMatches(const WorkItem& item, const ClusterQueue& queue) const;
  const api::ResourceFlavor* FindFlavor(FlavorId flavor) const;
  const api::AdmissionCheck* FindCheck(const std::string& name) const;
  // Null if there is no workload of that key.
  WorkItem* FindItem(const std::string& key) const;
  const ClusterQueue* FindQueue(const std::string& name) const;
  const LocalQueue* FindLocalQueue(const std::string& key) const;
  Activity ActivityOf(const ClusterQueue& queue) const;
  // Before a head is taken: penalties may have changed the order of many (§4.3).
  void OrderByPastUse(ClusterQueue* queue);
  // Some workload holds quota and its pods are not ready (§12).
  bool AwaitsReadiness() const { return config.block_admission_until_ready && !unready_.empty(); }
  // A head was turned away for that: no other is tried until all are ready.
  void HoldBack() { held_back_ = true; }
  bool HoldsBack() const { return held_back_ && AwaitsReadiness(); }

  Config config;
  Surroundings surroundings;
  Catalog catalog;
  topology::Atlas atlas;
  QuotaTree tree{catalog};
  ShapeTable shapes;  // before everything that holds shapes
  Retries retries;
  SecondPasses second_passes;
  std::optional<UsageLedger> ledger;  // with admission fair sharing
  uint64_t cycle = 0;
  base::Time cycle_time;         // `now` of the cycle under way
  std::optional<Spared> spared;  // whom the searches for the workload at hand left alone
  std::map<std::string, api::StringMap> namespaces;  // labels by name
  std::vector<ClusterQueue*> queues;                 // those with an object, by name
  Records records;  // the same facts once more, for snapshots

 private:
  ClusterQueue* QueueNamed(const std::string& name);
  LocalQueue* LocalQueueNamed(const std::string& key);
  // REQUIRES: no item of the queue waits.
  void SetQueuePriority(LocalQueue* queue, int64_t priority);
  void FollowQueuePriority(WorkItem* item);
  void RefreshQueuePriorities(ClusterQueue* queue);
  void DropIfUnused(LocalQueue* queue);
  void DropIfUnused(ClusterQueue* queue);

  // One cause why a queue is inactive that has to do with its admission checks.
  struct CheckCause {
    const char* reason;
    const char* what;
    std::vector<std::string> names;
  };
  void AddCheckCauses(const ClusterQueue& queue, std::vector<CheckCause>& causes) const;
  bool HasOnlyTopologyFlavors(const ClusterQueue& queue) const;
  void RefreshActivity(ClusterQueue* queue);
  // For the queues that `uses` holds for; those that became active retry.
  template <class Uses>
  void RefreshActivities(base::Time now, Uses&& uses);
  void ReplaceTree(ClusterQueue* queue, base::Time now);
  void FollowPolicies(ClusterQueue* queue, base::Time now);
  void FollowBudget(LocalQueue* queue, base::Time now);
  void BindLocalQueue(LocalQueue* queue, const std::string& target);

  void BindItem(WorkItem* item);
  void UnbindItem(WorkItem* item);
  // Reads the newest object; the assumption stays until the object shows a reservation.
  void ReadObject(WorkItem* item, std::shared_ptr<const api::Workload> object);
  void ShowAssumed(WorkItem* item);
  // Writes the item's row.
  void Record(const WorkItem& item);
  void AddWorkload(std::shared_ptr<const api::Workload> object, base::Time now);
  void UpdateWorkload(WorkItem* item, std::shared_ptr<const api::Workload> object,
                      base::Time now);
  void ApplyUpdate(WorkItem* item, const std::shared_ptr<const api::Workload>& before,
                   std::shared_ptr<const api::Workload> object, base::Time now);
  void UpdatePending(WorkItem* item, const api::Workload& before, bool check_relents,
                     base::Time now);
  // What surrounds them changed: workloads that `concerns` holds for are read anew.
  template <class Concerns>
  void RereadDemands(base::Time now, Concerns&& concerns);
  void Reread(WorkItem* item, base::Time now);
  void DevicesChanged(base::Time now);
  void RetryForDriver(const std::string& driver, base::Time now);
  bool IsForVariants(const ClusterQueue& queue, const WorkItem& item) const;
  PendingQueue* PendingFor(const WorkItem& item) const;
  void LeaveQueue(WorkItem* item);
  void Enqueue(WorkItem* item, base::Time now);
  void EnqueueInBulk(LocalQueue* queue);
  void WatchBackoff(WorkItem* item, base::Time now);
  // §2.5: takes the item out of the usage it is in and puts it where it belongs now.
  void Account(WorkItem* item);
  void AccountAs(WorkItem* item, std::vector<CellUse> usage);
  void Discount(WorkItem* item);
  void AddUsage(WorkItem* item);
  void RemoveUsage(WorkItem* item);
  void WatchSecondPass(const WorkItem& item, base::Time now);
  bool WaitsForSecondWrite(const WorkItem& item) const;
  void ChargeDomains(WorkItem* item);
  void DischargeDomains(WorkItem* item);
  // The space of these flavors is made or dropped; what is held on it follows.
  void RemakeSpaces(const std::vector<FlavorId>& flavors);
  void AskRetryOfAll(base::Time now);
  void RetryAfterFreeing(base::Time now);
  bool UsesTopology(const ClusterQueue& queue, const std::string& topology) const;
  bool LacksTopology(const ClusterQueue& queue) const;
  bool HasMultiKueueCheck(const ClusterQueue& queue) const;
  // §9: what LocalQueues used.
  bool CountsPastUse(const api::ClusterQueue& queue) const;
  api::ResourceList LiveUse(const LocalQueue& local, const ClusterQueue& queue) const;
  void PastUseChanged(LocalQueue* local);
  void FollowWeight(LocalQueue* local, base::Time now);
  void ForgetPastUse(LocalQueue* local);
  void ChargeForEntry(const WorkItem& item, const ClusterQueue& queue, base::Time now);
  void FollowPastUse(const WorkItem& item, const api::Workload& before, base::Time now);
  void RecordPastUse(const std::string& local_queue);
  Node* HomeOf(const WorkItem& item) const;
  void AskRetry(const WorkItem& item, base::Time now);

  std::vector<std::shared_ptr<const api::ResourceFlavor>> flavors_;  // by FlavorId
  std::map<std::string, std::shared_ptr<const api::AdmissionCheck>> checks_;
  std::map<std::string, std::shared_ptr<const api::Cohort>> cohorts_;
  // Only looked up by name, never walked.
  std::unordered_map<std::string, std::unique_ptr<ClusterQueue>> queue_by_name_;
  std::unordered_map<std::string, std::unique_ptr<LocalQueue>> local_by_key_;
  std::unordered_map<std::string, std::unique_ptr<WorkItem>> items_;
  std::optional<base::Time> freed_due_;  // plain pods left room: retry then (topology.md §3.2)
  std::vector<ClusterQueue*> aging_;  // those whose work ages
  std::set<std::string> unready_;  // keys; with block_admission_until_ready
  bool held_back_ = false;
  std::set<std::pair<base::Time, std::string>> backoffs_;  // end, key; checked when they ring
};

}  // namespace kueue::scheduling
