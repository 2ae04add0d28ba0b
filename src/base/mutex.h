#pragma once

#include <mutex>

// Clang's thread-safety attributes: which mutex guards which member is checked at compile time.
#if defined(__clang__)
#define KUEUE_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define KUEUE_THREAD_ATTRIBUTE(x)
#endif
#define CAPABILITY(x) KUEUE_THREAD_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY KUEUE_THREAD_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(x) KUEUE_THREAD_ATTRIBUTE(guarded_by(x))
#define REQUIRES_LOCK(...) KUEUE_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define ACQUIRE(...) KUEUE_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define RELEASE(...) KUEUE_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS KUEUE_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace kueue::base {

class CAPABILITY("mutex") Mutex {
 public:
  void Lock() ACQUIRE() { mutex_.lock(); }
  void Unlock() RELEASE() { mutex_.unlock(); }
  // For std::condition_variable_any.
  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace kueue::base
