#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/kueue_features.h"
#include "api/types/meta.h"
#include "metrics/registry.h"

namespace kueue::manager {

// What the configuration says about metrics (spec/controllers.md §14.1).
struct MetricsSettings {
  bool cluster_queue_resources = false;  // quotas, usage and shares of ClusterQueues
  bool local_queues = true;
  std::optional<api::LabelSelector> local_queue_selector;  // absent: all LocalQueues
  // Labels of kueue_build_info.
  std::string version = "unknown", commit = "unknown", build_date = "unknown";
};

enum class MetricType { kCounter, kGauge, kHistogram };

// One metric of the reference (spec/controllers.md §17).
struct MetricInfo {
  enum class Buckets { kNone, k14, k16, kDefault, kLatency };
  // When it is registered at all.
  enum class When { kAlways, kHashes, kUnadmitted, kCohorts, kCreation, kLocal, kLocalUnadmitted };

  std::string name;
  MetricType type = MetricType::kCounter;
  std::vector<std::string> labels;  // without replica_role
  std::string help;
  Buckets buckets = Buckets::kNone;
  When when = When::kAlways;
};
// By name.
const std::vector<MetricInfo>& AllMetrics();
std::vector<double> BoundsOf(MetricInfo::Buckets buckets);

// The metrics of queues and work, in one registry. Label values are given in the order of
// MetricInfo::labels; replica_role is added. A name that AllMetrics() does not have is our own
// mistake and ends the process; one that is switched off is passed over. Thread-safe.
class QueueMetrics {
 public:
  QueueMetrics(const MetricsSettings& settings, const api::FeatureGates& gates);

  void Count(std::string_view name, metrics::LabelValues values, double by = 1);
  void Set(std::string_view name, metrics::LabelValues values, double to);
  // Below 0 counts as 0: clocks may differ.
  void Observe(std::string_view name, metrics::LabelValues values, double seconds);
  bool Has(std::string_view name) const { return entries_.contains(name); }

  // Takes away all series of gauges but those a cycle reports by itself.
  void ClearGauges();
  // Takes away all series with these label values, of every metric that has the labels.
  void Forget(const metrics::LabelFilter& filter);

  // 0 for a series that does not exist; of a histogram the number of measurements.
  double Value(std::string_view name, metrics::LabelValues values) const;
  std::string Text() const { return registry_.Text(); }

 private:
  struct Entry {
    const MetricInfo* info = nullptr;
    metrics::Counter* counter = nullptr;
    metrics::Gauge* gauge = nullptr;
    metrics::Histogram* histogram = nullptr;
  };
  const Entry* Find(std::string_view name) const;

  metrics::Registry registry_;
  std::map<std::string_view, Entry> entries_;
};

}  // namespace kueue::manager
