#include "api/match/policy_annotations.h"

#include <charconv>
#include <optional>
#include <string>

namespace kueue::api {
namespace {

// Nothing sensible is outside; sums and doublings of these stay far below what a Duration holds.
constexpr base::Duration kShortest = base::seconds(1);
constexpr base::Duration kLongest = base::hours(24 * 366);
constexpr int64_t kMostAging = 1'000'000;
constexpr base::Duration kDay = base::hours(24);

const std::string* Find(const StringMap& annotations, const char* key) {
  const auto found = annotations.find(key);
  return found == annotations.end() ? nullptr : &found->second;
}

std::optional<base::Duration> DurationOf(const std::string& text) {
  const auto duration = base::ParseDuration(text);
  if (!duration.ok() || *duration < kShortest || *duration > kLongest) return std::nullopt;
  return *duration;
}

std::optional<int64_t> LimitOf(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value >= 1 && value <= kMostAging ? std::optional(value) : std::nullopt;
}

base::Duration Read(const StringMap& annotations, const char* key) {
  const std::string* const text = Find(annotations, key);
  return text == nullptr ? base::Duration(0) : DurationOf(*text).value_or(base::Duration(0));
}

}  // namespace

QueuePolicies ReadQueuePolicies(const StringMap& annotations) {
  QueuePolicies policies;
  if (annotations.empty()) return policies;
  policies.aging_interval = Read(annotations, names::kPriorityAgingInterval);
  if (const std::string* text = Find(annotations, names::kPriorityAgingLimit)) {
    policies.aging_limit = LimitOf(*text).value_or(policies.aging_limit);
  }
  policies.minimum_run = Read(annotations, names::kMinimumRunTime);
  policies.damping = Read(annotations, names::kPreemptionDamping);
  policies.backfill = Read(annotations, names::kBackfillRunTime);
  return policies;
}

WallTimeBudget ReadWallTimeBudget(const StringMap& annotations) {
  WallTimeBudget budget;
  budget.budget = Read(annotations, names::kWallTimeBudget);
  if (budget.budget.count() == 0) return budget;
  budget.period = Read(annotations, names::kWallTimePeriod);
  if (budget.period.count() == 0) budget.period = kDay;
  // Periods begin at whole seconds, which is what can be written down.
  budget.period = std::chrono::floor<base::seconds>(budget.period);
  return budget;
}

DeletedRuns ReadDeletedRuns(const StringMap& annotations) {
  const std::string* const text = Find(annotations, names::kWallTimeDeleted);
  if (text == nullptr) return {};
  const size_t space = text->find(' ');
  if (space == std::string::npos) return {};
  const auto period = base::ParseTime(text->substr(0, space));
  const auto used = base::ParseDuration(text->substr(space + 1));
  // Many workloads together may run longer than any one of them.
  if (!period.ok() || !used.ok() || *used < kShortest || *used > 1000 * kLongest) return {};
  return {*period, *used};
}

std::string DeletedRunsText(const DeletedRuns& runs) {
  return base::FormatTime(runs.period) + " " +
         base::FormatDuration(std::chrono::floor<base::seconds>(runs.used));
}

std::vector<FieldError> CheckPolicyAnnotations(const StringMap& annotations) {
  std::vector<FieldError> errors;
  const auto refuse = [&](const char* key, const std::string& text, const std::string& what) {
    errors.push_back({FieldErrorType::kInvalid, std::string("metadata.annotations[") + key + "]",
                      "'" + text + "' " + what});
  };
  for (const char* key :
       {names::kPriorityAgingInterval, names::kMinimumRunTime, names::kPreemptionDamping,
        names::kBackfillRunTime, names::kWallTimeBudget, names::kWallTimePeriod}) {
    const std::string* const text = Find(annotations, key);
    if (text == nullptr || DurationOf(*text)) continue;
    refuse(key, *text, "must be a duration from 1s to 8784h, for example 30m or 1h30m");
  }
  const std::string* const limit = Find(annotations, names::kPriorityAgingLimit);
  if (limit != nullptr && !LimitOf(*limit)) {
    refuse(names::kPriorityAgingLimit, *limit,
           "must be a whole number from 1 to " + std::to_string(kMostAging));
  }
  return errors;
}

}  // namespace kueue::api
