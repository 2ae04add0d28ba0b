#pragma once

#include <string>
#include <vector>

#include "api/types/core.h"
#include "api/types/devices.h"

// Devices from the objects as they are served (resource.k8s.io/v1). What cannot be read is left
// out.
namespace kueue::api {

ResourceSlice ReadResourceSlice(const Json& object);
DeviceClass ReadDeviceClass(const Json& object);
ResourceClaimTemplate ReadResourceClaimTemplate(const Json& object);

// What a pod's spec.resourceClaims name: a template, or a claim that exists.
struct PodClaim {
  std::string name, claim, claim_template;
};
std::vector<PodClaim> ClaimsOf(const PodSpec& pod);

}  // namespace kueue::api
