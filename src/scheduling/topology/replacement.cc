#include "scheduling/topology/replacement.h"

#include <algorithm>

namespace kueue::scheduling::topology {
namespace {

std::string IdOf(const std::vector<std::string>& values) {
  std::string id;
  for (const std::string& value : values) id += (&value == &values.front() ? "" : ",") + value;
  return id;
}

Range RangeOf(const Space& space, Site site, size_t level) {
  const uint32_t domain = space.DomainAbove(space.position(site), level);
  return {space.level(level).begin[domain], space.level(level).begin[domain + 1]};
}

// The innermost layer that the missing pods do not fill.
const Layer& BrokenLayer(const std::vector<Layer>& layers, int32_t missing) {
  for (size_t i = layers.size(); i-- > 0;) {
    if (missing % layers[i].second != 0) return layers[i];
  }
  return layers.front();
}

// The first domain at the layer's level whose survivors and the missing pods make whole groups.
bool FindBrokenSlice(const Space& space, const Portions& left, const Layer& layer, int32_t missing,
                     Range& inside) {
  const int level = space.LevelOf(layer.first);
  if (level < 0) return false;
  const auto at = static_cast<size_t>(level);
  std::map<uint32_t, int64_t> pods;  // by domain, in the order of values
  for (const Portion& portion : left) {
    pods[space.DomainAbove(space.position(portion.site), at)] += portion.count;
  }
  for (const auto& [domain, count] : pods) {
    if ((count + missing) % layer.second != 0) continue;
    inside = {space.level(at).begin[domain], space.level(at).begin[domain + 1]};
    return true;
  }
  return false;
}

// Where the new pods have to be (§12.3 step 4). False: anywhere.
bool FindInside(const Space& space, const Request& request, const Portions& left, int32_t missing,
                Range& inside) {
  const int level = space.LevelOf(MainLevel(request.topology, request.implied, space.spec().keys));
  if (level < 0 || left.empty()) return false;
  const std::vector<Layer> layers = LayersOf(request.topology);
  if (!layers.empty() && layers[0].second > 0 && missing % layers[0].second != 0) {
    return FindBrokenSlice(space, left, BrokenLayer(layers, missing), missing, inside);
  }
  if (!request.topology.required) return false;
  inside = RangeOf(space, left.front().site, static_cast<size_t>(level));
  return true;
}

// An incomplete slice inside its domain is placed with the finest layer that the pods fill (§12.3
// step 5); without one, pod by pod.
void LoosenLayers(Request& request, int32_t missing) {
  const std::vector<Layer> layers = LayersOf(request.topology);
  if (layers.empty() || missing % layers[0].second == 0) return;
  api::PodSetTopologyRequest loose;
  loose.required = request.topology.required;
  loose.preferred = request.topology.preferred;
  const Layer* fine = nullptr;
  for (const Layer& layer : layers) {
    if (missing % layer.second == 0) fine = &layer;
  }
  if (fine != nullptr) {
    loose.pod_set_slice_required_topology = fine->first;
    loose.pod_set_slice_size = fine->second;
  } else if (!loose.required && !loose.preferred) {
    loose.unconstrained = true;
  }
  request.topology = std::move(loose);
}

int64_t TotalOf(const Portions& portions) {
  int64_t total = 0;
  for (const Portion& portion : portions) total += portion.count;
  return total;
}

}  // namespace

Portions SitesOf(const Space& space, const std::vector<api::TopologyDomain>& domains) {
  Portions portions;
  for (const api::TopologyDomain& domain : domains) {
    const Site site = space.Find(IdOf(domain.values));
    if (site == kNoSite) return {};
    portions.push_back({site, domain.count});
  }
  return portions;
}

Portions Merged(const Space& space, Portions portions) {
  std::stable_sort(portions.begin(), portions.end(), [&](const Portion& a, const Portion& b) {
    return space.position(a.site) < space.position(b.site);
  });
  Portions out;
  for (const Portion& portion : portions) {
    if (!out.empty() && out.back().site == portion.site) {
      out.back().count += portion.count;
    } else {
      out.push_back(portion);
    }
  }
  return out;
}

Replaced ReplaceNode(const Ground& ground, const Request& request,
                     const std::vector<api::TopologyDomain>& held, const std::string& failed,
                     const Rules& rules, Catalog& catalog) {
  Replaced out;
  ground.space.Prepare();
  std::vector<api::TopologyDomain> kept;
  int32_t missing = 0;
  for (const api::TopologyDomain& domain : held) {
    if (!domain.values.empty() && domain.values.back() == failed) {
      missing += domain.count;
    } else {
      kept.push_back(domain);
    }
  }
  const Portions left = SitesOf(ground.space, kept);
  if (left.size() != kept.size()) {
    out.failure.problem = "some domain of the assignment is gone too";
    return out;
  }
  Conditions conditions;
  conditions.ranged = FindInside(ground.space, request, left, missing, conditions.inside);
  Request part = request;
  part.count = missing;
  if (conditions.ranged) LoosenLayers(part, missing);
  Placed placed = Place(ground, part, nullptr, conditions, rules, catalog);
  out.failure = std::move(placed.failure);
  if (!placed.ok || placed.workers.empty()) return out;
  out.ok = true;
  out.fresh = placed.workers;
  Portions all = left;
  all.insert(all.end(), out.fresh.begin(), out.fresh.end());
  out.all = Merged(ground.space, std::move(all));
  return out;
}

bool OwnedBySinglePod(const api::Workload& workload) {
  const auto& owners = workload.metadata.owner_references;
  const auto& annotations = workload.metadata.annotations;
  const auto group = annotations.find("kueue.x-k8s.io/is-group-workload");
  return owners.size() == 1 && owners[0].kind == "Pod" && owners[0].api_version == "v1" &&
         (group == annotations.end() || group->second != "true");
}

Scaled PlaceGrowth(const Ground& ground, const Request& workers, const Request* leader,
                   const std::vector<api::TopologyDomain>& held,
                   const std::vector<api::TopologyDomain>& held_leader,
                   const Conditions& conditions, const Rules& rules, Catalog& catalog) {
  Scaled out;
  ground.space.Prepare();
  const Portions before = SitesOf(ground.space, held);
  const Portions leader_before = SitesOf(ground.space, held_leader);
  out.fell_back = before.empty() || leader_before.size() != held_leader.size();
  if (out.fell_back) return out;
  Placed& placed = out.placed;
  placed.leader = leader_before;
  const Request* const new_leader = leader != nullptr && leader_before.empty() ? leader : nullptr;
  std::vector<TrialRow> trial;
  Assume(ground.space, workers, before, catalog, trial);
  if (leader != nullptr) Assume(ground.space, *leader, leader_before, catalog, trial);
  const int64_t total = TotalOf(before);
  if (workers.count > total) {
    Request growth = workers;
    growth.count = static_cast<int32_t>(workers.count - total);
    Placed added = Place(ground, growth, new_leader, conditions, rules, catalog);
    placed.ok = added.ok;
    placed.failure = std::move(added.failure);
    Portions all = before;
    all.insert(all.end(), added.workers.begin(), added.workers.end());
    placed.workers = Merged(ground.space, std::move(all));
    if (new_leader != nullptr) placed.leader = added.leader;
  } else {
    int64_t left = workers.count;  // the end of the list goes first
    for (const Portion& portion : before) {
      const auto share = static_cast<int32_t>(std::min<int64_t>(portion.count, left));
      if (share > 0) placed.workers.push_back({portion.site, share});
      left -= share;
    }
    placed.ok = true;
    if (new_leader != nullptr) {
      Placed alone = Place(ground, *new_leader, nullptr, conditions, rules, catalog);
      placed.ok = alone.ok;
      placed.failure = std::move(alone.failure);
      placed.leader = std::move(alone.workers);
    }
  }
  for (size_t i = trial.size(); i-- > 0;) ground.space.Undo(trial[i]);
  return out;
}

}  // namespace kueue::scheduling::topology
