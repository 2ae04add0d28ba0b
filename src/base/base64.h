#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kueue::base {

// kPadded: the standard alphabet, the end filled up with "=", as in Secrets and kubeconfig files.
// kPaddedOrBare: the same, but the padding may be left off.
// kUrl: "-" and "_" for "+" and "/", never padded, as in tokens.
enum class Base64 { kPadded, kPaddedOrBare, kUrl };

// The text of `bytes`; kPaddedOrBare writes the padding.
std::string EncodeBase64(std::string_view bytes, Base64 form = Base64::kPadded);

struct DecodedBase64 {
  std::string bytes;                 // what came before the illegal character
  std::optional<size_t> illegal_at;  // offset in the text; nothing when the text is well-formed
};

// Line breaks are skipped, as Kubernetes does; every other character has to belong there.
DecodedBase64 DecodeBase64(std::string_view text, Base64 form = Base64::kPadded);

}  // namespace kueue::base
