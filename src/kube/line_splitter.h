#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kueue::kube {

// Puts lines together from chunks that may break anywhere. Every byte is looked at once, however
// small the chunks and large the lines are.
class LineSplitter {
 public:
  // Longer lines are refused, so a broken peer cannot fill the memory.
  explicit LineSplitter(size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  // Calls take(std::string_view line) for every line completed by `chunk`, without its end and
  // without empty lines, until it returns false. Returns false if a line is too long.
  template <class Take>
  bool Feed(std::string_view chunk, Take take) {
    while (!chunk.empty()) {
      const size_t end = chunk.find('\n');
      if (end == std::string_view::npos) {
        rest_.append(chunk);
        return rest_.size() <= max_line_bytes_;
      }
      std::string joined;
      std::string_view line = chunk.substr(0, end);
      if (!rest_.empty()) {
        joined.swap(rest_);
        joined.append(line);
        line = joined;
      }
      chunk.remove_prefix(end + 1);
      if (line.size() > max_line_bytes_) return false;
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (!line.empty() && !take(line)) return true;
    }
    return true;
  }

 private:
  const size_t max_line_bytes_;
  std::string rest_;  // the beginning of a line whose end has not come
};

}  // namespace kueue::kube
