#include <charconv>

#include "api/schema/validation_parts.h"

// Rules of CronJob.
namespace kueue::api {
namespace {

constexpr size_t kLongestName = 52;  // jobs add a number of up to 11 characters

struct CronField {
  int least, most;
  std::string_view names;  // of the values from `least`, three letters each
};
constexpr CronField kFields[] = {{0, 59, ""},
                                 {0, 23, ""},
                                 {1, 31, ""},
                                 {1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
                                 {0, 6, "sunmontuewedthufrisat"}};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t from = 0;
  while (true) {
    const size_t end = text.find(separator, from);
    parts.push_back(text.substr(from, end - from));
    if (end == std::string_view::npos) return parts;
    from = end + 1;
  }
}

// The value of a number or a name; -1 if it is neither.
int ValueOf(std::string_view text, const CronField& field) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (lower.size() == 3 && !field.names.empty()) {
    const size_t at = field.names.find(lower);
    if (at != std::string_view::npos && at % 3 == 0) return field.least + static_cast<int>(at / 3);
  }
  int value = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value >= 0 ? value : -1;
}

bool IsRange(std::string_view text, const CronField& field) {
  const auto parts = Split(text, '/');
  if (parts.size() > 2) return false;
  if (parts.size() == 2 && ValueOf(parts[1], {0, 0, ""}) <= 0) return false;
  if (parts[0] == "*" || parts[0] == "?") return true;
  const auto ends = Split(parts[0], '-');
  if (ends.size() > 2) return false;
  const int first = ValueOf(ends[0], field), last = ValueOf(ends.back(), field);
  return first >= field.least && last <= field.most && first <= last;
}

// As far as can be told without the list of zones: an area that has some, or a zone without area.
bool IsTimeZone(std::string_view name) {
  static constexpr std::string_view kAreas[] = {
      "Africa",  "America", "Antarctica", "Arctic",   "Asia",      "Atlantic", "Australia",
      "Brazil",  "Canada",  "Chile",      "Etc",      "Europe",    "Indian",   "Mexico",
      "Pacific", "US",      "UTC",        "GMT",      "UCT",       "Zulu",     "EST",
      "MST",     "HST",     "CET",        "MET",      "EET",       "WET",      "EST5EDT",
      "CST6CDT", "MST7MDT", "PST8PDT",    "Japan",    "Singapore", "Israel",   "Turkey",
      "Egypt",   "Iran",    "Cuba",       "Eire",     "GB",        "NZ",       "PRC",
      "ROC",     "ROK",     "Poland",     "Portugal", "Hongkong",  "Iceland",  "Jamaica",
      "Libya",   "Navajo"};
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '/' && c != '_' && c != '-' && c != '+') return false;
  }
  const std::string_view area = name.substr(0, name.find('/'));
  for (const std::string_view known : kAreas) {
    if (known == area) return true;
  }
  return false;
}

void CheckSchedule(const Json& spec, FieldErrors& errors) {
  const std::string_view schedule = Text(spec, "schedule");
  if (schedule.empty()) {
    AddRequired(errors, "spec.schedule");
  } else if (!IsCronSchedule(schedule)) {
    AddInvalid(errors, "spec.schedule", "must be a schedule of five fields: \"0 3 * * 1-5\"");
  }
  const Json* zone = spec.Find("timeZone");
  if (zone && zone->IsString() && !IsTimeZone(zone->AsString())) {
    AddInvalid(errors, "spec.timeZone", "is no known time zone");
  }
}

}  // namespace

bool IsCronSchedule(std::string_view text) {
  static constexpr std::string_view kNames[] = {"@yearly", "@annually", "@monthly", "@weekly",
                                                "@daily",  "@midnight", "@hourly"};
  for (const std::string_view name : kNames) {
    if (text == name) return true;
  }
  if (text.substr(0, 7) == "@every ") return base::ParseDuration(text.substr(7)).ok();
  std::vector<std::string_view> fields;
  for (const std::string_view part : Split(text, ' ')) {
    if (!part.empty()) fields.push_back(part);
  }
  if (fields.size() != std::size(kFields)) return false;
  for (size_t i = 0; i < fields.size(); ++i) {
    for (const std::string_view range : Split(fields[i], ',')) {
      if (!IsRange(range, kFields[i])) return false;
    }
  }
  return true;
}

void CheckCronJobRules(const Json& object, const Json*, FieldErrors& errors) {
  const Json* spec = object.Find("spec");
  if (!spec || !spec->IsObject()) return AddRequired(errors, "spec");
  if (object.StringAt({"metadata", "name"}).size() > kLongestName) {
    AddInvalid(errors, "metadata.name", "must be no more than 52 characters");
  }
  CheckSchedule(*spec, errors);
  for (const char* member :
       {"startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"}) {
    CheckNonNegative(*spec, "spec", member, errors);
  }
  CheckAllowed(*spec, "spec", "concurrencyPolicy", {"Allow", "Forbid", "Replace"}, errors);
  static const Json* const none = new Json(Json::MakeObject());
  const Json* job_template = spec->Find("jobTemplate");
  CheckJobTemplate(job_template ? *job_template : *none, "spec.jobTemplate", errors);
}

}  // namespace kueue::api
