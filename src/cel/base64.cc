#include "cel/base64.h"

#include <fmt/format.h>

namespace kueue::cel {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int DigitOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

Value Illegal(size_t at) {
  return Value::Error(fmt::format("illegal base64 data at input byte {}", at));
}

}  // namespace

Value DecodeBase64(std::string_view text) {
  size_t length = text.size();
  while (length > 0 && text.size() - length < 2 && text[length - 1] == '=') --length;
  if (length != text.size() && text.size() % 4 != 0) return Illegal(length);
  if (length % 4 == 1) return Illegal(length - 1);
  std::string out;
  out.reserve(length * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  for (size_t i = 0; i < length; ++i) {
    const int digit = DigitOf(text[i]);
    if (digit < 0) return Illegal(i);
    bits = (bits << 6) | static_cast<uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += static_cast<char>((bits >> count) & 0xff);
    }
  }
  return Value::Bytes(std::move(out));
}

std::string EncodeBase64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = (bits << 8) | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0U);
    for (size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kAlphabet[(bits >> (18 - 6 * k)) & 63];
  }
  return out;
}

}  // namespace kueue::cel
