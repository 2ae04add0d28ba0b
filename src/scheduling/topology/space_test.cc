#include "scheduling/topology/space.h"

#include <gtest/gtest.h>

#include "scheduling/topology/test_field.h"

namespace kueue::scheduling::topology {
namespace {

TEST(Space, DomainsAreInTheOrderOfTheirValues) {
  Field field(2, "r2/a:1 r1/z:1 r1/b:1");
  Space& space = field.space();
  space.Prepare();
  ASSERT_EQ(space.level(0).size, 2u);
  EXPECT_EQ(space.Value(space.order()[0], 1), "b");
  EXPECT_EQ(space.Value(space.order()[1], 1), "z");
  EXPECT_EQ(space.Value(space.order()[2], 1), "a");
}

TEST(Space, NodeThatIsNotReadyOrCordonedHoldsNothing) {
  Field field(1, "a:4 b:4");
  EXPECT_EQ(field.Put(field.Required(kHostname, 4)), "a:4");
  auto cordoned = Field::NewNode("a", 4);
  cordoned->spec.unschedulable = true;
  field.Set(cordoned);
  EXPECT_EQ(field.Put(field.Required(kHostname, 4)), "b:4");
  auto silent = Field::NewNode("b", 4);
  silent->status.conditions.clear();
  field.Set(silent);
  EXPECT_EQ(field.Put(field.Required(kHostname, 1)), "not fit");
  field.Set(Field::NewNode("a", 4));
  EXPECT_EQ(field.Put(field.Required(kHostname, 4)), "a:4");
}

TEST(Space, NodesComeGoAndMove) {
  Field field(2, "r1/a:4 r2/b:2");
  EXPECT_EQ(field.Put(field.Required("rack", 6)), "not fit");
  field.AddHost("r2/a:4");  // the same node, in another rack now
  EXPECT_EQ(field.Put(field.Required("rack", 6)), "a:4 b:2");
  field.AddHost("r2/c:5");
  EXPECT_EQ(field.Put(field.Required("rack", 11)), "a:4 b:2 c:5");
  field.Delete("b");
  EXPECT_EQ(field.Put(field.Required("rack", 9)), "a:4 c:5");
  EXPECT_EQ(field.Put(field.Required("rack", 10)), "not fit");
}

// Usage is by name: a node that comes back has what was charged meanwhile.
TEST(Space, UsageOutlivesTheNode) {
  Field field(1, "a:4");
  field.Charge("a", 3);
  field.Charge("b", 1);
  EXPECT_EQ(field.Put(field.Required(kHostname, 2)), "not fit");
  field.Delete("a");
  field.AddHost("a:6");
  field.AddHost("b:3");
  EXPECT_EQ(field.Put(field.Required(kHostname, 3)), "a:3");
  EXPECT_EQ(field.Put(field.Required(kHostname, 2)), "b:2");
}

// spec/topology.md §22 (17).
TEST(Space, RoomMayBeNegativeAndStillCountsAsNone) {
  Field field(1, "a:4");
  field.Charge("a", 4);
  field.AddHost("a:2");
  EXPECT_EQ(field.Put(field.Required(kHostname, 1)), "not fit");
  Conditions empty;
  empty.empty = true;
  EXPECT_TRUE(field.Try(field.Required(kHostname, 2), nullptr, empty).ok);
}

TEST(Space, NodeWithoutALevelLabelIsInvisible) {
  Field field(2, "r1/a:1");
  field.Set(Field::NewNode("stray", 8));
  EXPECT_EQ(field.Put(field.Unconstrained(2)), "not fit");
}

// Numbers of sites are used again; what was there before must not show.
TEST(Space, ReusedNumbersStartClean) {
  Field field(1, "a:4");
  field.Charge("a", 4);
  field.Delete("a");
  field.AddHost("b:4");
  EXPECT_EQ(field.Put(field.Required(kHostname, 4)), "b:4");
}

}  // namespace
}  // namespace kueue::scheduling::topology
