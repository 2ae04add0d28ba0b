#pragma once

#include <optional>
#include <string>
#include <string_view>

// Base64 as URLs and tokens carry it: "-" and "_", without padding.
namespace kueue::apiserver {

std::string EncodeBase64Url(std::string_view bytes);
// Nothing: a character that cannot be there.
std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace kueue::apiserver
