#include "runtime/event_recorder.h"

#include <fmt/format.h>

#include <utility>

#include "base/log.h"

namespace kueue::runtime {
namespace {

constexpr base::Duration kMergeWindow = base::minutes(10);
constexpr size_t kMaxSeries = 4096;
constexpr int kMaxInFlight = 8;
constexpr size_t kMaxMessageBytes = 1024;  // spec/controllers.md, conventions
constexpr size_t kMaxNameBytes = 253;

// At most `limit` bytes, cut between two characters, with a mark that something is missing.
std::string Shorten(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t end = limit - 4;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + " ...";
}

std::string IdOf(const EventRecord& r) {
  std::string id;
  for (const std::string* part :
       {&r.regarding.api_version, &r.regarding.kind, &r.regarding.namespace_name,
        &r.regarding.name, &r.regarding.uid, &r.regarding.field_path, &r.type, &r.reason,
        &r.source, &r.message}) {
    id += *part;
    id += '\0';
  }
  return id;
}

}  // namespace

EventRecorder::EventRecorder(kube::Client& client, base::Executor& executor, base::Random random,
                             Options options)
    : client_(client), executor_(executor), random_(random), options_(std::move(options)) {}

void EventRecorder::Record(const EventRecord& record) {
  Forget();
  const std::string id = IdOf(record);
  auto it = series_.find(id);
  if (it == series_.end()) {
    it = series_.emplace(id, Series()).first;
    it->second.event = MakeEvent(record);
  } else {
    ++counters_.merged;
  }
  Series& series = it->second;
  ++series.event.count;
  series.event.last_timestamp = base::CutToSeconds(executor_.clock().Now());
  Touch(it);
  if (!series.waiting && !series.in_flight) Wait(it);
  Shed();
  Pump();
}

std::string EventRecorder::MakeName(const std::string& object_name) {
  const std::string suffix = fmt::format(".{:016x}", random_.Next());
  return object_name.substr(0, kMaxNameBytes - suffix.size()) + suffix;
}

api::Event EventRecorder::MakeEvent(const EventRecord& record) {
  api::Event event;
  const std::string& home = record.regarding.namespace_name;
  event.metadata.namespace_name = home.empty() ? "default" : home;
  event.metadata.name = MakeName(record.regarding.name);
  event.involved_object = record.regarding;
  event.type = record.type;
  event.reason = record.reason;
  event.message = Shorten(record.message, kMaxMessageBytes);
  event.source.component = record.source.empty() ? options_.component : record.source;
  event.reporting_component = event.source.component;
  event.first_timestamp = base::CutToSeconds(executor_.clock().Now());
  return event;
}

void EventRecorder::Touch(SeriesMap::iterator it) {
  by_recency_.erase(it->second.recency);
  it->second.recency = ++last_recency_;
  it->second.last = executor_.clock().Elapsed();
  by_recency_.emplace(it->second.recency, it->first);
}

void EventRecorder::Wait(SeriesMap::iterator it) {
  it->second.waiting = true;
  waiting_.push_back(it->first);
}

void EventRecorder::Shed() {
  while (waiting_.size() > options_.max_pending) {
    const auto it = series_.find(waiting_.front());
    waiting_.pop_front();
    Series& series = it->second;
    series.waiting = false;
    counters_.shed += static_cast<uint64_t>(series.event.count - series.told);
    if (series.told == 0) Erase(it);
  }
}

// Lets go of series that nothing will be merged into any more.
void EventRecorder::Forget() {
  const base::Duration now = executor_.clock().Elapsed();
  while (!by_recency_.empty()) {
    const auto it = series_.find(by_recency_.begin()->second);
    const Series& series = it->second;
    if (series.waiting || series.in_flight) return;
    if (series_.size() < kMaxSeries && now - series.last <= kMergeWindow) return;
    Erase(it);
  }
}

void EventRecorder::Erase(SeriesMap::iterator it) {
  by_recency_.erase(it->second.recency);
  series_.erase(it);
}

void EventRecorder::Pump() {
  while (!waiting_.empty()) {
    const bool pressure = options_.under_pressure && options_.under_pressure();
    if (in_flight_ >= (pressure ? 1 : kMaxInFlight)) return;
    const auto it = series_.find(waiting_.front());
    waiting_.pop_front();
    Send(it);
  }
}

void EventRecorder::Send(SeriesMap::iterator it) {
  Series& series = it->second;
  series.waiting = false;
  series.in_flight = true;
  ++in_flight_;
  ++counters_.sent;
  auto done = scope_.Wrap(
      [this, id = it->first, count = series.event.count](const base::Result<api::Json>& answer) {
        OnAnswer(id, count, answer);
      });
  const api::KindInfo& kind = api::KindOf<api::Event>();
  if (series.told == 0) {
    return client_.Create(kind, api::EncodeObject(series.event), std::move(done));
  }
  api::Json patch;
  patch.Set("count", static_cast<int64_t>(series.event.count));
  patch.Set("lastTimestamp", base::FormatTime(*series.event.last_timestamp));
  client_.Patch(kind, kube::KeyOf(series.event.metadata), "", kube::PatchType::kMerge, patch,
                std::move(done));
}

void EventRecorder::OnAnswer(const std::string& id, int32_t count,
                             const base::Result<api::Json>& answer) {
  --in_flight_;
  const auto it = series_.find(id);
  Series& series = it->second;
  series.in_flight = false;
  if (answer.ok()) {
    series.told = count;
    if (series.event.count > count) Wait(it);
  } else if (series.told > 0 && answer.error().code == base::Code::kNotFound) {
    // Somebody removed the Event: begin a new one with what it would have told.
    series.event.metadata.name = MakeName(series.event.involved_object.name);
    series.event.count -= series.told;
    series.told = 0;
    Wait(it);
  } else {
    ++counters_.failed;
    base::LogDebug("events", series.event.reason + " about " + series.event.involved_object.name +
                                 " is lost: " + answer.error().message);
    if (series.told == 0) Erase(it);
  }
  Shed();
  Pump();
}

}  // namespace kueue::runtime
