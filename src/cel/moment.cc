#include "cel/moment.h"

#include <fmt/format.h>

#include <chrono>

#include "cel/text.h"

namespace kueue::cel {
namespace {

constexpr int64_t kNano = 1'000'000'000;
constexpr const char* kOverflow = "integer overflow";

Value NotATimestamp() {
  return Value::Error("type conversion error from 'string' to 'google.protobuf.Timestamp'");
}
Value NotADuration() {
  return Value::Error("type conversion error from 'string' to 'google.protobuf.Duration'");
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Eats the text from the left.
struct Scanner {
  std::string_view text;
  // Between `least` and `most` digits, as a number.
  bool Digits(size_t least, size_t most, int* out) {
    size_t count = 0;
    *out = 0;
    while (count < most && count < text.size() && IsDigit(text[count]))
      *out = *out * 10 + (text[count++] - '0');
    text.remove_prefix(count);
    return count >= least;
  }
  bool Eat(char c) {
    if (text.empty() || text[0] != c) return false;
    text.remove_prefix(1);
    return true;
  }
};

bool ReadFraction(Scanner* scan, uint32_t* nanoseconds) {
  if (!scan->Eat('.') && !scan->Eat(',')) return true;
  uint32_t unit = 100'000'000;
  size_t count = 0;
  while (count < scan->text.size() && IsDigit(scan->text[count])) {
    *nanoseconds += static_cast<uint32_t>(scan->text[count] - '0') * unit;
    unit /= 10;
    ++count;
  }
  scan->text.remove_prefix(count);
  return count > 0;
}

bool ReadOffset(Scanner* scan, int32_t* offset) {
  if (scan->Eat('Z')) return true;
  const bool negative = !scan->text.empty() && scan->text[0] == '-';
  int hours = 0;
  int minutes = 0;
  if (!scan->Eat('+') && !scan->Eat('-')) return false;
  if (!scan->Digits(2, 2, &hours) || !scan->Eat(':') || !scan->Digits(2, 2, &minutes)) return false;
  if (hours > 24 || minutes >= 60) return false;
  *offset = (hours * 3600 + minutes * 60) * (negative ? -1 : 1);
  return true;
}

bool ReadDate(Scanner* scan, int64_t* days) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!scan->Digits(4, 4, &year) || !scan->Eat('-') || !scan->Digits(2, 2, &month) ||
      !scan->Eat('-') || !scan->Digits(2, 2, &day))
    return false;
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return false;
  *days = std::chrono::sys_days{date}.time_since_epoch().count();
  return true;
}

std::string FractionText(uint32_t nanoseconds) {
  if (nanoseconds == 0) return {};
  std::string text = fmt::format(".{:09d}", nanoseconds);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

// The length of a unit in nanoseconds; 0 when the text does not begin with one.
int64_t EatUnit(std::string_view* text) {
  struct Unit {
    std::string_view name;
    int64_t length;
  };
  static constexpr Unit kUnits[] = {
      {"ns", 1},         {"us", 1000}, {"\xc2\xb5s", 1000}, {"\xce\xbcs", 1000},
      {"ms", 1'000'000}, {"s", kNano}, {"m", 60 * kNano},   {"h", 3600 * kNano},
  };
  for (const Unit& unit : kUnits) {
    if (text->substr(0, unit.name.size()) != unit.name) continue;
    text->remove_prefix(unit.name.size());
    return unit.length;
  }
  return 0;
}

}  // namespace

Value ReadTimestamp(std::string_view text) {
  Scanner scan{text};
  int64_t days = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  uint32_t nanoseconds = 0;
  int32_t offset = 0;
  const bool read = ReadDate(&scan, &days) && scan.Eat('T') && scan.Digits(1, 2, &hour) &&
                    scan.Eat(':') && scan.Digits(2, 2, &minute) && scan.Eat(':') &&
                    scan.Digits(2, 2, &second) && ReadFraction(&scan, &nanoseconds) &&
                    ReadOffset(&scan, &offset);
  if (!read || !scan.text.empty() || hour > 23 || minute > 59 || second > 59)
    return NotATimestamp();
  const int64_t seconds = days * 86400 + hour * 3600 + minute * 60 + second - offset;
  if (seconds < kFirstSecond || seconds > kLastSecond) return NotATimestamp();
  return Value::Timestamp(seconds, nanoseconds, offset);
}

Value ReadHostTimestamp(std::string_view text) {
  if (text.size() != 10) return ReadTimestamp(text);
  Scanner scan{text};
  int64_t days = 0;
  if (!ReadDate(&scan, &days)) return NotATimestamp();
  return Value::Timestamp(days * 86400, 0);
}

Value ReadDuration(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text == "0") return Value::Duration(0);
  if (text.empty()) return NotADuration();
  __int128 total = 0;
  const __int128 most = static_cast<__int128>(INT64_MAX) + (negative ? 1 : 0);
  while (!text.empty()) {
    __int128 whole = 0;
    __int128 fraction = 0;
    __int128 scale = 1;
    size_t digits = 0;
    for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1), ++digits) {
      whole = whole * 10 + (text[0] - '0');
      if (whole > most) return NotADuration();
    }
    if (!text.empty() && text[0] == '.') {
      text.remove_prefix(1);
      for (; !text.empty() && IsDigit(text[0]); text.remove_prefix(1), ++digits) {
        if (scale >= static_cast<__int128>(kNano) * 1'000'000) continue;  // too fine to matter
        fraction = fraction * 10 + (text[0] - '0');
        scale *= 10;
      }
    }
    if (digits == 0) return NotADuration();
    const int64_t unit = EatUnit(&text);
    if (unit == 0) return NotADuration();
    total += whole * unit + fraction * unit / scale;
    if (total > most) return NotADuration();
  }
  return Value::Duration(static_cast<int64_t>(negative ? -total : total));
}

