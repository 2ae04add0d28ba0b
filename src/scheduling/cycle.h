#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduling/flavors/assigner.h"
#include "scheduling/flavors/hopeless.h"
#include "scheduling/flavors/placing.h"
#include "scheduling/plan.h"
#include "scheduling/policies/backfill.h"
#include "scheduling/preemption/search.h"
#include "scheduling/world.h"

namespace kueue::scheduling {

// A head with what it would get and who would have to leave for it (spec/scheduling.md §5.3).
struct Entry {
  WorkItem* item = nullptr;
  ClusterQueue* queue = nullptr;
  bool second_pass = false;       // it holds quota and needs places (spec/topology.md §15)
  int attempts = 0;               // second passes that failed before
  bool preemptor = false;         // the record of §4.6 names it
  WorkItem* old_slice = nullptr;  // the running slice that it replaces (§11)
  Assignment assignment;
  std::vector<Victim> targets;  // without the replaced slice

  // ---- outcome (§5.7)
  bool admitted = false;
  bool gave_up = false;          // it is evicted for its failed node (spec/topology.md §14.6)
  bool awaits_readiness = false; // it fits, and must wait for the pods of others (§12)
  bool skipped = false;          // processed and turned away for others' sake
  enum class Sibling : uint8_t { kNone, kBetterIsAdmitted, kStays, kLeaves };
  Sibling sibling = Sibling::kNone;  // what an admitted variant of its family means to it (§10)
  RequeueReason reason = RequeueReason::kFailedAfterNomination;
  bool keep_progress = true;

  // ---- what policies beyond the reference did about it
  std::optional<Spared> spared;         // nobody could be preempted, and this one not yet
  std::optional<Backfill::Hold> held;   // it fits, and must not pass the first
};

// A head that was not even looked at (§5.2).
struct Refused {
  WorkItem* item = nullptr;
  ClusterQueue* queue = nullptr;
  RequeueReason reason = RequeueReason::kGeneric;
  std::string condition_reason, message;
  bool write_status = true;
  std::optional<base::Time> again = std::nullopt;  // a policy keeps it back until then
};

// One scheduling cycle over the live world under the tree's journal (§3.2, §5): what it changes in
// the tree is undone at its end; only what it assumed stays.
class Cycle {
 public:
  Cycle(World& world, base::Time now, uint64_t most_cycles = 1)
      : world_(world), tree_(world.tree), now_(now), most_cycles_(most_cycles) {
    world.cycle_time = now;
  }
  Plan Run();
  // What would be decided about this workload were it the only head; changes nothing. Null if
  // something other than quota turns it away: then the reason and message for people are filled in.
  std::unique_ptr<Entry> Probe(WorkItem* item, ClusterQueue* queue, std::string& reason,
                               std::string& message);

 private:
  struct Issued {
    WorkItem* victim;
    PreemptionReason reason;
    const Entry* by;
  };

  struct Fitting {
    bool quota = false, places = false;
    bool all() const { return quota && places; }
  };

  void TakeHeads();  // heads.cc
  void PassOverHopeless(std::vector<std::optional<Hopeless>>& judges);
  void TakeUnsaid();
  void NominateSecondPasses();
  void ProcessSecondPasses(std::vector<Entry*>& left);
  void DecideSecondPass(Entry& entry);
  bool FailsFast(const Entry& entry) const;
  void AdmitAgain(const Entry& entry, Plan& plan);
  void PutBackSecondPass(const Entry& entry, Plan& plan);
  void Nominate(WorkItem* item, ClusterQueue* queue, bool preemptor);
  bool Refuse(WorkItem* item, ClusterQueue* queue);
  WorkItem* OldSliceOf(const Entry& entry) const;
  // §5.3. `pins`: the flavors that may be used, or null.
  void Decide(Entry& entry, const std::vector<Pin>* pins);
  void SearchSmaller(Entry& entry, Assigner& assigner, const Placing& placing);
  std::vector<Victim> VictimsFor(const Entry& entry, Assigner& assigner, const Placing& placing,
                                 const Assignment& assignment) const;
  void RememberProgress(Entry& entry) const;

  void ProcessInOrder();
  void Process(Entry& entry);
  // `without_victims`: without those of others, who are about to leave; else because its places
  // are gone.
  void Recompute(Entry& entry, bool without_victims);
  void NoteRecomputation(const Entry& entry);
  bool SharesVictims(const Entry& entry) const;
  // The victim leaves the view for the rest of the cycle.
  void TakeVictim(WorkItem* item);
  // The victims of this cycle that matter to the entry leave the view, if they are still in it.
  void TakeVictims(const Entry& entry);
  // Until undone, victims of this cycle are in view again.
  void BringVictimsBack();
  // Victims stay in the view from now on, and leave it for each question on their own.
  void KeepVictimsInView();
  Fitting Fits(const Entry& entry);
  void AddUsage(const Entry& entry);
  void AddUsage(Node* node, uint32_t slot, Amount amount);
  void TakePlaces(const Entry& entry);
  void ReserveCapacity(const Entry& entry);
  void Commit(Entry& entry);
  bool Gated(const Entry& entry) const;
  // An admitted variant of the same family whose flavor comes earlier (or later) than the entry's
  // in the queue's first resource group (§10); null if there is none.
  WorkItem* AdmittedSibling(const Entry& entry, bool earlier) const;
  bool MayMigrate(const Entry& entry) const;
  void MigrateFrom(Entry& entry, WorkItem* sibling);
  // Work that waits for a policy comes again when that lets go of it (policies/).
  void AskAgain(const Entry& entry);
  // Somebody who holds quota, from before or since this cycle, has no ready pods (§12).
  bool AwaitsReadiness() const;

  void CarryOut(Plan& plan);
  void Admit(const Entry& entry, Plan& plan);
  void PutBack(Entry& entry, Plan& plan);

  World& world_;
  QuotaTree& tree_;
  const base::Time now_;
  const uint64_t most_cycles_;
  bool only_says_why_ = false;  // of those passed over; several heads of a queue
  uint64_t fused_ = 0;          // cycles without anything to look at, passed over
  std::vector<std::unique_ptr<Entry>> entries_;
  std::vector<Entry*> processed_;  // in the order of processing
  std::vector<Refused> refused_;
  std::vector<WorkItem*> victims_;  // of this cycle, each once
  // For metrics, as in the Plan.
  std::map<std::string, uint32_t> skipped_preemptions_;
  std::vector<std::pair<std::string, std::string>> recomputed_targets_;
  // Victims leave the view when they are chosen, and what is added later is added beside them: the
  // same as if each question took them out anew, as long as sums do not depend on their order.
  bool victims_gone_ = true;
  std::vector<Issued> issued_;
  std::vector<std::pair<WorkItem*, const Entry*>> migrations_;  // who leaves, and for whom (§10)
};

}  // namespace kueue::scheduling
