#include "net/event_loop.h"

#include <pthread.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>

#include "base/check.h"
#include "base/mutex.h"

namespace kueue::net {

namespace asio = boost::asio;

class EventLoop::Impl {
 public:
  explicit Impl(const std::string& name) : work_(asio::make_work_guard(context_)) {
    thread_ = std::thread([this] { context_.run(); });
    pthread_setname_np(thread_.native_handle(), name.substr(0, 15).c_str());
    thread_id_ = thread_.get_id();
  }

  void Post(std::function<void()> task) {
    // Under the lock, so that nothing enters the context once Finish lets it run dry.
    base::MutexLock lock(mutex_);
    if (!finished_) asio::post(context_, std::move(task));
  }

  void Finish() {
    KUEUE_CHECK(!OnThread());
    {
      base::MutexLock lock(mutex_);
      finished_ = true;
    }
    work_.reset();
    if (thread_.joinable()) thread_.join();
  }

  bool OnThread() const { return std::this_thread::get_id() == thread_id_; }
  asio::io_context& context() { return context_; }

 private:
  asio::io_context context_{1};  // one thread runs it, any may post
  asio::executor_work_guard<asio::io_context::executor_type> work_;
  base::Mutex mutex_;
  bool finished_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
  std::thread::id thread_id_;
};

EventLoop::EventLoop(const std::string& thread_name) : impl_(std::make_unique<Impl>(thread_name)) {}
EventLoop::~EventLoop() { Finish(); }
void EventLoop::Post(std::function<void()> task) { impl_->Post(std::move(task)); }
void EventLoop::Finish() { impl_->Finish(); }
bool EventLoop::OnThread() const { return impl_->OnThread(); }
asio::io_context& EventLoop::context() { return impl_->context(); }

class Timer::Impl {
 public:
  explicit Impl(EventLoop& loop) : timer_(loop.context()) {}
  asio::steady_timer timer_;
  // Counts settings and cancellations: a run that was already queued then sees that it is outdated.
  const std::shared_ptr<uint64_t> version_ = std::make_shared<uint64_t>(0);
};

Timer::Timer(EventLoop& loop) : impl_(std::make_unique<Impl>(loop)) {}
Timer::~Timer() { ++*impl_->version_; }

void Timer::Set(base::Duration delay, std::function<void()> task) {
  const uint64_t version = ++*impl_->version_;
  impl_->timer_.expires_after(delay);
  impl_->timer_.async_wait([version, current = impl_->version_, task = std::move(task)](
                               const boost::system::error_code&) {
    if (*current == version) task();
  });
}

void Timer::Cancel() {
  ++*impl_->version_;
  impl_->timer_.cancel();
}

}  // namespace kueue::net
