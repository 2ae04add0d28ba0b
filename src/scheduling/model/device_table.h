#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/match/device_selector.h"
#include "api/types/core.h"
#include "base/result.h"
#include "scheduling/config.h"

// Devices that pods claim, counted as quota (spec/scheduling.md §1.9).
namespace kueue::scheduling {

// What the claims of one pod add to its requests.
struct DeviceCharge {
  std::map<std::string, int64_t> added;  // by quota resource, in units; none below 0
  // Extended resources that stand for devices and do not count under their own name.
  std::set<std::string> replaced;
  // Why they cannot be counted, for people; empty: they can. Another fact about devices may help.
  std::string problem;
};

// Device classes, published devices and templates of claims, and what they charge. Belongs to one
// thread.
class DeviceTable {
 public:
  // True if anything changed.
  bool SetClass(const std::shared_ptr<const api::DeviceClass>& object);
  bool DeleteClass(const std::string& name);
  bool SetSlice(const std::shared_ptr<const api::ResourceSlice>& object);
  bool DeleteSlice(const std::string& name);
  bool SetTemplate(const std::shared_ptr<const api::ResourceClaimTemplate>& object);
  bool DeleteTemplate(const std::string& namespace_name, const std::string& name);

  // Whether the pod's requests depend on devices at all: it has claims, or asks for an extended
  // resource that a class stands for.
  bool Concerns(const api::PodSpec& pod, const Config& config) const;
  // REQUIRES: Concerns(pod, config). `pod` with limits filled in.
  DeviceCharge ChargeOf(const std::string& namespace_name, const api::PodSpec& pod,
                        const Config& config) const;

 private:
  struct Published {
    std::shared_ptr<const api::ResourceSlice> slice;
    std::vector<api::SelectableDevice> devices;  // of the slice, in its order
  };
  // What of a request is looked for: devices that all of these match.
  using Selectors = std::vector<const api::DeviceSelector*>;
  struct Match {
    const Published* from;
    size_t device;
    const api::Device& get() const { return from->slice->devices[device]; }
  };

  const api::DeviceClass* ClassFor(const std::string& extended_resource) const;
  // Pointers are good until the next call from outside.
  base::Result<Selectors> Compile(const std::vector<std::string>& texts) const;
  base::Result<Selectors> SelectorsOfClass(const std::string& device_class) const;
  base::Status ChargeTemplate(const api::ResourceClaimTemplate& claim, const Config& config,
                              DeviceCharge& charge) const;
  base::Status ChargeCounts(const api::ResourceClaimTemplate& claim, const Config& config,
                            DeviceCharge& charge) const;
  // Whether there are as many devices as the requests with selectors ask for.
  base::Status CheckSelectors(const api::ResourceClaimTemplate& claim, const Config& config) const;
  base::Status ChargeSources(const api::DeviceRequest& request, const Config& config,
                             DeviceCharge& charge) const;
  base::Status ChargeExtended(const api::PodSpec& pod, const Config& config,
                              DeviceCharge& charge) const;
  // Devices of complete pools of the driver, of their newest generation, that the source, the
  // class and the request select.
  base::Result<std::vector<Match>> DevicesFor(const DeviceSource& source,
                                              const api::DeviceRequest& request) const;

  std::map<std::string, std::shared_ptr<const api::DeviceClass>> classes_;
  std::map<std::string, Published> slices_;
  std::map<std::string, std::shared_ptr<const api::ResourceClaimTemplate>> templates_;  // ns/name
  // By expression; emptied when it grows.
  mutable std::map<std::string, base::Result<api::DeviceSelector>> compiled_;
};

// The first mapping that names the class; null if there is none.
const DeviceMapping* FindMapping(const Config& config, const std::string& device_class);
// The quota resources that are sums of counters or capacities: shown in binary units (§1.2).
bool IsBinaryResource(const Config& config, const std::string& resource);
// An amount of the resource as the API shows it: resources::UnitsToQuantity, and those in binary
// units.
resources::Quantity ShownAmount(const Config& config, const std::string& resource, int64_t units);

}  // namespace kueue::scheduling
