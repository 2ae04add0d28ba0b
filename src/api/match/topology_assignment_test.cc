#include "api/match/topology_assignment.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

const std::vector<std::string> kHost{"kubernetes.io/hostname"};

std::vector<TopologyDomain> Hosts(const std::vector<std::string>& names, int32_t count) {
  std::vector<TopologyDomain> domains;
  for (const std::string& name : names) domains.push_back({{name}, count});
  return domains;
}

TEST(TopologyAssignment, OneDomainIsUniversal) {
  const TopologyAssignment out = EncodeTopology(kHost, Hosts({"node-1"}, 3), true);
  ASSERT_EQ(out.slices.size(), 1u);
  EXPECT_EQ(out.slices[0].values_per_level[0].universal, "node-1");
  EXPECT_EQ(out.slices[0].pod_counts.universal, 3);
}

TEST(TopologyAssignment, CommonBeginningAndEndingAreWrittenOnce) {
  const auto out = EncodeTopology(kHost, Hosts({"n-1.zone", "n-22.zone"}, 1), true);
  ASSERT_EQ(out.slices.size(), 1u);
  const TopologyValueList& list = *out.slices[0].values_per_level[0].individual;
  EXPECT_EQ(list.prefix, "n-");
  EXPECT_EQ(list.suffix, ".zone");
  EXPECT_EQ(list.roots, (std::vector<std::string>{"1", "22"}));
}

// "aa" is beginning and ending of both; the ending keeps it (spec/topology.md §22 (51)).
TEST(TopologyAssignment, SuffixWinsOverPrefix) {
  const auto out = EncodeTopology(kHost, Hosts({"aa", "aaa"}, 1), false);
  const TopologyValueList& list = *out.slices[0].values_per_level[0].individual;
  EXPECT_FALSE(list.prefix);
  EXPECT_EQ(list.suffix, "aa");
  EXPECT_EQ(list.roots, (std::vector<std::string>{"", "a"}));
}

TEST(TopologyAssignment, SeveralPoolsBecomeSeveralSlicesWhenThatIsShorter) {
  std::vector<std::string> names;
  for (int i = 100; i < 140; ++i) {
    names.push_back("the-first-pool-of-many-nodes-" + std::to_string(i));
  }
  for (int i = 100; i < 140; ++i) names.push_back("other-pool-" + std::to_string(i));
  const auto domains = Hosts(names, 2);
  EXPECT_EQ(EncodeTopology(kHost, domains, true).slices.size(), 2u);
  EXPECT_EQ(EncodeTopology(kHost, domains, false).slices.size(), 1u);
  for (const bool by_prefix : {true, false}) {
    const auto back = DecodeTopology(EncodeTopology(kHost, domains, by_prefix));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, domains);
  }
}

TEST(TopologyAssignment, KeepsOrderAndCountsOverLevels) {
  const std::vector<TopologyDomain> domains{
      {{"b1", "r1"}, 3}, {{"b1", "r2"}, 1}, {{"b2", "r1"}, 3}};
  const auto out = EncodeTopology({"block", "rack"}, domains, true);
  ASSERT_EQ(out.slices.size(), 1u);
  EXPECT_EQ(out.slices[0].pod_counts.individual, (std::vector<int32_t>{3, 1, 3}));
  EXPECT_EQ(*DecodeTopology(out), domains);
}

TEST(TopologyAssignment, NothingHasNoSlice) {
  EXPECT_TRUE(EncodeTopology(kHost, {}, true).slices.empty());
}

TEST(TopologyAssignment, SaysWhatDoesNotFit) {
  auto out = EncodeTopology(kHost, Hosts({"a", "b"}, 1), false);
  out.slices[0].domain_count = 3;
  EXPECT_FALSE(DecodeTopology(out).ok());
}

}  // namespace
}  // namespace kueue::api
