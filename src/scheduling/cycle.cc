#include "scheduling/cycle.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "api/types/names.h"
#include "scheduling/explain.h"
#include "scheduling/fairness/tournament.h"
#include "scheduling/mutation.h"
#include "scheduling/policies/budget.h"

namespace kueue::scheduling {

Plan Cycle::Run() {
  Plan plan;
  const uint64_t before = world_.cycle;
  TakeHeads();
  plan.cycle = world_.cycle;
  plan.cycles = world_.cycle - before;
  if (entries_.empty() && refused_.empty()) {
    tree_.StopJournal();
    return plan;
  }
  ProcessInOrder();
  tree_.StopJournal();
  CarryOut(plan);
  return plan;
}

// ---- heads and nomination

// §5.2. True if the head goes no further.
bool Cycle::Refuse(WorkItem* item, ClusterQueue* queue) {
  using R = RequeueReason;
  const auto refuse = [&](R reason, std::string condition, std::string message) {
    refused_.push_back({item, queue, reason, std::move(condition), std::move(message), true});
    return true;
  };
  if (item->check_refuses) {
    return refuse(R::kGeneric, "PendingEvaluation", "An admission check asks to try again later");
  }
  if (queue->node->cyclic) {
    return refuse(R::kGeneric, "Suspended",
                  "ClusterQueue " + queue->name + " is below a cycle of Cohorts");
  }
  if (!world_.NamespaceMatches(*item, *queue)) {
    if (!world_.namespaces.contains(item->namespace_name())) {
      return refuse(R::kGeneric, "Misconfigured",
                    "Namespace " + item->namespace_name() + " does not exist");
    }
    return refuse(R::kNamespaceMismatch, "Misconfigured",
                  "ClusterQueue " + queue->name + " does not take work of namespace " +
                      item->namespace_name());
  }
  if (auto budget = RefusedByBudget(*item, now_)) {
    refuse(R::kWallTimeBudget, "WaitingForQuota", std::move(budget->message));
    refused_.back().again = budget->until;
    return true;
  }
  if (item->demand->violation.empty()) return false;
  return refuse(R::kGeneric, "Misconfigured", item->demand->violation);
}

void Cycle::Nominate(WorkItem* item, ClusterQueue* queue, bool preemptor) {
  if (Refuse(item, queue)) return;
  Entry& entry = *entries_.emplace_back(std::make_unique<Entry>());
  entry.item = item;
  entry.queue = queue;
  entry.preemptor = preemptor;
  entry.old_slice = OldSliceOf(entry);
  if (const ScanProgress* progress = item->progress.get()) {
    // §6.9. A changed shape ended it when the object was read.
    const bool fresh = world_.config.gates.flavor_fungibility_preserve_scan_progress &&
                       world_.cycle - progress->cycle <= 1;
    if (!fresh && queue->node->generation > progress->generation) item->progress.reset();
  }
  Decide(entry, nullptr);
}

// §11: in the same queue and namespace, and in view.
WorkItem* Cycle::OldSliceOf(const Entry& entry) const {
  if (!world_.config.gates.elastic_jobs_via_workload_slices) return nullptr;
  const auto& annotations = entry.item->object->metadata.annotations;
  if (annotations.empty()) return nullptr;
  const auto found = annotations.find(api::names::kWorkloadSliceReplacementFor);
  if (found == annotations.end()) return nullptr;
  WorkItem* const old = world_.FindItem(found->second);
  const bool same = old != nullptr && old->accounted_in == entry.queue &&
                    old->namespace_name() == entry.item->namespace_name();
  return same ? old : nullptr;
}

void Cycle::Decide(Entry& entry, const std::vector<Pin>* pins) {
  if (entry.second_pass) return DecideSecondPass(entry);
  world_.spared.reset();
  Assigner assigner(world_, *entry.item, *entry.queue);
  const Placing placing(world_, *entry.item, *entry.queue, entry.old_slice);
  assigner.PinTo(pins);
  assigner.Replacing(entry.old_slice);
  entry.assignment = assigner.Assign(entry.item->counts);
  placing.Adjust(entry.assignment);
  entry.targets = VictimsFor(entry, assigner, placing, entry.assignment);
  if (entry.assignment.mode() != FlavorMode::kFit && entry.targets.empty() &&
      world_.config.gates.partial_admission) {
    SearchSmaller(entry, assigner, placing);
  }
  placing.Reserve(entry.assignment, entry.targets);
  const bool waits = entry.assignment.mode() != FlavorMode::kFit && entry.targets.empty();
  entry.spared = waits ? world_.spared : std::nullopt;
  RememberProgress(entry);
}

// §6.10: exactly these probes, since success is not monotone.
void Cycle::SearchSmaller(Entry& entry, Assigner& assigner, const Placing& placing) {
  const auto& pod_sets = entry.item->demand->pod_sets;
  std::vector<int64_t> spans;
  int64_t sum = 0;
  for (const PodSetDemand& pod_set : pod_sets) {
    spans.push_back(pod_set.spec->count - pod_set.spec->min_count.value_or(pod_set.spec->count));
    sum += spans.back();
  }
  if (sum <= 0) return;
  for (int64_t low = 0, high = sum + 1; low < high;) {
    const int64_t middle = (low + high) / 2;
    std::vector<int32_t> counts;
    for (size_t i = 0; i < pod_sets.size(); ++i) {
      counts.push_back(static_cast<int32_t>(pod_sets[i].spec->count - spans[i] * middle / sum));
    }
    Assignment assignment = assigner.Assign(counts);
    placing.Adjust(assignment);
    std::vector<Victim> targets = VictimsFor(entry, assigner, placing, assignment);
    if (assignment.mode() == FlavorMode::kFit || !targets.empty()) {
      entry.assignment = std::move(assignment);
      entry.targets = std::move(targets);
      high = middle;
    } else {
      low = middle + 1;
    }
  }
}

// The real victim search, for all cells at once (§6.11). `pods` is not in these totals (§1.8).
std::vector<Victim> Cycle::VictimsFor(const Entry& entry, Assigner& assigner,
                                      const Placing& placing, const Assignment& assignment) const {
  if (assignment.mode() != FlavorMode::kPreempt) return {};
  std::vector<SlotAmount> amounts;
  for (const PodSetResult& pod_set : assignment.pod_sets) {
    const RequestVector& per_pod = entry.item->demand->pod_sets[pod_set.index].per_pod;
    for (const ResourceAmount& want : Scaled(per_pod, pod_set.count)) {
      const Choice* const choice = pod_set.ChoiceFor(want.resource);
      const int64_t amount =
          resources::SaturatingSub(want.amount, assigner.HeldBefore(pod_set.index, want.resource));
      if (choice == nullptr || amount == 0) continue;
      const auto known =
          std::find_if(amounts.begin(), amounts.end(),
                       [&](const SlotAmount& entry_of) { return entry_of.slot == choice->slot; });
      if (known == amounts.end()) {
        amounts.push_back({choice->cell, choice->slot, Amount(amount)});
      } else {
        known->amount += Amount(amount);
      }
    }
  }
  std::vector<CellId> needed = assignment.NeedingPreemption();
  const std::vector<topology::Want> wants = placing.WantsOf(assignment);
  if (!wants.empty() && entry.old_slice != nullptr) {
    return placing.VictimsBesideSlice(std::move(amounts), std::move(needed), wants);
  }
  if (wants.empty() && amounts.size() == 1 && needed.size() == 1 && needed[0] == amounts[0].cell) {
    return assigner.VictimsForCell(amounts[0]);
  }
  return VictimSearch(world_, *entry.item, *entry.queue, std::move(amounts), std::move(needed),
                      &wants)
      .Find();
}

void Cycle::RememberProgress(Entry& entry) const {
  auto progress = std::make_unique<ScanProgress>();
  progress->generation = entry.queue->node->generation;
  progress->cycle = world_.cycle;
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    for (const Choice& choice : pod_set.choices) {
      progress->tried.push_back({pod_set.index, choice.resource, choice.tried});
    }
  }
  entry.item->progress = std::move(progress);
}

