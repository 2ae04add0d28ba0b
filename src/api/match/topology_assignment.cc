#include "api/match/topology_assignment.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace kueue::api {
namespace {

constexpr size_t kMostInSlice = 100000, kMostSlices = 1000;
constexpr char kHostnameLevel[] = "kubernetes.io/hostname";

// Domains from `begin` up to `end`.
struct Run {
  size_t begin = 0, end = 0;
};

// ---- one slice (§13.2)

size_t CommonPrefix(std::string_view a, std::string_view b, size_t most) {
  size_t n = 0;
  while (n < most && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

size_t CommonSuffix(std::string_view a, std::string_view b, size_t most) {
  size_t n = 0;
  while (n < most && n < b.size() && a[a.size() - 1 - n] == b[b.size() - 1 - n]) ++n;
  return n;
}

TopologyLevelValues EncodeValues(const std::vector<TopologyDomain>& domains, Run run,
                                 size_t level) {
  TopologyLevelValues out;
  const std::string& first = domains[run.begin].values[level];
  size_t prefix = first.size(), suffix = first.size(), shortest = first.size();
  bool same = true;
  for (size_t i = run.begin + 1; i < run.end; ++i) {
    const std::string& value = domains[i].values[level];
    same &= value == first;
    shortest = std::min(shortest, value.size());
    prefix = CommonPrefix(first, value, prefix);
    suffix = CommonSuffix(first, value, suffix);
  }
  if (same) {
    out.universal = first;
    return out;
  }
  prefix = std::min(prefix, shortest - suffix);  // where both overlap the suffix wins
  TopologyValueList& list = out.individual.emplace();
  if (prefix > 0) list.prefix = first.substr(0, prefix);
  if (suffix > 0) list.suffix = first.substr(first.size() - suffix);
  list.roots.reserve(run.end - run.begin);
  for (size_t i = run.begin; i < run.end; ++i) {
    const std::string& value = domains[i].values[level];
    list.roots.push_back(value.substr(prefix, value.size() - prefix - suffix));
  }
  return out;
}

TopologyAssignmentSlice EncodeSlice(const std::vector<TopologyDomain>& domains, Run run,
                                    size_t levels) {
  TopologyAssignmentSlice slice;
  slice.domain_count = static_cast<int32_t>(run.end - run.begin);
  for (size_t l = 0; l < levels; ++l) {
    slice.values_per_level.push_back(EncodeValues(domains, run, l));
  }
  const int32_t first = domains[run.begin].count;
  const bool same =
      std::all_of(domains.begin() + static_cast<ptrdiff_t>(run.begin),
                  domains.begin() + static_cast<ptrdiff_t>(run.end),
                  [&](const TopologyDomain& domain) { return domain.count == first; });
  if (same) {
    slice.pod_counts.universal = first;
    return slice;
  }
  for (size_t i = run.begin; i < run.end; ++i) {
    slice.pod_counts.individual.push_back(domains[i].count);
  }
  return slice;
}

// ---- how much text that is, as compact JSON

size_t TextSize(const std::string& value) { return value.size() + 2; }
size_t NumberSize(int32_t value) { return std::to_string(value).size(); }

size_t SizeOf(const TopologyLevelValues& values) {
  if (values.universal) {
    return std::string_view(R"({"universal":})").size() + TextSize(*values.universal);
  }
  const TopologyValueList& list = *values.individual;
  size_t size = std::string_view(R"({"individual":{"roots":[]}})").size() + list.roots.size() - 1;
  for (const std::string& root : list.roots) size += TextSize(root);
  if (list.prefix) size += std::string_view(R"("prefix":,)").size() + TextSize(*list.prefix);
  if (list.suffix) size += std::string_view(R"("suffix":,)").size() + TextSize(*list.suffix);
  return size;
}

size_t SizeOf(const TopologyAssignmentSlice& slice) {
  size_t size = std::string_view(R"({"domainCount":,"valuesPerLevel":[],"podCounts":})").size() +
                NumberSize(slice.domain_count) + slice.values_per_level.size() - 1;
  for (const TopologyLevelValues& values : slice.values_per_level) size += SizeOf(values);
  const TopologyPodCounts& counts = slice.pod_counts;
  if (counts.universal) {
    return size + std::string_view(R"({"universal":})").size() + NumberSize(*counts.universal);
  }
  size += std::string_view(R"({"individual":[]})").size() + counts.individual.size() - 1;
  for (const int32_t count : counts.individual) size += NumberSize(count);
  return size;
}

// Of the list of slices; the rest of an assignment is the same either way.
size_t SizeOf(const std::vector<TopologyAssignmentSlice>& slices) {
  size_t size = slices.size() + 1;
  for (const TopologyAssignmentSlice& slice : slices) size += SizeOf(slice);
  return size;
}

// ---- where to cut (§13.3)

std::vector<Run> EqualRuns(const std::vector<std::string_view>& keys) {
  std::vector<Run> runs;
  size_t begin = 0;
  for (size_t i = 1; i <= keys.size(); ++i) {
    if (i < keys.size() && keys[i] == keys[begin] && i - begin < kMostInSlice) continue;
    runs.push_back({begin, i});
    begin = i;
  }
  return runs;
}

// The lengths of the parts that end right after a '-' which is not the last character.
std::vector<uint16_t> CandidatesOf(std::string_view host) {
  std::vector<uint16_t> lengths;
  for (size_t i = 0; i + 1 < host.size(); ++i) {
    if (host[i] == '-') lengths.push_back(static_cast<uint16_t>(i + 1));
  }
  return lengths;
}

std::vector<Run> RunsByPrefix(const std::vector<TopologyDomain>& domains) {
  std::vector<std::vector<uint16_t>> reusable;          // by host; 0 where only this host has it
  std::unordered_map<std::string_view, uint32_t> uses;  // only looked up
  size_t deepest = 0;
  for (const TopologyDomain& domain : domains) {
    const std::string_view host = domain.values.back();
    for (const uint16_t length : reusable.emplace_back(CandidatesOf(host))) {
      ++uses[host.substr(0, length)];
    }
    deepest = std::max(deepest, reusable.back().size());
  }
  for (size_t i = 0; i < domains.size(); ++i) {
    const std::string_view host = domains[i].values.back();
    for (uint16_t& length : reusable[i]) {
      if (uses.find(host.substr(0, length))->second < 2) length = 0;
    }
  }
  std::vector<std::string_view> keys(domains.size());
  for (size_t depth = deepest; depth > 0; --depth) {
    for (size_t i = 0; i < domains.size(); ++i) {
      const size_t known = std::min(depth, reusable[i].size());
      uint16_t length = 0;
      for (size_t c = 0; c < known; ++c) length = std::max(length, reusable[i][c]);
      keys[i] = std::string_view(domains[i].values.back()).substr(0, length);
    }
    std::vector<Run> runs = EqualRuns(keys);
    if (runs.size() <= kMostSlices) return runs;
  }
  return EqualRuns(std::vector<std::string_view>(domains.size()));
}

std::string Count(size_t n, const char* what) { return std::to_string(n) + " " + what; }

// Empty, or what does not fit.
std::string ReadSlice(const TopologyAssignmentSlice& slice, size_t levels,
                      std::vector<TopologyDomain>& domains) {
  if (slice.domain_count < 1) {
    return "domainCount is " + std::to_string(slice.domain_count) + ", must be at least 1";
  }
  const auto count = static_cast<size_t>(slice.domain_count);
  if (count > kMostInSlice) {
    return "domainCount is " + std::to_string(count) + ", must be at most " +
           std::to_string(kMostInSlice);
  }
  if (slice.values_per_level.size() != levels) {
    return "valuesPerLevel has " + Count(slice.values_per_level.size(), "entries, must have one") +
           " for each of the " + Count(levels, "levels");
  }
  const TopologyPodCounts& counts = slice.pod_counts;
  if (!counts.universal && counts.individual.size() != count) {
    return "podCounts.individual has " + Count(counts.individual.size(), "entries, must have one") +
           " for each of the " + Count(count, "domains");
  }
  for (size_t l = 0; l < levels; ++l) {
    const TopologyLevelValues& values = slice.values_per_level[l];
    if (values.universal) continue;
    const std::string where = "valuesPerLevel[" + std::to_string(l) + "]";
    if (!values.individual) return where + " has neither universal nor individual";
    if (values.individual->roots.size() != count) {
      return where + ".individual.roots has " +
             Count(values.individual->roots.size(), "entries, must have one") +
             " for each of the " + Count(count, "domains");
    }
  }
  for (size_t i = 0; i < count; ++i) {
    TopologyDomain& domain = domains.emplace_back();
    domain.count = counts.universal ? *counts.universal : counts.individual[i];
    for (const TopologyLevelValues& values : slice.values_per_level) {
      if (values.universal) {
        domain.values.push_back(*values.universal);
        continue;
      }
      const TopologyValueList& list = *values.individual;
      domain.values.push_back(list.prefix.value_or("") + list.roots[i] + list.suffix.value_or(""));
    }
  }
  return {};
}

}  // namespace

TopologyAssignment EncodeTopology(const std::vector<std::string>& levels,
                                  const std::vector<TopologyDomain>& domains,
                                  bool by_hostname_prefix) {
  TopologyAssignment whole;
  whole.levels = levels;
  if (domains.empty()) return whole;
  whole.slices.push_back(EncodeSlice(domains, {0, domains.size()}, levels.size()));
  if (!by_hostname_prefix) return whole;
  std::vector<Run> runs;
  if (domains.size() > 1 && levels.back() == kHostnameLevel) {
    runs = RunsByPrefix(domains);
  } else {
    runs = EqualRuns(std::vector<std::string_view>(domains.size()));
  }
  if (runs.size() <= 1) return whole;
  TopologyAssignment cut;
  cut.levels = levels;
  for (const Run& run : runs) cut.slices.push_back(EncodeSlice(domains, run, levels.size()));
  if (domains.size() > kMostInSlice) return cut;
  return SizeOf(whole.slices) < SizeOf(cut.slices) ? whole : cut;
}

base::Result<std::vector<TopologyDomain>> DecodeTopology(const TopologyAssignment& assignment) {
  std::vector<TopologyDomain> domains;
  if (assignment.slices.size() > kMostSlices) {
    return base::Invalid("slices has " + Count(assignment.slices.size(), "entries, at most ") +
                         Count(kMostSlices, "are allowed"));
  }
  for (size_t i = 0; i < assignment.slices.size(); ++i) {
    const std::string problem = ReadSlice(assignment.slices[i], assignment.levels.size(), domains);
    if (!problem.empty()) return base::Invalid("slices[" + std::to_string(i) + "]: " + problem);
  }
  return domains;
}

}  // namespace kueue::api
