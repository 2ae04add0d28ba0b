#include "api/types/topology_encoding.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

using Domains = std::vector<TopologyDomain>;

const std::vector<std::string> kLevels = {"block", "kubernetes.io/hostname"};

Domains RoundTrip(const Domains& domains) {
  const auto decoded = DecodeDomains(EncodeDomains(kLevels, domains));
  EXPECT_TRUE(decoded.ok());
  return decoded.ok() ? *decoded : Domains();
}

TEST(TopologyEncoding, KeepsDomainsAndTheirOrder) {
  const Domains domains = {{{"b1", "node-10"}, 2}, {{"b1", "node-2"}, 1}, {{"b1", "node-33"}, 2}};
  EXPECT_EQ(RoundTrip(domains), domains);
}

TEST(TopologyEncoding, SharesWhatIsTheSame) {
  const auto encoded = EncodeDomains(kLevels, {{{"b1", "node-1-x"}, 2}, {{"b1", "node-2-x"}, 2}});
  ASSERT_EQ(encoded.slices.size(), 1u);
  const TopologyAssignmentSlice& slice = encoded.slices[0];
  EXPECT_EQ(slice.values_per_level[0].universal, "b1");
  EXPECT_EQ(slice.values_per_level[1].individual->prefix, "node-");
  EXPECT_EQ(slice.values_per_level[1].individual->suffix, "-x");
  EXPECT_EQ(slice.values_per_level[1].individual->roots, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(slice.pod_counts.universal, 2);
}

// Prefix and suffix may not overlap in the shortest value.
TEST(TopologyEncoding, ShortValuesAreNotCutTwice) {
  const Domains domains = {{{"b", "aa"}, 1}, {{"b", "aaa"}, 1}};
  EXPECT_EQ(RoundTrip(domains), domains);
}

TEST(TopologyEncoding, NoDomainsMeansNoSlices) {
  EXPECT_TRUE(EncodeDomains(kLevels, {}).slices.empty());
}

TEST(TopologyEncoding, SlicesThatContradictThemselvesAreRefused) {
  TopologyAssignment assignment = EncodeDomains(kLevels, {{{"b", "x"}, 1}, {{"b", "y"}, 1}});
  assignment.slices[0].domain_count = 3;
  EXPECT_FALSE(DecodeDomains(assignment).ok());
  assignment.slices[0].domain_count = 2;
  assignment.slices[0].values_per_level.pop_back();
  EXPECT_FALSE(DecodeDomains(assignment).ok());
}

}  // namespace
}  // namespace kueue::api
