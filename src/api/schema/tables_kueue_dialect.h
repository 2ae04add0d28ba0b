#pragma once

#include "api/schema/kind.h"
#include "api/schema/table_edit.h"

// What the simple dialect adds to kinds of the reference.
namespace kueue::api {

// status.state of a Workload. In the struct it travels in WorkloadStatus::extra.
void AddState(TableEditor& status);
// The table of a Workload of v1beta2 as it is served: with status.state.
const StructDescriptor& ServedWorkloadTable();
// status.state says in one word what the conditions say, whatever a client wrote there. Nothing
// happens to other kinds, and to a status without conditions and state.
void FollowState(const KindInfo& kind, Json& object);

}  // namespace kueue::api
