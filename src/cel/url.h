#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/value.h"

namespace kueue::cel {

// An absolute URL, or an absolute path.
struct UrlBox : OpaqueBox {
  bool Equals(const OpaqueBox& other) const override;
  std::string ToString() const override;
  std::string scheme, opaque, user, host, escaped_path, query;
};

// Reads the form of a request's target. Empty, or what is wrong:
// `parse "x": invalid URI for request`.
std::string ReadUrl(std::string_view text, UrlBox* url);

}  // namespace kueue::cel
