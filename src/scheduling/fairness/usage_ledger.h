#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/types/kueue.h"
#include "base/time.h"
#include "scheduling/config.h"

namespace kueue::scheduling {

// What a LocalQueue used in the past, and what its latest admissions cost it (spec/scheduling.md
// §9.2).
struct PastUse {
  std::string local_queue;                             // "namespace/name"
  api::ResourceList consumed;                          // faded by the half-life
  std::map<std::string, api::ResourceList> penalties;  // by workload, not yet part of `consumed`
  base::Time last_update;
  bool status_merged = false;  // what the object's status had persisted is part of `consumed`
  bool rests = false;          // a sample would change nothing until the use itself changes

  api::ResourceList Pending() const;
  // Some penalty is more than nothing.
  bool HasPending() const;
};

// The entries of all LocalQueues (§9.2). Times are cut to whole seconds, which is what the status
// keeps; so delays of a few milliseconds change no order.
class UsageLedger {
 public:
  explicit UsageLedger(const AdmissionFairSharing& config) : config_(config) {}

  // Null without an entry.
  const PastUse* Find(const std::string& local_queue) const;
  void Forget(const std::string& local_queue) { entries_.erase(local_queue); }
  // As it was in another ledger.
  void Restore(const PastUse& entry) { entries_[entry.local_queue] = entry; }

  // What an earlier process persisted becomes part of the history, once in the life of an entry.
  // Makes the entry.
  PastUse& Merge(const std::string& local_queue, const api::ResourceList& persisted,
                 base::Time now);
  // The price of an admission, from the requests of the workload; replaces an earlier one.
  void Charge(const std::string& local_queue, const std::string& workload,
              const api::ResourceList& requests, base::Time now);
  // The workload will never settle. True if it had been charged.
  bool Refund(const std::string& local_queue, const std::string& workload);
  // The workload is admitted: its penalty becomes history. `live`: what the queue's admitted
  // workloads use, this one among them.
  void Settle(const std::string& local_queue, const std::string& workload,
              const api::ResourceList& live, base::Time now);
  // Lets the history fade if it is time to (or penalties are open). Returns how long to wait for
  // the next time; nothing while nothing would change.
  std::optional<base::Duration> Sample(const std::string& local_queue,
                                       const api::ResourceList& persisted,
                                       const api::ResourceList& live, base::Time asked_at);

  // §9.1; +infinity for a weight that is not above 0.
  double UsageOf(const std::string& local_queue, double weight) const;

 private:
  api::ResourceList Faded(const PastUse& entry, const api::ResourceList& live,
                          base::Duration elapsed) const;
  void CatchUp(PastUse& entry, base::Time now) const;

  const AdmissionFairSharing config_;
  std::map<std::string, PastUse> entries_;
};

// Each quantity times the factor, cut toward zero to whole nano-units; the factor counts as its
// shortest decimal (§9.2). REQUIRES: 0 <= factor <= 1.
api::ResourceList Scaled(const api::ResourceList& amounts, double factor);

}  // namespace kueue::scheduling
