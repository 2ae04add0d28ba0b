#pragma once

#include <memory>

#include "base/time.h"
#include "scheduling/state.h"

namespace kueue::scheduling {

// A State at one moment, as a value: later facts and steps do not change it, and it may be read on
// any thread, by one thread at a time for each copy made with Rebuild. Taking one shares structure
// with the State (State::Fork); what is asked of it is computed by who asks.
class Snapshot {
 public:
  // The same world once more, to ask or to go on with. Costs what a restart costs. Not carried
  // over: how far flavor scans came, who waits for victims, which workloads are parked.
  State Rebuild(base::Time now) const;

 private:
  friend class State;
  struct Content;
  explicit Snapshot(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

}  // namespace kueue::scheduling
