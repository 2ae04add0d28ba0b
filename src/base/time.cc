#include "base/time.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace kueue::base {
namespace {

struct Civil {
  int year = 0;
  unsigned month = 0, day = 0;
  int64_t hour = 0, minute = 0, second = 0, micro = 0;
};

Civil Split(Time t) {
  const auto day = std::chrono::floor<std::chrono::days>(t);
  const std::chrono::year_month_day date{day};
  const int64_t rest = (t - day).count();
  Civil c;
  c.year = static_cast<int>(date.year());
  c.month = static_cast<unsigned>(date.month());
  c.day = static_cast<unsigned>(date.day());
  c.micro = rest % 1000000;
  c.second = rest / 1000000 % 60;
  c.minute = rest / 60000000 % 60;
  c.hour = rest / 3600000000LL;
  return c;
}

// Reads exactly `digits` digits at `pos`, or nothing.
std::optional<int> Digits(std::string_view text, size_t& pos, int digits) {
  int value = 0;
  for (int i = 0; i < digits; ++i, ++pos) {
    if (pos >= text.size() || text[pos] < '0' || text[pos] > '9') return std::nullopt;
    value = value * 10 + (text[pos] - '0');
  }
  return value;
}

bool Eat(std::string_view text, size_t& pos, char c) {
  if (pos >= text.size() || text[pos] != c) return false;
  ++pos;
  return true;
}

// Fraction digits after the point, as microseconds; digits past the sixth are cut.
std::optional<int64_t> Fraction(std::string_view text, size_t& pos) {
  int64_t micros = 0;
  int seen = 0;
  for (; pos < text.size() && text[pos] >= '0' && text[pos] <= '9'; ++pos, ++seen) {
    if (seen < 6) micros = micros * 10 + (text[pos] - '0');
  }
  if (seen == 0) return std::nullopt;
  for (; seen < 6; ++seen) micros *= 10;
  return micros;
}

// "Z" or "+hh:mm": the offset in seconds.
std::optional<int> Offset(std::string_view text, size_t& pos) {
  if (Eat(text, pos, 'Z')) return 0;
  const bool minus = pos < text.size() && text[pos] == '-';
  if (!minus && !(pos < text.size() && text[pos] == '+')) return std::nullopt;
  ++pos;
  const auto h = Digits(text, pos, 2);
  if (!h || *h > 23 || !Eat(text, pos, ':')) return std::nullopt;
  const auto m = Digits(text, pos, 2);
  if (!m || *m > 59) return std::nullopt;
  return (minus ? -1 : 1) * (*h * 3600 + *m * 60);
}

}  // namespace

std::string FormatTime(Time t) {
  const Civil c = Split(t);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", c.year, c.month, c.day, c.hour,
                     c.minute, c.second);
}

std::string FormatMicroTime(Time t) {
  const Civil c = Split(t);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", c.year, c.month, c.day, c.hour,
                     c.minute, c.second, c.micro);
}

Result<Time> ParseTime(std::string_view text) {
  const Error bad = BadRequest("'" + std::string(text.substr(0, 64)) +
                               "' is not a time: write it as 2006-01-02T15:04:05Z (RFC 3339)");
  size_t pos = 0;
  const auto year = Digits(text, pos, 4);
  if (!year || !Eat(text, pos, '-')) return bad;
  const auto month = Digits(text, pos, 2);
  if (!month || !Eat(text, pos, '-')) return bad;
  const auto day = Digits(text, pos, 2);
  if (!day || !Eat(text, pos, 'T')) return bad;
  const auto hour = Digits(text, pos, 2);
  if (!hour || *hour > 23 || !Eat(text, pos, ':')) return bad;
  const auto minute = Digits(text, pos, 2);
  if (!minute || *minute > 59 || !Eat(text, pos, ':')) return bad;
  const auto second = Digits(text, pos, 2);
  if (!second || *second > 59) return bad;
  int64_t micros = 0;
  if (Eat(text, pos, '.')) {
    const auto fraction = Fraction(text, pos);
    if (!fraction) return bad;
    micros = *fraction;
  }
  const auto offset = Offset(text, pos);
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(*month),
                                         std::chrono::day(*day)};
  if (!offset || pos != text.size() || !date.ok()) return bad;
  const Time time = Time(std::chrono::sys_days(date)) +
                    seconds(*hour * 3600 + *minute * 60 + *second - *offset) + Duration(micros);
  // An offset may lead out of the years that four digits can write.
  const int utc_year = Split(time).year;
  if (utc_year < 0 || utc_year > 9999) return bad;
  return time;
}

