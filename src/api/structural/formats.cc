#include "api/structural/formats.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/structural/schema.h"

namespace kueue::api::structural {
namespace {

// ---- texts with a grammar of their own

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<int> Digits(std::string_view text) {
  int value = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

bool IsDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = Digits(text.substr(0, 4)), month = Digits(text.substr(5, 2)),
             day = Digits(text.substr(8, 2));
  if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1) return false;
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (*year % 4 == 0 && *year % 100 != 0) || *year % 400 == 0;
  return *day <= kDays[static_cast<size_t>(*month - 1)] + (*month == 2 && leap ? 1 : 0);
}

bool IsDateTime(std::string_view text) {
  static const Pattern kTime(
      "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?([zZ]|([+-][0-9]{2}:[0-9]{2}))$");
  return text.size() > 11 && (text[10] == 'T' || text[10] == 't') && IsDate(text.substr(0, 10)) &&
         kTime.Matches(text.substr(11));
}

// Go's durations, and the longer unit names of Scala.
bool IsDuration(std::string_view text) {
  static const Pattern kGo("^[+-]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$");
  static const Pattern kLong("^((\\d+)\\s*([A-Za-zµ]+))$");
  if (kGo.Matches(text)) return true;
  if (!kLong.Matches(text)) return false;
  std::string unit;
  for (const char c : text) {
    if (!IsDigit(c) && c != ' ' && c != '\t') unit += c;
  }
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static const Pattern kUnit(
      "^(ns|nano|nanos|nanosecond|nanoseconds|us|µs|micro|micros|microsecond|microseconds|ms|"
      "milli|millis|millisecond|milliseconds|s|sec|secs|second|seconds|m|min|mins|minute|minutes|"
      "h|hr|hour|hours|d|day|days|w|wk|week|weeks)$");
  return kUnit.Matches(unit);
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool IsIpv4(const std::string& text) {
  const auto parts = Split(text, '.');
  return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](const std::string& p) {
           // Leading zeros are forgiven here.
           const auto value = Digits(p);
           return !p.empty() && p.size() <= 8 && value && *value <= 255;
         });
}

// How many of the eight groups the text stands for; -1 if it is none.
int GroupsOf(const std::string& text) {
  if (text.empty()) return 0;
  const auto parts = Split(text, ':');
  int groups = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    if (i + 1 == parts.size() && part.find('.') != std::string::npos) {
      if (!IsIpv4(part)) return -1;
      groups += 2;
      continue;
    }
    const bool hex = std::all_of(part.begin(), part.end(), [](char c) {
      return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    });
    if (part.empty() || part.size() > 4 || !hex) return -1;
    ++groups;
  }
  return groups;
}

bool IsIpv6(const std::string& text) {
  const size_t gap = text.find("::");
  if (gap == std::string::npos) return GroupsOf(text) == 8;
  const int left = GroupsOf(text.substr(0, gap)), right = GroupsOf(text.substr(gap + 2));
  return left >= 0 && right >= 0 && left + right < 8;
}

bool IsCidr(const std::string& text) {
  const auto parts = Split(text, '/');
  if (parts.size() != 2 || parts[1].empty() || parts[1].size() > 3) return false;
  const auto length = Digits(parts[1]);
  if (!length) return false;
  return (IsIpv4(parts[0]) && *length <= 32) || (IsIpv6(parts[0]) && *length <= 128);
}

bool IsUri(std::string_view text) {
  static const Pattern kAbsolute("^[A-Za-z][A-Za-z0-9+.-]*:[^\\x00-\\x20\\x7f]*$");
  static const Pattern kRooted("^/[^\\x00-\\x20\\x7f]*$");
  static const Pattern kBadEscape("%([^0-9A-Fa-f]|[0-9A-Fa-f]([^0-9A-Fa-f]|$)|$)");
  return (kAbsolute.Matches(text) || kRooted.Matches(text)) && !kBadEscape.Matches(text);
}

bool IsHostname(std::string_view text) {
  static const Pattern kHostname(
      "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}]"
      "(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})"
      "$");
  if (text.size() > 255 || !kHostname.Matches(text)) return false;
  size_t length = 0;
  for (const char c : text) {
    length = c == '.' ? 0 : length + 1;
    if (length > 63) return false;
  }
  return true;
}

