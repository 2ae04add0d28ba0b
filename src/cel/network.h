#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace kueue::cel {

// An IP address: four or sixteen bytes in network order.
struct IpBox : OpaqueBox {
  bool Equals(const OpaqueBox& other) const override;
  std::string ToString() const override;
  std::string Text() const;
  std::array<uint8_t, 16> bytes = {};
  bool is_v4 = true;
};

// An address range. Bits beyond the prefix are kept.
struct CidrBox : OpaqueBox {
  bool Equals(const OpaqueBox& other) const override;
  std::string ToString() const override;
  IpBox ip;
  int prefix = 0;
};

}  // namespace kueue::cel
