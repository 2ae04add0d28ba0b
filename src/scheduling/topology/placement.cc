#include "scheduling/topology/placement.h"

#include <algorithm>

namespace kueue::scheduling::topology {
namespace {

// §12.1: every candidate that took no pod, by cause. A site is left out for one cause only.
void CountExclusions(const Space& space, const Terms& terms, const NodeMatch* match,
                     const Conditions& conditions, const Catalog& catalog, Failure& failure) {
  std::map<std::string, uint32_t> causes, unusable;
  for (uint32_t p = 0; p < space.order().size(); ++p) {
    const Site site = space.order()[p];
    if (!space.present(site)) {
      if (space.HasNode(site)) {
        ++unusable[space.NodeOf(site).spec.unschedulable ? "unschedulable" : "notReady"];
      }
      continue;
    }
    ++failure.leaves;
    const NodeMatch::Cause cause = match == nullptr ? NodeMatch::kFits : match->cause(site);
    if (cause == NodeMatch::kTaint) {
      ++causes["taint \"" + match->TaintOf(space, site) + "\""];
    } else if (cause == NodeMatch::kSelector) {
      ++causes["nodeSelector"];
    } else if (cause == NodeMatch::kAffinity) {
      ++causes["affinity"];
    } else if (conditions.ranged && (p < conditions.inside.begin || p >= conditions.inside.end)) {
      ++causes["topologyDomain"];
    } else if (FitCount(space, terms.need, conditions.empty, site) == 0) {
      const ResourceId limiting =
          LimitingResource(space, terms.need, conditions.empty, site, catalog);
      ++causes["resource \"" + catalog.Name(limiting) + "\""];
    }
  }
  failure.excluded.assign(causes.begin(), causes.end());
  failure.unusable.assign(unusable.begin(), unusable.end());
}

// How much the best domain of every level takes.
void FindBest(const Space& space, const Counts& counts, Failure& failure) {
  for (size_t l = 0; l < space.depth(); ++l) {
    uint32_t best = 0;
    int64_t most = -1;
    for (uint32_t domain = 0; domain < space.level(l).size; ++domain) {
      if (space.level(l).present[domain] == 0) continue;
      const int64_t pods = counts.Of(space, l, domain).pods;
      if (pods > most) {
        most = pods;
        best = domain;
      }
    }
    if (most >= 0) failure.best.push_back({space.spec().keys[l], space.PathOf(l, best), most});
  }
}

}  // namespace

Placed Place(const Ground& ground, const Request& workers, const Request* leader,
             const Conditions& conditions, const Rules& rules, Catalog& catalog) {
  Placed out;
  out.failure.topology_flavor = ground.space.flavor();
  Terms terms;
  out.failure.problem = ReadTerms(workers, leader, ground.space.spec().keys, catalog, terms);
  if (!out.failure.problem.empty()) return out;
  ground.space.Prepare();
  const bool scored = rules.respect_preferred_affinity && ground.space.host_level();
  const NodeMatch* const match = ground.tables.Match(ground.space, *workers.pod, scored);
  const Counts* counts = nullptr;
  std::optional<Counts> own;
  if (conditions.ranged) {
    own.emplace(Counts::ShapeOf(terms, match, conditions.empty), conditions.inside);
    own->CatchUp(ground.space, match);
    counts = &*own;
  } else {
    counts = &ground.tables.Count(ground.space, terms, match, conditions.empty);
  }
  Placer placer(ground.space, terms, *counts, rules.profile, scored);
  out.ok = placer.Run(out.workers, out.leader, out.failure);
  if (!out.ok && conditions.explain) {
    CountExclusions(ground.space, terms, match, conditions, catalog, out.failure);
    FindBest(ground.space, *counts, out.failure);
  }
  return out;
}

std::vector<std::vector<size_t>> GroupRequests(const std::vector<Request>& requests) {
  std::vector<std::vector<size_t>> groups;
  for (size_t i = 0; i < requests.size(); ++i) {
    const auto& name = requests[i].topology.pod_set_group_name;
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return name && requests[group.front()].topology.pod_set_group_name == name;
    });
    if (known == groups.end()) {
      groups.push_back({i});
    } else {
      known->push_back(i);
    }
  }
  return groups;
}

Roles RolesIn(const std::vector<Request>& requests, const std::vector<size_t>& group) {
  const Request* const first = &requests[group[0]];
  if (group.size() == 1) return {first, nullptr};
  const Request* const second = &requests[group[1]];
  return second->count > first->count ? Roles{second, first} : Roles{first, second};
}

void Assume(Space& space, const Request& request, const Portions& portions, Catalog& catalog,
            std::vector<TrialRow>& trial) {
  const RequestVector per_pod = WithPods(request.per_pod, 1, catalog);
  for (const Portion& portion : portions) {
    space.Try(portion.site, per_pod, portion.count, true, trial);
  }
}

}  // namespace kueue::scheduling::topology
