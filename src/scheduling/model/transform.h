#pragma once

#include "api/types/meta.h"
#include "resources/resource_vector.h"
#include "scheduling/config.h"

namespace kueue::scheduling {

// Requests of one pod as they are counted (spec/scheduling.md §1.7): without those of an excluded
// prefix, with the outputs of transformations, in decision units. Exact until it rounds up once, at
// the end; nothing is below zero.
resources::ResourceVector CountedRequests(const api::ResourceList& requests, const Config& config);

}  // namespace kueue::scheduling
