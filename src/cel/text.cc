#include "cel/text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace kueue::cel {

size_t PointLength(std::string_view text, size_t at) {
  const auto lead = static_cast<uint8_t>(text[at]);
  size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (length <= 1 || lead > 0xf4 || at + length > text.size()) return 1;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<uint8_t>(text[at + i]) & 0xc0) != 0x80) return 1;
  const auto second = static_cast<uint8_t>(text[at + 1]);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool beyond = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
  return overlong || beyond ? 1 : length;
}

uint32_t PointAt(std::string_view text, size_t at) {
  const size_t length = PointLength(text, at);
  const auto lead = static_cast<uint8_t>(text[at]);
  if (length == 1) return lead < 0x80 ? lead : 0xfffd;
  uint32_t point = lead & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i)
    point = (point << 6) | (static_cast<uint8_t>(text[at + i]) & 0x3fU);
  return point;
}

size_t CountPoints(std::string_view text) {
  size_t count = 0;
  size_t at = 0;
  while (at < text.size()) {
    at += static_cast<uint8_t>(text[at]) < 0x80 ? 1 : PointLength(text, at);
    ++count;
  }
  return count;
}

size_t ByteOfPoint(std::string_view text, size_t point) {
  size_t at = 0;
  for (; point > 0 && at < text.size(); --point) at += PointLength(text, at);
  return at;
}

bool IsValidUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = PointLength(text, at);
    if (length == 1 && static_cast<uint8_t>(text[at]) >= 0x80) return false;
    at += length;
  }
  return true;
}

void AppendPoint(uint32_t point, std::string* out) {
  const auto tail = [&](int shift) { *out += static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) {
    *out += static_cast<char>(point);
  } else if (point < 0x800) {
    *out += static_cast<char>(0xc0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    *out += static_cast<char>(0xe0 | (point >> 12));
    tail(6);
    tail(0);
  } else {
    *out += static_cast<char>(0xf0 | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string PlainDoubleText(double d) {
  if (std::isnan(d)) return "NaN";
  if (std::isinf(d)) return d > 0 ? "+Inf" : "-Inf";
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::fixed);
  return {buffer, end.ptr};
}

std::string DoubleText(double d) {
  if (d == 0 || !std::isfinite(d)) return PlainDoubleText(d);
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, d, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<size_t>(end.ptr - buffer));
  const size_t mark = text.find('e');
  int exponent = 0;
  const size_t digits = mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(text.data() + digits, end.ptr, exponent);
  return exponent < -4 || exponent >= 6 ? std::string(text) : PlainDoubleText(d);
}

std::string QuoteText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (static_cast<uint8_t>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<int>(c));
        else
          out += c;
    }
  }
  return out + '"';
}

namespace {

template <class T>
bool ReadWhole(std::string_view text, T* out) {
  if (text.empty()) return false;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), *out);
  return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

std::string Lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

bool ReadInt(std::string_view text, int64_t* out) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (text.empty() || text[0] == '-') return false;
  }
  return ReadWhole(text, out);
}

bool ReadUint(std::string_view text, uint64_t* out) {
  return !text.empty() && text[0] != '-' && ReadWhole(text, out);
}

bool ReadDouble(std::string_view text, double* out) {
  bool negative = false;
  std::string_view rest = text;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  if (rest.empty() || rest[0] == '+' || rest[0] == '-') return false;
  const char first = rest[0];
  if ((first < '0' || first > '9') && first != '.') {
    const std::string word = Lower(rest);
    if (word == "nan" && text.size() == 3) {
      *out = std::numeric_limits<double>::quiet_NaN();
      return true;
    }
    if (word != "inf" && word != "infinity") return false;
    *out = std::numeric_limits<double>::infinity() * (negative ? -1 : 1);
    return true;
  }
  double number = 0;
  const auto end = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (end.ptr != rest.data() + rest.size()) return false;
  if (end.ec == std::errc::result_out_of_range) {
    // Too large is an error; too small is zero.
    if (std::fabs(std::strtod(std::string(rest).c_str(), nullptr)) > 1) return false;
    number = 0;
  } else if (end.ec != std::errc()) {
    return false;
  }
  *out = negative ? -number : number;
  return true;
}

}  // namespace kueue::cel
