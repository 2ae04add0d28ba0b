#include "scheduling/topology/placement.h"

#include <gtest/gtest.h>

#include "scheduling/topology/test_field.h"

namespace kueue::scheduling::topology {
namespace {

std::shared_ptr<api::Node> Tainted(const std::string& name, int cpus) {
  auto node = Field::NewNode(name, cpus);
  node->metadata.labels["rack"] = "r1";
  node->spec.taints.push_back({"maint", "1", "NoSchedule", {}, {}});
  return node;
}

TEST(Placement, TaintsCountForEachRequest) {
  Field field(2, "r1/b:2");
  field.Set(Tainted("a", 8));
  EXPECT_EQ(field.Put(field.Required("rack", 3)), "not fit");
  field.pod().tolerations.push_back({"maint", "Exists", "", "", {}, {}});
  EXPECT_EQ(field.Put(field.Required("rack", 3)), "a:3");
}

// §5.2: with other lowest levels nobody looks at nodes.
TEST(Placement, OnlyHostsAreChecked) {
  Field field(2);
  SpaceSpec spec;
  spec.keys = {"block", "rack"};
  field.space().SetSpec(spec);
  auto node = Tainted("a", 4);
  node->metadata.labels["block"] = "b1";
  field.Set(node);
  EXPECT_EQ(field.Put(field.Required("rack", 3)), "r1:3");
}

TEST(Placement, ChangedTaintsAreNoticed) {
  Field field(2, "r1/a:8");
  EXPECT_EQ(field.Put(field.Required("rack", 3)), "a:3");
  field.Set(Tainted("a", 8));
  EXPECT_EQ(field.Put(field.Required("rack", 3)), "not fit");
}

TEST(Placement, SelectorAndAffinityChooseNodes) {
  Field field(1, "a:4 b:4");
  field.pod().node_selector[kHostname] = "b";
  EXPECT_EQ(field.Put(field.Required(kHostname, 1)), "b:1");
  field.pod().node_selector.clear();
  api::NodeSelector selector;
  selector.node_selector_terms.push_back({{{kHostname, "NotIn", {"a"}, {}}}, {}, {}});
  field.pod().affinity.emplace();
  field.pod().affinity->node_affinity.emplace();
  field.pod().affinity->node_affinity->required_during_scheduling_ignored_during_execution =
      selector;
  EXPECT_EQ(field.Put(field.Required(kHostname, 1)), "b:1");
}

TEST(Placement, PreferredAffinityLeadsWithItsGate) {
  Field field(1, "a:2 b:4");
  api::PreferredSchedulingTerm term;
  term.weight = 10;
  term.preference.match_expressions.push_back({kHostname, "In", {"b"}, {}});
  field.pod().affinity.emplace();
  field.pod().affinity->node_affinity.emplace();
  field.pod().affinity->node_affinity->preferred_during_scheduling_ignored_during_execution = {
      term};
  EXPECT_EQ(field.Put(field.Required(kHostname, 2)), "a:2");
  field.rules().respect_preferred_affinity = true;
  EXPECT_EQ(field.Put(field.Required(kHostname, 2)), "b:2");
}

TEST(Placement, SaysWhatWasExcluded) {
  Field field(2, "r1/b:2 r1/c:0");
  field.Set(Tainted("a", 8));
  const Placed placed = field.Try(field.Required("rack", 3));
  ASSERT_FALSE(placed.ok);
  EXPECT_EQ(placed.failure.leaves, 3u);
  EXPECT_EQ(placed.failure.fitting, 2);
  EXPECT_EQ(placed.failure.wanted, 3);
  ASSERT_EQ(placed.failure.excluded.size(), 2u);
  EXPECT_EQ(placed.failure.excluded[0].first, "resource \"cpu\"");
  EXPECT_EQ(placed.failure.excluded[1].first, "taint \"maint=1:NoSchedule\"");
}

TEST(Placement, RequestsThatCannotBeReadSaySo) {
  Field field(2, "r1/a:4");
  EXPECT_FALSE(field.Try(field.Required("zone", 1)).failure.problem.empty());
  EXPECT_FALSE(field.Try(field.Ask(1)).failure.problem.empty());
  // A slice bigger than the pod set; `unconstrained: false` names no level (§22 (10)).
  EXPECT_FALSE(
      field.Try(Field::Slices(field.Required("rack", 1), "rack", 2)).failure.problem.empty());
  Request never = field.Ask(1);
  never.topology.unconstrained = false;
  EXPECT_FALSE(field.Try(never).failure.problem.empty());
}

// Counting again only what changed gives what counting everything gives.
TEST(Placement, CountsFollowEveryChange) {
  Field field(3, "b1/r1/a:2 b1/r1/b:2 b1/r2/c:3 b2/r3/d:5 b2/r3/e:1");
  EXPECT_EQ(field.Put(field.Required("block", 6)), "d:5 e:1");
  field.Charge("d", 1);
  EXPECT_EQ(field.Put(field.Required("block", 6)), "a:2 b:1 c:3");
  field.Charge("c", 3);
  EXPECT_EQ(field.Put(field.Required("block", 5)), "d:4 e:1");
  field.AddHost("b2/r3/e:3");
  EXPECT_EQ(field.Put(field.Required("block", 7)), "d:4 e:3");
}

TEST(Placement, TrialsLeaveNoTrace) {
  Field field(1, "a:4 b:3");
  std::vector<TrialRow> trial;
  const Request request = field.Required(kHostname, 3);
  const Placed first = field.Try(request);
  Assume(field.space(), request, first.workers, field.catalog(), trial);
  EXPECT_EQ(field.Show(first.workers), "b:3");
  EXPECT_EQ(field.Put(request), "a:3");
  while (!trial.empty()) {
    field.space().Undo(trial.back());
    trial.pop_back();
  }
  EXPECT_EQ(field.Put(request), "b:3");
}

}  // namespace
}  // namespace kueue::scheduling::topology
