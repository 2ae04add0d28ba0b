#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/types/meta.h"

// Devices that pods claim (group resource.k8s.io, version v1): what accounting looks at
// (spec/scheduling.md §1.9).
namespace kueue::api {

// One of the four.
struct DeviceAttribute {
  std::optional<int64_t> number;
  std::optional<bool> flag;
  std::optional<std::string> text, version;
  friend bool operator==(const DeviceAttribute&, const DeviceAttribute&) = default;
};
// How much of a capacity may be asked for.
struct CapacityPolicy {
  std::optional<Quantity> default_value;
  std::vector<Quantity> valid_values;  // ascending; when there are any, the range does not count
  struct Range {
    std::optional<Quantity> min, max, step;
    friend bool operator==(const Range&, const Range&) = default;
  };
  std::optional<Range> valid_range;
  friend bool operator==(const CapacityPolicy&, const CapacityPolicy&) = default;
};
struct DeviceCapacity {
  Quantity value;
  std::optional<CapacityPolicy> policy;
  friend bool operator==(const DeviceCapacity&, const DeviceCapacity&) = default;
};
// Names of attributes and capacities may have a domain ("dra.example.com/memory"); without one
// they are of the driver's.
struct Device {
  std::string name;
  std::map<std::string, DeviceAttribute> attributes;
  std::map<std::string, DeviceCapacity> capacity;
  std::vector<std::map<std::string, Quantity>> counters;  // what it consumes, by counter set
  friend bool operator==(const Device&, const Device&) = default;
};
struct ResourceSlice {
  std::string name, driver, pool;
  int64_t generation = 0;      // of the pool
  int64_t slices_in_pool = 0;  // a pool with fewer is incomplete
  std::vector<Device> devices;
  friend bool operator==(const ResourceSlice&, const ResourceSlice&) = default;
};
struct DeviceClass {
  std::string name;
  std::optional<Time> created;
  std::vector<std::string> selectors;  // CEL
  std::string extended_resource_name;
  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};
struct DeviceRequest {
  bool exactly = false, first_available = false;  // which of the two forms it has
  // ---- exactly
  std::string device_class, allocation_mode;
  int64_t count = 1;
  bool admin_access = false;
  std::vector<std::string> selectors;  // CEL
  std::map<std::string, Quantity> capacity_requests;
  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};
struct ResourceClaimTemplate {
  std::string namespace_name, name;
  std::vector<DeviceRequest> requests;
  friend bool operator==(const ResourceClaimTemplate&, const ResourceClaimTemplate&) = default;
};

}  // namespace kueue::api
