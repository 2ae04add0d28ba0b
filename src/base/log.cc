#include "base/log.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <deque>
#include <memory>
#include <mutex>

namespace kueue::base {
namespace {

// Keeps the last lines for whoever asks for the process' log.
class RingSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  std::vector<LoggedLine> Lines() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {lines_.begin(), lines_.end()};
  }
  uint64_t count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    std::string line(text.data(), text.size());
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    lines_.push_back({std::chrono::time_point_cast<Duration>(message.time), std::move(line)});
    if (lines_.size() > kMostLines) lines_.pop_front();
    ++count_;
  }
  void flush_() override {}

 private:
  static constexpr size_t kMostLines = 2000;
  std::deque<LoggedLine> lines_;
  uint64_t count_ = 0;
};

RingSink& Ring() {
  static const std::shared_ptr<RingSink> ring = std::make_shared<RingSink>();
  return *ring;
}

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    // The ring lives as long as the process.
    const spdlog::sink_ptr ring(&Ring(), [](spdlog::sinks::sink*) {});
    const spdlog::sink_ptr stream = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    auto made = std::make_shared<spdlog::logger>("kueue", spdlog::sinks_init_list{stream, ring});
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %L %v", spdlog::pattern_time_type::utc);
    made->flush_on(spdlog::level::info);
    return made;
  }();
  return *logger;
}

spdlog::level::level_enum LevelOf(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

}  // namespace

void Log(LogLevel level, std::string_view component, const std::string& text) {
  Logger().log(LevelOf(level), "[{}] {}", component, text);
}

std::vector<LoggedLine> RecentLog() { return Ring().Lines(); }

uint64_t LoggedSoFar() { return Ring().count(); }

void SetLogLevel(LogLevel level) { Logger().set_level(LevelOf(level)); }

}  // namespace kueue::base
