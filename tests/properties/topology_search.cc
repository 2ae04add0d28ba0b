#include "topology_search.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/random.h"
#include "scheduling/topology/test_field.h"

namespace kueue::properties {
namespace {

using scheduling::topology::Field;
using scheduling::topology::kHostname;
using scheduling::topology::Placed;
using scheduling::topology::Portion;
using scheduling::topology::Request;

// cpus, memory, pods.
using Sizes = std::array<int, 3>;

struct Machine {
  std::string name, rack, block;
  Sizes free{};
  bool usable = true;
};

class Hall {
 public:
  explicit Hall(uint64_t seed) : random_(seed), field_(3) {
    const int count = 2 + Below(5);
    for (int i = 0; i < count; ++i) {
      Machine machine;
      machine.block = "b" + std::to_string(Below(2));
      machine.rack = machine.block + "r" + std::to_string(Below(2));
      machine.name = "h" + std::to_string(i);
      machine.free = {Below(5), Below(5), Below(4)};
      Tell(machine);
      machines_.push_back(machine);
    }
  }

  std::string Check() {
    const int count = 1 + Below(6);
    const Sizes pod{Below(3), Below(3), 1};
    for (const char* level : {"block", "rack", kHostname}) {
      Request required = WithSizes(field_.Required(level, count), pod);
      Request preferred = WithSizes(field_.Preferred(level, count), pod);
      if (std::string wrong = Judge(required, pod, level); !wrong.empty()) return wrong;
      if (std::string wrong = Judge(preferred, pod, ""); !wrong.empty()) return wrong;
    }
    for (const bool least_free : {true, false}) {
      field_.rules().profile.least_free_for_unconstrained = least_free;
      Request anywhere = WithSizes(field_.Unconstrained(count), pod);
      if (std::string wrong = Judge(anywhere, pod, ""); !wrong.empty()) return wrong;
    }
    return "";
  }

 private:
  int Below(int bound) { return static_cast<int>(random_.Below(static_cast<uint64_t>(bound))); }

  void Tell(Machine& machine) {
    auto node = Field::NewNode(machine.name, machine.free[0]);
    node->metadata.labels["rack"] = machine.rack;
    node->metadata.labels["block"] = machine.block;
    node->status.allocatable["memory"] =
        *resources::Quantity::Parse(std::to_string(machine.free[1]));
    node->status.allocatable["pods"] = *resources::Quantity::Parse(std::to_string(machine.free[2]));
    switch (Below(6)) {
      case 0:
        node->spec.taints.push_back({"broken", "", "NoSchedule", {}, {}});
        machine.usable = false;
        break;
      case 1:
        node->spec.unschedulable = true;
        machine.usable = false;
        break;
      default:
        break;
    }
    field_.Set(node);
  }

  Request WithSizes(Request request, const Sizes& pod) {
    request.per_pod = {{field_.catalog().Resource("cpu"), int64_t{1000} * pod[0]},
                       {field_.catalog().Resource("memory"), pod[1]}};
    std::sort(request.per_pod.begin(), request.per_pod.end(),
              [](const auto& a, const auto& b) { return a.resource < b.resource; });
    return request;
  }

  static std::string ValueOf(const Machine& machine, const std::string& level) {
    return level == "block" ? machine.block : level == "rack" ? machine.rack : machine.name;
  }

  // Puts pod after pod, everywhere it goes, and comes back.
  static bool Search(std::vector<Machine>& machines, const Sizes& pod, int left, size_t from) {
    if (left == 0) return true;
    // Pods are alike: the next one need not go on a machine before the last one's.
    for (size_t m = from; m < machines.size(); ++m) {
      Sizes& free = machines[m].free;
      bool fits = machines[m].usable;
      for (size_t r = 0; r < free.size(); ++r) fits = fits && free[r] >= pod[r];
      if (!fits) continue;
      for (size_t r = 0; r < free.size(); ++r) free[r] -= pod[r];
      const bool found = Search(machines, pod, left - 1, m);
      for (size_t r = 0; r < free.size(); ++r) free[r] += pod[r];
      if (found) return true;
    }
    return false;
  }

  // Whether some placement exists, in one domain of `level` if it is not "".
  bool Exists(const Sizes& pod, int count, const std::string& level) const {
    if (level.empty()) {
      std::vector<Machine> all = machines_;
      return Search(all, pod, count, 0);
    }
    std::set<std::string> domains;
    for (const Machine& machine : machines_) domains.insert(ValueOf(machine, level));
    return std::any_of(domains.begin(), domains.end(), [&](const std::string& domain) {
      std::vector<Machine> inside;
      for (const Machine& machine : machines_) {
        if (ValueOf(machine, level) == domain) inside.push_back(machine);
      }
      return Search(inside, pod, count, 0);
    });
  }

  std::string Judge(const Request& request, const Sizes& pod, const std::string& level) {
    const Placed placed = field_.Try(request);
    const std::string what = std::to_string(request.count) + " pods of " + std::to_string(pod[0]) +
                             " cpus, " + std::to_string(pod[1]) + " memory" +
                             (level.empty() ? "" : ", required " + level) + ": ";
    if (!placed.ok) {
      return Exists(pod, request.count, level) ? "search: " + what + "refused, and yet they fit"
                                               : "";
    }
    int sum = 0;
    std::set<std::string> domains;
    for (const Portion& portion : placed.workers) {
      const std::string name = field_.space().Value(portion.site, 2);
      const auto machine = std::find_if(machines_.begin(), machines_.end(),
                                        [&](const Machine& m) { return m.name == name; });
      if (machine == machines_.end() || !machine->usable) return "search: " + what + "on " + name;
      for (size_t r = 0; r < pod.size(); ++r) {
        if (portion.count * pod[r] > machine->free[r]) {
          return "(6): " + what + "too many on " + name;
        }
      }
      sum += portion.count;
      if (!level.empty()) domains.insert(ValueOf(*machine, level));
    }
    if (sum != request.count) return "(6): " + what + "placed " + std::to_string(sum);
    return domains.size() > 1 ? "required: " + what + "in several" : "";
  }

  base::Random random_;
  Field field_;
  std::vector<Machine> machines_;
};

}  // namespace

size_t FewestOf(const std::vector<int>& rooms, int count) {
  const size_t choices = size_t{1} << rooms.size();
  size_t fewest = rooms.size() + 1;
  for (size_t choice = 0; choice < choices; ++choice) {
    size_t used = 0;
    int sum = 0;
    for (size_t r = 0; r < rooms.size(); ++r) {
      if ((choice >> r & 1) == 0) continue;
      ++used;
      sum += rooms[r];
    }
    if (sum >= count) fewest = std::min(fewest, used);
  }
  return fewest;
}

std::string CheckTopologySearch(uint64_t seed, int steps) {
  Hall hall(seed);
  for (int step = 0; step < steps; ++step) {
    if (std::string wrong = hall.Check(); !wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace kueue::properties
