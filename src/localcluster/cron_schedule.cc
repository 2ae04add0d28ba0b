#include "localcluster/cron_schedule.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace kueue::localcluster {
namespace {

struct Bounds {
  int least, most;
  std::string_view names;  // of the values from `least`, three letters each
};
constexpr Bounds kBounds[] = {{0, 59, ""},
                              {0, 23, ""},
                              {1, 31, ""},
                              {1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
                              {0, 6, "sunmontuewedthufrisat"}};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t from = 0;;) {
    const size_t end = text.find(separator, from);
    parts.push_back(text.substr(from, end - from));
    if (end == std::string_view::npos) return parts;
    from = end + 1;
  }
}

std::optional<int> ValueOf(std::string_view text, const Bounds& bounds) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const size_t at = lower.size() == 3 ? bounds.names.find(lower) : std::string_view::npos;
  if (at != std::string_view::npos && at % 3 == 0) return bounds.least + static_cast<int>(at / 3);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::string_view LongForm(std::string_view text) {
  static constexpr std::string_view kForms[][2] = {
      {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
      {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
      {"@hourly", "0 * * * *"}};
  for (const auto& [name, form] : kForms) {
    if (text == name) return form;
  }
  return text;
}

}  // namespace

std::optional<CronSchedule::Field> CronSchedule::ParseField(std::string_view text, int number) {
  const Bounds& bounds = kBounds[number];
  Field field;
  for (const std::string_view part : Split(text, ',')) {
    const auto stepped = Split(part, '/');
    if (stepped.size() > 2) return std::nullopt;
    int step = 1;
    if (stepped.size() == 2) {
      step = ValueOf(stepped[1], {0, 0, ""}).value_or(0);
      if (step <= 0) return std::nullopt;
    }
    int first = bounds.least, last = bounds.most;
    if (stepped[0] == "*" || stepped[0] == "?") {
      field.every |= step == 1;
    } else {
      const auto ends = Split(stepped[0], '-');
      const auto from = ValueOf(ends[0], bounds), to = ValueOf(ends.back(), bounds);
      if (ends.size() > 2 || !from || !to) return std::nullopt;
      first = *from;
      // "3/5" goes on to the end of the range.
      last = ends.size() == 1 && stepped.size() == 2 ? bounds.most : *to;
    }
    if (first < bounds.least || last > bounds.most || first > last) return std::nullopt;
    for (int value = first; value <= last; value += step) field.bits |= uint64_t{1} << value;
  }
  return field;
}

std::optional<CronSchedule> CronSchedule::Parse(std::string_view text) {
  CronSchedule schedule;
  if (text.substr(0, 7) == "@every ") {
    const auto every = base::ParseDuration(text.substr(7));
    if (!every.ok() || *every < base::seconds(1)) return std::nullopt;
    schedule.every_ = std::chrono::floor<base::seconds>(*every);
    return schedule;
  }
  std::vector<std::string_view> fields;
  for (const std::string_view part : Split(LongForm(text), ' ')) {
    if (!part.empty()) fields.push_back(part);
  }
  if (fields.size() != std::size(kBounds)) return std::nullopt;
  Field* const into[] = {&schedule.minute_, &schedule.hour_, &schedule.day_, &schedule.month_,
                         &schedule.weekday_};
  for (int i = 0; i < 5; ++i) {
    auto field = ParseField(fields[i], i);
    if (!field) return std::nullopt;
    *into[i] = *field;
  }
  return schedule;
}

std::optional<base::Time> CronSchedule::After(base::Time time) const {
  if (every_) return base::CutToSeconds(time + *every_);
  constexpr int kMostDays = 5 * 366;
  const base::Time start = std::chrono::floor<base::minutes>(time) + base::minutes(1);
  auto day = std::chrono::floor<std::chrono::days>(start);
  for (int i = 0; i < kMostDays; ++i, day += std::chrono::days(1)) {
    const std::chrono::year_month_day date(day);
    if (!month_.Has(static_cast<unsigned>(date.month()))) continue;
    const bool by_day = day_.Has(static_cast<unsigned>(date.day()));
    const bool by_weekday = weekday_.Has(std::chrono::weekday(day).c_encoding());
    // Two restrictions of the day are alternatives, as in every cron.
    if (day_.every || weekday_.every ? !(by_day && by_weekday) : !(by_day || by_weekday)) continue;
    for (unsigned hour = 0; hour < 24; ++hour) {
      if (!hour_.Has(hour)) continue;
      for (unsigned minute = 0; minute < 60; ++minute) {
        const base::Time at = day + base::hours(hour) + base::minutes(minute);
        if (minute_.Has(minute) && at >= start) return at;
      }
    }
  }
  return std::nullopt;
}

}  // namespace kueue::localcluster
