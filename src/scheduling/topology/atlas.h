#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scheduling/topology/replacement.h"

// All that placement knows: nodes, plain pods, and a space for every flavor with a topology.
namespace kueue::scheduling::topology {

// A pod set that wants places.
struct Want {
  Request request;
  FlavorId flavor;
  // Its assignment, when a node of it failed (spec/topology.md §12.3); else empty.
  std::vector<api::TopologyDomain> held;
  // What the replaced slice's pod set had (§12.4); else empty.
  std::vector<api::TopologyDomain> before;
};

// What a pod set got.
struct Given {
  uint32_t pod_set = 0;
  FlavorId flavor;
  Portions portions;
  Portions fresh;          // the part that it does not hold already (§14.6)
  bool unchanged = false;  // keeps its assignment as it is; no portions
};

struct Places {
  std::vector<Given> given;
  std::vector<uint32_t> failed;  // pod sets; empty: all have their places
  Failure failure;               // of the first of them in the order of the spec
  bool ok() const { return failed.empty(); }
};

// How a workload is placed.
struct Occasion {
  bool empty = false;       // as if no Workload held anything
  bool explain = true;      // a failure says what was excluded
  std::string failed_node;  // for those with `held`: the first unhealthy node
  bool keep_as_is = false;  // a single Pod's workload keeps its places (§12.3 step 1)
};

class Atlas {
 public:
  Atlas(Catalog& catalog, Rules rules) : catalog_(catalog), rules_(rules) {}

  // ---- facts. Those that return flavors: their space has to be made or dropped, which Remake does
  // once nothing holds domains of it any more.
  std::vector<FlavorId> SetTopology(const api::Topology& object);
  std::vector<FlavorId> DeleteTopology(const std::string& name);
  std::vector<FlavorId> SetFlavor(FlavorId flavor, const api::ResourceFlavorSpec& spec);
  std::vector<FlavorId> DeleteFlavor(FlavorId flavor);
  void Remake(FlavorId flavor);
  // True if waiting work may find a place now (§3.4).
  bool SetNode(std::shared_ptr<const api::Node> object);
  bool DeleteNode(const std::string& name);
  void SetPod(const api::Pod& object);
  void DeletePod(const std::string& key);
  // Something became free on nodes since the last TakeFreed (§3.2).
  bool HasFreed() const { return !freed_.empty(); }
  // The flavors these nodes belong to; forgets them.
  std::vector<FlavorId> TakeFreed();

  // Null unless both the flavor and its topology are known (§4.1).
  const Space* Find(FlavorId flavor) const;
  // The same with its structure up to date.
  Space* Prepared(FlavorId flavor);

  // ---- what Workloads hold
  // Reads the places of a pod set in its admission and charges them.
  void Account(const api::PodSetAssignment& assignment, const RequestVector& per_pod,
               std::vector<DomainUse>& uses);
  void Discount(const DomainUse& use);

  // ---- trials: everything after a mark is undone, newest first.
  using Mark = size_t;
  Mark Here() const { return trial_.size(); }
  void Undo(Mark mark);
  void TakeOut(const std::vector<DomainUse>& uses);
  void PutBack(const std::vector<DomainUse>& uses);
  // What a pod set got counts as held (`per_pod` without `pods`).
  void Take(const Given& given, const RequestVector& per_pod);
  // The same without `pods`; false if it is not there, or if nothing at all is requested (§14.6).
  bool TakeIfThere(const Given& given, const RequestVector& per_pod);

  // Places all pod sets of one workload; later ones do not get what earlier ones did (§11). Leaves
  // the rooms as it found them.
  Places Place(const std::vector<Want>& wants, const Occasion& occasion);
  // The values of portions as an assignment carries them.
  std::vector<api::TopologyDomain> DomainsOf(FlavorId flavor, const Portions& portions) const;

 private:
  struct Territory {  // one flavor
    std::optional<api::ResourceFlavorSpec> spec;
    std::unique_ptr<Holdings> own_holdings;  // unless it uses the shared one
    std::unique_ptr<Space> space;
    Tables tables;
  };
  friend class PlacementRun;

  std::vector<FlavorId> Review(FlavorId flavor);
  std::vector<FlavorId> ReviewTopology(const std::string& name);
  const std::vector<std::string>* KeysOf(const Territory& territory) const;
  bool SharesHoldings(const std::vector<std::string>& keys) const;
  Territory& At(FlavorId flavor);
  void ReactTo(const std::vector<PlainPods::Effect>& effects);

  Catalog& catalog_;
  const Rules rules_;
  PlainPods pods_{catalog_};
  NodeTable nodes_{catalog_, pods_};
  Holdings shared_holdings_;  // of all flavors whose lowest level is the hostname
  std::map<std::string, std::vector<std::string>> topologies_;  // level keys by name
  std::vector<std::unique_ptr<Territory>> territories_;         // by FlavorId; null: none
  std::set<std::string> freed_;                                 // nodes
  std::vector<TrialRow> trial_;
};

}  // namespace kueue::scheduling::topology