std::unique_ptr<Entry> Cycle::Probe(WorkItem* item, ClusterQueue* queue, std::string& reason,
                                    std::string& message) {
  if (Refuse(item, queue)) {
    reason = refused_.back().condition_reason;
    message = refused_.back().message;
    refused_.clear();
    return nullptr;
  }
  auto progress = std::move(item->progress);
  auto entry = std::make_unique<Entry>();
  entry->item = item;
  entry->queue = queue;
  entry->old_slice = OldSliceOf(*entry);
  tree_.StartJournal();
  Decide(*entry, nullptr);
  tree_.StopJournal();
  item->progress = std::move(progress);
  return entry;
}

// ---- processing (§5.5, §5.6)

void Cycle::ProcessInOrder() {
  std::vector<Entry*> left;
  for (const auto& entry : entries_) left.push_back(entry.get());
  ProcessSecondPasses(left);
  const Gates& gates = world_.config.gates;
  if (!world_.config.fair_sharing || only_says_why_) {
    std::stable_sort(left.begin(), left.end(), [&](const Entry* a, const Entry* b) {
      if (gates.prioritize_preemptor_workloads && a->preemptor != b->preemptor) {
        return a->preemptor;
      }
      if (a->assignment.level != b->assignment.level) {
        return (a->assignment.level < b->assignment.level) != Mutated(kBorrowersAreProcessedFirst);
      }
      const int64_t x = a->item->priority + a->item->aged, y = b->item->priority + b->item->aged;
      if (gates.priority_sorting_within_cohort && x != y) return x > y;
      return std::tie(a->item->order_time, a->item->key) <
             std::tie(b->item->order_time, b->item->key);
    });
    for (Entry* entry : left) Process(*entry);
    return;
  }
  Tournament tournament(tree_, gates, left);
  while (Entry* entry = tournament.Next()) Process(*entry);
}

