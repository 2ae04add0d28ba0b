#pragma once

#include "api/codec/descriptor.h"

// Tables of the kinds of kueue.x-k8s.io v1beta1, of which there are no structs: objects of this
// version are converted before anything reads them (schema/conversion.h). Only the interpreters of
// schema/kind.h may be used on them. Each is the table of v1beta2 with what differs there
// (spec/api.md §18).
namespace kueue::api::v1beta1 {

const StructDescriptor& AdmissionCheckTable();
const StructDescriptor& ClusterQueueTable();
const StructDescriptor& CohortTable();
const StructDescriptor& LocalQueueTable();
const StructDescriptor& MultiKueueClusterTable();
const StructDescriptor& MultiKueueConfigTable();
const StructDescriptor& ProvisioningRequestConfigTable();
const StructDescriptor& TopologyTable();
const StructDescriptor& WorkloadTable();
const StructDescriptor& WorkloadPriorityClassTable();

}  // namespace kueue::api::v1beta1
