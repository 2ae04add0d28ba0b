#pragma once

namespace kueue::cli {

// Holds back SIGINT and SIGTERM from its construction on, for all threads started later, and waits
// for one of them.
class SignalWaiter {
 public:
  SignalWaiter();
  ~SignalWaiter();
  SignalWaiter(const SignalWaiter&) = delete;
  SignalWaiter& operator=(const SignalWaiter&) = delete;
  // The number of the signal that came.
  int Wait() const;
  // One has come: not waited for.
  bool Pending() const;
};

}  // namespace kueue::cli
