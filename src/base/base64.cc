#include "base/base64.h"

#include <array>
#include <cstdint>

namespace kueue::base {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kForUrls =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::array<int8_t, 256> ValuesOf(std::string_view alphabet) {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (size_t i = 0; i < alphabet.size(); ++i) {
    values[static_cast<uint8_t>(alphabet[i])] = static_cast<int8_t>(i);
  }
  return values;
}
constexpr std::array<int8_t, 256> kStandardValues = ValuesOf(kStandard);
constexpr std::array<int8_t, 256> kForUrlsValues = ValuesOf(kForUrls);

bool IsLineBreak(char c) { return c == '\n' || c == '\r'; }

// Takes up to two "=" and the line breaks around them off the end; how many "=" there were.
size_t StripPadding(std::string_view& text) {
  size_t padding = 0;
  while (!text.empty()) {
    if (text.back() == '=' && padding < 2) {
      ++padding;
    } else if (!IsLineBreak(text.back())) {
      break;
    }
    text.remove_suffix(1);
  }
  return padding;
}

}  // namespace

std::string EncodeBase64(std::string_view bytes, Base64 form) {
  const std::string_view alphabet = form == Base64::kUrl ? kForUrls : kStandard;
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    }
    for (size_t k = 0; k < 4; ++k) {
      if (i + k <= bytes.size()) {
        text += alphabet[group >> (18 - 6 * k) & 63];
      } else if (form != Base64::kUrl) {
        text += '=';
      }
    }
  }
  return text;
}

DecodedBase64 DecodeBase64(std::string_view text, Base64 form) {
  const auto& values = form == Base64::kUrl ? kForUrlsValues : kStandardValues;
  const size_t padding = form == Base64::kUrl ? 0 : StripPadding(text);
  DecodedBase64 decoded;
  decoded.bytes.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  size_t digits = 0, last = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsLineBreak(text[i])) continue;
    const int value = values[static_cast<uint8_t>(text[i])];
    if (value < 0) {
      decoded.illegal_at = i;
      return decoded;
    }
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    ++digits;
    last = i;
    if (count >= 8) {
      count -= 8;
      decoded.bytes += static_cast<char>(bits >> count & 255);
    }
  }
  const bool bare = form == Base64::kUrl || (form == Base64::kPaddedOrBare && padding == 0);
  if (digits % 4 == 1) {
    decoded.illegal_at = last;
  } else if (!bare && (digits + padding) % 4 != 0) {
    decoded.illegal_at = text.size();
  }
  return decoded;
}

}  // namespace kueue::base
