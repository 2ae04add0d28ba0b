#pragma once

#include <string_view>

namespace kueue::api::structural {

// Whether the text has the format. Formats nobody knows take any text.
bool HasFormat(std::string_view format, std::string_view text);

}  // namespace kueue::api::structural
