#pragma once

#include <memory>
#include <vector>

#include "api/types/batch.h"
#include "localcluster/workload_object.h"

namespace kueue::localcluster {

using Jobs = std::vector<std::shared_ptr<const api::Job>>;

// One look at a CronJob (batch/v1). `jobs` are all Jobs it controls, in key order. Makes the Job of
// the latest time that has come (only that one, of several that were missed), follows
// concurrencyPolicy, startingDeadlineSeconds and suspend, keeps as many ended Jobs as the history
// limits say, and tells active, lastScheduleTime and lastSuccessfulTime.
runtime::Intents PlanCronJob(const WorkloadObject& cron, const Jobs& jobs, base::Time now);

}  // namespace kueue::localcluster
