#pragma once

#include <string>
#include <string_view>

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

// Lines below `level` are dropped. Default: kInfo.
void SetLogLevel(LogLevel level);

}  // namespace kueue::base
