#pragma once

#include "api/schema/kind.h"

// The parts of ApplyDefaults and PrepareForCreate that belong to single built-in kinds. Values are
// those the Kubernetes API reference documents.
namespace kueue::api {

void DefaultBuiltIn(const KindInfo& kind, Json& object);
void PrepareBuiltIn(const KindInfo& kind, Json& object);
// Guaranteed, Burstable or BestEffort, from cpu and memory of all containers.
std::string QosClassOf(const Json& pod_spec);

}  // namespace kueue::api
