#pragma once

#include <string>
#include <string_view>

#include "cel/value.h"

namespace kueue::cel {

// Bytes, or an error value. The standard alphabet; padding may be left off.
Value DecodeBase64(std::string_view text);
std::string EncodeBase64(std::string_view bytes);

}  // namespace kueue::cel
