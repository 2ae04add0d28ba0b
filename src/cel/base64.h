#pragma once

#include <string_view>

#include "cel/value.h"

namespace kueue::cel {

// Bytes, or an error value that names the place. Padding may be left off.
Value ReadBase64(std::string_view text);

}  // namespace kueue::cel
