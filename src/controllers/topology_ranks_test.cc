#include "controllers/topology_ranks.h"

#include <gtest/gtest.h>

#include "api/match/topology_assignment.h"
#include "api/types/names.h"

// spec/topology.md §16.
namespace kueue::controllers {
namespace {

namespace names = api::names;
constexpr char kIndex[] = "index";
constexpr char kSub[] = "sub";

class RanksTest : public testing::Test {
 protected:
  // A workload of one pod set whose pods have places on hosts: name and count.
  using Hosts = std::vector<std::pair<std::string, int32_t>>;
  void Place(const std::string& name, const Hosts& hosts, bool numbered = true) {
    if (!workload_.status.admission) workload_.status.admission.emplace();
    api::PodSet& set = workload_.spec.pod_sets.emplace_back();
    api::PodSetAssignment& to = workload_.status.admission->pod_set_assignments.emplace_back();
    set.name = to.name = name;
    std::vector<api::TopologyDomain> domains;
    for (const auto& [host, count] : hosts) {
      domains.push_back({{host}, count});
      set.count += count;
    }
    to.topology_assignment = api::EncodeTopology({names::kHostnameLabel}, domains, true);
    set.topology_request.emplace();
    if (numbered) set.topology_request->pod_index_label = kIndex;
  }
  api::PodSetTopologyRequest& request(size_t i = 0) {
    return *workload_.spec.pod_sets[i].topology_request;
  }
  // `index`: of label "index", none if negative. `host`: where it was sent; "": gated.
  api::Pod& AddPod(const std::string& name, int index, const std::string& host = "") {
    auto pod = std::make_shared<api::Pod>();
    pod->metadata.name = name;
    if (index >= 0) pod->metadata.labels[kIndex] = std::to_string(index);
    if (host.empty()) {
      pod->spec.scheduling_gates.push_back({names::kTopologyGate, {}});
    } else {
      pod->spec.node_selector[names::kHostnameLabel] = host;
    }
    pods_.push_back(pod);
    return *pod;
  }
  // Host by pod.
  using Sent = std::map<std::string, std::string>;
  Sent Plan(size_t i = 0) const {
    Sent sent;
    std::vector<PodPtr> pods(pods_.begin(), pods_.end());
    for (const Ungating& u :
         PlanUngating(workload_, workload_.status.admission->pod_set_assignments[i], pods)) {
      sent[u.pod->metadata.name] = u.node_selector.at(names::kHostnameLabel);
    }
    return sent;
  }

