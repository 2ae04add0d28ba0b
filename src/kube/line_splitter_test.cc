#include "kube/line_splitter.h"

#include <gtest/gtest.h>

#include <vector>

namespace kueue::kube {
namespace {

std::vector<std::string> Split(const std::string& text, size_t step) {
  LineSplitter splitter(100);
  std::vector<std::string> lines;
  for (size_t i = 0; i < text.size(); i += step) {
    EXPECT_TRUE(splitter.Feed(text.substr(i, step), [&](std::string_view line) {
      lines.emplace_back(line);
      return true;
    }));
  }
  return lines;
}

TEST(LineSplitterTest, ChunksMayBreakAnywhere) {
  const std::string text = "one\ntwo\r\n\nthree\nunfinished";
  const std::vector<std::string> expected = {"one", "two", "three"};
  for (size_t step = 1; step <= text.size(); ++step) EXPECT_EQ(Split(text, step), expected) << step;
}

TEST(LineSplitterTest, StopsWhenTold) {
  LineSplitter splitter(100);
  int lines = 0;
  EXPECT_TRUE(splitter.Feed("a\nb\nc\n", [&](std::string_view) { return ++lines < 2; }));
  EXPECT_EQ(lines, 2);
}

TEST(LineSplitterTest, TooLongALineIsRefused) {
  LineSplitter splitter(4);
  const auto take = [](std::string_view) { return true; };
  EXPECT_TRUE(splitter.Feed("1234\n", take));
  EXPECT_TRUE(splitter.Feed("123", take));
  EXPECT_FALSE(splitter.Feed("45", take));
}

}  // namespace
}  // namespace kueue::kube
