#include "scheduling/topology/replacement.h"

#include <gtest/gtest.h>

#include "scheduling/topology/test_field.h"

namespace kueue::scheduling::topology {
namespace {

using Held = std::vector<api::TopologyDomain>;

std::string Replace(Field& field, const Request& request, const Held& held,
                    const std::string& failed) {
  for (const api::TopologyDomain& domain : held) field.Charge(domain.values[0], domain.count);
  const Replaced replaced =
      ReplaceNode(field.ground(), request, held, failed, field.rules(), field.catalog());
  return replaced.ok ? field.Show(replaced.all) : "not fit";
}

constexpr char kRacks[] = "b1/r1/a:2 b1/r1/b:2 b1/r1/c:2 b1/r2/d:4";

TEST(Replacement, RequiredStaysInItsDomain) {
  Field field(3, kRacks);
  EXPECT_EQ(Replace(field, field.Required("rack", 4), {{{"a"}, 2}, {{"b"}, 2}}, "b"), "a:2 c:2");
}

TEST(Replacement, PreferredMayLandAnywhere) {
  Field field(3, kRacks);
  field.Charge("c", 2);
  EXPECT_EQ(Replace(field, field.Preferred("rack", 4), {{{"a"}, 2}, {{"b"}, 2}}, "b"), "a:2 d:2");
}

TEST(Replacement, RequiredDoesNotLeaveItsDomain) {
  Field field(3, kRacks);
  field.Charge("c", 2);
  EXPECT_EQ(Replace(field, field.Required("rack", 4), {{{"a"}, 2}, {{"b"}, 2}}, "b"), "not fit");
}

// §22 (42).
TEST(Replacement, NodeThatHeldAllMayBeReplacedAnywhere) {
  Field field(3, kRacks);
  field.Charge("c", 2);
  EXPECT_EQ(Replace(field, field.Required("rack", 3), {{{"b"}, 3}}, "b"), "d:3");
}

TEST(Replacement, BrokenSliceStaysTogether) {
  Field field(3, "b1/r1/a:2 b1/r1/b:2 b1/r2/d:4");
  field.Delete("b");
  field.AddHost("b1/r1/c:1");
  const Request request = Field::Slices(field.Preferred("block", 3), "rack", 3);
  EXPECT_EQ(Replace(field, request, {{{"a"}, 2}, {{"b"}, 1}}, "b"), "a:2 c:1");
}

TEST(Replacement, StaleAssignmentIsNotRepaired) {
  Field field(3, kRacks);
  EXPECT_EQ(Replace(field, field.Required("rack", 4), {{{"gone"}, 2}, {{"b"}, 2}}, "b"), "not fit");
}

TEST(Replacement, OwnedBySinglePod) {
  api::Workload workload;
  EXPECT_FALSE(OwnedBySinglePod(workload));
  api::OwnerReference owner;
  owner.kind = "Pod";
  owner.api_version = "v1";
  workload.metadata.owner_references.push_back(owner);
  EXPECT_TRUE(OwnedBySinglePod(workload));
  workload.metadata.annotations["kueue.x-k8s.io/is-group-workload"] = "true";
  EXPECT_FALSE(OwnedBySinglePod(workload));
}

std::string Scale(Field& field, int32_t count, const Held& before) {
  Request request = field.Unconstrained(count);
  const Scaled scaled =
      PlaceGrowth(field.ground(), request, nullptr, before, {}, {}, field.rules(), field.catalog());
  if (scaled.fell_back) return "from scratch";
  return scaled.placed.ok ? field.Show(scaled.placed.workers) : "not fit";
}

TEST(Growth, KeepsWhatItHasAndPlacesTheRest) {
  Field field(1, "a:3 b:3 c:3");
  EXPECT_EQ(Scale(field, 6, {{{"a"}, 2}, {{"b"}, 2}}), "a:2 b:2 c:2");
  EXPECT_EQ(Scale(field, 7, {{{"a"}, 2}, {{"b"}, 2}}), "a:2 b:2 c:3");
  EXPECT_EQ(Scale(field, 10, {{{"a"}, 2}, {{"b"}, 2}}), "not fit");
}

TEST(Growth, GivesUpTheEndOfTheList) {
  Field field(1, "a:3 b:3");
  EXPECT_EQ(Scale(field, 3, {{{"a"}, 2}, {{"b"}, 2}}), "a:2 b:1");
  EXPECT_EQ(Scale(field, 4, {{{"a"}, 2}, {{"b"}, 2}}), "a:2 b:2");
}

TEST(Growth, StartsAnewWhenADomainIsGone) {
  Field field(1, "a:3");
  EXPECT_EQ(Scale(field, 3, {{{"a"}, 2}, {{"b"}, 2}}), "from scratch");
}

}  // namespace
}  // namespace kueue::scheduling::topology
