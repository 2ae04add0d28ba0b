// Parts of timestamps (in UTC or in a given zone) and of durations.
#include <fmt/format.h>

#include "cel/catalogue.h"
#include "cel/moment.h"

namespace kueue::cel {
namespace {

using Kind = Value::Kind;

// The part of a timestamp that `part` picks; of a duration, its whole `unit`s.
template <class Part>
Value Pick(const Call& call, int64_t unit, Part part) {
  const Value& v = call[0];
  if (v.is(Kind::kDuration) && unit > 0 && call.count == 1)
    return Value::Int(v.AsNanoseconds() / unit);
  if (!v.is(Kind::kTimestamp)) return {};
  int64_t offset = 0;
  if (call.count == 2) {
    if (!call[1].is(Kind::kString)) return {};
    if (!ReadZone(call[1].AsText(), &offset))
      return Value::Error(fmt::format("unknown time zone {}", call[1].AsText()));
  }
  return Value::Int(part(ToCivil(v.AsSeconds() + offset)));
}

Value Year(const Call& call) {
  return Pick(call, 0, [](const CivilTime& t) { return t.year; });
}
Value Month(const Call& call) {
  return Pick(call, 0, [](const CivilTime& t) { return t.month - 1; });
}
Value Date(const Call& call) {
  return Pick(call, 0, [](const CivilTime& t) { return t.day; });
}
Value DayOfMonth(const Call& call) {
  return Pick(call, 0, [](const CivilTime& t) { return t.day - 1; });
}
Value DayOfWeek(const Call& call) {
  return Pick(call, 0, [](const CivilTime& t) { return t.day_of_week; });
}
Value DayOfYear(const Call& call) {
  return Pick(call, 0, [](const CivilTime& t) { return t.day_of_year; });
}
Value Hours(const Call& call) {
  return Pick(call, 3'600'000'000'000, [](const CivilTime& t) { return t.hour; });
}
Value Minutes(const Call& call) {
  return Pick(call, 60'000'000'000, [](const CivilTime& t) { return t.minute; });
}
Value Seconds(const Call& call) {
  return Pick(call, 1'000'000'000, [](const CivilTime& t) { return t.second; });
}
Value Milliseconds(const Call& call) {
  const int64_t fraction = call[0].is(Kind::kTimestamp) ? call[0].subsecond() / 1'000'000 : 0;
  return Pick(call, 1'000'000, [&](const CivilTime&) { return fraction; });
}

}  // namespace

std::vector<FunctionRow> TimeFunctions() {
  const auto one = CostRule::kOne;
  const std::vector<const char*> date = {"(timestamp) int", "(timestamp, string) int"};
  const std::vector<const char*> clock = {"(timestamp) int", "(timestamp, string) int",
                                          "(duration) int"};
  return {
      {"getFullYear", true, one, Year, date},
      {"getMonth", true, one, Month, date},
      {"getDate", true, one, Date, date},
      {"getDayOfMonth", true, one, DayOfMonth, date},
      {"getDayOfWeek", true, one, DayOfWeek, date},
      {"getDayOfYear", true, one, DayOfYear, date},
      {"getHours", true, one, Hours, clock},
      {"getMinutes", true, one, Minutes, clock},
      {"getSeconds", true, one, Seconds, clock},
      {"getMilliseconds", true, one, Milliseconds, clock},
  };
}

}  // namespace kueue::cel