bool IsMac(std::string_view text) {
  static const Pattern kPairs(
      "^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}(([:-][0-9A-Fa-f]{2}){2}"
      "|([:-][0-9A-Fa-f]{2}){14})?$");
  static const Pattern kDots(
      "^[0-9A-Fa-f]{4}(\\.[0-9A-Fa-f]{4}){2}((\\.[0-9A-Fa-f]{4}){1}"
      "|(\\.[0-9A-Fa-f]{4}){7})?$");
  return kPairs.Matches(text) || kDots.Matches(text);
}

bool IsIsbn(std::string_view text, size_t length) {
  int sum = 0;
  size_t digits = 0;
  for (const char c : text) {
    if (c == '-' || c == ' ') continue;
    const bool ten = length == 10 && digits == 9 && (c == 'X' || c == 'x');
    if (!ten && !IsDigit(c)) return false;
    const int value = ten ? 10 : c - '0';
    const int weight = length == 10 ? static_cast<int>(10 - digits) : digits % 2 == 0 ? 1 : 3;
    sum += value * weight;
    if (++digits > length) return false;
  }
  return digits == length && sum % (length == 10 ? 11 : 10) == 0;
}

bool IsCreditCard(std::string_view text) {
  static const Pattern kCard(
      "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|"
      "3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11})$");
  std::string digits;
  for (const char c : text) {
    if (IsDigit(c)) digits += c;
  }
  if (!kCard.Matches(digits)) return false;
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    int value = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) value = value * 2 > 9 ? value * 2 - 9 : value * 2;
    sum += value;
  }
  return sum % 10 == 0;
}

// ---- formats that are one expression

const Pattern* ExpressionOf(std::string_view format) {
  static const std::map<std::string_view, Pattern> kExpressions = [] {
    std::map<std::string_view, Pattern> made;
    const std::string hex4 = "[0-9a-f]{4}";
    const auto uuid = [&](const char* third, const char* fourth) {
      return Pattern("(?i)^[0-9a-f]{8}-?" + hex4 + "-?" + third + "-?" + fourth +
                     "-?[0-9a-f]{12}$");
    };
    made.emplace("uuid", uuid("[0-9a-f]{4}", "[0-9a-f]{4}"));
    made.emplace("uuid3", uuid("3[0-9a-f]{3}", "[0-9a-f]{4}"));
    made.emplace("uuid4", uuid("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"));
    made.emplace("uuid5", uuid("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"));
    made.emplace("bsonobjectid", Pattern("^[0-9a-fA-F]{24}$"));
    made.emplace("ssn", Pattern("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$"));
    made.emplace("hexcolor", Pattern("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$"));
    const std::string part = "([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])";
    made.emplace("rgbcolor", Pattern("^rgb\\(\\s*" + part + "\\s*,\\s*" + part + "\\s*,\\s*" +
                                     part + "\\s*\\)$"));
    made.emplace("byte", Pattern("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|"
                                 "[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$"));
    made.emplace("email", Pattern("^([^<>]*<)?[^\\s@<>,;:\"]+@[^\\s@<>,;:\"]+>?$"));
    return made;
  }();
  const auto found = kExpressions.find(format);
  return found == kExpressions.end() ? nullptr : &found->second;
}

bool IsShortName(std::string_view text) {
  static const Pattern kName("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$");
  return text.size() <= 63 && kName.Matches(text);
}

bool IsLongName(std::string_view text) {
  static const Pattern kName("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$");
  return text.size() <= 253 && kName.Matches(text);
}

}  // namespace

bool HasFormat(std::string_view format, std::string_view text) {
  std::string plain(format);
  plain.erase(std::remove(plain.begin(), plain.end(), '-'), plain.end());
  if (const Pattern* expression = ExpressionOf(plain)) return expression->Matches(text);
  if (plain == "date") return IsDate(text);
  if (plain == "datetime") return IsDateTime(text);
  if (plain == "duration") return IsDuration(text);
  if (plain == "ipv4") return IsIpv4(std::string(text));
  if (plain == "ipv6") return IsIpv6(std::string(text));
  if (plain == "cidr") return IsCidr(std::string(text));
  if (plain == "uri") return IsUri(text);
  if (plain == "hostname") return IsHostname(text);
  if (plain == "mac") return IsMac(text);
  if (plain == "isbn") return IsIsbn(text, 10) || IsIsbn(text, 13);
  if (plain == "isbn10") return IsIsbn(text, 10);
  if (plain == "isbn13") return IsIsbn(text, 13);
  if (plain == "creditcard") return IsCreditCard(text);
  if (plain == "k8sshortname") return IsShortName(text);
  if (plain == "k8slongname") return IsLongName(text);
  return true;
}

}  // namespace kueue::api::structural
