#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace kueue::base {

enum class LogLevel { kDebug, kInfo, kWarn, kError };

// One line on standard error: time, level, component, text. Thread-safe. For what an operator
// wants to read; facts that other code needs travel as data, never through the log.
void Log(LogLevel level, std::string_view component, const std::string& text);
inline void LogInfo(std::string_view component, const std::string& text) {
  Log(LogLevel::kInfo, component, text);
}
inline void LogWarn(std::string_view component, const std::string& text) {
  Log(LogLevel::kWarn, component, text);
}
inline void LogError(std::string_view component, const std::string& text) {
  Log(LogLevel::kError, component, text);
}
inline void LogDebug(std::string_view component, const std::string& text) {
  Log(LogLevel::kDebug, component, text);
}

// The last lines that were logged, old first; at most 2000 are kept. Thread-safe.
struct LoggedLine {
  Time time;
  std::string text;  // as on standard error, without a line feed
};
std::vector<LoggedLine> RecentLog();
// How many lines were logged since the start.
uint64_t LoggedSoFar();

// Lines below `level` are dropped. Default: kInfo.
void SetLogLevel(LogLevel level);

}  // namespace kueue::base