bool Cycle::SharesVictims(const Entry& entry) const {
  return std::any_of(entry.targets.begin(), entry.targets.end(), [&](const Victim& victim) {
    return victim.item->victim_in_cycle == world_.cycle;
  });
}

// ---- victims of the cycle: gone for those that come later, and still there for what decides who
// comes later (§5.4, §5.5)

void Cycle::TakeVictim(WorkItem* item) {
  Node* const node = item->accounted_in->node;
  for (const CellUse& use : item->usage) {
    if (!QuotaTree::IsExact(*node, use.slot, Amount(use.amount))) KeepVictimsInView();
  }
  if (!victims_gone_ || item->hidden) return;
  for (const CellUse& use : item->usage) tree_.TakeLeaving(node, use.slot, Amount(use.amount));
  if (!item->domains.empty()) world_.atlas.TakeOut(item->domains);
  tree_.Hide(item, true);
}

void Cycle::KeepVictimsInView() {
  if (!std::exchange(victims_gone_, false)) return;
  tree_.SetUneven();
  for (WorkItem* item : victims_) {
    if (!item->hidden) continue;
    Node* const node = item->accounted_in->node;
    for (const CellUse& use : item->usage) tree_.ReturnLeaving(node, use.slot, Amount(use.amount));
    if (!item->domains.empty()) world_.atlas.PutBack(item->domains);
    tree_.Hide(item, false);
  }
}

void Cycle::BringVictimsBack() {
  for (WorkItem* item : victims_) {
    if (item->hidden) PutIntoView(tree_, item);
  }
}

// Those of other trees make a difference only to places.
void Cycle::TakeVictims(const Entry& entry) {
  if (victims_gone_) return;
  const bool all = entry.assignment.HasPlaces();
  for (WorkItem* item : victims_) {
    const bool near = item->accounted_in->node->root == entry.queue->node->root;
    if ((all || near) && !item->hidden) TakeFromView(tree_, item);
  }
}

