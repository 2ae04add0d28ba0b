#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kueue::cel {

// What is wrong with an expression, and where: a byte offset into its text.
struct Issue {
  uint32_t offset = 0;
  std::string message;
  bool without_place = false;  // about the expression as a whole
};

// For people, in order of place:
//   ERROR: <input>:1:6: undefined field 'nope'
//    | self.nope
//    | .....^
std::string DescribeIssues(std::string_view text, std::vector<Issue> issues);

}  // namespace kueue::cel
