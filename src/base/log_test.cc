#include "base/log.h"

#include <gtest/gtest.h>

namespace kueue::base {
namespace {

TEST(Log, TheLastLinesAreKept) {
  const uint64_t before = LoggedSoFar();
  LogWarn("test", "first");
  LogWarn("test", "second");
  EXPECT_EQ(LoggedSoFar(), before + 2);
  const auto lines = RecentLog();
  ASSERT_GE(lines.size(), 2u);
  EXPECT_NE(lines[lines.size() - 2].text.find("[test] first"), std::string::npos);
  EXPECT_NE(lines.back().text.find("W [test] second"), std::string::npos);
  EXPECT_LE(lines[lines.size() - 2].time, lines.back().time);
}

TEST(Log, OnlySoManyAreKept) {
  for (int i = 0; i < 2100; ++i) LogWarn("test", std::to_string(i));
  EXPECT_EQ(RecentLog().size(), 2000u);
  EXPECT_NE(RecentLog().back().text.find("2099"), std::string::npos);
}

}  // namespace
}  // namespace kueue::base
