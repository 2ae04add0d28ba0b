#include "scheduling/snapshot.h"

#include <gtest/gtest.h>

#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using Lines = std::vector<std::string>;

TEST(SnapshotTest, LaterFactsDoNotChangeIt) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {2, {}, {}}));
  cluster.Submit("a", "q", 1);
  const Snapshot before = cluster.state.Fork();
  cluster.Submit("b", "q", 1);
  cluster.Cycle();
  cluster.state.DeleteClusterQueue("q");
  const State state = before.Rebuild(cluster.now);
  EXPECT_EQ(state.PendingInOrder("q"), (Lines{"ns/a"}));
  EXPECT_EQ(state.ReportClusterQueue("q").reserving, 0);
}

// Quota that a cycle gave counts in a fork although no object shows it.
TEST(SnapshotTest, CarriesWhatIsNotWrittenYet) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {2, {}, {}}));
  cluster.Submit("a", "q", 2);
  Step(cluster.state, cluster.now);
  const State state = cluster.state.Fork().Rebuild(cluster.now);
  EXPECT_EQ(state.ReportClusterQueue("q").reserving, 1);
  EXPECT_EQ(state.PendingInOrder("q"), Lines());
}

TEST(SnapshotTest, DecidesWhatTheStateDecides) {
  TestCluster cluster;
  cluster.Add(MakeQueue("q", {2, {}, {}}));
  cluster.Submit("a", "q", 2, 1);
  cluster.Submit("b", "q", 2, 5);
  State fork = cluster.state.Fork().Rebuild(cluster.now);
  EXPECT_EQ(TestCluster::Reserved(Step(fork, cluster.now)), (Lines{"ns/b"}));
  EXPECT_EQ(TestCluster::Reserved(cluster.Cycle()), (Lines{"ns/b"}));
}

}  // namespace
}  // namespace kueue::scheduling