// Room once all victims of the cycle, its own and its replaced slice are gone (§5.4).
Cycle::Fitting Cycle::Fits(const Entry& entry) {
  const QuotaTree::Mark mark = tree_.Here();
  const auto take = [&](WorkItem* item) {
    if (!item->hidden) TakeFromView(tree_, item);
  };
  TakeVictims(entry);
  for (const Victim& victim : entry.targets) take(victim.item);
  if (entry.old_slice != nullptr) take(entry.old_slice);
  const Node& node = *entry.queue->node;
  Fitting fits;
  fits.quota = std::all_of(entry.assignment.usage.begin(), entry.assignment.usage.end(),
                           [&](const SlotAmount& use) {
                             return QuotaTree::AvailableToQueue(node, use.slot) >= use.amount;
                           });
  fits.places =
      std::all_of(entry.assignment.pod_sets.begin(), entry.assignment.pod_sets.end(),
                  [&](const PodSetResult& pod_set) {
                    return !pod_set.place ||
                           world_.atlas.TakeIfThere(
                               *pod_set.place, entry.item->demand->pod_sets[pod_set.index].placed);
                  });
  tree_.Undo(mark);
  return fits;
}

void Cycle::TakePlaces(const Entry& entry) {
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    if (!pod_set.place) continue;
    world_.atlas.Take(*pod_set.place, entry.item->demand->pod_sets[pod_set.index].placed);
  }
}

void Cycle::AddUsage(const Entry& entry) {
  TakePlaces(entry);
  for (const SlotAmount& use : entry.assignment.usage) {
    AddUsage(entry.queue->node, use.slot, use.amount);
  }
}

void Cycle::AddUsage(Node* node, uint32_t slot, Amount amount) {
  if (!QuotaTree::IsExact(*node, slot, amount)) KeepVictimsInView();
  victims_gone_ ? tree_.AddBesideLeaving(node, slot, amount) : tree_.Add(node, slot, amount);
}

bool Cycle::Gated(const Entry& entry) const {
  const Gates& gates = world_.config.gates;
  return entry.item->preemption_gate_closed &&
         (gates.concurrent_admission || gates.multikueue_orchestrated_preemption);
}

bool Cycle::AwaitsReadiness() const {
  if (!world_.config.block_admission_until_ready) return false;
  return world_.AwaitsReadiness() ||
         std::any_of(processed_.begin(), processed_.end(),
                     [](const Entry* e) { return e->admitted && !e->item->pods_ready; });
}

void Cycle::Process(Entry& entry) {
  processed_.push_back(&entry);
  const Gates& gates = world_.config.gates;
  if (AdmittedSibling(entry, true) != nullptr) {  // §5.6 A
    entry.skipped = true;
    entry.sibling = Entry::Sibling::kBetterIsAdmitted;
    entry.keep_progress = gates.flavor_fungibility_preserve_scan_progress;
    return;
  }
  if (gates.recompute_assignment_upon_preemption_targets_overlap && SharesVictims(entry)) {
    Recompute(entry, true);
    NoteRecomputation(entry);
  } else if (gates.tas_recompute_assignment_within_scheduling_cycle &&
             entry.assignment.mode() != FlavorMode::kNoFit && entry.assignment.HasPlaces()) {
    // Only its places went to others of this cycle: it may find new ones (spec/topology.md §14.6).
    const Fitting fits = Fits(entry);
    if (fits.quota && !fits.places) Recompute(entry, false);
  }
  const FlavorMode mode = entry.assignment.mode();
  entry.gave_up = FailsFast(entry);
  if (entry.gave_up) return;
  if (entry.second_pass && entry.item->victim_in_cycle == world_.cycle) {
    entry.skipped = true;  // somebody took its quota in this very cycle
    return;
  }
  if (mode == FlavorMode::kNoFit) {
    entry.reason = RequeueReason::kNoFit;
  } else if (mode == FlavorMode::kPreempt && entry.targets.empty()) {
    entry.reason = RequeueReason::kPreemptionNoCandidates;
    ReserveCapacity(entry);
  } else if (mode == FlavorMode::kPreempt && Gated(entry)) {
    entry.reason = RequeueReason::kPreemptionGated;
    entry.keep_progress = false;
  } else if (mode == FlavorMode::kDeferredFit) {
    entry.reason = RequeueReason::kPendingPreemption;
    entry.keep_progress = false;
    AddUsage(entry);
  } else if ((SharesVictims(entry) && !Mutated(kVictimsAreShared)) || !Fits(entry).all()) {
    entry.skipped = true;
    if (mode == FlavorMode::kPreempt) ++skipped_preemptions_[entry.queue->name];
    entry.keep_progress = world_.config.gates.flavor_fungibility_preserve_scan_progress;
  } else if (mode == FlavorMode::kFit && !entry.second_pass && AwaitsReadiness()) {
    entry.awaits_readiness = true;  // §12
    world_.HoldBack();
    AddUsage(entry);
  } else {
    const bool passes = !entry.second_pass && entry.queue->policies.backfill.count() > 0;
    if (passes) entry.held = Backfill(world_, *entry.queue, now_).Judge(entry);
    if (!entry.held) return Commit(entry);
    entry.reason = RequeueReason::kGeneric;
    entry.keep_progress = false;
  }
}

