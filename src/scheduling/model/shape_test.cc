#include <gtest/gtest.h>

#include "scheduling/model/work_item.h"
#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

class ShapeTest : public ::testing::Test {
 protected:
  Shape Read(api::Workload object) {
    WorkItem item;
    item.object = std::make_shared<const api::Workload>(std::move(object));
    item.demand = ReadDemand(item.object, config_, {}, catalog_);
    ReadStatus(item, config_);
    return ReadShape(item, config_, catalog_, shapes_);
  }

  Config config_;
  Catalog catalog_;
  ShapeTable shapes_;
};

// §4.7: names, images and the spelling of quantities do not enter.
TEST_F(ShapeTest, EqualForWhatADecisionCannotTellApart) {
  api::Workload a = TestCluster::Make("a", "q", 1), b = TestCluster::Make("b", "other", 1);
  auto& container = b.spec.pod_sets[0].pod_template.spec.containers[0];
  container.image = "x";
  container.resources.requests["cpu"] = *resources::Quantity::Parse("1000m");
  b.spec.priority.reset();
  EXPECT_EQ(Read(a), Read(b));
}

TEST_F(ShapeTest, DifferentForPriorityCountSelectorAndMinCount) {
  const api::Workload base = TestCluster::Make("a", "q", 1);
  const Shape shape = Read(base);
  EXPECT_NE(shape, Read(TestCluster::Make("a", "q", 1, 5)));
  EXPECT_NE(shape, Read(TestCluster::Make("a", "q", 1, 0, 2)));
  api::Workload selected = base, minimum = base;
  selected.spec.pod_sets[0].pod_template.spec.node_selector["k"] = "v";
  minimum.spec.pod_sets[0].min_count = 1;
  EXPECT_NE(shape, Read(selected));
  EXPECT_NE(shape, Read(minimum));
}

// §16 (29 ff.): with the gate off nothing is known, and unknown shapes park nobody.
TEST_F(ShapeTest, UnknownWithoutTheGate) {
  config_.gates.scheduling_equivalence_hashing = false;
  EXPECT_FALSE(Read(TestCluster::Make("a", "q", 1)).known());
}

TEST_F(ShapeTest, ShapesNobodyHoldsTakeNoRoom) {
  {
    const Shape shape = Read(TestCluster::Make("a", "q", 1));
    const Shape copy = shape;
    EXPECT_EQ(shapes_.size(), 1u);
  }
  EXPECT_EQ(shapes_.size(), 0u);
}

}  // namespace
}  // namespace kueue::scheduling
