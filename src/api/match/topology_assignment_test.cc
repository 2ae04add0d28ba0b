#include "api/match/topology_assignment.h"

#include <gtest/gtest.h>

#include "api/codec/codec.h"
#include "api/codec/json_text.h"

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

// Prefix and suffix may not overlap in the shortest value.
TEST(TopologyAssignment, ShortValuesAreNotCutTwice) {
  const std::vector<TopologyDomain> domains = {{{"b", "aa"}, 1}, {{"b", "aaa"}, 1}};
  const auto back = DecodeTopology(EncodeTopology({"block", kHost[0]}, domains, false));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, domains);
}

TEST(TopologyAssignment, SlicesThatContradictThemselvesAreRefusedAndNamed) {
  const auto good = EncodeTopology({"block", kHost[0]}, {{{"b", "x"}, 1}, {{"b", "y"}, 2}}, false);
  const auto problem = [&](auto&& damage) {
    TopologyAssignment bad = good;
    bad.slices.push_back(bad.slices[0]);
    damage(bad.slices[1]);
    const auto decoded = DecodeTopology(bad);
    return decoded.ok() ? std::string() : decoded.error().message;
  };
  using Slice = TopologyAssignmentSlice;
  EXPECT_EQ(problem([](Slice& s) { s.domain_count = 0; }),
            "slices[1]: domainCount is 0, must be at least 1");
  EXPECT_EQ(problem([](Slice& s) { s.domain_count = 100001; }),
            "slices[1]: domainCount is 100001, must be at most 100000");
  EXPECT_EQ(problem([](Slice& s) { s.values_per_level.pop_back(); }),
            "slices[1]: valuesPerLevel has 1 entries, must have one for each of the 2 levels");
  EXPECT_EQ(problem([](Slice& s) { s.pod_counts.individual.pop_back(); }),
            "slices[1]: podCounts.individual has 1 entries, must have one for each of the 2 "
            "domains");
  EXPECT_EQ(problem([](Slice& s) { s.values_per_level[1].individual->roots.pop_back(); }),
            "slices[1]: valuesPerLevel[1].individual.roots has 1 entries, must have one for each "
            "of the 2 domains");
  EXPECT_EQ(problem([](Slice& s) { s.values_per_level[1].individual.reset(); }),
            "slices[1]: valuesPerLevel[1] has neither universal nor individual");
}

// 40,000 hosts whose names have nothing in common but a pool's beginning: an object of etcd may
// have 1.5 MiB.
TEST(TopologyAssignment, FortyThousandPodsFitIntoOneObject) {
  std::vector<std::string> names;
  for (int pool = 0; pool < 20; ++pool) {
    for (int i = 0; i < 2000; ++i) {
      names.push_back("gke-cluster-a3-pool-" + std::to_string(pool) + "-" +
                      std::to_string(1000003 * (i + 1) % 16777213) + "-x" + std::to_string(i));
    }
  }
  const auto domains = Hosts(names, 1);
  for (const bool by_prefix : {true, false}) {
    const TopologyAssignment out = EncodeTopology(kHost, domains, by_prefix);
    EXPECT_LT(WriteJson(Encode(out)).size(), size_t{1536} * 1024);
    const auto back = DecodeTopology(out);
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, domains);
  }
}

}  // namespace
}  // namespace kueue::api
