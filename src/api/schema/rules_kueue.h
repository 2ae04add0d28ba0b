#pragma once

#include "api/codec/descriptor.h"
#include "api/schema/table_builder.h"

// The longer CEL rules of the definitions of kueue.x-k8s.io (spec/api.md §2.3, §8.4, §18). Short
// ones stand in the tables.
namespace kueue::api {

// TOL-C1..C5, on a list of tolerations.
void AddTolerationRules(const FieldSetter& tolerations);
// WL-C12 and WL-C13, on a WorkloadStatus of any version.
void AddClusterNameRules(TableBuilder& status);
// WL-C1..C7, on a whole Workload of v1beta2.
void AddWorkloadRules(TableBuilder& workload);
// Their counterparts of v1beta1.
std::vector<CelRule> WorkloadRulesV1beta1();

}  // namespace kueue::api
