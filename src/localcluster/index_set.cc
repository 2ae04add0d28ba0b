#include "localcluster/index_set.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace kueue::localcluster {
namespace {

std::optional<int32_t> ParseIndex(std::string_view text) {
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

IndexSet IndexSet::Parse(std::string_view text) {
  std::vector<std::pair<int32_t, int32_t>> parts;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const size_t dash = part.find('-');
    const auto first = ParseIndex(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : ParseIndex(part.substr(dash + 1));
    if (first && last && *first <= *last) parts.emplace_back(*first, *last);
  }
  std::sort(parts.begin(), parts.end());
  IndexSet set;
  for (const auto& [first, last] : parts) {
    auto& merged = set.intervals_;
    if (!merged.empty() && first <= int64_t{merged.back().second} + 1) {
      merged.back().second = std::max(merged.back().second, last);
    } else {
      merged.emplace_back(first, last);
    }
  }
  return set;
}

bool IndexSet::Add(int32_t index) {
  // The first interval that begins after the index.
  auto next = std::upper_bound(intervals_.begin(), intervals_.end(), std::pair(index, INT32_MAX));
  const bool has_previous = next != intervals_.begin();
  if (has_previous && (next - 1)->second >= index) return false;
  const bool joins_previous = has_previous && int64_t{(next - 1)->second} + 1 == index;
  const bool joins_next = next != intervals_.end() && int64_t{index} + 1 == next->first;
  if (joins_previous && joins_next) {
    (next - 1)->second = next->second;
    intervals_.erase(next);
  } else if (joins_previous) {
    (next - 1)->second = index;
  } else if (joins_next) {
    next->first = index;
  } else {
    intervals_.insert(next, {index, index});
  }
  return true;
}

bool IndexSet::Contains(int32_t index) const {
  const auto next =
      std::upper_bound(intervals_.begin(), intervals_.end(), std::pair(index, INT32_MAX));
  return next != intervals_.begin() && (next - 1)->second >= index;
}

int64_t IndexSet::CountBelow(int64_t bound) const {
  int64_t count = 0;
  for (const auto& [first, last] : intervals_) {
    if (first >= bound) break;
    count += std::min(int64_t{last} + 1, bound) - first;
  }
  return count;
}

std::string IndexSet::ToString() const {
  std::string text;
  for (const auto& [first, last] : intervals_) {
    if (!text.empty()) text += ',';
    text += std::to_string(first);
    // Two neighbours are written as a list, longer runs as an interval.
    if (last > first) text += (last == first + 1 ? ',' : '-') + std::to_string(last);
  }
  return text;
}

}  // namespace kueue::localcluster
