#include "scheduling/model/device_table.h"

#include <algorithm>

#include "api/match/device_objects.h"
#include "resources/resource_vector.h"

namespace kueue::scheduling {
using resources::Quantity;

namespace {

// Compiled expressions that are kept.
constexpr size_t kMostCompiled = 256;

template <class T>
bool Replace(std::map<std::string, std::shared_ptr<const T>>& table, const std::string& key,
             const std::shared_ptr<const T>& object) {
  auto& known = table[key];
  const bool changed = known == nullptr || !(*known == *object);
  known = object;
  return changed;
}

// spec/scheduling.md §1.9.
bool IsExtendedResource(const std::string& name) {
  return name.find('/') != std::string::npos && !name.starts_with("kubernetes.io/") &&
         !name.starts_with("hugepages-");
}

}  // namespace

const DeviceMapping* FindMapping(const Config& config, const std::string& device_class) {
  for (const DeviceMapping& mapping : config.device_mappings) {
    const auto& classes = mapping.device_classes;
    if (std::find(classes.begin(), classes.end(), device_class) != classes.end()) return &mapping;
  }
  return nullptr;
}

bool IsBinaryResource(const Config& config, const std::string& resource) {
  return std::any_of(config.device_mappings.begin(), config.device_mappings.end(),
                     [&](const DeviceMapping& mapping) {
                       return mapping.resource == resource && !mapping.sources.empty();
                     });
}

resources::Quantity ShownAmount(const Config& config, const std::string& resource, int64_t units) {
  // Without a binary suffix it reads back as a decimal one.
  const bool binary = units != 0 && units % 1024 == 0 && IsBinaryResource(config, resource);
  return binary ? Quantity::FromUnits(units, Quantity::Format::kBinarySI)
                : resources::UnitsToQuantity(resource, units);
}

// ---- facts

bool DeviceTable::SetClass(const std::shared_ptr<const api::DeviceClass>& object) {
  return Replace(classes_, object->name, object);
}
bool DeviceTable::DeleteClass(const std::string& name) { return classes_.erase(name) != 0; }

bool DeviceTable::SetSlice(const std::shared_ptr<const api::ResourceSlice>& object) {
  Published& known = slices_[object->name];
  if (known.slice != nullptr && *known.slice == *object) return false;
  known.slice = object;
  known.devices.clear();
  for (const api::Device& device : object->devices) {
    known.devices.emplace_back(object->driver, device);
  }
  return true;
}
bool DeviceTable::DeleteSlice(const std::string& name) { return slices_.erase(name) != 0; }

bool DeviceTable::SetTemplate(const std::shared_ptr<const api::ResourceClaimTemplate>& object) {
  return Replace(templates_, object->namespace_name + "/" + object->name, object);
}
bool DeviceTable::DeleteTemplate(const std::string& namespace_name, const std::string& name) {
  return templates_.erase(namespace_name + "/" + name) != 0;
}

// ---- what concerns whom

// The class that Kubernetes takes devices from: the newest, of equally old ones the first name.
const api::DeviceClass* DeviceTable::ClassFor(const std::string& extended_resource) const {
  const api::DeviceClass* best = nullptr;
  for (const auto& [name, candidate] : classes_) {
    if (candidate->extended_resource_name != extended_resource) continue;
    if (best == nullptr || candidate->created > best->created) best = candidate.get();
  }
  return best;
}

bool DeviceTable::Concerns(const api::PodSpec& pod, const Config& config) const {
  const Gates& gates = config.gates;
  const auto claims = api::ClaimsOf(pod);
  const bool has_claims = std::any_of(claims.begin(), claims.end(), [](const api::PodClaim& claim) {
    return !claim.claim.empty() || !claim.claim_template.empty();
  });
  if (!gates.dra_integration) return gates.dra_reject_when_disabled && has_claims;
  if (has_claims) return true;
  if (!gates.dra_extended_resource || classes_.empty()) return false;
  for (const auto* list : {&pod.init_containers, &pod.containers}) {
    for (const api::Container& container : *list) {
      for (const auto& [name, quantity] : container.resources.requests) {
        if (!quantity.IsZero() && IsExtendedResource(name) && ClassFor(name) != nullptr) {
          return true;
        }
      }
    }
  }
  return false;
}

// ---- selectors

base::Result<DeviceTable::Selectors> DeviceTable::Compile(
    const std::vector<std::string>& texts) const {
  Selectors selectors;
  for (const std::string& text : texts) {
    auto known = compiled_.find(text);
    if (known == compiled_.end()) {
      known = compiled_.emplace(text, api::DeviceSelector::Compile(text)).first;
    }
    if (!known->second.ok()) {
      return base::Invalid("the selector \"" + text +
                           "\" is no condition: " + known->second.error().message);
    }
    selectors.push_back(&*known->second);
  }
  return selectors;
}

base::Result<DeviceTable::Selectors> DeviceTable::SelectorsOfClass(
    const std::string& device_class) const {
  if (device_class.empty()) return Selectors();
  const auto found = classes_.find(device_class);
  if (found == classes_.end()) {
    return base::Invalid("DeviceClass " + device_class + " does not exist");
  }
  return Compile(found->second->selectors);
}

namespace {

base::Result<bool> MatchAll(const std::vector<const api::DeviceSelector*>& selectors,
                            const api::SelectableDevice& device) {
  for (const api::DeviceSelector* selector : selectors) {
    const auto matches = selector->Matches(device);
    if (!matches.ok() || !*matches) return matches;
  }
  return true;
}

// Sources that the gates let count.
std::vector<std::pair<std::string, const DeviceSource*>> SourcesOf(
    const Config& config, const std::string& device_class) {
  std::vector<std::pair<std::string, const DeviceSource*>> sources;
  const DeviceMapping* const first = FindMapping(config, device_class);
  for (const DeviceMapping& mapping : config.device_mappings) {
    const auto& classes = mapping.device_classes;
    if (std::find(classes.begin(), classes.end(), device_class) == classes.end()) continue;
    for (const DeviceSource& source : mapping.sources) {
      const bool counts = source.counter ? config.gates.dra_partitionable_devices
                                         : config.gates.dra_consumable_capacity;
      // Counters are of their own mapping; capacities of the class's first.
      if (counts) sources.emplace_back((source.counter ? mapping : *first).resource, &source);
    }
  }
  return sources;
}

}  // namespace

base::Status DeviceTable::CheckSelectors(const api::ResourceClaimTemplate& claim,
                                         const Config& config) const {
  // With sources for all of them, only devices of those drivers are looked at.
  std::set<std::string> drivers;
  bool all_drivers = false;
  for (const api::DeviceRequest& request : claim.requests) {
    if (!request.exactly || request.selectors.empty()) continue;
    const auto sources = SourcesOf(config, request.device_class);
    all_drivers |= sources.empty();
    for (const auto& [resource, source] : sources) drivers.insert(source->driver);
  }
  std::set<const api::Device*> taken;  // by an earlier request of the claim
  for (const api::DeviceRequest& request : claim.requests) {
    if (!request.exactly || request.selectors.empty()) continue;
    auto selectors = SelectorsOfClass(request.device_class);
    if (!selectors.ok()) return selectors.error();
    const auto own = Compile(request.selectors);
    if (!own.ok()) return own.error();
    selectors->insert(selectors->end(), own->begin(), own->end());
    int64_t count = 0;
    for (const auto& [name, published] : slices_) {
      if (!all_drivers && !drivers.contains(published.slice->driver)) continue;
      for (size_t i = 0; i < published.devices.size() && count < request.count; ++i) {
        const api::Device* const device = &published.slice->devices[i];
        if (taken.contains(device)) continue;
        const auto matches = MatchAll(*selectors, published.devices[i]);
        if (!matches.ok()) {
          return base::Invalid("a selector fails on device " + device->name + ": " +
                               matches.error().message);
        }
        if (!*matches) continue;
        taken.insert(device);
        ++count;
      }
    }
    if (count < request.count) {
      return base::Invalid("its selectors match " + std::to_string(count) +
                           " devices of DeviceClass " + request.device_class + ", and it wants " +
                           std::to_string(request.count));
    }
  }
  return {};
}

base::Result<std::vector<DeviceTable::Match>> DeviceTable::DevicesFor(
    const DeviceSource& source, const api::DeviceRequest& request) const {
  auto selectors = Compile(source.selector.empty() ? std::vector<std::string>()
                                                   : std::vector<std::string>{source.selector});
  if (!selectors.ok()) return selectors.error();
  const auto of_class = SelectorsOfClass(request.device_class);
  if (!of_class.ok()) return of_class.error();
  const auto own = Compile(request.selectors);
  if (!own.ok()) return own.error();
  selectors->insert(selectors->end(), of_class->begin(), of_class->end());
  selectors->insert(selectors->end(), own->begin(), own->end());

  std::map<std::string, std::vector<const Published*>> pools;  // of their newest generation
  for (const auto& [name, published] : slices_) {
    if (published.slice->driver != source.driver) continue;
    auto& pool = pools[published.slice->pool];
    if (!pool.empty() && published.slice->generation > pool[0]->slice->generation) pool.clear();
    if (pool.empty() || published.slice->generation == pool[0]->slice->generation) {
      pool.push_back(&published);
    }
  }
  std::vector<Match> found;
  for (const auto& [name, pool] : pools) {
    if (static_cast<int64_t>(pool.size()) != pool[0]->slice->slices_in_pool) continue;
    for (const Published* published : pool) {
      for (size_t i = 0; i < published->devices.size(); ++i) {
        const auto matches = MatchAll(*selectors, published->devices[i]);
        if (!matches.ok()) {
          return base::Invalid("a selector fails on device " + published->slice->devices[i].name +
                               ": " + matches.error().message);
        }
        if (*matches) found.push_back({published, i});
      }
    }
  }
  return found;
}

// ---- charges

namespace {

void Charge(DeviceCharge& charge, const std::string& resource, const Quantity& amount) {
  int64_t& sum = charge.added[resource];
  const int64_t units = resources::RequestUnits(resource, amount);
  sum = resources::SaturatingAdd(sum, std::max<int64_t>(0, units));
}

std::optional<Quantity> LargestCounter(const api::Device& device, const std::string& name) {
  std::optional<Quantity> largest;
  for (const auto& counters : device.counters) {
    const auto found = counters.find(name);
    if (found != counters.end() && (!largest || *largest < found->second)) largest = found->second;
  }
  return largest;
}

// What a request of `wanted` gets of a capacity with this policy; nothing if that is not possible.
std::optional<Quantity> Rounded(const Quantity& wanted, const api::CapacityPolicy& policy) {
  if (!policy.valid_values.empty()) {
    for (const Quantity& value : policy.valid_values) {
      if (value >= wanted) return value;
    }
    return std::nullopt;
  }
  if (!policy.valid_range) return wanted;
  const auto& range = *policy.valid_range;
  int64_t value = wanted.Units();
  if (range.min) value = std::max(value, range.min->Units());
  if (range.min && range.step && range.step->Units() > 0) {
    const int64_t min = range.min->Units(), step = range.step->Units();
    const int64_t above = resources::SaturatingSub(value, min);
    const int64_t steps = above / step + (above % step != 0);
    if (above % step != 0) {
      value = resources::SaturatingAdd(min, resources::SaturatingMul(steps, step));
    }
  }
  if (range.max && value > range.max->Units()) return std::nullopt;
  return Quantity::FromUnits(value, wanted.format());
}

Quantity Times(const Quantity& quantity, int64_t count) {
  const int64_t units = std::max<int64_t>(0, quantity.Units());
  return Quantity::FromUnits(count > 1 ? resources::SaturatingMul(units, count) : units);
}

}  // namespace

base::Status DeviceTable::ChargeSources(const api::DeviceRequest& request, const Config& config,
                                        DeviceCharge& charge) const {
  for (const auto& [resource, source] : SourcesOf(config, request.device_class)) {
    const auto devices = DevicesFor(*source, request);
    if (!devices.ok()) return devices.error();
    if (static_cast<int64_t>(devices->size()) < request.count) {
      return base::Invalid("driver " + source->driver + " has " + std::to_string(devices->size()) +
                           " matching devices, and it wants " + std::to_string(request.count));
    }
    std::optional<Quantity> largest;
    bool known = false;
    for (const Match& match : *devices) {
      std::optional<Quantity> amount;
      const api::Device& device = match.get();
      if (source->counter) {
        amount = LargestCounter(device, source->name);
        known |= amount.has_value();
      } else if (const auto capacity = device.capacity.find(source->name);
                 capacity != device.capacity.end()) {
        known = true;
        const auto& policy = capacity->second.policy;
        const auto asked = request.capacity_requests.find(source->name);
        amount = asked != request.capacity_requests.end() ? asked->second
                 : policy && policy->default_value        ? *policy->default_value
                                                          : capacity->second.value;
        if (policy) amount = Rounded(*amount, *policy);
      }
      if (amount && (!largest || *largest < *amount)) largest = amount;
    }
    const std::string what = std::string(source->counter ? "counter " : "capacity ") + source->name;
    if (!known) return base::Invalid("no matching device of " + source->driver + " has " + what);
    if (!largest) return base::Invalid("no matching device allows so much of " + what);
    Charge(charge, resource, Times(*largest, request.count));
  }
  return {};
}

// One for each device, for classes without sources.
base::Status DeviceTable::ChargeCounts(const api::ResourceClaimTemplate& claim,
                                       const Config& config, DeviceCharge& charge) const {
  for (const api::DeviceRequest& request : claim.requests) {
    if (request.admin_access || request.device_class.empty()) continue;
    const DeviceMapping* const mapping = FindMapping(config, request.device_class);
    if (mapping == nullptr) {
      return base::Invalid("DeviceClass " + request.device_class +
                           " is in no deviceClassMappings of the configuration");
    }
    if (SourcesOf(config, request.device_class).empty()) {
      Charge(charge, mapping->resource, Quantity::FromUnits(request.count));
      continue;
    }
    const base::Status charged = ChargeSources(request, config, charge);
    if (!charged.ok()) return charged;
  }
  return {};
}

base::Status DeviceTable::ChargeTemplate(const api::ResourceClaimTemplate& claim,
                                         const Config& config, DeviceCharge& charge) const {
  for (const api::DeviceRequest& request : claim.requests) {
    if (request.first_available) return base::Invalid("firstAvailable is not supported");
    if (!request.exactly) return base::Invalid("a request has no `exactly`");
    const auto compiled = Compile(request.selectors);
    if (!compiled.ok()) return compiled.error();
    if (request.admin_access || request.allocation_mode == "ExactCount") continue;
    return base::Invalid("allocationMode " + request.allocation_mode +
                         " is not supported; use ExactCount");
  }
  const base::Status selectable = CheckSelectors(claim, config);
  if (!selectable.ok()) return selectable;
  return ChargeCounts(claim, config, charge);
}

base::Status DeviceTable::ChargeExtended(const api::PodSpec& pod, const Config& config,
                                         DeviceCharge& charge) const {
  api::ResourceList starting, running;
  std::set<std::string> broken;  // some container asks for a fraction
  const auto each = [&](const std::vector<api::Container>& containers, bool together) {
    for (const api::Container& container : containers) {
      for (const auto& [name, quantity] : container.resources.requests) {
        if (quantity.Sign() <= 0 || !IsExtendedResource(name)) continue;
        if (quantity.nano() % 1'000'000'000 != 0) broken.insert(name);
        Quantity& sum = together ? running[name] : starting[name];
        sum = together ? sum + quantity : std::max(sum, quantity);
      }
    }
  };
  each(pod.init_containers, false);
  each(pod.containers, true);
  for (const auto& [name, quantity] : starting) {
    Quantity& larger = running[name];
    larger = std::max(larger, quantity);
  }
  for (const auto& [name, quantity] : running) {
    const api::DeviceClass* const stands = ClassFor(name);
    if (stands == nullptr) continue;
    const DeviceMapping* const mapping = FindMapping(config, stands->name);
    if (mapping != nullptr && !SourcesOf(config, stands->name).empty()) {
      return base::Invalid("extended resource " + name + " stands for DeviceClass " + stands->name +
                           ", which counts by sources; use a "
                           "ResourceClaimTemplate");
    }
    if (broken.contains(name)) {
      return base::Invalid("extended resource " + name + " must be asked for in whole numbers");
    }
    if (quantity > Quantity::FromUnits(INT64_MAX)) {
      return base::Invalid("extended resource " + name + " adds up to more than can be counted");
    }
    charge.replaced.insert(name);
    Charge(charge, mapping == nullptr ? name : mapping->resource, quantity);
  }
  return {};
}

DeviceCharge DeviceTable::ChargeOf(const std::string& namespace_name, const api::PodSpec& pod,
                                   const Config& config) const {
  if (compiled_.size() > kMostCompiled) compiled_.clear();
  DeviceCharge charge;
  if (!config.gates.dra_integration) {
    charge.problem = "claims of devices are not supported: feature gate KueueDRAIntegration is off";
    return charge;
  }
  const auto claims = api::ClaimsOf(pod);
  for (const api::PodClaim& claim : claims) {
    if (claim.claim.empty()) continue;
    charge.problem = "claim " + claim.name + " names ResourceClaim " + claim.claim +
                     "; only templates of claims are supported";
    return charge;
  }
  for (const api::PodClaim& claim : claims) {
    if (claim.claim_template.empty()) continue;
    const auto found = templates_.find(namespace_name + "/" + claim.claim_template);
    const base::Status charged = found == templates_.end()
                                     ? base::Invalid("it does not exist")
                                     : ChargeTemplate(*found->second, config, charge);
    if (charged.ok()) continue;
    charge.problem =
        "ResourceClaimTemplate " + claim.claim_template + ": " + charged.error().message;
    return charge;
  }
  if (!config.gates.dra_extended_resource) return charge;
  const base::Status charged = ChargeExtended(pod, config, charge);
  if (!charged.ok()) charge.problem = charged.error().message;
  return charge;
}

}  // namespace kueue::scheduling
