#pragma once

#include <vector>

#include "api/types/json.h"

// The roles and bindings every cluster starts with, and those of job queueing.
namespace kueue::apiserver {

// ClusterRole objects. The rules of aggregating roles are empty: see RoleAggregator.
std::vector<api::Json> DefaultClusterRoles();
// ClusterRoleBinding objects.
std::vector<api::Json> DefaultClusterRoleBindings();

}  // namespace kueue::apiserver
