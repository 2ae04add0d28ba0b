#pragma once

#include "api/types/meta.h"

// Kinds of group autoscaling.x-k8s.io/v1: how capacity is asked for before it is used.
namespace kueue::api {

struct PodTemplateReference {
  std::string name;
  Extra extra;
  friend bool operator==(const PodTemplateReference&, const PodTemplateReference&) = default;
};

struct ProvisioningRequestPodSet {
  PodTemplateReference pod_template_ref;
  int32_t count = 0;
  Extra extra;
  friend bool operator==(const ProvisioningRequestPodSet&,
                         const ProvisioningRequestPodSet&) = default;
};

struct ProvisioningRequestSpec {
  std::vector<ProvisioningRequestPodSet> pod_sets;
  std::string provisioning_class_name;
  StringMap parameters;
  Extra extra;
  friend bool operator==(const ProvisioningRequestSpec&, const ProvisioningRequestSpec&) = default;
};

struct ProvisioningRequestStatus {
  // Accepted, Provisioned, Failed, BookingExpired, CapacityRevoked
  std::vector<Condition> conditions;
  StringMap provisioning_class_details;
  Extra extra;
  friend bool operator==(const ProvisioningRequestStatus&,
                         const ProvisioningRequestStatus&) = default;
};

struct ProvisioningRequest {
  ObjectMeta metadata;
  ProvisioningRequestSpec spec;
  ProvisioningRequestStatus status;
  Extra extra;
  friend bool operator==(const ProvisioningRequest&, const ProvisioningRequest&) = default;
};

}  // namespace kueue::api
