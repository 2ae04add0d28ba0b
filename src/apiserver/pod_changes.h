#pragma once

#include <string>
#include <vector>

#include "api/schema/kind.h"

// What the subresources of a pod may change that an update may not: its ephemeral containers and
// the resources of its containers.
namespace kueue::apiserver {

// "ephemeralcontainers" or "resize" of a pod.
bool IsPodChange(const api::KindInfo& kind, const std::string& subresource);
// Makes `desired` the pod as it was, but for the part that the subresource stands for. Its
// resourceVersion stays the one asked for. REQUIRES: IsPodChange.
void KeepButPodChange(const std::string& subresource, const api::Json& current, api::Json& desired);
std::vector<api::FieldError> PodChangeErrors(const std::string& subresource,
                                             const api::Json& before, const api::Json& after);

}  // namespace kueue::apiserver
