#include "net/answer.h"

#include <utility>

#include "base/check.h"

namespace kueue::net {

class Answer::Handle final : public Responder {
 public:
  explicit Handle(std::shared_ptr<Answer> answer) : answer_(std::move(answer)) {}
  ~Handle() override {
    if (!ended_) {
      answer_->Add([](Parts& parts) { parts.abandoned = true; });
    }
  }
  void Start(int status, Headers headers) override {
    KUEUE_CHECK(!std::exchange(started_, true));
    answer_->Add([&](Parts& parts) {
      parts.start = true;
      parts.status = status;
      parts.headers = std::move(headers);
    });
  }
  void Write(std::string chunk) override {
    KUEUE_CHECK(started_ && !ended_);
    if (chunk.empty() || Closed()) return;
    answer_->Add([&](Parts& parts) {
      const size_t before =
          answer_->backlog_.fetch_add(chunk.size(), std::memory_order_relaxed);
      answer_->total_->fetch_add(chunk.size(), std::memory_order_relaxed);
      parts.overrun = parts.overrun || before > answer_->max_backlog_bytes_;
      parts.chunks.push_back(std::move(chunk));
    });
  }
  void End() override {
    KUEUE_CHECK(started_ && !std::exchange(ended_, true));
    answer_->Add([](Parts& parts) { parts.end = true; });
  }
  bool Closed() const override { return answer_->closed_.load(std::memory_order_acquire); }
  size_t Backlog() const override { return answer_->backlog_.load(std::memory_order_relaxed); }

 private:
  const std::shared_ptr<Answer> answer_;
  bool started_ = false;
  bool ended_ = false;
};

Answer::Answer(std::shared_ptr<EventLoop> loop, size_t max_backlog_bytes,
               std::shared_ptr<std::atomic<size_t>> total, std::function<void()> flush)
    : loop_(std::move(loop)), max_backlog_bytes_(max_backlog_bytes), total_(std::move(total)),
      flush_(std::move(flush)) {}

void Answer::Taken(size_t bytes) {
  backlog_.fetch_sub(bytes, std::memory_order_relaxed);
  total_->fetch_sub(bytes, std::memory_order_relaxed);
}

std::shared_ptr<Responder> Answer::MakeResponder(std::shared_ptr<Answer> answer) {
  return std::make_shared<Handle>(std::move(answer));
}

template <class F>
void Answer::Add(F change) {
  {
    base::MutexLock lock(mutex_);
    // Asked under the lock: what is added after Close would be counted for ever.
    if (closed_.load(std::memory_order_acquire)) return;
    change(parts_);
    // One task takes all that comes until it runs.
    if (std::exchange(flush_posted_, true)) return;
  }
  loop_->Post([self = shared_from_this()] {
    if (self->flush_) self->flush_();
  });
}

Answer::Parts Answer::Take() {
  base::MutexLock lock(mutex_);
  flush_posted_ = false;
  return std::exchange(parts_, Parts());
}

void Answer::Close() {
  {
    base::MutexLock lock(mutex_);
    closed_.store(true, std::memory_order_release);
  }
  flush_ = nullptr;
  const Parts dropped = Take();
  Taken(backlog_.load(std::memory_order_relaxed));
}

}  // namespace kueue::net
