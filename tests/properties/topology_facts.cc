#include "topology_facts.h"

#include <map>
#include <memory>
#include <vector>

#include "api/match/topology_assignment.h"
#include "base/random.h"
#include "scheduling/state.h"

namespace kueue::properties {
namespace {

constexpr base::Time kNow = base::Time(base::seconds(1767225600));
constexpr char kHost[] = "kubernetes.io/hostname";
const std::vector<std::string> kFlavors{"f0", "f1", "f2"};

class Facts {
 public:
  explicit Facts(uint64_t seed) : random_(seed) { Start(state_); }

  std::string Play(int steps) {
    for (int step = 0; step < steps; ++step) {
      Change();
      scheduling::State fresh{scheduling::Config()};
      Start(fresh);
      for (const auto& [name, o] : topologies_) fresh.SetTopology(o, kNow);
      for (const auto& [name, o] : flavors_) fresh.SetResourceFlavor(o, kNow);
      for (const auto& [name, o] : nodes_) fresh.SetNode(o, kNow);
      for (const auto& [name, o] : pods_) fresh.SetPod(o, kNow);
      for (const auto& [name, o] : workloads_) fresh.SetWorkload(o, kNow);
      const std::string have = Show(state_), want = Show(fresh);
      if (have != want) {
        return "step " + std::to_string(step) + ":\n" + have + "from scratch:\n" + want;
      }
    }
    return "";
  }

 private:
  template <class T>
  using Objects = std::map<std::string, std::shared_ptr<const T>>;

  int Below(int bound) { return static_cast<int>(random_.Below(static_cast<uint64_t>(bound))); }
  std::string Pick(const char* prefix, int bound) { return prefix + std::to_string(Below(bound)); }
  static resources::Quantity Number(int n) {
    return *resources::Quantity::Parse(std::to_string(n));
  }

  static void Start(scheduling::State& state) {
    api::Namespace home;
    home.metadata.name = "ns";
    state.SetNamespace(home, kNow);
    auto queue = std::make_shared<api::ClusterQueue>();
    queue->metadata.name = "cq";
    queue->spec.namespace_selector.emplace();
    api::ResourceGroup& group = queue->spec.resource_groups.emplace_back();
    group.covered_resources = {"cpu"};
    for (const std::string& name : kFlavors) {
      api::FlavorQuotas& flavor = group.flavors.emplace_back();
      flavor.name = name;
      api::ResourceQuota& quota = flavor.resources.emplace_back();
      quota.name = "cpu";
      quota.nominal_quota = Number(1000);
    }
    state.SetClusterQueue(queue, kNow);
    auto local = std::make_shared<api::LocalQueue>();
    local->metadata.name = "q";
    local->metadata.namespace_name = "ns";
    local->spec.cluster_queue = "cq";
    state.SetLocalQueue(local, kNow);
  }

  static std::string Show(scheduling::State& state) {
    std::string text = "active " + std::to_string(state.ReportClusterQueue("cq").active) + "\n";
    for (const std::string& flavor : kFlavors) {
      const auto report = state.ReportTopology(flavor);
      if (!report) continue;
      text += flavor + " " + report->topology + "\n";
      for (const auto& domain : report->domains) {
        text += std::string(domain.level + 1, ' ') + domain.value;
        for (const auto& cell : domain.cells) {
          text += " " + cell.resource + " " + std::to_string(cell.used) + "+" +
                  std::to_string(cell.plain) + "/" + std::to_string(cell.total);
        }
        text += "\n";
      }
    }
    return text;
  }

  void Change() {
    switch (Below(9)) {
      case 0:
        return ChangeTopology();
      case 1:
        return ChangeFlavor();
      case 2:
      case 3:
        return ChangePod();
      case 4:
      case 5:
        return ChangeWorkload();
      default:
        return ChangeNode();
    }
  }

  void ChangeTopology() {
    const std::string name = Pick("t", 2);
    if (Below(3) == 0) {
      topologies_.erase(name);
      return state_.DeleteTopology(name, kNow);
    }
    static const std::vector<std::vector<std::string>> kLevels{
        {"block", "rack", kHost}, {"rack", kHost}, {kHost}, {"block", "rack"}};
    auto object = std::make_shared<api::Topology>();
    object->metadata.name = name;
    for (const std::string& key : kLevels[static_cast<size_t>(Below(4))]) {
      object->spec.levels.push_back({key, {}});
    }
    topologies_[name] = object;
    state_.SetTopology(object, kNow);
  }

