#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kueue::base {

// Wall-clock instants and durations in whole microseconds: what the wire can say (MicroTime) and
// no more. Kubernetes' Time has whole seconds; see CutToSeconds.
using Duration = std::chrono::microseconds;
using Time = std::chrono::sys_time<Duration>;

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// The whole second at or before `t`: what a metav1.Time keeps of an instant.
inline Time CutToSeconds(Time t) { return std::chrono::floor<std::chrono::seconds>(t); }

// "2026-01-02T03:04:05Z": whole seconds, UTC (metav1.Time on the wire).
std::string FormatTime(Time t);
// "2026-01-02T03:04:05.000006Z": always six digits (metav1.MicroTime on the wire).
std::string FormatMicroTime(Time t);
// RFC 3339 with any offset and up to nine fractional digits (cut to microseconds).
Result<Time> ParseTime(std::string_view text);

// "90s", "1h30m", "1.5h", "300ms": the text form of metav1.Duration. FormatDuration gives Go's
// canonical form ("1m30s", "0s").
Result<Duration> ParseDuration(std::string_view text);
std::string FormatDuration(Duration d);
// Short age as kubectl prints it: "5s", "3m12s", "4h", "2d3h".
std::string FormatAge(Duration d);

}  // namespace kueue::base