// §5.6 B: again without the victims of others, in the flavors chosen before; it could begin only
// once they are gone.
void Cycle::Recompute(Entry& entry, bool without_victims) {
  std::vector<Pin> pins;
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    for (const Choice& choice : pod_set.choices) {
      pins.push_back({pod_set.index, choice.resource, choice.flavor});
    }
  }
  entry.item->progress.reset();
  const QuotaTree::Mark mark = tree_.Here();
  without_victims ? TakeVictims(entry) : BringVictimsBack();
  Decide(entry, &pins);
  tree_.Undo(mark);
  if (without_victims && entry.assignment.mode() == FlavorMode::kFit) {
    entry.assignment.deferred = true;
  }
}

void Cycle::NoteRecomputation(const Entry& entry) {
  const char* outcome = "skipped";
  if (entry.assignment.mode() == FlavorMode::kDeferredFit) {
    outcome = "deferred_fit";
  } else if (!entry.targets.empty() && !SharesVictims(entry) && Fits(entry).all()) {
    outcome = "new_targets";
  }
  recomputed_targets_.emplace_back(entry.queue->name, outcome);
}

// §5.6 E: keeps quota for a workload that found nobody to preempt, unless it can always be
// reclaimed.
void Cycle::ReserveCapacity(const Entry& entry) {
  const bool favoured = world_.config.gates.prioritize_preemptor_workloads && entry.preemptor;
  if (entry.queue->rules.reclaim == PreemptionPolicy::kAny && !favoured &&
      !Mutated(kEverybodyReserves)) {
    return;
  }
  TakePlaces(entry);
  Node* const node = entry.queue->node;
  for (const SlotAmount& use : entry.assignment.usage) {
    const Slot& slot = node->slots[use.slot];
    Amount amount = use.amount;
    if (entry.assignment.level == 0) {
      amount = std::max(Amount(0), std::min(amount, slot.nominal - slot.UsageWithLeaving()));
    } else if (slot.has_borrowing_limit) {
      // Not cut at 0: a queue over its limit makes it negative (§16 (46)).
      amount = std::min(amount, slot.nominal + slot.borrowing_limit - slot.UsageWithLeaving());
    }
    AddUsage(node, use.slot, amount);
  }
}

// §5.6 I to M: victims are sent away, or the workload gets its quota.
void Cycle::Commit(Entry& entry) {
  for (const Victim& victim : entry.targets) {
    victim.item->victim_in_cycle = world_.cycle;
    victims_.push_back(victim.item);
    TakeVictim(victim.item);
  }
  AddUsage(entry);
  if (entry.assignment.mode() != FlavorMode::kPreempt) {
    WorkItem* const worse = AdmittedSibling(entry, false);
    if (worse != nullptr) return MigrateFrom(entry, worse);
    entry.admitted = true;
    return;
  }
  entry.keep_progress = false;
  entry.reason =
      entry.targets.empty() ? RequeueReason::kGeneric : RequeueReason::kPendingPreemption;
  for (const Victim& victim : entry.targets) {
    // One that leaves already is not told twice (§7.9).
    if (victim.item->leaving()) continue;
    issued_.push_back({victim.item, victim.reason, &entry});
  }
}

// ---- what was decided becomes so