  void ChangeFlavor() {
    const std::string name = Pick("f", 3);
    if (Below(4) == 0) {
      flavors_.erase(name);
      return state_.DeleteResourceFlavor(name);
    }
    auto object = std::make_shared<api::ResourceFlavor>();
    object->metadata.name = name;
    if (Below(5) != 0) object->spec.topology_name = Pick("t", 2);
    if (Below(2) == 0) object->spec.node_labels["pool"] = Pick("p", 2);
    flavors_[name] = object;
    state_.SetResourceFlavor(object, kNow);
  }

  void ChangeNode() {
    const std::string name = Pick("n", 6);
    if (Below(5) == 0) {
      nodes_.erase(name);
      return state_.DeleteNode(name, kNow);
    }
    auto object = std::make_shared<api::Node>();
    object->metadata.name = name;
    object->metadata.labels = {{kHost, name}, {"pool", Pick("p", 2)}, {"rack", Pick("r", 3)}};
    if (Below(8) != 0) object->metadata.labels["block"] = Pick("b", 2);
    object->status.allocatable["cpu"] = Number(Below(8));
    if (Below(3) != 0) object->status.allocatable["pods"] = Number(Below(20));
    object->spec.unschedulable = Below(8) == 0;
    api::NodeCondition& ready = object->status.conditions.emplace_back();
    ready.type = "Ready";
    ready.status = Below(6) == 0 ? api::ConditionStatus::kFalse : api::ConditionStatus::kTrue;
    nodes_[name] = object;
    state_.SetNode(object, kNow);
  }

  static api::PodSpec Asks(int cpus) {
    api::PodSpec spec;
    spec.containers.emplace_back().resources.requests["cpu"] = Number(cpus);
    return spec;
  }

  void ChangePod() {
    const std::string name = Pick("pod", 5);
    if (Below(4) == 0) {
      pods_.erase(name);
      return state_.DeletePod("ns", name, kNow);
    }
    auto object = std::make_shared<api::Pod>();
    object->metadata.name = name;
    object->metadata.namespace_name = "ns";
    object->spec = Asks(Below(3));
    if (Below(5) != 0) object->spec.node_name = Pick("n", 6);
    if (Below(6) == 0) object->status.phase = "Succeeded";
    if (Below(6) == 0) {
      object->metadata.annotations["kueue.x-k8s.io/podset-required-topology"] = "rack";
    }
    pods_[name] = object;
    state_.SetPod(object, kNow);
  }

  // One that holds places, whatever there is behind them now.
  void ChangeWorkload() {
    const std::string name = Pick("w", 4);
    if (Below(3) == 0) {
      workloads_.erase(name);
      return state_.DeleteWorkload("ns", name, kNow);
    }
    auto object = std::make_shared<api::Workload>();
    object->metadata.name = name;
    object->metadata.namespace_name = "ns";
    object->metadata.uid = "uid-" + name;
    object->spec.queue_name = "q";
    api::PodSet& pod_set = object->spec.pod_sets.emplace_back();
    pod_set.name = "main";
    pod_set.pod_template.spec = Asks(1);
    std::vector<api::TopologyDomain> domains;
    for (int i = Below(3); i >= 0; --i) domains.push_back({{Pick("n", 6)}, 1 + Below(3)});
    for (const auto& domain : domains) pod_set.count += domain.count;
    api::Admission& admission = object->status.admission.emplace();
    admission.cluster_queue = "cq";
    api::PodSetAssignment& assignment = admission.pod_set_assignments.emplace_back();
    assignment.name = "main";
    assignment.count = pod_set.count;
    assignment.flavors["cpu"] = Pick("f", 3);
    assignment.resource_usage["cpu"] = Number(pod_set.count);
    assignment.topology_assignment = api::EncodeTopology({kHost}, domains, true);
    for (const char* type : {"QuotaReserved", "Admitted"}) {
      api::Condition& condition = object->status.conditions.emplace_back();
      condition.type = type;
      condition.status = api::ConditionStatus::kTrue;
    }
    workloads_[name] = object;
    state_.SetWorkload(object, kNow);
  }

  base::Random random_;
  scheduling::State state_{scheduling::Config()};
  Objects<api::Topology> topologies_;
  Objects<api::ResourceFlavor> flavors_;
  Objects<api::Node> nodes_;
  Objects<api::Pod> pods_;
  Objects<api::Workload> workloads_;
};

}  // namespace

std::string CheckTopologyFacts(uint64_t seed, int steps) { return Facts(seed).Play(steps); }

}  // namespace kueue::properties
