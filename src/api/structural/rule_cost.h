#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/structural/schema.h"
#include "cel/estimate.h"
#include "cel/program.h"

// What the rules of a schema may cost at most, estimated when a definition is written.
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#resource-use-by-validation-functions
namespace kueue::api::structural {

constexpr uint64_t kRuleCostLimit = 10'000'000;
constexpr uint64_t kSchemaCostLimit = 100'000'000;

// How large a value of the schema can be in a request of 3 MiB.
struct ValueSize {
  cel::SizeBound bound;
  uint64_t least_bytes = 1;  // of its JSON text
};
ValueSize SizeOf(const Schema& schema, bool resource);

uint64_t EstimateCost(const cel::Program& program, const ValueSize& self);
// How many such values fit into a request.
uint64_t MostValues(const ValueSize& size);
// How many values there can be below one of `schema`, of which there are `above`.
std::optional<uint64_t> CardinalityBelow(const Json& schema, std::optional<uint64_t> above);
uint64_t TimesSaturated(uint64_t a, uint64_t b);
// "... exceeds budget by factor of 2.5x (try ...)"
std::string TooExpensive(std::string_view what, uint64_t cost, uint64_t limit);

struct TotalCost {
  struct Part {
    std::string path;
    uint64_t cost = 0;
  };
  uint64_t total = 0;
  std::vector<Part> most_expensive;  // at most four, the most expensive first
  void Add(const std::string& path, uint64_t cost);
};

}  // namespace kueue::api::structural
