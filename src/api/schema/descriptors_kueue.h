#pragma once

#include "api/codec/codec.h"
#include "api/types/kueue_checks.h"
#include "api/types/kueue_visibility.h"

// Which further structs of Kueue have a table; see schema/descriptors.h.
namespace kueue::api {

// tables_kueue_checks.cc
template <> const StructDescriptor& DescriptorOf<ProvisioningRetryStrategy>();
template <> const StructDescriptor& DescriptorOf<ProvisioningNodeSelector>();
template <> const StructDescriptor& DescriptorOf<ProvisioningPodSetUpdates>();
template <> const StructDescriptor& DescriptorOf<ProvisioningRequestConfigSpec>();
template <> const StructDescriptor& DescriptorOf<ProvisioningRequestConfig>();
template <> const StructDescriptor& DescriptorOf<MultiKueueConfigSpec>();
template <> const StructDescriptor& DescriptorOf<MultiKueueConfig>();
template <> const StructDescriptor& DescriptorOf<KubeConfigSource>();
template <> const StructDescriptor& DescriptorOf<ClusterProfileReference>();
template <> const StructDescriptor& DescriptorOf<ClusterSource>();
template <> const StructDescriptor& DescriptorOf<MultiKueueClusterSpec>();
template <> const StructDescriptor& DescriptorOf<MultiKueueClusterStatus>();
template <> const StructDescriptor& DescriptorOf<MultiKueueCluster>();
template <> const StructDescriptor& DescriptorOf<PendingWorkload>();
template <> const StructDescriptor& DescriptorOf<PendingWorkloadsSummary>();
template <> const StructDescriptor& DescriptorOf<PendingWorkloadOptions>();

}  // namespace kueue::api
