#include "kube/watch_stream.h"

#include <utility>

#include "api/codec/json_text.h"
#include "kube/line_splitter.h"
#include "kube/status.h"

namespace kueue::kube {
namespace {

constexpr size_t kMaxLineBytes = 64u << 20;
constexpr size_t kMaxErrorBytes = 1u << 20;

base::Result<WatchEvent> ParseEvent(std::string_view line) {
  auto json = api::ParseJson(line);
  if (!json.ok()) {
    return base::Internal("a watch event is no JSON: " + json.error().message);
  }
  const std::string type = json->StringAt({"type"});
  api::Json* object = json->Find("object");
  if (object == nullptr || !object->IsObject()) {
    return base::Internal("a watch event of type '" + type + "' has no object");
  }
  WatchEvent event;
  if (type == "ADDED") {
    event.type = WatchEventType::kAdded;
  } else if (type == "MODIFIED") {
    event.type = WatchEventType::kModified;
  } else if (type == "DELETED") {
    event.type = WatchEventType::kDeleted;
  } else if (type == "BOOKMARK") {
    event.type = WatchEventType::kBookmark;
  } else if (type == "ERROR") {
    event.type = WatchEventType::kError;
  } else {
    return base::Internal("a watch event has the unknown type '" + type + "'");
  }
  event.object = std::move(*object);
  return event;
}

// Lives as long as the handle, and through the callback that drops the handle.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  Stream(std::function<void(int)> on_answer, std::function<void(WatchEvent)> on_event,
         std::function<void(base::Status)> on_end)
      : on_answer_(std::move(on_answer)),
        on_event_(std::move(on_event)),
        on_end_(std::move(on_end)),
        lines_(kMaxLineBytes) {}

  void Open(net::Transport& transport, net::Request request) {
    what_ = "watch " + request.target;
    std::weak_ptr<Stream> weak = weak_from_this();
    net::ResponseEvents events;
    events.on_start = [weak](int status, const net::Headers&) {
      if (auto self = weak.lock()) self->OnStart(status);
    };
    events.on_data = [weak](std::string_view chunk) {
      if (auto self = weak.lock()) self->OnData(chunk);
    };
    events.on_end = [weak](base::Status status) {
      if (auto self = weak.lock()) self->OnEnd(std::move(status));
    };
    exchange_ = transport.Send(std::move(request), std::move(events));
  }

  void Cancel() {
    ended_ = true;
    if (exchange_) exchange_->Cancel();
  }

 private:
  void OnStart(int status) {
    if (ended_) return;
    http_status_ = status;
    on_answer_(status);
  }

  void OnData(std::string_view chunk) {
    if (ended_) return;
    if (http_status_ != 200) {
      if (error_body_.size() < kMaxErrorBytes) error_body_.append(chunk);
      return;
    }
    base::Status broken;
    const bool fits = lines_.Feed(chunk, [this, &broken](std::string_view line) {
      auto event = ParseEvent(line);
      if (!event.ok()) {
        broken = event.error();
        return false;
      }
      on_event_(std::move(*event));
      return !ended_;
    });
    if (ended_) return;
    if (!fits) broken = base::Internal(what_ + ": an event is larger than 64 MiB");
    if (!broken.ok()) {
      Cancel();
      on_end_(std::move(broken));
    }
  }

  void OnEnd(base::Status status) {
    if (ended_) return;
    ended_ = true;
    // An unfinished last line is dropped: whoever watches on from the last version gets it again.
    if (status.ok() && http_status_ == 0) status = base::Unavailable(what_ + ": no answer");
    if (status.ok() && http_status_ != 200) {
      status = ErrorOfAnswer(http_status_, error_body_, what_);
    }
    on_end_(std::move(status));
  }

  std::function<void(int)> on_answer_;
  std::function<void(WatchEvent)> on_event_;
  std::function<void(base::Status)> on_end_;
  LineSplitter lines_;
  std::unique_ptr<net::Exchange> exchange_;
  std::string what_, error_body_;
  int http_status_ = 0;
  bool ended_ = false;
};

class StreamHandle final : public net::Exchange {
 public:
  explicit StreamHandle(std::shared_ptr<Stream> stream) : stream_(std::move(stream)) {}
  ~StreamHandle() override { stream_->Cancel(); }
  void Cancel() override { stream_->Cancel(); }

 private:
  std::shared_ptr<Stream> stream_;
};

}  // namespace

std::unique_ptr<net::Exchange> OpenWatchStream(net::Transport& transport, net::Request request,
                                               std::function<void(int http_status)> on_answer,
                                               std::function<void(WatchEvent)> on_event,
                                               std::function<void(base::Status)> on_end) {
  auto stream =
      std::make_shared<Stream>(std::move(on_answer), std::move(on_event), std::move(on_end));
  stream->Open(transport, std::move(request));
  return std::make_unique<StreamHandle>(std::move(stream));
}

}  // namespace kueue::kube
