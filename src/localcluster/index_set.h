#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kueue::localcluster {

// A set of completion indexes, held as the intervals of its text form: "0-2,5,7-9".
class IndexSet {
 public:
  // Reads the text form as far as it makes sense: malformed and negative parts are left out.
  static IndexSet Parse(std::string_view text);
  // True if the index was not there.
  bool Add(int32_t index);
  bool Contains(int32_t index) const;
  // How many members are below `bound`.
  int64_t CountBelow(int64_t bound) const;
  std::string ToString() const;
  // First and last of each interval, ascending.
  const std::vector<std::pair<int32_t, int32_t>>& intervals() const { return intervals_; }

 private:
  // First and last of each interval: ascending, with a gap of at least one between neighbours.
  std::vector<std::pair<int32_t, int32_t>> intervals_;
};

}  // namespace kueue::localcluster