Result<Duration> ParseDuration(std::string_view text) {
  const Error bad = BadRequest("'" + std::string(text.substr(0, 64)) +
                               "' is not a duration: write it as 90s, 1h30m or 300ms");
  size_t pos = 0;
  const bool minus = Eat(text, pos, '-');
  if (!minus) Eat(text, pos, '+');
  if (text.substr(pos) == "0") return Duration(0);
  if (pos >= text.size()) return bad;
  // In nanoseconds: the unit in which Go bounds a duration.
  __int128 total = 0;
  while (pos < text.size()) {
    __int128 whole = 0, fraction = 0, scale = 1;
    size_t digits = 0;
    for (; pos < text.size() && text[pos] >= '0' && text[pos] <= '9'; ++pos, ++digits) {
      if (whole < (__int128(1) << 70)) whole = whole * 10 + (text[pos] - '0');
    }
    if (Eat(text, pos, '.')) {
      for (; pos < text.size() && text[pos] >= '0' && text[pos] <= '9'; ++pos, ++digits) {
        if (scale < 1000000000000000LL) {
          fraction = fraction * 10 + (text[pos] - '0');
          scale *= 10;
        }
      }
    }
    if (digits == 0) return bad;
    struct Unit {
      std::string_view name;
      int64_t nanos;
    };
    // Longer names first: "ms" before "m".
    static constexpr Unit kUnits[] = {
        {"ns", 1},       {"us", 1000},      {"\u00b5s", 1000},    {"\u03bcs", 1000},
        {"ms", 1000000}, {"s", 1000000000}, {"m", 60000000000LL}, {"h", 3600000000000LL}};
    const Unit* unit = nullptr;
    for (const Unit& u : kUnits) {
      if (text.substr(pos, u.name.size()) == u.name) {
        unit = &u;
        break;
      }
    }
    if (unit == nullptr) return bad;
    pos += unit->name.size();
    total += whole * unit->nanos + fraction * unit->nanos / scale;
    if (total > std::numeric_limits<int64_t>::max()) return bad;
  }
  return Duration(static_cast<int64_t>((minus ? -total : total) / 1000));
}

std::string FormatDuration(Duration d) {
  if (d.count() == 0) return "0s";
  const bool minus = d.count() < 0;
  const uint64_t micros =
      minus ? 0 - static_cast<uint64_t>(d.count()) : static_cast<uint64_t>(d.count());
  const std::string sign = minus ? "-" : "";
  const auto decimal = [](uint64_t whole, uint64_t rest, int digits) {
    std::string text = fmt::format("{}.{:0{}}", whole, rest, digits);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
  };
  if (micros < 1000) return sign + fmt::format("{}\u00b5s", micros);
  if (micros < 1000000) return sign + decimal(micros / 1000, micros % 1000, 3) + "ms";
  const uint64_t whole = micros / 1000000;
  std::string out = sign;
  if (whole >= 3600) out += fmt::format("{}h", whole / 3600);
  if (whole >= 60) out += fmt::format("{}m", whole / 60 % 60);
  return out + decimal(whole % 60, micros % 1000000, 6) + "s";
}

std::string FormatAge(Duration d) {
  const int64_t s = std::chrono::duration_cast<seconds>(d).count();
  if (s < 0) return s >= -1 ? "0s" : "<invalid>";
  if (s < 120) return fmt::format("{}s", s);
  const int64_t m = s / 60;
  if (m < 10) return s % 60 == 0 ? fmt::format("{}m", m) : fmt::format("{}m{}s", m, s % 60);
  if (m < 180) return fmt::format("{}m", m);
  const int64_t h = m / 60;
  if (h < 8) return m % 60 == 0 ? fmt::format("{}h", h) : fmt::format("{}h{}m", h, m % 60);
  if (h < 48) return fmt::format("{}h", h);
  const int64_t days = h / 24;
  if (days < 8) return h % 24 == 0 ? fmt::format("{}d", days) : fmt::format("{}d{}h", days, h % 24);
  if (days < 730) return fmt::format("{}d", days);
  const int64_t years = days / 365;
  if (years < 8) {
    const int64_t left = days % 365;
    return left == 0 ? fmt::format("{}y", years) : fmt::format("{}y{}d", years, left);
  }
  return fmt::format("{}y", years);
}

}  // namespace kueue::base
