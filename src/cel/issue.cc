#include "cel/issue.h"

#include <fmt/format.h>

#include <algorithm>

#include "cel/text.h"

namespace kueue::cel {
namespace {

constexpr size_t kMostIssues = 20;
constexpr size_t kLongestLine = 500;

std::string Describe(std::string_view text, const Issue& issue) {
  if (issue.without_place) return "ERROR: <input>:-1:0: " + issue.message;
  const std::string_view before = text.substr(0, issue.offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  const size_t column = CountPoints(before.substr(start));
  std::string out = fmt::format("ERROR: <input>:{}:{}: {}", line, column + 1, issue.message);
  std::string shown(text.substr(start, text.find('\n', start) - start));
  std::replace(shown.begin(), shown.end(), '\t', ' ');
  if (shown.size() > kLongestLine) return out;
  return out + fmt::format("\n | {}\n | {}^", shown, std::string(column, '.'));
}

}  // namespace

std::string DescribeIssues(std::string_view text, std::vector<Issue> issues) {
  std::stable_sort(issues.begin(), issues.end(),
                   [](const Issue& a, const Issue& b) { return a.offset < b.offset; });
  if (issues.size() > kMostIssues) issues.resize(kMostIssues);
  std::string out;
  for (const Issue& issue : issues) {
    if (!out.empty()) out += '\n';
    out += Describe(text, issue);
  }
  return out;
}

}  // namespace kueue::cel
