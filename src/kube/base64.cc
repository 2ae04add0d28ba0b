#include "kube/base64.h"

#include <cstdint>

namespace kueue::kube {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int ValueOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

std::string Base64Encode(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t n = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < n ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    }
    for (size_t j = 0; j < 4; ++j) {
      out += j <= n ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

base::Result<std::string> Base64Decode(std::string_view text) {
  std::string out;
  uint32_t bits = 0;
  size_t digits = 0, padding = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (IsBlank(c)) continue;
    const int value = ValueOf(c);
    if (c == '=' && digits % 4 >= 2) {
      ++padding;
      continue;
    }
    if (value < 0 || padding > 0) {
      return base::BadRequest("not base64: unexpected character at offset " + std::to_string(i));
    }
    bits = bits << 6 | static_cast<uint32_t>(value);
    ++digits;
    if (digits % 4 == 0) {
      out += static_cast<char>(bits >> 16 & 255);
      out += static_cast<char>(bits >> 8 & 255);
      out += static_cast<char>(bits & 255);
      bits = 0;
    }
  }
  const size_t rest = digits % 4;
  if (rest == 1 || (rest != 0 && rest + padding != 4)) {
    return base::BadRequest("not base64: the end is missing");
  }
  if (rest >= 2) out += static_cast<char>(bits >> (rest == 2 ? 4 : 10) & 255);
  if (rest == 3) out += static_cast<char>(bits >> 2 & 255);
  return out;
}

}  // namespace kueue::kube
