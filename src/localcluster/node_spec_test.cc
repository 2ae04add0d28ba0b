#include "localcluster/node_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kueue::localcluster {
namespace {

using testing::HasSubstr;

TEST(ParseNodeSpec, ReadsGroups) {
  const auto groups = ParseNodeSpec(
      "4x(cpu=8, memory=32Gi, nvidia.com/gpu=1), 2x(cpu=2,name-prefix=small,label:zone=a,"
      "taint:dedicated=ml:NoSchedule,taint:spot:PreferNoSchedule)");
  ASSERT_TRUE(groups.ok()) << groups.error().message;
  ASSERT_EQ(groups->size(), 2u);
  const NodeGroup& large = (*groups)[0];
  EXPECT_EQ(large.count, 4);
  EXPECT_EQ(large.name_prefix, "node");
  EXPECT_EQ(large.capacity.at("memory").ToString(), "32Gi");
  EXPECT_EQ(large.capacity.at("nvidia.com/gpu").Units(), 1);
  EXPECT_EQ(large.capacity.at("pods").Units(), 110);
  const NodeGroup& small = (*groups)[1];
  EXPECT_EQ(small.name_prefix, "small");
  EXPECT_EQ(small.capacity.at("memory").ToString(), "8Gi");
  EXPECT_EQ(small.labels.at("zone"), "a");
  ASSERT_EQ(small.taints.size(), 2u);
  EXPECT_EQ(small.taints[0].key, "dedicated");
  EXPECT_EQ(small.taints[0].value, "ml");
  EXPECT_EQ(small.taints[0].effect, "NoSchedule");
  EXPECT_EQ(small.taints[1].key, "spot");
  EXPECT_EQ(small.taints[1].value, "");
}

TEST(ParseNodeSpec, TakesItemsWithoutBracketsAsOneNode) {
  const auto groups = ParseNodeSpec("cpu=8,memory=32Gi,3x(cpu=1)");
  ASSERT_TRUE(groups.ok()) << groups.error().message;
  ASSERT_EQ(groups->size(), 2u);
  EXPECT_EQ((*groups)[0].count, 1);
  EXPECT_EQ((*groups)[0].capacity.at("cpu").Units(), 8);
  EXPECT_EQ((*groups)[1].count, 3);
}

TEST(ParseNodeSpec, NamesThePartThatIsWrong) {
  const auto message = [](const char* text) {
    const auto groups = ParseNodeSpec(text);
    return groups.ok() ? std::string("accepted") : groups.error().message;
  };
  EXPECT_THAT(message(""), HasSubstr("4x(cpu=8"));
  EXPECT_THAT(message("4x(cpu=8,memory=lots)"), HasSubstr("'memory=lots'"));
  EXPECT_THAT(message("fourx(cpu=8)"), HasSubstr("number of nodes"));
  EXPECT_THAT(message("0x(cpu=8)"), HasSubstr("from 1"));
  EXPECT_THAT(message("4x(cpu=8"), HasSubstr("4x(cpu=8"));
  EXPECT_THAT(message("4x(memory=8Gi)"), HasSubstr("how many CPUs"));
  EXPECT_THAT(message("cpu=-1"), HasSubstr("'cpu=-1'"));
  EXPECT_THAT(message("cpu=1,cpu=2"), HasSubstr("twice"));
  EXPECT_THAT(message("cpu=1,,memory=1Gi"), HasSubstr("commas"));
  EXPECT_THAT(message("(cpu=1,taint:a=b:Sometimes)"), HasSubstr("NoSchedule"));
  EXPECT_THAT(message("(cpu=1,name-prefix=Big)"), HasSubstr("'name-prefix=Big'"));
  EXPECT_THAT(message("60000x(cpu=1),60000x(cpu=1)"), HasSubstr("120000 nodes"));
  EXPECT_THAT(message("((cpu=1))"), HasSubstr("group of nodes"));
}

TEST(BuildNodes, CountsOnOverGroupsOfTheSamePrefix) {
  const auto groups = ParseNodeSpec("2x(cpu=1),(cpu=2),(cpu=3,name-prefix=big)");
  ASSERT_TRUE(groups.ok());
  const auto nodes = BuildNodes(*groups, base::Time());
  ASSERT_EQ(nodes.size(), 4u);
  EXPECT_EQ(nodes[1].metadata.name, "node-2");
  EXPECT_EQ(nodes[2].metadata.name, "node-3");
  EXPECT_EQ(nodes[3].metadata.name, "big-1");
  EXPECT_EQ(nodes[2].metadata.labels.at("kubernetes.io/hostname"), "node-3");
  EXPECT_EQ(nodes[2].status.allocatable.at("cpu").Units(), 2);
  EXPECT_EQ(nodes[2].status.conditions.back().type, "Ready");
  EXPECT_EQ(nodes[2].status.addresses[0].address, "172.16.0.3");
  EXPECT_EQ(nodes[2].spec.pod_cidr, "10.0.3.0/24");
}

}  // namespace
}  // namespace kueue::localcluster
