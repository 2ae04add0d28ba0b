#include "localcluster/index_set.h"

#include <gtest/gtest.h>

namespace kueue::localcluster {
namespace {

TEST(IndexSet, WritesRunsAsIntervalsAndPairsAsLists) {
  IndexSet set;
  for (const int32_t i : {7, 0, 2, 1, 8, 5}) EXPECT_TRUE(set.Add(i));
  EXPECT_EQ(set.ToString(), "0-2,5,7,8");
  EXPECT_FALSE(set.Add(1));
  EXPECT_TRUE(set.Add(6));
  EXPECT_EQ(set.ToString(), "0-2,5-8");
}

TEST(IndexSet, ReadsWhatItWrites) {
  const IndexSet set = IndexSet::Parse("0-2,5,7,8");
  EXPECT_EQ(set.ToString(), "0-2,5,7,8");
  EXPECT_TRUE(set.Contains(2));
  EXPECT_FALSE(set.Contains(3));
  EXPECT_EQ(set.CountBelow(100), 6);
  EXPECT_EQ(set.CountBelow(6), 4);
}

TEST(IndexSet, LeavesMalformedPartsOut) {
  EXPECT_EQ(IndexSet::Parse("x,3-1,-4,,2,9-10,10-12,2147483647").ToString(), "2,9-12,2147483647");
  EXPECT_EQ(IndexSet::Parse("").ToString(), "");
}

}  // namespace
}  // namespace kueue::localcluster
