#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "api/types/core.h"
#include "base/executor.h"
#include "base/random.h"
#include "kube/client.h"
#include "runtime/intents.h"

namespace kueue::runtime {

// Writes Events. The same text about the same object within ten minutes becomes a count on the
// Event that exists; what waits to be sent is merged in memory. Events never hold anything else up:
// few are under way at once, and when too many wait the oldest are shed.
class EventRecorder {
 public:
  struct Options {
    std::string component;
    size_t max_pending = 1000;
    // While it says true, one Event at a time is sent. May be null.
    std::function<bool()> under_pressure;
  };
  // Numbers of records or writes since the start.
  struct Counters {
    uint64_t sent = 0, merged = 0, shed = 0, failed = 0;
  };

  // `client` and `executor` must outlive the recorder.
  EventRecorder(kube::Client& client, base::Executor& executor, base::Random random,
                Options options);

  void Record(const EventRecord& record);
  // Nothing waits and nothing is under way.
  bool idle() const { return waiting_.empty() && in_flight_ == 0; }
  const Counters& counters() const { return counters_; }

 private:
  // One Event object, made or to be made.
  struct Series {
    api::Event event;
    int32_t told = 0;      // the count the server knows
    bool waiting = false, in_flight = false;
    uint64_t recency = 0;  // key in by_recency_
    base::Duration last{0};
  };
  using SeriesMap = std::map<std::string, Series>;

  api::Event MakeEvent(const EventRecord& record);
  std::string MakeName(const std::string& object_name);
  void Touch(SeriesMap::iterator it);
  void Wait(SeriesMap::iterator it);
  void Shed();
  void Forget();
  void Erase(SeriesMap::iterator it);
  void Pump();
  void Send(SeriesMap::iterator it);
  void OnAnswer(const std::string& id, int32_t count, const base::Result<api::Json>& answer);

  kube::Client& client_;
  base::Executor& executor_;
  base::Random random_;
  const Options options_;
  SeriesMap series_;
  std::map<uint64_t, std::string> by_recency_;  // the least recent first
  std::deque<std::string> waiting_;             // ids in series_, the oldest first
  uint64_t last_recency_ = 0;
  int in_flight_ = 0;
  Counters counters_;
  base::Scope scope_;
};

}  // namespace kueue::runtime
