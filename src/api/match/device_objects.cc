#include "api/match/device_objects.h"

#include "api/match/limit_range.h"

namespace kueue::api {
namespace {

const Json::Array& ListAt(const Json& object, std::initializer_list<std::string_view> path) {
  static const Json::Array none;
  const Json* list = object.FindPath(path);
  return list != nullptr && list->IsArray() ? list->AsArray() : none;
}

const Json::Object& MapAt(const Json& object, std::initializer_list<std::string_view> path) {
  static const Json::Object none;
  const Json* map = object.FindPath(path);
  return map != nullptr && map->IsObject() ? map->AsObject() : none;
}

int64_t NumberAt(const Json& object, std::initializer_list<std::string_view> path,
                 int64_t otherwise) {
  const Json* number = object.FindPath(path);
  return number != nullptr && number->IsInt() ? number->AsInt() : otherwise;
}

std::optional<Quantity> QuantityIn(const Json* json) {
  if (json == nullptr || !(json->IsString() || json->IsNumber())) return std::nullopt;
  const auto quantity = Quantity::Parse(json->IsString() ? json->AsString() : json->NumberText());
  return quantity.ok() ? std::optional(*quantity) : std::nullopt;
}

std::optional<std::string> TextIn(const Json* json) {
  return json != nullptr && json->IsString() ? std::optional(json->AsString()) : std::nullopt;
}

std::vector<std::string> SelectorsOf(const Json& object,
                                     std::initializer_list<std::string_view> path) {
  std::vector<std::string> texts;
  for (const Json& selector : ListAt(object, path)) {
    if (const Json* text = selector.FindPath({"cel", "expression"}); text && text->IsString()) {
      texts.push_back(text->AsString());
    }
  }
  return texts;
}

DeviceAttribute ReadAttribute(const Json& json) {
  DeviceAttribute attribute;
  if (const Json* number = json.Find("int"); number && number->IsInt()) {
    attribute.number = number->AsInt();
  }
  if (const Json* flag = json.Find("bool"); flag && flag->IsBool()) attribute.flag = flag->AsBool();
  attribute.text = TextIn(json.Find("string"));
  attribute.version = TextIn(json.Find("version"));
  return attribute;
}

DeviceCapacity ReadCapacity(const Json& json) {
  DeviceCapacity capacity{QuantityIn(json.Find("value")).value_or(Quantity()), {}};
  const Json* policy = json.Find("requestPolicy");
  if (policy == nullptr || !policy->IsObject()) return capacity;
  CapacityPolicy& to = capacity.policy.emplace();
  to.default_value = QuantityIn(policy->Find("default"));
  for (const Json& value : ListAt(*policy, {"validValues"})) {
    if (const auto quantity = QuantityIn(&value)) to.valid_values.push_back(*quantity);
  }
  const Json* range = policy->Find("validRange");
  if (range != nullptr && range->IsObject()) {
    to.valid_range =
        CapacityPolicy::Range{QuantityIn(range->Find("min")), QuantityIn(range->Find("max")),
                              QuantityIn(range->Find("step"))};
  }
  return capacity;
}

Device ReadDevice(const Json& json) {
  Device device;
  device.name = json.StringAt({"name"});
  for (const Json::Member& entry : MapAt(json, {"attributes"})) {
    device.attributes.emplace(entry.key, ReadAttribute(entry.value));
  }
  for (const Json::Member& entry : MapAt(json, {"capacity"})) {
    device.capacity.emplace(entry.key, ReadCapacity(entry.value));
  }
  for (const Json& consumption : ListAt(json, {"consumesCounters"})) {
    auto& counters = device.counters.emplace_back();
    for (const Json::Member& entry : MapAt(consumption, {"counters"})) {
      if (const auto value = QuantityIn(entry.value.Find("value"))) {
        counters.emplace(entry.key, *value);
      }
    }
  }
  return device;
}

DeviceRequest ReadRequest(const Json& json) {
  DeviceRequest request;
  const Json* alternatives = json.Find("firstAvailable");
  request.first_available = alternatives != nullptr && alternatives->IsArray();
  const Json* exactly = json.Find("exactly");
  if (exactly == nullptr || !exactly->IsObject()) return request;
  request.exactly = true;
  request.device_class = exactly->StringAt({"deviceClassName"});
  request.allocation_mode = exactly->StringAt({"allocationMode"}, "ExactCount");
  request.count = NumberAt(*exactly, {"count"}, 1);
  const Json* admin = exactly->Find("adminAccess");
  request.admin_access = admin != nullptr && admin->IsBool() && admin->AsBool();
  request.selectors = SelectorsOf(*exactly, {"selectors"});
  request.capacity_requests = ReadResourceList(exactly->FindPath({"capacity", "requests"}));
  return request;
}

}  // namespace

ResourceSlice ReadResourceSlice(const Json& object) {
  ResourceSlice slice;
  slice.name = object.StringAt({"metadata", "name"});
  slice.driver = object.StringAt({"spec", "driver"});
  slice.pool = object.StringAt({"spec", "pool", "name"});
  slice.generation = NumberAt(object, {"spec", "pool", "generation"}, 0);
  slice.slices_in_pool = NumberAt(object, {"spec", "pool", "resourceSliceCount"}, 0);
  for (const Json& device : ListAt(object, {"spec", "devices"})) {
    slice.devices.push_back(ReadDevice(device));
  }
  return slice;
}

DeviceClass ReadDeviceClass(const Json& object) {
  DeviceClass device_class;
  device_class.name = object.StringAt({"metadata", "name"});
  const auto created = base::ParseTime(object.StringAt({"metadata", "creationTimestamp"}));
  if (created.ok()) device_class.created = *created;
  device_class.selectors = SelectorsOf(object, {"spec", "selectors"});
  device_class.extended_resource_name = object.StringAt({"spec", "extendedResourceName"});
  return device_class;
}

ResourceClaimTemplate ReadResourceClaimTemplate(const Json& object) {
  ResourceClaimTemplate claim{
      object.StringAt({"metadata", "namespace"}), object.StringAt({"metadata", "name"}), {}};
  for (const Json& request : ListAt(object, {"spec", "spec", "devices", "requests"})) {
    claim.requests.push_back(ReadRequest(request));
  }
  return claim;
}

std::vector<PodClaim> ClaimsOf(const PodSpec& pod) {
  std::vector<PodClaim> claims;
  const Json* members = pod.extra.get();
  if (members == nullptr) return claims;
  for (const Json& claim : ListAt(*members, {"resourceClaims"})) {
    claims.push_back({claim.StringAt({"name"}), claim.StringAt({"resourceClaimName"}),
                      claim.StringAt({"resourceClaimTemplateName"})});
  }
  return claims;
}

}  // namespace kueue::api
