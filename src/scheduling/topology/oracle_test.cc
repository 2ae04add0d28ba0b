#include <gtest/gtest.h>

#include "scheduling/topology/test_field.h"

// The measured results of spec/topology.md §21; the numbers are its rows.
namespace kueue::scheduling::topology {
namespace {

constexpr char kOneRack[] = "r1/h1:3 r1/h2:3 r1/h3:2 r1/h4:1";
constexpr char kFive[] = "r1/a:6 r1/b:5 r1/c:4 r1/d:3 r1/e:2";
constexpr char kBlocks[] = "b1/r1/a:2 b1/r1/b:2 b1/r2/c:3 b1/r2/d:3 b2/r3/e:5";
constexpr char kFours[] = "b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4";

TEST(TopologyOracle, Row1) {
  Field field(2, kOneRack);
  EXPECT_EQ(field.Put(field.Required("rack", 7)), "h1:3 h2:3 h4:1");
}

TEST(TopologyOracle, Row2) {
  Field field(2, kOneRack);
  EXPECT_EQ(field.Put(field.Unconstrained(7)), "h1:3 h2:1 h3:2 h4:1");
}

TEST(TopologyOracle, Row3) {
  Field field(2, kOneRack);
  field.rules().profile.least_free_for_unconstrained = false;
  EXPECT_EQ(field.Put(field.Unconstrained(7)), "h1:3 h2:3 h4:1");
}

TEST(TopologyOracle, Row4) {
  Field field(2, kFive);
  EXPECT_EQ(field.Put(Field::Slices(field.Required("rack", 12), kHostname, 2)), "a:6 c:4 e:2");
}

TEST(TopologyOracle, Row5) {
  Field field(2, kFive);
  EXPECT_EQ(field.Put(Field::Slices(field.Ask(10), kHostname, 2)), "b:2 c:4 d:2 e:2");
}

TEST(TopologyOracle, Row6) {
  Field field(2, kFive);
  field.rules().profile.least_free_for_unconstrained = false;
  EXPECT_EQ(field.Put(Field::Slices(field.Ask(10), kHostname, 2)), "a:6 c:4");
}

TEST(TopologyOracle, Row7) {
  Field field(2, "r1/a:3 r1/b:2");
  EXPECT_EQ(field.Put(Field::Slices(field.Required("rack", 4), "rack", 2)), "a:2 b:2");
}

TEST(TopologyOracle, Row8) {
  Field field(2, "r1/a:3 r1/b:2");
  EXPECT_EQ(field.Put(field.Required("rack", 4)), "a:3 b:1");
}

TEST(TopologyOracle, Row9) {
  Field field(2, "r1/a:3 r1/b:2");
  EXPECT_EQ(field.Put(Field::Slices(field.Required("rack", 5), "rack", 2)), "a:2 b:2");
}

TEST(TopologyOracle, Row10) {
  Field field(2, "r1/a:9 r1/b:4 r2/c:6 r2/d:6");
  EXPECT_EQ(field.Put(field.Required("rack", 10)), "c:6 d:4");
}

TEST(TopologyOracle, Row11) {
  Field field(3, kBlocks);
  EXPECT_EQ(field.Put(field.Preferred("rack", 8)), "a:2 c:3 d:3");
}

TEST(TopologyOracle, Row12) {
  Field field(3, kBlocks);
  EXPECT_EQ(field.Put(field.Preferred("rack", 12)), "a:1 c:3 d:3 e:5");
}

TEST(TopologyOracle, Row13) {
  Field field(3, kBlocks);
  EXPECT_EQ(field.Put(field.Unconstrained(3)), "c:3");
  EXPECT_EQ(field.Put(field.Unconstrained(6)), "a:2 b:2 c:2");
}

TEST(TopologyOracle, Row14) {
  Field field(3, "b1/r1/a:2 b1/r1/b:2 b1/r2/c:3 b1/r2/d:1");
  EXPECT_EQ(field.Put(field.Required("block", 6)), "a:2 c:3 d:1");
}

TEST(TopologyOracle, Row15) {
  Field field(1, "a:5 b:3 c:2 d:2");
  EXPECT_EQ(field.Put(field.Preferred(kHostname, 7)), "a:5 c:2");
  EXPECT_EQ(field.Put(field.Preferred(kHostname, 10)), "a:5 b:3 c:2");
}

TEST(TopologyOracle, Row16) {
  Field field(2, "r1/h1:2 r1/h2:4 r1/h3:3");
  Request workers = field.Ask(4, 2);
  workers.topology.required = "rack";
  const Request leader = field.Ask(1, 1);
  EXPECT_EQ(field.Put(workers, &leader), "h3:1 | h1:1 h2:2 h3:1");
}

TEST(TopologyOracle, Row17And18) {
  Field field(2, "r1/a:4 r1/b:4");
  const Request leader = field.Ask(1, 2);
  EXPECT_EQ(field.Put(field.Required("rack", 6), &leader), "a:1 | a:2 b:4");
  EXPECT_EQ(field.Put(field.Required("rack", 7), &leader), "not fit");
}

TEST(TopologyOracle, Row19) {
  Field field(3, "b1/r1/x1:15 b1/r2/x2:15");
  EXPECT_EQ(field.Put(field.Preferred("rack", 25)), "x1:15 x2:10");
  field.rules().profile.balanced_for_preferred = true;
  EXPECT_EQ(field.Put(field.Preferred("rack", 25)), "x1:13 x2:12");
}

TEST(TopologyOracle, Row20) {
  Field field(2, "r1/x1:15 r1/x2:13 r1/x3:10");
  EXPECT_EQ(field.Put(field.Preferred("rack", 23)), "x1:15 x3:8");
  field.rules().profile.balanced_for_preferred = true;
  EXPECT_EQ(field.Put(field.Preferred("rack", 23)), "x1:12 x2:11");
}

TEST(TopologyOracle, Row21) {
  Field field(3, kFours);
  Request request = field.Required("block", 12);
  request.topology.podset_slice_required_topology_constraints = {{"rack", 4, {}},
                                                                 {kHostname, 2, {}}};
  EXPECT_EQ(field.Put(request), "a:4 b:4 c:4");
}

TEST(TopologyOracle, Row22) {
  Field field(3, kFours);
  field.rules().profile.balanced_for_preferred = true;
  EXPECT_EQ(field.Put(Field::Slices(field.Preferred("rack", 12), "rack", 2)), "a:4 b:4 c:4");
}

}  // namespace
}  // namespace kueue::scheduling::topology
