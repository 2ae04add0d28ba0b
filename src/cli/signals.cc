#include "cli/signals.h"

#include <signal.h>

namespace kueue::cli {
namespace {

sigset_t EndSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

SignalWaiter::SignalWaiter() {
  const sigset_t set = EndSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // A client that goes away while being written to is no reason to end.
  signal(SIGPIPE, SIG_IGN);
}

SignalWaiter::~SignalWaiter() {
  const sigset_t set = EndSignals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

int SignalWaiter::Wait() const {
  const sigset_t set = EndSignals();
  int number = 0;
  sigwait(&set, &number);
  return number;
}

bool SignalWaiter::Pending() const {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

}  // namespace kueue::cli
