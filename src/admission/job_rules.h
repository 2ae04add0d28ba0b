#pragma once

#include <vector>

#include "admission/review.h"
#include "integrations/job.h"

// The rules that all kinds of jobs share (spec/jobs.md §4).
namespace kueue::admission {

// Queue name and suspension (spec/jobs.md §4.1).
void DefaultJob(const integrations::Integration& integration, const Lookup& lookup,
                const Policy& policy, api::Json& object);
// spec/jobs.md §4.2 and §4.3, then the integration's own rules.
std::vector<api::FieldError> ValidateJob(const integrations::Integration& integration,
                                         const Review& review, const Lookup& lookup,
                                         const Policy& policy, const api::Json& object);

}  // namespace kueue::admission
