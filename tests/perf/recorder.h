#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scheduling/plan.h"

// What a run of the decision core cost and decided.
namespace kueue::perf {

// Seconds of processor time this thread has used: other work on the machine does not show in it.
double ThreadSeconds();
// Memory of this process that is in use, in bytes, whole pages.
size_t ResidentBytes();

// The time of every cycle, what was decided in it, and a digest of all of it: equal digests, equal
// Plans.
class Recorder {
 public:
  void AddCycle(double seconds, const scheduling::Plan& plan);
  // Queue work between two cycles belongs to the cycle it makes possible.
  void AddToNextCycle(double seconds) { carried_ += seconds; }

  size_t cycles() const { return seconds_.size(); }
  uint64_t heads() const { return heads_; }
  uint64_t decisions() const { return decisions_; }
  uint64_t evictions() const { return evictions_; }
  double total() const { return total_; }
  // Time of the cycle at this share of all, 0 to 1; in milliseconds.
  double Quantile(double share) const;
  // Of the whole Plans; and of the order of admissions and evictions alone, which does not change
  // when cycles are fused (spec/scheduling.md §5; conformance "Two modes").
  uint64_t plans_digest() const { return plans_; }
  uint64_t sequence_digest() const { return sequence_; }
  std::string Label() const;

 private:
  std::vector<double> seconds_;
  double total_ = 0, carried_ = 0;
  uint64_t heads_ = 0, decisions_ = 0, evictions_ = 0;
  uint64_t plans_ = 14695981039346656037ULL, sequence_ = 14695981039346656037ULL;
};

}  // namespace kueue::perf
