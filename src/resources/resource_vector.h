#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resources/amount.h"
#include "resources/quantity.h"

namespace kueue::resources {

// Quantities as decision units (spec/scheduling.md §1.2): cpu in milli, everything else in whole
// units; positive fractions round up.
int64_t RequestUnits(std::string_view resource, const Quantity& quantity);
Amount QuotaUnits(std::string_view resource, const Quantity& quantity);
// Back to a quantity in the form the API shows for this resource.
Quantity UnitsToQuantity(std::string_view resource, int64_t units);

// The order in which request vectors are walked: ascending FNV-1a hash of the name, then the name
// (spec/scheduling.md §1.3). Visible in results: it picks which resource drives a resource group.
struct VectorOrder {
  bool operator()(std::string_view a, std::string_view b) const;
};
uint64_t Fnv1a64(std::string_view text);

// Requests of a pod or pod set: resource name -> units, in VectorOrder. A missing name reads 0;
// a zero that was written stays as an explicit entry. Arithmetic saturates element by element.
class ResourceVector {
 public:
  using Entry = std::pair<std::string, int64_t>;
  using value_type = Entry;
  using const_iterator = std::vector<Entry>::const_iterator;

  int64_t Get(std::string_view resource) const;
  bool Has(std::string_view resource) const;
  void Set(std::string_view resource, int64_t units);
  void Erase(std::string_view resource);

  ResourceVector& Add(const ResourceVector& other);
  ResourceVector& Sub(const ResourceVector& other);
  ResourceVector& Mul(int64_t factor);
  // Integer division truncating toward zero; REQUIRES divisor != 0 unless all entries are 0.
  ResourceVector& Div(int64_t divisor);
  // Per resource the larger value.
  ResourceVector& Max(const ResourceVector& other);

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }
  friend bool operator==(const ResourceVector&, const ResourceVector&) = default;

  // How many pods with these requests fit into `capacity`: per resource
  // max(0, min(capacity/request, 2^31-1)), request 0 counts as 2^31-1; the minimum wins, an empty
  // vector gives 0. `limiting` (may be null) receives the resource that decided, the
  // alphabetically smallest of equals (spec/scheduling.md §1.3).
  int32_t CountIn(const ResourceVector& capacity, std::string* limiting = nullptr) const;

 private:
  std::vector<Entry> entries_;  // sorted by VectorOrder
};

// One (flavor, resource) pair: the cell that quota is counted in. Ordered by flavor, then resource.
struct FlavorResource {
  std::string flavor;
  std::string resource;
  friend auto operator<=>(const FlavorResource&, const FlavorResource&) = default;
};

}  // namespace kueue::resources
