#include "api/codec/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>

namespace kueue::api {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

template <size_t kCount>
bool AnyOf(std::string_view text, const std::string_view (&words)[kCount]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

constexpr std::string_view kNull[] = {"", "~", "null", "Null", "NULL"};
constexpr std::string_view kTrue[] = {"y",   "Y",    "yes",  "Yes", "YES", "true",
                                      "True", "TRUE", "on",   "On",  "ON"};
constexpr std::string_view kFalse[] = {"n",     "N",     "no",    "No",  "NO", "false",
                                       "False", "FALSE", "off",   "Off", "OFF"};
constexpr std::string_view kNotFinite[] = {".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",  ".INF",
                                           "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};

int BaseOf(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char mark = digits[1];
  const int base = mark == 'x' || mark == 'X' ? 16
                   : mark == 'o' || mark == 'O' ? 8
                   : mark == 'b' || mark == 'B' ? 2
                                                : 0;
  if (base == 0) {
    digits.remove_prefix(1);
    return 8;
  }
  digits.remove_prefix(2);
  return base;
}

// `text` without underscores.
std::optional<Json> ParseInteger(std::string_view text) {
  const bool negative = text[0] == '-';
  std::string_view digits = text;
  if (text[0] == '-' || text[0] == '+') digits.remove_prefix(1);
  const int base = BaseOf(digits);
  if (digits.empty() || digits[0] == '-') return std::nullopt;
  uint64_t value = 0;
  const auto end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, value, base);
  if (parsed.ptr != end) return std::nullopt;
  if (parsed.ec == std::errc::result_out_of_range) {
    // Larger than any machine integer: its text is kept. In another base it stays a string.
    if (base != 10) return std::nullopt;
    return Json(Json::Number{(negative ? "-" : "") + std::string(digits)});
  }
  constexpr uint64_t kLimit = static_cast<uint64_t>(INT64_MAX);
  if (negative && value <= kLimit + 1) return Json(static_cast<int64_t>(~value + 1));
  if (!negative && value <= kLimit) return Json(static_cast<int64_t>(value));
  return Json(Json::Number{(negative ? "-" : "") + std::to_string(value)});
}

// The value if it is a whole number of at most 18 digits.
std::optional<Json> WholeValue(bool negative, std::string_view whole, std::string_view fraction,
                               int64_t shift) {
  constexpr int64_t kMostDigits = 18;
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (fraction.empty() && whole.find_first_not_of('0') == std::string_view::npos) {
    return Json(int64_t{0});
  }
  const auto places = static_cast<int64_t>(fraction.size());
  if (shift < places || shift > kMostDigits) return std::nullopt;
  if (static_cast<int64_t>(whole.size()) + shift > kMostDigits) return std::nullopt;
  std::string digits(whole);
  digits.append(fraction).append(static_cast<size_t>(shift - places), '0');
  int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return Json(negative ? -value : value);
}

// [-+]? (digits [. digits?] | . digits) ([eE] [-+]? digits)?  as a JSON number, which wants digits
// on both sides of the point and no leading zeros or plus. A whole value becomes an integer, as
// the way through a floating-point number makes it. `text` without underscores.
std::optional<Json> ParseFloat(std::string_view text) {
  size_t i = 0;
  const auto take_digits = [&] {
    const size_t from = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return text.substr(from, i - from);
  };
  const bool negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') ++i;
  std::string_view whole = take_digits(), fraction;
  if (i < text.size() && text[i] == '.') {
    ++i;
    fraction = take_digits();
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  while (whole.size() > 1 && whole[0] == '0') whole.remove_prefix(1);
  std::string_view exponent;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const size_t from = ++i;
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    if (take_digits().empty()) return std::nullopt;
    exponent = text.substr(from, i - from);
  }
  if (i != text.size()) return std::nullopt;
  int64_t shift = 0;
  if (!exponent.empty()) {
    std::string_view digits = exponent;
    if (digits[0] == '+') digits.remove_prefix(1);
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), shift);
    // An exponent that the JSON reader refuses makes no number.
    constexpr int64_t kLargest = 2147483000;
    if (parsed.ec != std::errc() || std::abs(shift) > kLargest) return std::nullopt;
  }
  if (auto integer = WholeValue(negative, whole, fraction, shift)) return integer;
  std::string out = negative ? "-" : "";
  out += whole.empty() ? "0" : whole;
  if (!fraction.empty()) out.append(".").append(fraction);
  if (!exponent.empty()) out.append("e").append(exponent);
  return Json(Json::Number{std::move(out)});
}

// YYYY-M-D with or without a time of day.
bool LooksLikeTimestamp(std::string_view text) {
  if (text.size() < 8 || text[4] != '-') return false;
  if (!std::all_of(text.begin(), text.begin() + 4, IsDigit)) return false;
  return std::all_of(text.begin() + 5, text.end(), [](char c) {
    return IsDigit(c) || std::string_view("-:.TtZz+ ").find(c) != std::string_view::npos;
  });
}

// 190:20:30 and the like: base 60 for older readers.
bool LooksSexagesimal(std::string_view text) {
  return text.find(':') != std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return IsDigit(c) || std::string_view("-+_:.").find(c) != std::string_view::npos;
         });
}

}  // namespace

base::Result<Json> ResolvePlainScalar(std::string_view text) {
  if (AnyOf(text, kNull)) return Json();
  if (AnyOf(text, kTrue)) return Json(true);
  if (AnyOf(text, kFalse)) return Json(false);
  if (AnyOf(text, kNotFinite)) {
    return base::BadRequest("\"" + std::string(text) + "\" is no number that JSON can hold");
  }
  const char first = text[0];
  if (!IsDigit(first) && first != '-' && first != '+' && first != '.') return Json(text);
  if (LooksLikeTimestamp(text)) return Json(text);
  std::string plain(text);
  if (first != '.') plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
  if (auto integer = ParseInteger(plain)) return *std::move(integer);
  if (auto real = ParseFloat(plain)) return *std::move(real);
  return Json(text);
}

bool NeedsQuotesToBeString(std::string_view text) {
  const auto resolved = ResolvePlainScalar(text);
  return !resolved.ok() || !resolved->IsString() || text == "<<" || text == "=" ||
         LooksLikeTimestamp(text) || LooksSexagesimal(text);
}

}  // namespace kueue::api
