#pragma once

#include <string>

#include "api/types/json.h"

// Lists of groups, versions and resources in the binary form of Kubernetes
// (application/vnd.kubernetes.protobuf).
namespace kueue::apiserver {

// `list`: an APIVersions, APIGroupList, APIGroup or APIResourceList.
std::string DiscoveryProtobuf(const api::Json& list);

}  // namespace kueue::apiserver
