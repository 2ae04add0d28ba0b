#include "scheduling/model/transform.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

namespace kueue::scheduling {
namespace {

// Nano-units. An input times a multiplier times a factor has three times as many decimals: all
// numbers below have those, so that sums are exact.
using Exact = boost::multiprecision::cpp_int;

const Exact kNano = 1'000'000'000;
const Exact kUnit = kNano * kNano * kNano;

Exact Nano(const resources::Quantity& quantity) { return Exact(quantity.nano()); }

// Rounded up.
int64_t ToUnits(const std::string& resource, const Exact& value) {
  if (value <= 0) return 0;
  const Exact scaled = resource == "cpu" ? Exact(value * 1000) : value;
  const Exact units = (scaled + kUnit - 1) / kUnit;
  return units > INT64_MAX ? INT64_MAX : static_cast<int64_t>(units);
}

bool IsExcluded(const std::string& resource, const Config& config) {
  return std::any_of(config.exclude_resource_prefixes.begin(),
                     config.exclude_resource_prefixes.end(),
                     [&](const std::string& prefix) { return resource.starts_with(prefix); });
}

const ResourceTransformation* FindTransformation(const std::string& input, const Config& config) {
  for (const ResourceTransformation& candidate : config.transformations) {
    if (candidate.input == input) return &candidate;
  }
  return nullptr;
}

using Amounts = std::map<std::string, Exact>;

void Transform(const std::string& input, const resources::Quantity& quantity,
               const ResourceTransformation& rule, const api::ResourceList& counted,
               Amounts& retained, Amounts& generated) {
  // The multiplier counts only where it is asked for.
  const auto multiplier = counted.find(rule.multiply_by);
  const Exact base =
      Nano(quantity) * (multiplier == counted.end() ? kNano : Nano(multiplier->second));
  for (const auto& [output, factor] : rule.outputs) generated[output] += base * Nano(factor);
  if (!rule.replace) retained[input] += Nano(quantity) * kNano * kNano;
}

}  // namespace

resources::ResourceVector CountedRequests(const api::ResourceList& requests, const Config& config) {
  api::ResourceList counted;
  bool transformed = false;
  for (const auto& [name, quantity] : requests) {
    if (IsExcluded(name, config)) continue;
    counted.emplace(name, quantity);
    transformed |= FindTransformation(name, config) != nullptr;
  }
  resources::ResourceVector out;
  if (!transformed) {
    for (const auto& [name, quantity] : counted) {
      out.Set(name, std::max<int64_t>(0, resources::RequestUnits(name, quantity)));
    }
    return out;
  }
  Amounts retained, generated;
  for (const auto& [name, quantity] : counted) {
    if (const ResourceTransformation* rule = FindTransformation(name, config)) {
      Transform(name, quantity, *rule, counted, retained, generated);
    } else {
      retained[name] += Nano(quantity) * kNano * kNano;
    }
  }
  // Below zero outputs cancel each other, never what is retained.
  for (const auto& [name, amount] : generated) retained[name] += std::max(amount, Exact(0));
  for (const auto& [name, amount] : retained) out.Set(name, ToUnits(name, amount));
  return out;
}

}  // namespace kueue::scheduling
