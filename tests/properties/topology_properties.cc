// Random small halls in which topology placement is held to what can be found by trying everything:
//   topology_properties [--worlds N] [--first SEED]
//   (6)      no domain holds more than is free on it, and counts sum to the pod set's count
//   fits     whenever a request without slices does not fit, no placement exists
//   required all pods are in one domain of the level
//   spread   a preferred request that fits into one domain of a level, or of one above, is in one;
//            otherwise it is spread over the domains of the top. There, and at each level below
//            within the domains chosen above it, it uses no more than a search over all choices
//            shows possible
//   search   the same for pods of several resources on nodes of several, one of which may be
//            tainted: when placement says no, no way of putting the pods one by one exists
//   counts   capacities kept up with changes are those counted from scratch
//   facts    the same for a State that is told of nodes, pods, topologies, flavors, workloads
// A world that breaks one is named by its seed; the same seed breaks it again.

#include <algorithm>
#include <cstring>
#include <iostream>
#include <map>
#include <set>

#include "base/random.h"
#include "scheduling/topology/test_field.h"
#include "topology_facts.h"
#include "topology_search.h"

namespace kueue::scheduling::topology {
namespace {

constexpr int kBlocks = 2, kRacks = 2, kHosts = 3;

struct Host {
  std::string name, rack, block;
  int cpus = 0, used = 0;
  bool ready = true;
  int free() const { return ready ? std::max(0, cpus - used) : 0; }
};

class Hall {
 public:
  explicit Hall(uint64_t seed) : random_(seed), field_(3) {
    for (int b = 0; b < kBlocks; ++b) {
      for (int r = 0; r < kRacks; ++r) {
        for (int h = 0; h < kHosts; ++h) {
          Host host;
          host.block = "b" + std::to_string(b);
          host.rack = host.block + "r" + std::to_string(r);
          host.name = host.rack + "h" + std::to_string(h);
          host.cpus = Below(7);
          hosts_[host.name] = host;
          Tell(host);
        }
      }
    }
  }

  // "" or what is wrong.
  std::string Play(int steps) {
    for (int step = 0; step < steps; ++step) {
      Change();
      for (std::string wrong :
           {CheckCounts(), CheckRequired(), CheckPreferred(), CheckAnywhere()}) {
        if (!wrong.empty()) return "step " + std::to_string(step) + ": " + wrong;
      }
    }
    return "";
  }

 private:
  using Places = std::map<std::string, int>;  // pods by host

  int Below(int bound) { return static_cast<int>(random_.Below(static_cast<uint64_t>(bound))); }
  Host& Any() {
    auto at = hosts_.begin();
    std::advance(at, Below(static_cast<int>(hosts_.size())));
    return at->second;
  }
  std::shared_ptr<api::Node> NodeOf(const Host& host) const {
    auto node = Field::NewNode(host.name, host.cpus);
    node->metadata.labels["rack"] = host.rack;
    node->metadata.labels["block"] = host.block;
    if (!host.ready) node->status.conditions[0].status = api::ConditionStatus::kUnknown;
    return node;
  }
  void Tell(const Host& host) { field_.Set(NodeOf(host)); }

  void Change() {
    Host& host = Any();
    switch (Below(5)) {
      case 0:
        host.cpus = Below(7);
        break;
      case 1:
        host.ready = !host.ready;
        break;
      case 2: {  // to another rack
        const Host& other = Any();
        host.rack = other.rack;
        host.block = other.block;
        break;
      }
      case 3: {
        const int more = Below(3);
        field_.Charge(host.name, more);
        host.used += more;
        break;
      }
      default:
        field_.Delete(host.name);
        break;  // and comes back below
    }
    Tell(host);
  }

  // The same hall made at once says the same.
  std::string CheckCounts() {
    Field fresh(3);
    for (const auto& [name, host] : hosts_) {
      fresh.Set(NodeOf(host));
      fresh.Charge(name, host.used);
    }
    for (const int cpus : {1, 2}) {
      const int count = 1 + Below(12);
      for (const char* level : {"block", "rack", kHostname}) {
        Request mine = field_.Preferred(level, count), other = fresh.Preferred(level, count);
        mine.per_pod = {{field_.catalog().Resource("cpu"), 1000 * cpus}};
        other.per_pod = {{fresh.catalog().Resource("cpu"), 1000 * cpus}};
        const std::string have = field_.Put(mine), want = fresh.Put(other);
        if (have != want) return "counts: " + have + ", from scratch " + want;
      }
    }
    return "";
  }

  Places PlacesOf(const Portions& portions) {
    Places places;
    for (const Portion& portion : portions) {
      places[field_.space().Value(portion.site, 2)] += portion.count;
    }
    return places;
  }
  std::string CheckRoom(const Places& places, int count, int cpus) {
    int sum = 0;
    for (const auto& [name, pods] : places) {
      sum += pods;
      if (pods < 1) return "(6): an empty domain " + name;
      if (pods * cpus > hosts_.at(name).free()) return "(6): too many on " + name;
    }
    return sum == count ? "" : "(6): " + std::to_string(sum) + " of " + std::to_string(count);
  }
  // How many pods each domain of a level takes.
  std::map<std::string, int> Takes(const std::string& level, int cpus) {
    std::map<std::string, int> takes;
    for (const auto& [name, host] : hosts_) takes[ValueOf(host, level)] += host.free() / cpus;
    return takes;
  }
  static std::string ValueOf(const Host& host, const std::string& level) {
    return level == "block" ? host.block : level == "rack" ? host.rack : host.name;
  }
  std::set<std::string> DomainsOf(const Places& places, const std::string& level) {
    std::set<std::string> domains;
    for (const auto& entry : places) domains.insert(ValueOf(hosts_.at(entry.first), level));
    return domains;
  }
  bool OneTakes(const std::string& level, int count, int cpus) {
    const auto takes = Takes(level, cpus);
    return std::any_of(takes.begin(), takes.end(),
                       [&](const auto& t) { return t.second >= count; });
  }
  int All(int cpus) {
    int all = 0;
    for (const auto& entry : Takes("block", cpus)) all += entry.second;
    return all;
  }
  Request WithCpus(Request request, int cpus) {
    request.per_pod = {{field_.catalog().Resource("cpu"), 1000 * cpus}};
    return request;
  }

