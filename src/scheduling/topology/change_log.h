#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kueue::scheduling::topology {

// Which entries changed, in the order in which they did. Readers keep the position up to which they
// have read and so redo only what changed; whoever comes too late reads everything again.
class ChangeLog {
 public:
  void Add(uint32_t entry) {
    if (entries_.size() >= kKept) {
      const auto half = static_cast<ptrdiff_t>(kKept / 2);
      entries_.erase(entries_.begin(), entries_.begin() + half);
      first_ += kKept / 2;
    }
    entries_.push_back(entry);
  }
  uint64_t end() const { return first_ + entries_.size(); }
  // False if entries from `position` on are no longer kept.
  bool Since(uint64_t position, std::span<const uint32_t>& changed) const {
    if (position < first_) return false;
    changed = std::span(entries_).subspan(position - first_);
    return true;
  }

 private:
  static constexpr size_t kKept = size_t{1} << 16;
  std::vector<uint32_t> entries_;
  uint64_t first_ = 0;  // position of entries_[0]
};

}  // namespace kueue::scheduling::topology
