#include "resources/resource_vector.h"

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace kueue::resources {
namespace {

bool IsCpu(std::string_view resource) { return resource == "cpu"; }

// Resources the API shows with binary suffixes (spec/scheduling.md §1.2).
bool IsShownBinary(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" ||
         resource.substr(0, 10) == "hugepages-";
}

int64_t SaturatingNegate(int64_t value) { return value == INT64_MIN ? INT64_MAX : -value; }

using Entries = std::vector<ResourceVector::Entry>;

// Compares an entry with a name whose hash is known: one hash per step of a search, not two.
bool EntryBefore(const ResourceVector::Entry& entry, std::string_view name, uint64_t hash) {
  const uint64_t own = Fnv1a64(entry.first);
  return own != hash ? own < hash : entry.first < name;
}

bool SameNames(const Entries& a, const Entries& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

// a[name] = combine(a or 0, b) over the names of `b`; `absent` computes new entries.
template <class Combine, class Absent>
void Merge(ResourceVector& a, Entries& a_entries, const Entries& b_entries, Combine combine,
           Absent absent) {
  // Vectors of one cluster mostly name the same resources: no search then.
  if (SameNames(a_entries, b_entries)) {
    for (size_t i = 0; i < a_entries.size(); ++i) {
      a_entries[i].second = combine(a_entries[i].second, b_entries[i].second);
    }
    return;
  }
  for (const auto& [name, units] : b_entries) {
    a.Set(name, a.Has(name) ? combine(a.Get(name), units) : absent(units));
  }
}

constexpr int32_t kMaxCount = std::numeric_limits<int32_t>::max();

// How many times `request` goes into `capacity`, within [0, 2^31-1].
int32_t CountOne(int64_t capacity, int64_t request) {
  if (request == 0) return kMaxCount;
  // The one quotient that does not fit: -2^63 / -1.
  const int64_t count = request == -1 ? SaturatingNegate(capacity) : capacity / request;
  return static_cast<int32_t>(std::clamp<int64_t>(count, 0, kMaxCount));
}

}  // namespace

int64_t RequestUnits(std::string_view resource, const Quantity& quantity) {
  return IsCpu(resource) ? quantity.Milli() : quantity.Units();
}

Amount QuotaUnits(std::string_view resource, const Quantity& quantity) {
  // Whole cores from which milli-units no longer fit 64 bits.
  constexpr int64_t kUnlimitedCores = INT64_MAX / 1000;
  if (IsCpu(resource) && quantity >= Quantity::FromUnits(kUnlimitedCores)) {
    return Amount::Unlimited();
  }
  return Amount(RequestUnits(resource, quantity));
}

Quantity UnitsToQuantity(std::string_view resource, int64_t units) {
  if (IsCpu(resource)) return Quantity::FromMilli(units);
  // A binary quantity whose text has no binary suffix reads back as a decimal one.
  const bool has_suffix = units != 0 && units % 1024 == 0;
  const bool binary = IsShownBinary(resource) && has_suffix;
  return Quantity::FromUnits(
      units, binary ? Quantity::Format::kBinarySI : Quantity::Format::kDecimalSI);
}

uint64_t Fnv1a64(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return hash;
}

bool VectorOrder::operator()(std::string_view a, std::string_view b) const {
  const uint64_t hash_a = Fnv1a64(a), hash_b = Fnv1a64(b);
  return hash_a != hash_b ? hash_a < hash_b : a < b;
}

// Lookups walk all entries: a pod names a handful of resources, and comparing a handful of short
// names is cheaper than hashing one.
int64_t ResourceVector::Get(std::string_view resource) const {
  for (const auto& [name, units] : entries_) {
    if (name == resource) return units;
  }
  return 0;
}

bool ResourceVector::Has(std::string_view resource) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.first == resource; });
}

void ResourceVector::Set(std::string_view resource, int64_t units) {
  for (auto& [name, value] : entries_) {
    if (name == resource) {
      value = units;
      return;
    }
  }
  const uint64_t hash = Fnv1a64(resource);
  const auto place = std::find_if_not(
      entries_.begin(), entries_.end(),
      [&](const Entry& entry) { return EntryBefore(entry, resource, hash); });
  entries_.emplace(place, std::string(resource), units);
}

void ResourceVector::Erase(std::string_view resource) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.first == resource; });
}

ResourceVector& ResourceVector::Add(const ResourceVector& other) {
  Merge(*this, entries_, other.entries_, SaturatingAdd, [](int64_t b) { return b; });
  return *this;
}

ResourceVector& ResourceVector::Sub(const ResourceVector& other) {
  Merge(*this, entries_, other.entries_, SaturatingSub, SaturatingNegate);
  return *this;
}

ResourceVector& ResourceVector::Mul(int64_t factor) {
  for (auto& [name, units] : entries_) units = SaturatingMul(units, factor);
  return *this;
}

ResourceVector& ResourceVector::Div(int64_t divisor) {
  for (auto& [name, units] : entries_) {
    if (divisor == 0) {
      KUEUE_CHECK_MSG(units == 0, "dividing " + name + " by zero");
    } else {
      units = divisor == -1 ? SaturatingNegate(units) : units / divisor;
    }
  }
  return *this;
}

ResourceVector& ResourceVector::Max(const ResourceVector& other) {
  Merge(
      *this, entries_, other.entries_, [](int64_t a, int64_t b) { return std::max(a, b); },
      [](int64_t b) { return b; });
  return *this;
}

int32_t ResourceVector::CountIn(const ResourceVector& capacity, std::string* limiting) const {
  if (limiting != nullptr) limiting->clear();
  int32_t lowest = 0;
  const std::string* decider = nullptr;
  for (const auto& [name, units] : entries_) {
    const int32_t count = CountOne(capacity.Get(name), units);
    const bool wins = decider == nullptr || count < lowest || (count == lowest && name < *decider);
    if (!wins) continue;
    lowest = count;
    decider = &name;
  }
  if (limiting != nullptr && decider != nullptr) *limiting = *decider;
  return lowest;
}

}  // namespace kueue::resources
