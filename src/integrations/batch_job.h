#pragma once

#include "integrations/job.h"

namespace kueue::integrations {

// batch/v1 Job (spec/jobs.md §11).
const Integration& BatchJobIntegration();

}  // namespace kueue::integrations
