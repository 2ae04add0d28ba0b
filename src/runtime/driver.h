#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "kube/informer.h"
#include "runtime/intents.h"

namespace kueue::runtime {

// A function from what the caches hold to intended writes and a time to look again. Reads caches,
// never a clock, never blocks, holds no client.
class Reconciler {
 public:
  virtual ~Reconciler() = default;
  virtual std::string name() const = 0;  // "workload", "job": in logs and metrics
  // Source component of its events; "": the driver's.
  virtual std::string event_source() const { return ""; }
  virtual Intents Reconcile(const kube::ObjectKey& key, base::Time now) = 0;
  // How one of its writes ended, before the next write starts. Optional.
  virtual void OnWritten(const kube::ObjectKey& key, const Write& write,
                         const base::Result<api::Json>& outcome) {
    (void)key; (void)write; (void)outcome;
  }
};

// The work queue of one reconciler: keys waiting, deduplicated; a key that is being worked on waits
// until that is done.
class Queue {
 public:
  virtual ~Queue() = default;
  virtual void Add(const kube::ObjectKey& key) = 0;
  // The earliest deadline of a key wins.
  virtual void AddAfter(const kube::ObjectKey& key, base::Duration delay) = 0;
};

struct DriverOptions {
  std::string component = "kueue";      // source component of events
  int max_in_flight = 64;               // keys with writes under way, over all reconcilers
  base::Duration first_retry = base::milliseconds(5);
  base::Duration longest_retry = base::seconds(16);
  size_t max_pending_events = 1000;     // more are shed, oldest first
};

// Numbers since the start, for metrics.
struct ReconcilerCounters {
  std::string name;
  uint64_t adds = 0;         // keys that began to wait (not those that waited already)
  uint64_t reconciles = 0;   // calls
  uint64_t succeeded = 0;    // all writes succeeded, or there were none
  uint64_t failed = 0;       // a write failed; the key is tried again
  uint64_t look_again = 0;   // of the succeeded: asked to be called again later
  base::Duration waited{0};  // sum over the calls: how long the keys were ready before
  base::Duration worked{0};  // sum over the calls: until the last write was answered
  size_t waiting = 0;        // keys ready to be worked on, now
  size_t working = 0;        // keys with writes under way, now
  size_t delayed = 0;        // keys with a deadline ahead, now
};
struct DriverCounters {
  uint64_t writes_sent = 0, writes_failed = 0, conflicts = 0;
  uint64_t events_sent = 0;    // creates and patches of Events
  uint64_t events_merged = 0;  // records that only raised a count
  uint64_t events_shed = 0;    // records dropped because too many waited
  uint64_t events_failed = 0;
};

// Runs reconcilers on one executor: one call per key at a time, many keys at once; carries their
// intents out through the client, feeds results into the cache (read your own writes) and retries.
// All calls on that executor.
class Driver {
 public:
  Driver(kube::Client& client, kube::Cache& cache, base::Executor& executor, base::Random random,
         DriverOptions options = {});
  ~Driver();

  // Nothing runs before Start. The returned queue lives as long as the driver.
  Queue& Add(std::unique_ptr<Reconciler> reconciler);
  void Start();

  // Carries out intents that come from elsewhere than a reconciler (the scheduling loop). `done`
  // gets the outcome of the last write tried (null if there was none), later than this call; writes
  // stop at the first failure and are not repeated. NotFound on a delete counts as done. Intents
  // whose first write is to the same object are carried out in the order given. `look_again` has no
  // meaning here. They go before the writes of reconcilers.
  void CarryOut(Intents intents, std::function<void(base::Result<api::Json>)> done);
  void RecordEvent(EventRecord event);

  // Nothing waits, nothing is in flight (timers may be pending).
  bool idle() const;
  // Writes sent, events not counted.
  uint64_t writes_sent() const;
  DriverCounters counters() const;
  std::vector<ReconcilerCounters> reconciler_counters() const;  // in the order added

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::runtime
