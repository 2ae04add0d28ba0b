#include "controllers/topology_controllers.h"

#include <algorithm>

#include "api/types/names.h"
#include "controllers/finalizer.h"
#include "controllers/node_failures.h"
#include "controllers/topology_pods.h"
#include "controllers/topology_ungater.h"
#include "controllers/workload_status.h"

namespace kueue::controllers {
namespace {

using api::Feature;

// Pods are looked at so long after a change of theirs (spec/topology.md §15.5).
constexpr base::Duration kPodDelay = base::milliseconds(100);

bool SameConditions(const api::Node& a, const api::Node& b) {
  const auto& x = a.status.conditions;
  const auto& y = b.status.conditions;
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& c, const auto& d) {
    return c.type == d.type && c.status == d.status;
  });
}

// Nothing that a decision looks at: a heartbeat, an address, an image (spec/topology.md §3.4).
bool IsHeartbeat(const api::Node& a, const api::Node& b) {
  return a.spec.unschedulable == b.spec.unschedulable && a.spec.taints == b.spec.taints &&
         a.metadata.labels == b.metadata.labels &&
         a.metadata.annotations == b.metadata.annotations &&
         a.status.allocatable == b.status.allocatable && SameConditions(a, b);
}

}  // namespace

TopologyControllers::TopologyControllers(Parts parts) : parts_(std::move(parts)) {
  if (!parts_.state.config().gates.topology_aware_scheduling) return;
  AddIndexes();
  FeedState();
  FeedPods();
  AddReconcilers();
}

void TopologyControllers::AddIndexes() {
  kube::Informer& pods = parts_.cache.InformerOf<api::Pod>();
  using Values = std::vector<std::string>;
  pods.AddIndex(kPodsBySlice, [](const void* object) {
    const auto& pod = *static_cast<const api::Pod*>(object);
    const std::string slice = SliceNameOf(pod);
    return slice.empty() ? Values() : Values{pod.metadata.namespace_name + "/" + slice};
  });
  pods.AddIndex(kPodsByNode, [](const void* object) {
    const auto& pod = *static_cast<const api::Pod*>(object);
    const std::string node = IsTopologyPod(pod) ? NodeOf(pod) : "";
    return node.empty() ? Values() : Values{node};
  });
  parts_.cache.InformerOf<api::Workload>().AddIndex(kWorkloadsByNode, [](const void* object) {
    return NodesOf(*static_cast<const api::Workload*>(object));
  });
}

void TopologyControllers::FeedState() {
  kube::Cache& cache = parts_.cache;
  scheduling::State& state = parts_.state;
  cache.OnChange<api::Topology>([this, &state](const auto& before, const auto& after) {
    if (before && after && before->spec == after->spec) return;
    const base::Time now = parts_.clock.Now();
    after ? state.SetTopology(after, now) : state.DeleteTopology(before->metadata.name, now);
    parts_.wake_scheduler();
  });
  cache.OnChange<api::Node>([this, &state](const auto& before, const auto& after) {
    if (before && after && IsHeartbeat(*before, *after)) return;
    const base::Time now = parts_.clock.Now();
    after ? state.SetNode(after, now) : state.DeleteNode(before->metadata.name, now);
    parts_.wake_scheduler();
  });
}

// Most changes of pods let nothing proceed; those that do set a time.
void TopologyControllers::WakeIfAsked(const std::function<void()>& fact) {
  const auto due = parts_.state.NextDue();
  fact();
  if (parts_.state.NextDue() != due) parts_.wake_scheduler();
}

void TopologyControllers::FeedPods() {
  scheduling::State& state = parts_.state;
  parts_.cache.OnChange<api::Pod>([this, &state](const auto& before, const auto& after) {
    const bool bound =
        (before && !before->spec.node_name.empty()) || (after && !after->spec.node_name.empty());
    if (!bound) return;
    WakeIfAsked([&] {
      const base::Time now = parts_.clock.Now();
      if (after) {
        state.SetPod(after, now);
      } else {
        state.DeletePod(before->metadata.namespace_name, before->metadata.name, now);
      }
    });
  });
}

void TopologyControllers::AddReconcilers() {
  kube::Cache& cache = parts_.cache;
  runtime::Driver& driver = parts_.driver;
  topologies_ = &driver.Add(std::make_unique<TopologyReconciler>(cache));
  const auto ungatings = std::make_shared<Ungatings>();
  ungater_ = &driver.Add(std::make_unique<TopologyUngater>(cache, ungatings));
  pods_ = &driver.Add(std::make_unique<PodUngater>(cache, ungatings));
  ungatings->Connect(ungater_, pods_);
  nodes_ = &driver.Add(std::make_unique<NodeFailureReconciler>(cache, parts_.settings));

  cache.OnChange<api::Topology>([this](const auto&, const auto& after) {
    if (after) topologies_->Add({"", after->metadata.name});
  });
  cache.OnChange<api::ResourceFlavor>([this](const auto& before, const auto& after) {
    const bool leaves =
        before && (!after || before->spec.topology_name != after->spec.topology_name);
    if (!leaves || !before->spec.topology_name) return;
    topologies_->AddAfter({"", *before->spec.topology_name}, parts_.settings.batch_period);
  });
  cache.OnChange<api::Workload>([this](const auto&, const auto& after) {
    if (after && HasPlaces(*after)) ungater_->Add(kube::KeyOf(after->metadata));
  });
  cache.OnChange<api::Pod>([this](const auto& before, const auto& after) {
    OnPod(after ? *after : *before);
    // A pod that is gone leaves its node like one that ended.
    if (after) return;
    const std::string node = IsTopologyPod(*before) ? NodeOf(*before) : "";
    if (!node.empty() && parts_.settings.gates.Enabled(Feature::kTASFailedNodeReplacement)) {
      nodes_->AddAfter({"", node}, kPodDelay);
    }
  });
  if (!parts_.settings.gates.Enabled(Feature::kTASFailedNodeReplacement)) return;
  const bool taints = parts_.settings.gates.Enabled(Feature::kTASReplaceNodeOnNodeTaints);
  cache.OnChange<api::Node>([this, taints](const auto& before, const auto& after) {
    if (!ConcernsPlaces(before.get(), after.get(), taints)) return;
    nodes_->Add({"", after ? after->metadata.name : before->metadata.name});
  });
}

void TopologyControllers::OnPod(const api::Pod& pod) {
  const std::string node = NodeConcernedBy(pod);
  if (!node.empty()) nodes_->AddAfter({"", node}, kPodDelay);
  const std::string workload = WorkloadOf(pod);
  if (workload.empty() || !IsTopologyPod(pod)) return;
  ungater_->AddAfter({pod.metadata.namespace_name, workload}, parts_.settings.batch_period);
}

runtime::Intents TopologyReconciler::Reconcile(const kube::ObjectKey& key, base::Time) {
  runtime::Intents intents;
  const auto topology = cache_.Get<api::Topology>(key);
  if (!topology) return intents;
  const auto flavors = cache_.List<api::ResourceFlavor>();
  const bool in_use = std::any_of(flavors.begin(), flavors.end(), [&](const auto& flavor) {
    return flavor->spec.topology_name == key.name;
  });
  intents.Add(KeepFinalizer(*topology, in_use));
  return intents;
}

}  // namespace kueue::controllers