std::string TimestampText(const Value& timestamp) {
  const int32_t offset = timestamp.offset();
  const CivilTime t = ToCivil(timestamp.AsSeconds() + offset);
  std::string text =
      fmt::format("{:04d}-{:02d}-{:02d}T{:02d}:{:02d}:{:02d}{}", t.year, t.month, t.day, t.hour,
                  t.minute, t.second, FractionText(timestamp.subsecond()));
  if (offset == 0) return text + "Z";
  const int32_t minutes = (offset < 0 ? -offset : offset) / 60;
  return text + fmt::format("{}{:02d}:{:02d}", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string DurationText(int64_t nanoseconds) {
  const double seconds =
      static_cast<double>(nanoseconds / kNano) + static_cast<double>(nanoseconds % kNano) / 1e9;
  return PlainDoubleText(seconds) + "s";
}

Value AddToTimestamp(const Value& timestamp, int64_t nanoseconds) {
  int64_t seconds = timestamp.AsSeconds() + nanoseconds / kNano;
  int64_t rest = static_cast<int64_t>(timestamp.subsecond()) + nanoseconds % kNano;
  if (rest < 0) {
    rest += kNano;
    --seconds;
  } else if (rest >= kNano) {
    rest -= kNano;
    ++seconds;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return Value::Error("timestamp overflow");
  return Value::Timestamp(seconds, static_cast<uint32_t>(rest), timestamp.offset());
}

Value TimestampDifference(const Value& a, const Value& b) {
  const __int128 difference =
      static_cast<__int128>(a.AsSeconds() - b.AsSeconds()) * kNano +
      (static_cast<int64_t>(a.subsecond()) - static_cast<int64_t>(b.subsecond()));
  if (difference > INT64_MAX || difference < INT64_MIN) return Value::Error(kOverflow);
  return Value::Duration(static_cast<int64_t>(difference));
}

CivilTime ToCivil(int64_t seconds_since_1970) {
  using std::chrono::days;
  using std::chrono::sys_days;
  const std::chrono::sys_seconds moment{std::chrono::seconds(seconds_since_1970)};
  const auto day = std::chrono::floor<days>(moment);
  const std::chrono::year_month_day date{day};
  const sys_days new_year{date.year() / std::chrono::January / 1};
  const int64_t in_day = (moment - day).count();
  CivilTime t;
  t.year = static_cast<int>(date.year());
  t.month = static_cast<int>(static_cast<unsigned>(date.month()));
  t.day = static_cast<int>(static_cast<unsigned>(date.day()));
  t.day_of_week = static_cast<int>(std::chrono::weekday{day}.c_encoding());
  t.day_of_year = static_cast<int>((day - new_year).count());
  t.hour = static_cast<int>(in_day / 3600);
  t.minute = static_cast<int>(in_day / 60 % 60);
  t.second = static_cast<int>(in_day % 60);
  return t;
}

bool ReadZone(std::string_view zone, int64_t* offset_seconds) {
  *offset_seconds = 0;
  if (zone.empty() || zone == "UTC" || zone == "Etc/UTC" || zone == "GMT") return true;
  Scanner scan{zone};
  const bool negative = zone[0] == '-';
  if (!scan.Eat('+')) scan.Eat('-');
  int hours = 0;
  int minutes = 0;
  if (!scan.Digits(1, 2, &hours) || !scan.Eat(':') || !scan.Digits(1, 2, &minutes) ||
      !scan.text.empty())
    return false;
  *offset_seconds = (hours * 3600 + minutes * 60) * (negative ? -1 : 1);
  return true;
}

}  // namespace kueue::cel
