#include <algorithm>

#include "base/check.h"
#include "scheduling/topology/atlas.h"

// The pod sets of one workload, flavor by flavor and group by group (spec/topology.md §11).
namespace kueue::scheduling::topology {

class PlacementRun {
 public:
  PlacementRun(Atlas& atlas, const std::vector<Want>& wants, const Occasion& occasion)
      : atlas_(atlas), wants_(wants), occasion_(occasion) {
    conditions_.empty = occasion.empty;
    conditions_.explain = occasion.explain;
  }

  Places Run() {
    std::vector<FlavorId> flavors;
    for (const Want& want : wants_) {
      if (std::find(flavors.begin(), flavors.end(), want.flavor) == flavors.end()) {
        flavors.push_back(want.flavor);
      }
    }
    std::sort(flavors.begin(), flavors.end(), [&](FlavorId a, FlavorId b) {
      return atlas_.catalog_.Name(a) < atlas_.catalog_.Name(b);
    });
    const Atlas::Mark mark = atlas_.Here();
    for (const FlavorId flavor : flavors) PlaceIn(flavor);
    atlas_.Undo(mark);
    std::sort(places_.failed.begin(), places_.failed.end());
    return std::move(places_);
  }

 private:
  struct Assumption {
    RequestVector per_pod;
    Holdings::Entry entry;
    int32_t count;
  };

  // A failure here does not keep other flavors from being tried.
  void PlaceIn(FlavorId flavor) {
    flavor_ = flavor;
    territory_ = &atlas_.At(flavor);
    std::vector<const Want*> mine;
    std::vector<Request> requests;
    for (const Want& want : wants_) {
      if (want.flavor != flavor) continue;
      mine.push_back(&want);
      requests.push_back(want.request);
    }
    if (territory_->space == nullptr) {
      Failure failure;
      failure.problem = "flavor " + atlas_.catalog_.Name(flavor) + " has no topology";
      return Fail(mine, std::move(failure));
    }
    territory_->space->Prepare();
    ApplyShared();
    for (const std::vector<size_t>& group : GroupRequests(requests)) {
      const bool replaces = !mine[group[0]]->held.empty();
      if (!(replaces ? Replace(mine, group) : PlaceGroup(mine, requests, group))) return;
    }
  }

  // What pod sets on other flavors got is on the same nodes.
  void ApplyShared() {
    Space& space = *territory_->space;
    if (&space.holdings() != &atlas_.shared_holdings_) return;
    for (const Assumption& assumed : shared_) {
      const Site site = space.SiteAt(assumed.entry);
      if (site == kNoSite) continue;
      space.Try(site, assumed.per_pod, assumed.count, true, atlas_.trial_);
    }
  }

  void AssumePortions(const Request& request, const Portions& portions) {
    Space& space = *territory_->space;
    Assume(space, request, portions, atlas_.catalog_, atlas_.trial_);
    if (&space.holdings() != &atlas_.shared_holdings_) return;
    const RequestVector per_pod = WithPods(request.per_pod, 1, atlas_.catalog_);
    for (const Portion& portion : portions) {
      shared_.push_back({per_pod, space.entry(portion.site), portion.count});
    }
  }

  void Fail(const std::vector<const Want*>& failed, Failure failure) {
    uint32_t first = UINT32_MAX;
    for (const Want* want : failed) first = std::min(first, want->request.pod_set);
    const bool earliest = std::all_of(places_.failed.begin(), places_.failed.end(),
                                      [&](uint32_t other) { return first < other; });
    if (earliest) places_.failure = std::move(failure);
    for (const Want* want : failed) places_.failed.push_back(want->request.pod_set);
  }

  void Give(const Request& request, Portions portions) {
    Portions fresh = portions;
    places_.given.push_back(
        {request.pod_set, flavor_, std::move(portions), std::move(fresh), false});
  }

  bool PlaceGroup(const std::vector<const Want*>& mine, const std::vector<Request>& requests,
                  const std::vector<size_t>& group) {
    const Roles roles = RolesIn(requests, group);
    const Ground ground{*territory_->space, territory_->tables};
    const auto want_of = [&](const Request* request) {
      return mine[static_cast<size_t>(request - requests.data())];
    };
    const std::vector<api::TopologyDomain>& before = want_of(roles.workers)->before;
    Placed placed;
    bool grown = false;
    if (!before.empty()) {
      const std::vector<api::TopologyDomain> none;
      Scaled scaled = PlaceGrowth(ground, *roles.workers, roles.leader, before,
                                  roles.leader == nullptr ? none : want_of(roles.leader)->before,
                                  conditions_, atlas_.rules_, atlas_.catalog_);
      grown = !scaled.fell_back;
      placed = std::move(scaled.placed);
    }
    if (!grown) {
      placed =
          Place(ground, *roles.workers, roles.leader, conditions_, atlas_.rules_, atlas_.catalog_);
    }
    if (!placed.ok) {
      std::vector<const Want*> failed{want_of(roles.workers)};
      // A failed growth is the workers' alone (§12.4).
      if (roles.leader != nullptr && !grown) failed.push_back(want_of(roles.leader));
      Fail(failed, std::move(placed.failure));
      return false;
    }
    AssumePortions(*roles.workers, placed.workers);
    Give(*roles.workers, std::move(placed.workers));
    if (roles.leader == nullptr) return true;
    AssumePortions(*roles.leader, placed.leader);
    Give(*roles.leader, std::move(placed.leader));
    return true;
  }

  // Members of a group one by one; none is a leader now (§12.3).
  bool Replace(const std::vector<const Want*>& mine, const std::vector<size_t>& group) {
    for (const size_t i : group) {
      const Want& want = *mine[i];
      if (want.held.empty()) continue;
      if (occasion_.keep_as_is) {
        places_.given.push_back({want.request.pod_set, flavor_, {}, {}, true});
        continue;
      }
      Replaced replaced =
          ReplaceNode({*territory_->space, territory_->tables}, want.request, want.held,
                      occasion_.failed_node, atlas_.rules_, atlas_.catalog_);
      if (!replaced.ok) {
        Fail({&want}, std::move(replaced.failure));
        return false;
      }
      AssumePortions(want.request, replaced.fresh);
      places_.given.push_back({want.request.pod_set, flavor_, std::move(replaced.all),
                               std::move(replaced.fresh), false});
    }
    return true;
  }

  Atlas& atlas_;
  const std::vector<Want>& wants_;
  const Occasion& occasion_;
  Conditions conditions_;
  FlavorId flavor_;
  Atlas::Territory* territory_ = nullptr;
  std::vector<Assumption> shared_;
  Places places_;
};

Places Atlas::Place(const std::vector<Want>& wants, const Occasion& occasion) {
  return PlacementRun(*this, wants, occasion).Run();
}

}  // namespace kueue::scheduling::topology
