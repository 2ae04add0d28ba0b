#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cel/value.h"

namespace kueue::cel {

// One of Kubernetes' named formats, like format.dns1123Label().
struct NamedFormatBox : OpaqueBox {
  // What is wrong with the text; empty when nothing is.
  using Check = std::vector<std::string> (*)(std::string_view text);
  bool Equals(const OpaqueBox& other) const override;
  std::string ToString() const override;
  std::string_view name;
  Check check = nullptr;
  uint64_t pattern_cost = 0;
};

}  // namespace kueue::cel
