#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace kueue::base {

// A 32-bit index that cannot be mixed up with another sort of index:
//   using NodeId = StrongId<struct NodeTag>;
template <class Tag>
struct StrongId {
  uint32_t value = UINT32_MAX;  // UINT32_MAX: none
  constexpr bool valid() const { return value != UINT32_MAX; }
  constexpr size_t index() const { return value; }
  friend constexpr auto operator<=>(const StrongId&, const StrongId&) = default;
};

}  // namespace kueue::base
