#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/types/kueue_features.h"
#include "api/types/meta.h"
#include "controllers/workload_status.h"

namespace kueue::controllers {

// What happens to admitted work whose pods do not become ready (spec/controllers.md §5).
struct WaitForPodsReady {
  base::Duration timeout = base::minutes(30);
  // After pods were ready once. Absent or 0: no limit.
  std::optional<base::Duration> recovery_timeout;
  // So many requeues, then the workload is deactivated. Absent: no limit.
  std::optional<int32_t> backoff_limit;
  base::Duration first_backoff = base::seconds(60), longest_backoff = base::hours(1);
};

// Choices of the configuration that controllers read (spec/controllers.md §14).
struct Settings {
  // Finished workloads are deleted so long after their end. Absent: kept.
  std::optional<base::Duration> retain_finished;
  // Jobs deactivated by the product itself are deleted so long after it. Absent: kept.
  std::optional<base::Duration> retain_deactivated;
  // Also jobs without a queue name are managed (and suspended).
  bool manage_jobs_without_queue_name = false;
  // Namespaces whose jobs are managed. Absent: all.
  std::optional<api::LabelSelector> managed_jobs_namespace_selector;
  // Condition PodsReady is kept.
  bool pods_ready = true;
  // Absent: ready or not, admitted work stays.
  std::optional<WaitForPodsReady> wait_for_pods_ready;
  // How closely statuses say why work is not admitted.
  Wording wording;
  // Labels of jobs that are copied to their workloads.
  std::vector<std::string> label_keys_to_copy;
  // Gates that controllers read; those of a decision are in scheduling::Config.
  api::FeatureGates gates;
  // Objects of the simple dialect are looked after (docs/using/dialect.md).
  bool simple_dialect = false;
  // Reports and statuses derived from many events are refreshed at most this often
  // (spec/controllers.md §3.1).
  base::Duration batch_period = base::seconds(1);
};

}  // namespace kueue::controllers
