#include <algorithm>
#include <charconv>
#include <tuple>
#include <utility>

#include "api/match/selector.h"
#include "api/types/names.h"
#include "scheduling/world.h"

// Facts about namespaces, flavors, checks, cohorts and queues.
namespace kueue::scheduling {
namespace {

// Of the LocalQueue among those of its ClusterQueue; what is no number counts as 0.
int64_t PriorityOf(const api::LocalQueue& queue) {
  const auto found = queue.metadata.annotations.find(api::names::kQueuePriority);
  if (found == queue.metadata.annotations.end()) return 0;
  const std::string& text = found->second;
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

bool Selects(const api::ClusterQueue& queue, const api::StringMap& labels) {
  const auto& selector = queue.spec.namespace_selector;
  const auto matches = api::MatchesLabels(selector ? &*selector : nullptr, labels);
  return matches.ok() && *matches;
}

template <class T>
bool SameSpec(const T& a, const T& b) {
  return a.metadata.generation == b.metadata.generation && a.spec == b.spec;
}

bool IsStopped(const std::optional<std::string>& policy) {
  return policy && !policy->empty() && *policy != "None";
}

}  // namespace

World::World(Config c) : config(std::move(c)), atlas(catalog, RulesOf(config.gates)) {
  tree.Accompany(&atlas);
  if (config.admission_fair_sharing && config.gates.admission_fair_sharing) {
    ledger.emplace(*config.admission_fair_sharing);
  }
}

ClusterQueue* World::QueueNamed(const std::string& name) {
  auto& queue = queue_by_name_[name];
  if (queue == nullptr) {
    queue = std::make_unique<ClusterQueue>();
    queue->name = name;
  }
  return queue.get();
}

LocalQueue* World::LocalQueueNamed(const std::string& key) {
  auto& queue = local_by_key_[key];
  if (queue == nullptr) {
    queue = std::make_unique<LocalQueue>();
    queue->key = key;
  }
  return queue.get();
}

void World::DropIfUnused(LocalQueue* queue) {
  if (queue->object != nullptr || !queue->items.empty()) return;
  local_by_key_.erase(std::string(queue->key));
}

void World::DropIfUnused(ClusterQueue* queue) {
  if (queue->object != nullptr || !queue->accounted.empty() || !queue->local_queues.empty()) {
    return;
  }
  queue_by_name_.erase(std::string(queue->name));
}

const ClusterQueue* World::FindQueue(const std::string& name) const {
  const auto found = queue_by_name_.find(name);
  return found == queue_by_name_.end() ? nullptr : found->second.get();
}

const LocalQueue* World::FindLocalQueue(const std::string& key) const {
  const auto found = local_by_key_.find(key);
  return found == local_by_key_.end() ? nullptr : found->second.get();
}

const api::AdmissionCheck* World::FindCheck(const std::string& name) const {
  const auto found = checks_.find(name);
  return found == checks_.end() ? nullptr : found->second.get();
}

const api::ResourceFlavor* World::FindFlavor(FlavorId flavor) const {
  return flavor.index() < flavors_.size() ? flavors_[flavor.index()].get() : nullptr;
}

bool World::NamespaceMatches(const WorkItem& item, const ClusterQueue& queue) const {
  const auto found = namespaces.find(item.namespace_name());
  if (found == namespaces.end()) return false;
  return queue.selects_all || Selects(*queue.object, found->second);
}

// §4.8: queues whose selector begins to match retry.
void World::SetNamespace(const std::string& name, const api::StringMap& labels, base::Time now) {
  api::StringMap& known = namespaces[name];
  if (known != labels) {
    for (ClusterQueue* queue : queues) {
      if (Selects(*queue->object, labels) && !Selects(*queue->object, known)) {
        retries.Ask(queue->node, now);
      }
    }
  }
  const bool changed = std::exchange(known, labels) != labels;
  for (ClusterQueue* queue : queues) {
    if (changed && !queue->selects_all) queue->pending->ScopeChanged();
  }
  auto object = std::make_shared<api::Namespace>();
  object->metadata.name = name;
  object->metadata.labels = labels;
  records.namespaces.Set(name, std::move(object));
}

void World::DeleteNamespace(const std::string& name) {
  records.namespaces.Remove(name);
  if (namespaces.erase(name) == 0) return;
  for (ClusterQueue* queue : queues) queue->pending->ScopeChanged();
}

// ---- activity

// Also a queue without any flavor (spec/topology.md §2).
bool World::HasOnlyTopologyFlavors(const ClusterQueue& queue) const {
  if (!config.gates.topology_aware_scheduling) return false;
  for (const RuleGroup& group : queue.rules.groups) {
    for (const RuleFlavor& entry : group.flavors) {
      const api::ResourceFlavor* const flavor = FindFlavor(entry.flavor);
      if (flavor == nullptr || !flavor->spec.topology_name) return false;
    }
  }
  return true;
}

void World::RefreshActivity(ClusterQueue* queue) {
  // A manager of other clusters shows itself active without the topology, yet cannot place
  // (spec/topology.md §15.4).
  queue->active = ActivityOf(*queue).active && !LacksTopology(*queue);
  queue->topology_only = HasOnlyTopologyFlavors(*queue);
  tree.SetInView(queue->node, queue->active);
}

template <class Uses>
void World::RefreshActivities(base::Time now, Uses&& uses) {
  for (ClusterQueue* queue : queues) {
    if (!uses(*queue)) continue;
    const bool before = queue->active;
    RefreshActivity(queue);
    if (!before && queue->active) retries.Ask(queue->node, now);
  }
}

bool UsesFlavor(const ClusterQueue& queue, FlavorId flavor) {
  for (const RuleGroup& group : queue.rules.groups) {
    for (const RuleFlavor& entry : group.flavors) {
      if (entry.flavor == flavor) return true;
    }
  }
  return false;
}

namespace {

bool UsesCheck(const ClusterQueue& queue, const std::string& name) {
  const auto& strategy = queue.object->spec.admission_checks_strategy;
  if (!strategy) return false;
  const auto& rules = strategy->admission_checks;
  return std::any_of(rules.begin(), rules.end(),
                     [&](const auto& rule) { return rule.name == name; });
}

}  // namespace

void World::SetResourceFlavor(std::shared_ptr<const api::ResourceFlavor> object, base::Time now) {
  const FlavorId flavor = catalog.Flavor(object->metadata.name);
  if (flavors_.size() <= flavor.index()) flavors_.resize(flavor.index() + 1);
  const auto before = std::exchange(flavors_[flavor.index()], object);
  records.flavors.Set(object->metadata.name, object);
  RemakeSpaces(atlas.SetFlavor(flavor, object->spec));
  RefreshActivities(now, [&](const ClusterQueue& queue) { return UsesFlavor(queue, flavor); });
  if (config.gates.topology_aware_scheduling && object->spec.topology_name &&
      (before == nullptr || !before->spec.topology_name ||
       before->spec.node_taints != object->spec.node_taints ||
       before->spec.tolerations != object->spec.tolerations ||
       before->spec.node_labels != object->spec.node_labels)) {
    AskRetryOfAll(now);
  }
  if (before == nullptr) return;
  // §4.8: what decides eligibility changed.
  const api::ResourceFlavorSpec &a = before->spec, &b = object->spec;
  if (a.node_taints == b.node_taints && a.tolerations == b.tolerations &&
      a.node_labels == b.node_labels) {
    return;
  }
  for (ClusterQueue* queue : queues) {
    if (UsesFlavor(*queue, flavor)) retries.Ask(queue->node, now);
  }
}

void World::DeleteResourceFlavor(const std::string& name) {
  const FlavorId flavor = catalog.Flavor(name);
  if (FindFlavor(flavor) == nullptr) return;
  flavors_[flavor.index()].reset();
  RemakeSpaces(atlas.DeleteFlavor(flavor));
  records.flavors.Remove(name);
  RefreshActivities({}, [&](const ClusterQueue& queue) { return UsesFlavor(queue, flavor); });
}

void World::SetAdmissionCheck(std::shared_ptr<const api::AdmissionCheck> object, base::Time now) {
  const std::string name = object->metadata.name;
  records.checks.Set(name, object);
  checks_[name] = std::move(object);
  RefreshActivities(now, [&](const ClusterQueue& queue) { return UsesCheck(queue, name); });
}

void World::DeleteAdmissionCheck(const std::string& name) {
  checks_.erase(name);
  records.checks.Remove(name);
  RefreshActivities({}, [&](const ClusterQueue& queue) { return UsesCheck(queue, name); });
}

// ---- cohorts (§2.1)

void World::SetCohort(std::shared_ptr<const api::Cohort> object, base::Time now) {
  const std::string& name = object->metadata.name;
  auto& known = cohorts_[name];
  const bool same = known != nullptr && SameSpec(*known, *object);
  known = object;
  records.cohorts.Set(name, object);
  if (same) return;
  if (Node* node = tree.FindCohort(name)) retries.BeforeEdgeChange(node);
  if (Node* parent = tree.FindCohort(object->spec.parent_name)) retries.BeforeEdgeChange(parent);
  Node* const node =
      tree.SetCohort(name, ReadQuotas(object->spec.resource_groups, catalog),
                     object->spec.parent_name, ReadWeight(object->spec.fair_sharing));
  retries.Ask(node, now);
}

void World::DeleteCohort(const std::string& name) {
  cohorts_.erase(name);
  records.cohorts.Remove(name);
  Node* const node = tree.FindCohort(name);
  if (node == nullptr) return;
  retries.BeforeEdgeChange(node);
  tree.DeleteCohort(name);
}

// ---- cluster queues

// Puts the queue's quotas and edge into the tree; its accounted workloads follow when it is new.
void World::ReplaceTree(ClusterQueue* queue, base::Time now) {
  const api::ClusterQueueSpec& spec = queue->object->spec;
  const bool is_new = queue->node == nullptr;
  if (!is_new) retries.BeforeEdgeChange(queue->node);
  if (Node* cohort = tree.FindCohort(spec.cohort_name)) retries.BeforeEdgeChange(cohort);
  queue->node = tree.SetQueue(queue->node, queue->name, queue,
                              ReadQuotas(spec.resource_groups, catalog), spec.cohort_name,
                              ReadWeight(spec.fair_sharing));
  BindSlots(queue->rules, queue->node, tree);
  if (is_new) {
    for (WorkItem* item : queue->accounted) {
      item->usage = ReadUsage(*item, config, queue->node, tree);
      AddUsage(item);
    }
  }
  RefreshActivity(queue);
  retries.Ask(queue->node, now);
}

void World::SetClusterQueue(std::shared_ptr<const api::ClusterQueue> object, base::Time now) {
  ClusterQueue* const queue = QueueNamed(object->metadata.name);
  if (object->metadata.deletion_timestamp) queue->terminating = true;
  const bool is_new = queue->object == nullptr;
  const bool same = !is_new && SameSpec(*queue->object, *object);
  records.queues.Set(queue->name, object);
  queue->object = std::move(object);
  if (same) {
    FollowPolicies(queue, now);
    return RefreshActivity(queue);
  }
  const api::ClusterQueueSpec& spec = queue->object->spec;
  queue->rules = ReadRules(spec, config.fair_sharing.has_value(), catalog);
  queue->selects_all = spec.namespace_selector && spec.namespace_selector->match_labels.empty() &&
                       spec.namespace_selector->match_expressions.empty();
  if (is_new) {
    queue->pending =
        std::make_unique<PendingQueue>(queue, config.gates.scheduling_equivalence_hashing,
                                       [this, queue](const WorkItem& item) {
                                         return NamespaceMatches(item, *queue);
                                       });
    const auto by_name = [](const ClusterQueue* a, const ClusterQueue* b) {
      return a->name < b->name;
    };
    queues.insert(std::upper_bound(queues.begin(), queues.end(), queue, by_name), queue);
  }
  if (!is_new) queue->pending->ScopeChanged();
  // A change acts on the next requeue (§4.4).
  queue->pending->SetStrict(queue->rules.strict_fifo);
  queue->by_past_use = CountsPastUse(*queue->object);
  queue->pending->SetByPastUse(queue->by_past_use);
  ReplaceTree(queue, now);
  FollowPolicies(queue, now);
  if (!is_new) return;
  for (LocalQueue* local : queue->local_queues) EnqueueInBulk(local);
}

// Policies are annotations, which change without the spec.
void World::FollowPolicies(ClusterQueue* queue, base::Time now) {
  const api::QueuePolicies policies = api::ReadQueuePolicies(queue->object->metadata.annotations);
  const bool changed = policies != queue->policies;
  queue->policies = policies;
  const AgingRule aging{policies.aging_interval, policies.aging_limit};
  queue->pending->SetAging(aging.on() ? aging : AgingRule(), now);
  std::erase(aging_, queue);
  if (aging.on()) aging_.push_back(queue);
  if (changed) retries.Ask(queue->node, now);
}

void World::FollowBudget(LocalQueue* queue, base::Time now) {
  const api::WallTimeBudget budget = api::ReadWallTimeBudget(queue->object->metadata.annotations);
  const api::DeletedRuns runs = api::ReadDeletedRuns(queue->object->metadata.annotations);
  // What was written may be older than what is known.
  if (std::tie(queue->deleted_runs.period, queue->deleted_runs.used) <
      std::tie(runs.period, runs.used)) {
    queue->deleted_runs = runs;
  }
  if (budget == queue->budget) return;
  queue->budget = budget;
  if (queue->target != nullptr && queue->target->node != nullptr) {
    retries.Ask(queue->target->node, now);
  }
}

void World::DeleteClusterQueue(const std::string& name) {
  const auto found = queue_by_name_.find(name);
  if (found == queue_by_name_.end() || found->second->object == nullptr) return;
  ClusterQueue* const queue = found->second.get();
  for (LocalQueue* local : queue->local_queues) {
    for (WorkItem* item : local->items) LeaveQueue(item);
  }
  std::erase(queues, queue);
  std::erase(aging_, queue);
  queue->policies = {};
  records.queues.Remove(queue->name);
  retries.BeforeEdgeChange(queue->node);
  retries.Drop(queue->node);
  tree.DeleteQueue(queue->node);
  for (WorkItem* item : queue->accounted) {
    item->usage.clear();
    DischargeDomains(item);
  }
  queue->node = nullptr;
  queue->object.reset();
  queue->pending.reset();
  queue->terminating = queue->active = false;
  DropIfUnused(queue);
}

// ---- local queues

void World::BindLocalQueue(LocalQueue* queue, const std::string& target) {
  if (queue->target != nullptr && queue->target->name == target) return;
  ClusterQueue* const before = queue->target;
  queue->target = nullptr;
  if (before != nullptr) {
    std::erase(before->local_queues, queue);
    RefreshQueuePriorities(before);
    DropIfUnused(before);
  }
  if (target.empty()) return;
  queue->target = QueueNamed(target);
  auto& list = queue->target->local_queues;
  const auto by_key = [](const LocalQueue* a, const LocalQueue* b) { return a->key < b->key; };
  list.insert(std::upper_bound(list.begin(), list.end(), queue, by_key), queue);
}

void World::SetQueuePriority(LocalQueue* queue, int64_t priority) {
  queue->priority = priority;
  for (WorkItem* item : queue->items) FollowQueuePriority(item);
  RefreshQueuePriorities(queue->target);
}

// The order of those who run may be another one, too.
void World::RefreshQueuePriorities(ClusterQueue* queue) {
  if (queue == nullptr) return;
  const auto& all = queue->local_queues;
  const bool before = queue->by_queue_priority;
  queue->by_queue_priority = std::any_of(
      all.begin(), all.end(), [](const LocalQueue* local) { return local->priority != 0; });
  if (queue->node != nullptr && (before || queue->by_queue_priority)) {
    QuotaTree::VictimsChanged(queue->node);
  }
}

void World::SetLocalQueue(std::shared_ptr<const api::LocalQueue> object, base::Time now) {
  LocalQueue* const queue = LocalQueueNamed(api::KeyOf(object->metadata));
  records.local_queues.Set(queue->key, object);
  queue->object = std::move(object);
  queue->stopped = IsStopped(queue->object->spec.stop_policy);
  const std::string& target = queue->object->spec.cluster_queue;
  const bool moved = queue->target == nullptr || queue->target->name != target;
  const bool reordered = queue->priority != PriorityOf(*queue->object);
  if (moved || reordered || queue->stopped) {
    for (WorkItem* item : queue->items) LeaveQueue(item);
  }
  BindLocalQueue(queue, target);
  if (moved || reordered) SetQueuePriority(queue, PriorityOf(*queue->object));
  FollowWeight(queue, now);
  FollowBudget(queue, now);
  if (!queue->stopped) EnqueueInBulk(queue);
}

void World::DeleteLocalQueue(const std::string& key) {
  const auto found = local_by_key_.find(key);
  if (found == local_by_key_.end() || found->second->object == nullptr) return;
  LocalQueue* const queue = found->second.get();
  for (WorkItem* item : queue->items) LeaveQueue(item);
  records.local_queues.Remove(queue->key);
  queue->object.reset();
  queue->budget = {};
  queue->deleted_runs = {};
  ForgetPastUse(queue);
  BindLocalQueue(queue, "");
  if (queue->priority != 0) SetQueuePriority(queue, 0);
  DropIfUnused(queue);
}

}  // namespace kueue::scheduling
