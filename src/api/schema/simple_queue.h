#pragma once

#include "api/schema/kind.h"
#include "api/types/dialect.h"

// The one kind that only the simple dialect has.
namespace kueue::api {

template <> const StructDescriptor& DescriptorOf<SimpleQueueSpec>();
template <> const StructDescriptor& DescriptorOf<SimpleQueueStatus>();
template <> const StructDescriptor& DescriptorOf<SimpleQueue>();
// Queue, stored in v1beta1, its only version. LocalQueue has the short names queue and queues:
// its resource is called simplequeues.
template <> const KindInfo& KindOf<SimpleQueue>();

}  // namespace kueue::api
