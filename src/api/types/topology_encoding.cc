#include "api/types/topology_encoding.h"

#include <algorithm>

#include "base/check.h"

namespace kueue::api {
namespace {

// As many domains as one slice may have.
constexpr size_t kSliceDomains = 100000;

using Domains = std::vector<TopologyDomain>;

// What all texts begin (or, from behind, end) with, at most `limit` characters.
template <class At>
size_t CommonLength(size_t count, size_t limit, const At& at) {
  size_t length = 0;
  for (; length < limit; ++length) {
    for (size_t i = 1; i < count; ++i) {
      if (at(i, length) != at(0, length)) return length;
    }
  }
  return length;
}

TopologyLevelValues EncodeLevel(const Domains& domains, size_t begin, size_t end, size_t level) {
  const auto value = [&](size_t i) -> const std::string& {
    return domains[begin + i].values[level];
  };
  const size_t count = end - begin;
  size_t shortest = value(0).size();
  bool same = true;
  for (size_t i = 1; i < count; ++i) {
    shortest = std::min(shortest, value(i).size());
    same = same && value(i) == value(0);
  }
  TopologyLevelValues out;
  if (same) {
    out.universal = value(0);
    return out;
  }
  const size_t suffix = CommonLength(
      count, shortest, [&](size_t i, size_t n) { return value(i)[value(i).size() - 1 - n]; });
  const size_t prefix =
      CommonLength(count, shortest - suffix, [&](size_t i, size_t n) { return value(i)[n]; });
  TopologyValueList& list = out.individual.emplace();
  if (prefix > 0) list.prefix = value(0).substr(0, prefix);
  if (suffix > 0) list.suffix = value(0).substr(value(0).size() - suffix);
  for (size_t i = 0; i < count; ++i) {
    list.roots.push_back(value(i).substr(prefix, value(i).size() - prefix - suffix));
  }
  return out;
}

TopologyPodCounts EncodeCounts(const Domains& domains, size_t begin, size_t end) {
  TopologyPodCounts out;
  const bool same = std::all_of(domains.begin() + static_cast<std::ptrdiff_t>(begin),
                                domains.begin() + static_cast<std::ptrdiff_t>(end),
                                [&](const auto& d) { return d.count == domains[begin].count; });
  if (same) {
    out.universal = domains[begin].count;
    return out;
  }
  for (size_t i = begin; i < end; ++i) out.individual.push_back(domains[i].count);
  return out;
}

base::Result<void> DecodeSlice(const TopologyAssignmentSlice& slice, size_t levels,
                               const std::string& where, Domains& out) {
  const auto wrong = [&](const char* what) { return base::Invalid(where + ": " + what); };
  if (slice.domain_count < 1) return wrong("domainCount must be at least 1");
  if (slice.values_per_level.size() != levels) {
    return wrong("valuesPerLevel must have one entry for each level");
  }
  const size_t count = static_cast<size_t>(slice.domain_count);
  const TopologyPodCounts& counts = slice.pod_counts;
  if (!counts.universal && counts.individual.size() != count) {
    return wrong("podCounts.individual must have one entry for each domain");
  }
  for (const TopologyLevelValues& level : slice.values_per_level) {
    if (level.universal) continue;
    if (!level.individual || level.individual->roots.size() != count) {
      return wrong("every level must have one root for each domain");
    }
  }
  for (size_t i = 0; i < count; ++i) {
    TopologyDomain& domain = out.emplace_back();
    domain.count = counts.universal ? *counts.universal : counts.individual[i];
    for (const TopologyLevelValues& level : slice.values_per_level) {
      domain.values.push_back(level.universal ? *level.universal
                                              : level.individual->prefix.value_or("") +
                                                    level.individual->roots[i] +
                                                    level.individual->suffix.value_or(""));
    }
  }
  return {};
}

}  // namespace

TopologyAssignment EncodeDomains(const std::vector<std::string>& levels, const Domains& domains) {
  TopologyAssignment out;
  out.levels = levels;
  for (size_t begin = 0; begin < domains.size(); begin += kSliceDomains) {
    const size_t end = std::min(domains.size(), begin + kSliceDomains);
    TopologyAssignmentSlice& slice = out.slices.emplace_back();
    slice.domain_count = static_cast<int32_t>(end - begin);
    for (size_t level = 0; level < levels.size(); ++level) {
      slice.values_per_level.push_back(EncodeLevel(domains, begin, end, level));
    }
    slice.pod_counts = EncodeCounts(domains, begin, end);
  }
  return out;
}

base::Result<Domains> DecodeDomains(const TopologyAssignment& assignment) {
  Domains domains;
  for (size_t i = 0; i < assignment.slices.size(); ++i) {
    const auto decoded = DecodeSlice(assignment.slices[i], assignment.levels.size(),
                                     "slices[" + std::to_string(i) + "]", domains);
    if (!decoded.ok()) return decoded.error();
  }
  return domains;
}

}  // namespace kueue::api
