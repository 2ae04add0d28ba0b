#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/strong_id.h"

// Names become dense numbers here, once, so that no decision compares strings.
namespace kueue::scheduling {

using FlavorId = base::StrongId<struct FlavorTag>;
using ResourceId = base::StrongId<struct ResourceTag>;
// One (flavor, resource) pair: what quota is counted in.
using CellId = base::StrongId<struct CellTag>;

// Numbers handed out to names in the order they came. Never forgets: the world has few flavors and
// resources, however many workloads come and go.
class NameTable {
 public:
  uint32_t Intern(std::string_view name);
  // REQUIRES: `number` was handed out.
  const std::string& Name(uint32_t number) const { return names_[number]; }
  size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // stable addresses: the keys below point into it
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

// All flavors, resources and cells ever named.
class Catalog {
 public:
  FlavorId Flavor(std::string_view name) { return {flavors_.Intern(name)}; }
  ResourceId Resource(std::string_view name);
  CellId Cell(FlavorId flavor, ResourceId resource);

  const std::string& Name(FlavorId id) const { return flavors_.Name(id.value); }
  const std::string& Name(ResourceId id) const { return resources_.Name(id.value); }
  FlavorId FlavorOf(CellId cell) const { return cells_[cell.index()].flavor; }
  ResourceId ResourceOf(CellId cell) const { return cells_[cell.index()].resource; }

  // The order in which request vectors are walked (spec/scheduling.md §1.3).
  bool VectorLess(ResourceId a, ResourceId b) const {
    const uint64_t x = hashes_[a.index()], y = hashes_[b.index()];
    return x != y ? x < y : Name(a) < Name(b);
  }
  size_t resource_count() const { return resources_.size(); }

 private:
  struct CellNames {
    FlavorId flavor;
    ResourceId resource;
  };
  NameTable flavors_, resources_;
  std::vector<uint64_t> hashes_;  // by resource
  std::vector<CellNames> cells_;
  std::unordered_map<uint64_t, uint32_t> cell_numbers_;
};

}  // namespace kueue::scheduling