  api::Workload workload_;
  std::vector<std::shared_ptr<api::Pod>> pods_;
};

TEST_F(RanksTest, TheIndexDecides) {
  Place("main", {{"x", 1}, {"y", 2}});
  AddPod("a", 2);
  AddPod("b", 0);
  AddPod("c", 1);
  EXPECT_EQ(Plan(), (Sent{{"a", "y"}, {"b", "x"}, {"c", "y"}}));
}

TEST_F(RanksTest, WithoutNumbersTheOldestGoFirst) {
  Place("main", {{"x", 1}, {"y", 1}}, false);
  AddPod("a", 1).metadata.creation_timestamp = base::Time(base::seconds(20));
  AddPod("b", 0).metadata.creation_timestamp = base::Time(base::seconds(10));
  EXPECT_EQ(Plan(), (Sent{{"b", "x"}, {"a", "y"}}));
}

// One pod that breaks the numbering switches the whole pod set to filling up (§22 (48)).
TEST_F(RanksTest, OneBadNumberSpoilsAll) {
  Place("main", {{"x", 1}, {"y", 1}});
  AddPod("a", 1);
  AddPod("b", -1);
  EXPECT_EQ(Plan(), (Sent{{"a", "x"}, {"b", "y"}}));
  pods_[1]->metadata.labels[kIndex] = "1";  // twice the same
  EXPECT_EQ(Plan(), (Sent{{"a", "x"}, {"b", "y"}}));
  pods_[1]->metadata.labels[kIndex] = "2";  // out of bounds
  EXPECT_EQ(Plan(), (Sent{{"a", "x"}, {"b", "y"}}));
}

// The replaced node's pod is rank 0, and the domains are in the order of their names now.
TEST_F(RanksTest, T13_ReplacementGoesToTheNodeThatIsFree) {
  Place("main", {{"node2", 1}, {"node3", 1}});
  AddPod("old", 0, "node1").metadata.deletion_timestamp = base::Time(base::seconds(1));
  AddPod("running", 1, "node2");
  AddPod("new", 0);
  EXPECT_EQ(Plan(), (Sent{{"new", "node3"}}));
}

TEST_F(RanksTest, TerminatedPodsDoNotCount) {
  Place("main", {{"x", 1}, {"y", 1}});
  AddPod("old", 0, "x").status.phase = "Failed";
  AddPod("new", 0);
  AddPod("other", 1, "y");
  EXPECT_EQ(Plan(), (Sent{{"new", "x"}}));
}

TEST_F(RanksTest, SurplusPodsStayGated) {
  Place("main", {{"x", 1}}, false);
  AddPod("a", 0);
  AddPod("b", 1);
  EXPECT_EQ(Plan(), (Sent{{"a", "x"}}));
}

// Size 3 of 4: one pod has no domain, and stays where it is without harm to the others.
TEST_F(RanksTest, T21_CountThatSlicesDoNotDivide) {
  Place("main", {{"x", 3}});
  workload_.spec.pod_sets[0].count = 4;
  workload_.status.admission->pod_set_assignments[0].count = 4;
  for (int i = 0; i < 4; ++i) AddPod("p" + std::to_string(i), i);
  EXPECT_EQ(Plan(), (Sent{{"p0", "x"}, {"p1", "x"}, {"p2", "x"}}));
}

TEST_F(RanksTest, T21_SubGroupsWithoutACount) {
  Place("main", {{"x", 1}, {"y", 1}});
  request().sub_group_index_label = kSub;
  for (int i = 0; i < 2; ++i) AddPod("p" + std::to_string(i), 0).metadata.labels[kSub] = "0";
  EXPECT_EQ(Plan(), (Sent{{"p0", "x"}, {"p1", "y"}}));
  request().sub_group_count = 0;
  EXPECT_EQ(Plan(), (Sent{{"p0", "x"}, {"p1", "y"}}));
}

TEST_F(RanksTest, SubGroupsFollowEachOther) {
  Place("main", {{"w", 1}, {"x", 1}, {"y", 1}, {"z", 1}});
  request().sub_group_index_label = kSub;
  request().sub_group_count = 2;
  AddPod("10", 0).metadata.labels[kSub] = "1";
  AddPod("01", 1).metadata.labels[kSub] = "0";
  AddPod("11", 1).metadata.labels[kSub] = "1";
  AddPod("00", 0).metadata.labels[kSub] = "0";
  EXPECT_EQ(Plan(), (Sent{{"00", "w"}, {"01", "x"}, {"10", "y"}, {"11", "z"}}));
}

TEST_F(RanksTest, WorkersOfAGroupCountOnAfterTheLeader) {
  Place("workers", {{"x", 1}, {"y", 1}});
  Place("leader", {{"z", 1}});
  for (size_t i : {0, 1}) request(i).pod_set_group_name = "g";
  AddPod("first", 1);
  AddPod("second", 2);
  EXPECT_EQ(Plan(0), (Sent{{"first", "x"}, {"second", "y"}}));
  pods_.clear();
  AddPod("lead", 0);
  EXPECT_EQ(Plan(1), (Sent{{"lead", "z"}}));
}

// Of two with as many pods the one listed first has the first numbers (§22 (23)).
TEST_F(RanksTest, EqualCountsInAGroup) {
  Place("one", {{"x", 1}});
  Place("two", {{"y", 1}});
  for (size_t i : {0, 1}) request(i).pod_set_group_name = "g";
  AddPod("a", 0);
  EXPECT_EQ(Plan(0), (Sent{{"a", "x"}}));
  pods_[0]->metadata.labels[kIndex] = "1";
  EXPECT_EQ(Plan(1), (Sent{{"a", "y"}}));
}

TEST_F(RanksTest, TheOffsetOfTheFirstPodShiftsAll) {
  Place("main", {{"x", 1}, {"y", 1}});
  AddPod("a", 2).metadata.annotations[names::kPodIndexOffset] = "1";
  AddPod("b", 1);
  EXPECT_EQ(Plan(), (Sent{{"a", "y"}, {"b", "x"}}));
  pods_[0]->metadata.annotations[names::kPodIndexOffset] = "one";
  EXPECT_TRUE(Plan().empty());
}

TEST_F(RanksTest, NobodyIsSentToAnUnhealthyNode) {
  Place("main", {{"x", 1}, {"y", 1}});
  workload_.status.unhealthy_nodes.push_back({"x", {}});
  AddPod("a", 0);
  AddPod("b", 1);
  EXPECT_EQ(Plan(), (Sent{{"b", "y"}}));
}

TEST_F(RanksTest, OtherTopologiesAreToldEveryLevel) {
  Place("main", {{"x", 1}}, false);
  workload_.status.admission->pod_set_assignments[0].topology_assignment =
      api::EncodeTopology({"block", "rack"}, {{{"b1", "r2"}, 1}}, true);
  AddPod("a", 0);
  const auto plan = PlanUngating(workload_, workload_.status.admission->pod_set_assignments[0],
                                 {pods_.begin(), pods_.end()});
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].node_selector, (api::StringMap{{"block", "b1"}, {"rack", "r2"}}));
}

}  // namespace
}  // namespace kueue::controllers
