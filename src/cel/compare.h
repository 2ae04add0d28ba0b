#pragma once

#include <cstdint>
#include <optional>

#include "cel/value.h"

namespace kueue::cel {

// What an evaluation may still do beside what its cost counts: elements compared, copied and
// printed. Kubernetes' cost takes such steps for free, so cost alone does not bound the time.
struct Work {
  uint64_t left = 20'000'000;
  // False when the work is used up; the evaluation is then to stop.
  bool Spend(uint64_t steps) {
    left = left > steps ? left - steps : 0;
    return left > 0;
  }
};

// CEL equality: numbers by value across types, lists by element (without order where the left
// list's type says so), maps and objects by key, different kinds unequal. NaN equals nothing.
// When `work` runs out the answer is false and means nothing.
bool Equal(const Value& a, const Value& b, Work* work);

// -1, 0, 1; nullopt when the two cannot be ordered: different kinds (other than numbers), lists,
// NaN and so on.
std::optional<int> Order(const Value& a, const Value& b);
// Whether either is NaN, which is why numbers could not be ordered.
bool IsNan(const Value& v);

// Equal scalars have equal hashes; everything else hashes to one value.
uint64_t HashOf(const Value& v);

// Left and right united as a set or a map-like list (x-kubernetes-list-type), or joined.
Value JoinLists(const Value& a, const Value& b, Work* work);

}  // namespace kueue::cel