void Cycle::CarryOut(Plan& plan) {
  plan.skipped_preemptions = std::move(skipped_preemptions_);
  plan.recomputed_targets = std::move(recomputed_targets_);
  plan.evaluated.reserve(processed_.size());
  for (const Entry* entry : processed_) {
    plan.evaluated.push_back(DescribeEvaluation(world_, *entry));
    if (!entry->admitted) continue;
    entry->second_pass ? AdmitAgain(*entry, plan) : Admit(*entry, plan);
  }
  for (const Issued& issued : issued_) {
    world_.SetEvictionInFlight(issued.victim, true);
    plan.evictions.push_back({issued.victim->key, issued.victim->uid(),
                              issued.victim->accounted_in->name, "Preempted", NameOf(issued.reason),
                              issued.by->item->key, issued.by->item->uid(),
                              issued.by->queue->name});
  }
  for (const auto& [leaving, by] : migrations_) {
    world_.SetEvictionInFlight(leaving, true);
    plan.evictions.push_back({leaving->key, leaving->uid(), leaving->accounted_in->name,
                              "FlavorMigration", "", by->item->key, by->item->uid(),
                              by->queue->name});
  }
  for (Entry* entry : processed_) {
    if (entry->admitted) continue;
    entry->second_pass ? PutBackSecondPass(*entry, plan) : PutBack(*entry, plan);
  }
  for (Refused& refused : refused_) {
    kueue::scheduling::Requeue out{refused.item->key,
                                   refused.item->uid(),
                                   refused.queue->name,
                                   NameOf(refused.reason),
                                   std::move(refused.condition_reason),
                                   std::move(refused.message),
                                   DescribeRequests(world_, *refused.item),
                                   refused.write_status};
    world_.Requeue(refused.item, refused.queue, refused.reason, out.condition_reason, now_);
    if (refused.again) world_.retries.AskAt(refused.queue->node, *refused.again);
    plan.requeues.push_back(std::move(out));
  }
}

void Cycle::AskAgain(const Entry& entry) {
  if (entry.spared) world_.retries.AskAt(entry.queue->node, entry.spared->until);
  if (entry.held && entry.held->reservation.start > now_) {
    world_.retries.AskAt(entry.queue->node, entry.held->reservation.start);
  }
}

void Cycle::Admit(const Entry& entry, Plan& plan) {
  // Those that were kept from passing it may go now.
  if (entry.queue->policies.backfill.count() > 0) world_.retries.Ask(entry.queue->node, now_);
  auto admission = std::make_shared<const api::Admission>(DescribeAdmission(world_, entry));
  std::vector<CellUse> usage;
  for (const PodSetResult& pod_set : entry.assignment.pod_sets) {
    for (const Choice& choice : pod_set.choices) {
      const int64_t amount = AmountOf(pod_set.requests, choice.resource);
      const auto known = std::find_if(usage.begin(), usage.end(),
                                      [&](const CellUse& use) { return use.cell == choice.cell; });
      if (known == usage.end()) {
        usage.push_back({choice.cell, choice.slot, amount});
      } else {
        known->amount = resources::SaturatingAdd(known->amount, amount);
      }
    }
  }
  Reservation reservation;
  reservation.workload = entry.item->key;
  reservation.uid = entry.item->uid();
  reservation.cluster_queue = entry.queue->name;
  reservation.admission = *admission;
  reservation.also_admitted = ChecksAreReady(*entry.queue->object, *entry.item->object, *admission);
  reservation.borrowing_level = entry.assignment.level;
  world_.Assume(entry.item, std::move(admission), std::move(usage), reservation.also_admitted,
                now_);
  plan.reservations.push_back(std::move(reservation));
  if (entry.old_slice != nullptr) plan.finished_slices.push_back(entry.old_slice->key);
}

void Cycle::PutBack(Entry& entry, Plan& plan) {
  if (!entry.keep_progress) entry.item->progress.reset();
  Outcome outcome = DescribeOutcome(world_, entry);
  world_.Requeue(entry.item, entry.queue, entry.reason, outcome.condition_reason, now_);
  AskAgain(entry);
  plan.requeues.push_back({entry.item->key, entry.item->uid(), entry.queue->name,
                           NameOf(entry.reason), std::move(outcome.condition_reason),
                           std::move(outcome.message), DescribeRequests(world_, *entry.item),
                           true});
}

}  // namespace kueue::scheduling
