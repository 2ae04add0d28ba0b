#include "scheduling/model/catalog.h"

#include "resources/resource_vector.h"

namespace kueue::scheduling {

uint32_t NameTable::Intern(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto number = static_cast<uint32_t>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(names_.back(), number);
  return number;
}

ResourceId Catalog::Resource(std::string_view name) {
  const uint32_t number = resources_.Intern(name);
  if (number == hashes_.size()) hashes_.push_back(resources::Fnv1a64(name));
  return {number};
}

CellId Catalog::Cell(FlavorId flavor, ResourceId resource) {
  const uint64_t key = (uint64_t{flavor.value} << 32) | resource.value;
  const auto [entry, added] = cell_numbers_.emplace(key, static_cast<uint32_t>(cells_.size()));
  if (added) cells_.push_back({flavor, resource});
  return {entry->second};
}

}  // namespace kueue::scheduling
