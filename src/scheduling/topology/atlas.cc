#include "scheduling/topology/atlas.h"

#include <algorithm>

#include "base/check.h"

namespace kueue::scheduling::topology {

// ---- flavors and topologies

Atlas::Territory& Atlas::At(FlavorId flavor) {
  if (territories_.size() <= flavor.index()) territories_.resize(flavor.index() + 1);
  auto& territory = territories_[flavor.index()];
  if (territory == nullptr) territory = std::make_unique<Territory>();
  return *territory;
}

const Space* Atlas::Find(FlavorId flavor) const {
  if (flavor.index() >= territories_.size() || territories_[flavor.index()] == nullptr) {
    return nullptr;
  }
  return territories_[flavor.index()]->space.get();
}

Space* Atlas::Prepared(FlavorId flavor) {
  if (Find(flavor) == nullptr) return nullptr;
  Space* const space = territories_[flavor.index()]->space.get();
  space->Prepare();
  return space;
}

// Null unless the flavor and its topology are both there.
const std::vector<std::string>* Atlas::KeysOf(const Territory& territory) const {
  if (!territory.spec || !territory.spec->topology_name) return nullptr;
  const auto found = topologies_.find(*territory.spec->topology_name);
  return found == topologies_.end() || found->second.empty() ? nullptr : &found->second;
}

bool Atlas::SharesHoldings(const std::vector<std::string>& keys) const {
  return rules_.share_assumed && keys.back() == kHostname;
}

// Takes in a new spec in place where usage can stay; else the flavor has to be remade.
std::vector<FlavorId> Atlas::Review(FlavorId flavor) {
  Territory& territory = At(flavor);
  const std::vector<std::string>* const keys = KeysOf(territory);
  if (territory.space == nullptr && keys == nullptr) return {};
  if (territory.space == nullptr || keys == nullptr) return {flavor};
  // Ids have other forms with and without hostnames.
  if (territory.space->host_level() != (keys->back() == kHostname)) return {flavor};
  territory.space->SetSpec({*keys, territory.spec->node_labels, territory.spec->tolerations});
  return {};
}

void Atlas::Remake(FlavorId flavor) {
  Territory& territory = At(flavor);
  territory.space.reset();
  territory.own_holdings.reset();
  territory.tables = {};
  const std::vector<std::string>* const keys = KeysOf(territory);
  if (keys == nullptr) return;
  const bool shares = SharesHoldings(*keys);
  if (!shares) territory.own_holdings = std::make_unique<Holdings>();
  territory.space = std::make_unique<Space>(catalog_.Name(flavor), nodes_,
                                            shares ? shared_holdings_ : *territory.own_holdings);
  territory.space->SetSpec({*keys, territory.spec->node_labels, territory.spec->tolerations});
}

std::vector<FlavorId> Atlas::SetFlavor(FlavorId flavor, const api::ResourceFlavorSpec& spec) {
  At(flavor).spec = spec;
  return Review(flavor);
}

std::vector<FlavorId> Atlas::DeleteFlavor(FlavorId flavor) {
  At(flavor).spec.reset();
  return Review(flavor);
}

std::vector<FlavorId> Atlas::ReviewTopology(const std::string& name) {
  std::vector<FlavorId> changed;
  for (uint32_t f = 0; f < territories_.size(); ++f) {
    const Territory* const territory = territories_[f].get();
    if (territory == nullptr || !territory->spec || territory->spec->topology_name != name) {
      continue;
    }
    const std::vector<FlavorId> reviewed = Review({f});
    changed.insert(changed.end(), reviewed.begin(), reviewed.end());
  }
  return changed;
}

std::vector<FlavorId> Atlas::SetTopology(const api::Topology& object) {
  std::vector<std::string> keys;
  for (const api::TopologyLevel& level : object.spec.levels) keys.push_back(level.node_label);
  topologies_[object.metadata.name] = std::move(keys);
  return ReviewTopology(object.metadata.name);
}

std::vector<FlavorId> Atlas::DeleteTopology(const std::string& name) {
  topologies_.erase(name);
  return ReviewTopology(name);
}

// ---- nodes and pods

bool Atlas::SetNode(std::shared_ptr<const api::Node> object) {
  const NodeTable::Change change = nodes_.Set(std::move(object));
  bool member = false;
  for (const auto& territory : territories_) {
    if (territory == nullptr || territory->space == nullptr) continue;
    member |= territory->space->Has(change.row);
    if (change.any()) territory->space->NodeChanged(change);
    member |= territory->space->Has(change.row);
  }
  return member && change.retry;
}

bool Atlas::DeleteNode(const std::string& name) {
  Row row = 0;
  if (!nodes_.Find(name, row)) return false;
  bool member = false;
  for (const auto& territory : territories_) {
    if (territory == nullptr || territory->space == nullptr) continue;
    member |= territory->space->Has(row);
    territory->space->NodeLeaves(row);
  }
  nodes_.Delete(row);
  return member;
}

void Atlas::ReactTo(const std::vector<PlainPods::Effect>& effects) {
  for (const PlainPods::Effect& effect : effects) {
    const NodeTable::Change change = nodes_.Refresh(effect.node);
    if (effect.freed) freed_.insert(effect.node);
    if (!change.any()) continue;
    for (const auto& territory : territories_) {
      if (territory == nullptr || territory->space == nullptr) continue;
      territory->space->NodeChanged(change);
    }
  }
}

void Atlas::SetPod(const api::Pod& object) { ReactTo(pods_.Set(object)); }
void Atlas::DeletePod(const std::string& key) { ReactTo(pods_.Delete(key)); }

std::vector<FlavorId> Atlas::TakeFreed() {
  std::vector<FlavorId> flavors;
  for (uint32_t f = 0; f < territories_.size(); ++f) {
    const Space* const space = Find({f});
    const bool touched =
        space != nullptr && std::any_of(freed_.begin(), freed_.end(), [&](const auto& name) {
          Row row = 0;
          return nodes_.Find(name, row) && space->Has(row);
        });
    if (touched) flavors.push_back({f});
  }
  freed_.clear();
  return flavors;
}

// ---- what Workloads hold

void Atlas::Account(const api::PodSetAssignment& assignment, const RequestVector& per_pod,
                    std::vector<DomainUse>& uses) {
  if (!assignment.topology_assignment) return;
  std::set<std::string> flavors;
  for (const auto& entry : assignment.flavors) flavors.insert(entry.second);
  const auto domains = api::DecodeTopology(*assignment.topology_assignment);
  if (!domains.ok()) return;
  for (const std::string& name : flavors) {
    const FlavorId flavor = catalog_.Flavor(name);
    if (Find(flavor) == nullptr) continue;
    DomainUse& use = uses.emplace_back();
    use.flavor = flavor;
    use.per_pod = WithPods(per_pod, 1, catalog_);
    Holdings& holdings = At(flavor).space->holdings();
    for (const api::TopologyDomain& domain : *domains) {
      std::string id;
      for (const std::string& value : domain.values) {
        id += (&value == &domain.values.front() ? "" : ",") + value;
      }
      const Holdings::Entry entry = holdings.Hold(id);
      holdings.Add(entry, use.per_pod, domain.count);
      use.domains.emplace_back(entry, domain.count);
    }
  }
}

void Atlas::Discount(const DomainUse& use) {
  Holdings& holdings = At(use.flavor).space->holdings();
  for (const auto& [entry, count] : use.domains) {
    holdings.Add(entry, use.per_pod, -int64_t{count});
    holdings.Release(entry);
  }
}

// ---- trials

void Atlas::Undo(Mark mark) {
  while (trial_.size() > mark) {
    trial_.back().space->Undo(trial_.back());
    trial_.pop_back();
  }
}

void Atlas::TakeOut(const std::vector<DomainUse>& uses) {
  for (const DomainUse& use : uses) {
    Space& space = *At(use.flavor).space;
    for (const auto& [entry, count] : use.domains) {
      const Site site = space.SiteAt(entry);
      if (site != kNoSite) space.Try(site, use.per_pod, -int64_t{count}, false, trial_);
    }
  }
}

void Atlas::PutBack(const std::vector<DomainUse>& uses) {
  for (const DomainUse& use : uses) {
    Space& space = *At(use.flavor).space;
    for (const auto& [entry, count] : use.domains) {
      const Site site = space.SiteAt(entry);
      if (site != kNoSite) space.Try(site, use.per_pod, count, false, trial_);
    }
  }
}

void Atlas::Take(const Given& given, const RequestVector& per_pod) {
  Space& space = *At(given.flavor).space;
  const RequestVector with_pods = WithPods(per_pod, 1, catalog_);
  for (const Portion& portion : given.fresh) {
    space.Try(portion.site, with_pods, portion.count, false, trial_);
  }
}

bool Atlas::TakeIfThere(const Given& given, const RequestVector& per_pod) {
  if (given.fresh.empty()) return true;
  if (per_pod.empty()) return false;
  Space& space = *At(given.flavor).space;
  for (const Portion& portion : given.fresh) {
    if (!space.present(portion.site)) return false;
    space.Try(portion.site, per_pod, portion.count, false, trial_);
    for (const ResourceAmount& want : per_pod) {
      if (want.amount > 0 && space.Column(want.resource, false)[portion.site] < 0) return false;
    }
  }
  return true;
}

std::vector<api::TopologyDomain> Atlas::DomainsOf(FlavorId flavor, const Portions& portions) const {
  const Space& space = *Find(flavor);
  std::vector<api::TopologyDomain> domains;
  domains.reserve(portions.size());
  for (const Portion& portion : portions) {
    domains.push_back({space.StoredValues(portion.site), portion.count});
  }
  return domains;
}

}  // namespace kueue::scheduling::topology
