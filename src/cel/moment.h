#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace kueue::cel {

// Timestamps lie in the years 1 to 9999, durations in 64 bits of nanoseconds. The results below
// are values of those kinds, or error values.

// Seconds since 1970 of the first and the last timestamp.
constexpr int64_t kFirstSecond = -62135596800;
constexpr int64_t kLastSecond = 253402300799;

// RFC 3339 with up to nine fractional digits that count.
Value ReadTimestamp(std::string_view text);
// As ReadTimestamp; a plain date ("2024-05-06") too.
Value ReadHostTimestamp(std::string_view text);
// "1h30m", "1.5s", "300ms", "-1us": Go's form.
Value ReadDuration(std::string_view text);

// REQUIRES a timestamp. RFC 3339 in the offset it was read with, without trailing zeros.
std::string TimestampText(const Value& timestamp);
// Whole seconds and a fraction: "5400s", "1.5s".
std::string DurationText(int64_t nanoseconds);

// "timestamp overflow" outside of the years above.
Value AddToTimestamp(const Value& timestamp, int64_t nanoseconds);
// a - b; "integer overflow" beyond 292 years.
Value TimestampDifference(const Value& a, const Value& b);

// A moment as a calendar and a clock show it in some zone.
struct CivilTime {
  int64_t year = 0;
  int month = 0;        // 1..12
  int day = 0;          // 1..31
  int day_of_week = 0;  // 0 is Sunday
  int day_of_year = 0;  // 0 is January 1
  int hour = 0, minute = 0, second = 0;
};
CivilTime ToCivil(int64_t seconds_since_1970);

// "UTC" or an offset ("+02:00", "-2:30", "02:00"), in seconds; false for anything else. Zones by
// name are not known: the answer would depend on the machine.
bool ReadZone(std::string_view zone, int64_t* offset_seconds);

}  // namespace kueue::cel
