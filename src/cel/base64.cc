#include "cel/base64.h"

#include <fmt/format.h>

#include "base/base64.h"

namespace kueue::cel {

Value ReadBase64(std::string_view text) {
  base::DecodedBase64 decoded = base::DecodeBase64(text, base::Base64::kPaddedOrBare);
  if (!decoded.illegal_at) return Value::Bytes(std::move(decoded.bytes));
  return Value::Error(fmt::format("illegal base64 data at input byte {}", *decoded.illegal_at));
}

}  // namespace kueue::cel