  std::string CheckRequired() {
    const int count = 1 + Below(10), cpus = 1 + Below(2);
    for (const char* level : {"block", "rack", kHostname}) {
      const Placed placed = field_.Try(WithCpus(field_.Required(level, count), cpus));
      if (placed.ok != OneTakes(level, count, cpus)) return std::string("fits: required ") + level;
      if (!placed.ok) continue;
      const Places places = PlacesOf(placed.workers);
      if (const std::string wrong = CheckRoom(places, count, cpus); !wrong.empty()) return wrong;
      if (DomainsOf(places, level).size() != 1) return std::string("required: several ") + level;
    }
    return "";
  }

  // The fewest domains of a level, below those of the level above that `places` uses, into which
  // `count` pods go: every choice of domains is tried.
  size_t Fewest(const Places& places, const std::string& level, const std::string& above, int count,
                int cpus) {
    const auto chosen = above.empty() ? std::set<std::string>() : DomainsOf(places, above);
    std::map<std::string, int> takes;
    for (const auto& [name, host] : hosts_) {
      if (!above.empty() && !chosen.contains(ValueOf(host, above))) continue;
      takes[ValueOf(host, level)] += host.free() / cpus;
    }
    std::vector<int> room;
    for (const auto& entry : takes) room.push_back(entry.second);
    return properties::FewestOf(room, count);
  }

  // The levels from the one on which the pods were spread.
  std::string CheckFewest(const Places& places, int from, int count, int cpus) {
    static const std::vector<std::string> kDown{"block", "rack", kHostname};
    for (size_t l = static_cast<size_t>(from); l < kDown.size(); ++l) {
      const std::string above = l == 0 ? "" : kDown[l - 1];
      const size_t used = DomainsOf(places, kDown[l]).size();
      const size_t fewest = Fewest(places, kDown[l], above, count, cpus);
      if (used > fewest) {
        return "spread: " + std::to_string(used) + " of level " + kDown[l] + ", " +
               std::to_string(fewest) + " are enough";
      }
    }
    return "";
  }

  std::string CheckPreferred() {
    const int count = 1 + Below(20), cpus = 1 + Below(2);
    const std::vector<std::string> levels{kHostname, "rack", "block"};
    for (size_t l = 0; l < levels.size(); ++l) {
      const Placed placed = field_.Try(WithCpus(field_.Preferred(levels[l], count), cpus));
      if (placed.ok != (All(cpus) >= count)) return "fits: preferred " + levels[l];
      if (!placed.ok) continue;
      const Places places = PlacesOf(placed.workers);
      if (const std::string wrong = CheckRoom(places, count, cpus); !wrong.empty()) return wrong;
      for (size_t wider = l; wider < levels.size(); ++wider) {
        if (!OneTakes(levels[wider], count, cpus)) continue;
        if (DomainsOf(places, levels[wider]).size() != 1) return "spread: over " + levels[wider];
        break;
      }
      // The wide levels above the one where it found a domain have one domain each.
      if (const std::string wrong = CheckFewest(places, 0, count, cpus); !wrong.empty()) {
        return wrong;
      }
    }
    return "";
  }

  std::string CheckAnywhere() {
    const int count = 1 + Below(20), cpus = 1 + Below(2);
    for (const bool least_free : {true, false}) {
      field_.rules().profile.least_free_for_unconstrained = least_free;
      const Placed placed = field_.Try(WithCpus(field_.Unconstrained(count), cpus));
      if (placed.ok != (All(cpus) >= count)) return "fits: unconstrained";
      if (!placed.ok) continue;
      const Places places = PlacesOf(placed.workers);
      if (const std::string wrong = CheckRoom(places, count, cpus); !wrong.empty()) return wrong;
      if (!least_free && places.size() > Fewest(places, kHostname, "", count, cpus)) {
        return "spread: hosts";
      }
    }
    return "";
  }

  base::Random random_;
  Field field_;
  std::map<std::string, Host> hosts_;
};

int Main(int argc, char** argv) {
  uint64_t first = 1, worlds = 500, failed = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    const auto value = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--worlds") == 0) worlds = value;
    if (std::strcmp(argv[i], "--first") == 0) first = value;
  }
  for (uint64_t seed = first; seed < first + worlds; ++seed) {
    std::string wrong = Hall(seed).Play(20);
    if (wrong.empty()) wrong = properties::CheckTopologySearch(seed, 10);
    if (wrong.empty()) wrong = properties::CheckTopologyFacts(seed, 60);
    if (wrong.empty()) continue;
    std::cout << "seed " << seed << " " << wrong << "\n";
    ++failed;
  }
  std::cout << worlds - failed << " halls passed, " << failed << " failed\n";
  return failed > 0 ? 1 : 0;
}

}  // namespace
}  // namespace kueue::scheduling::topology

int main(int argc, char** argv) { return kueue::scheduling::topology::Main(argc, argv); }
