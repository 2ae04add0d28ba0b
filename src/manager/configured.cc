#include "manager/configured.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <memory>
#include <sstream>

#include "api/schema/configuration.h"

namespace kueue::manager {
namespace {

using api::Configuration;
using api::Feature;

// Where the manager is taken to run when the file does not say.
constexpr char kNamespace[] = "kueue-system";

double Number(const api::Json& json, double otherwise) {
  if (!json.IsNumber()) return otherwise;
  const std::string text = json.NumberText();
  double value = otherwise;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : otherwise;
}

void ApplyGates(const api::FeatureGates& gates, ManagerOptions& options) {
  options.controllers.gates = gates;
  const std::vector<api::FeatureInfo>& all = api::AllFeatures();
  for (size_t i = 0; i < all.size(); ++i) {
    scheduling::SetGate(options.scheduling.gates, all[i].name,
                        gates.Enabled(static_cast<Feature>(i)));
  }
}

// spec/controllers.md §5: the part is there unless an older file left it out, so readiness is
// waited for by default.
void ApplyWaiting(const Configuration& from, ManagerOptions& options) {
  controllers::Settings& settings = options.controllers;
  const bool waited =
      from.wait_for_pods_ready && !settings.gates.Enabled(Feature::kDisableWaitForPodsReady);
  settings.pods_ready = waited;
  settings.wait_for_pods_ready.reset();
  options.scheduling.block_admission_until_ready = false;
  options.scheduling.requeue_by_creation = false;
  if (!waited) return;
  const api::ConfigWaitForPodsReady& part = *from.wait_for_pods_ready;
  controllers::WaitForPodsReady& policy = settings.wait_for_pods_ready.emplace();
  policy.timeout = part.timeout.value_or(policy.timeout);
  policy.recovery_timeout = part.recovery_timeout;
  options.scheduling.block_admission_until_ready = part.block_admission.value_or(false);
  if (!part.requeuing_strategy) return;
  const api::ConfigRequeuing& requeuing = *part.requeuing_strategy;
  policy.backoff_limit = requeuing.backoff_limit_count;
  policy.first_backoff = base::seconds(requeuing.backoff_base_seconds.value_or(60));
  policy.longest_backoff = base::seconds(requeuing.backoff_max_seconds.value_or(3600));
  options.scheduling.requeue_by_creation = requeuing.timestamp == "Creation";
}

void ApplySharing(const Configuration& from, ManagerOptions& options) {
  using Strategy = scheduling::FairPreemptionStrategy;
  options.scheduling.fair_sharing.reset();
  if (from.fair_sharing) {
    auto& sharing = options.scheduling.fair_sharing.emplace();
    for (const std::string& name : from.fair_sharing->preemption_strategies) {
      sharing.preemption_strategies.push_back(name == "LessThanInitialShare"
                                                  ? Strategy::kLessThanInitialShare
                                                  : Strategy::kLessThanOrEqualToFinalShare);
    }
  }
  options.scheduling.admission_fair_sharing.reset();
  if (!from.admission_fair_sharing) return;
  auto& past = options.scheduling.admission_fair_sharing.emplace();
  past.half_life = from.admission_fair_sharing->usage_half_life_time;
  past.sampling_interval =
      from.admission_fair_sharing->usage_sampling_interval.value_or(past.sampling_interval);
  for (const auto& [resource, weight] : from.admission_fair_sharing->resource_weights) {
    past.resource_weights[resource] = Number(weight, 1);
  }
}

// A counter or a capacity; that it is one of the two was checked when the file was loaded.
scheduling::DeviceSource ReadSource(const api::Json& json) {
  const api::Json* const counter = json.Find("counter");
  scheduling::DeviceSource source;
  source.counter = counter != nullptr && counter->IsObject();
  const api::Json* const part = source.counter ? counter : json.Find("capacity");
  if (part == nullptr) return source;
  source.driver = part->StringAt({"driver"});
  source.name = part->StringAt({"name"});
  source.selector = part->StringAt({"deviceSelector", "cel", "expression"});
  return source;
}

void ApplyResources(const Configuration& from, scheduling::Config& config) {
  config.exclude_resource_prefixes.clear();
  config.ignore_undeclared_resources = false;
  config.transformations.clear();
  config.device_mappings.clear();
  if (!from.resources) return;
  config.exclude_resource_prefixes = from.resources->exclude_resource_prefixes;
  config.ignore_undeclared_resources = from.resources->quota_check_strategy == "IgnoreUndeclared";
  for (const api::ConfigResourceTransformation& rule : from.resources->transformations) {
    config.transformations.push_back(
        {rule.input, rule.strategy == "Replace", rule.multiply_by, rule.outputs});
  }
  for (const api::ConfigDeviceClassMapping& mapping : from.resources->device_class_mappings) {
    config.device_mappings.push_back({mapping.name, mapping.device_class_names, {}});
    for (const api::Json& source : mapping.sources) {
      config.device_mappings.back().sources.push_back(ReadSource(source));
    }
  }
}

void ApplyIntegrations(const Configuration& from, Configured& to) {
  ManagerOptions& options = to.options;
  if (!from.integrations) return;
  options.controllers.label_keys_to_copy = from.integrations->label_keys_to_copy;
  const std::vector<std::string>& names = from.integrations->frameworks;
  options.integrations.clear();
  for (const integrations::Integration* known : integrations::AllIntegrations()) {
    if (std::find(names.begin(), names.end(), known->framework()) == names.end()) continue;
    options.integrations.push_back(known);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const auto is_known = [&](const integrations::Integration* one) {
      return one->framework() == names[i];
    };
    if (std::any_of(options.integrations.begin(), options.integrations.end(), is_known)) continue;
    to.unused.push_back("integrations.frameworks[" + std::to_string(i) + "]: jobs of \"" +
                        names[i] + "\" are not managed by this version");
  }
  if (!from.integrations->external_frameworks.empty()) {
    to.unused.emplace_back(
        "integrations.externalFrameworks: jobs of other controllers are not "
        "waited for");
  }
}

void ApplyMetrics(const Configuration& from, Configured& to) {
  MetricsSettings& settings = to.options.metrics;
  settings.cluster_queue_resources = from.metrics.enable_cluster_queue_resources.value_or(false);
  settings.local_queues = true;
  settings.local_queue_selector.reset();
  if (from.metrics.local_queue_metrics) {
    settings.local_queues = from.metrics.local_queue_metrics->enable;
    settings.local_queue_selector = from.metrics.local_queue_metrics->local_queue_selector;
  }
  if (!from.metrics.custom_labels.empty()) {
    to.unused.emplace_back("metrics.customLabels: series have the standard labels only");
  }
}

void ApplyJobs(const Configuration& from, controllers::Settings& settings) {
  settings.manage_jobs_without_queue_name = from.manage_jobs_without_queue_name;
  settings.managed_jobs_namespace_selector = from.managed_jobs_namespace_selector;
  settings.retain_finished.reset();
  settings.retain_deactivated.reset();
  if (!from.object_retention_policies || !from.object_retention_policies->workloads) return;
  settings.retain_finished = from.object_retention_policies->workloads->after_finished;
  settings.retain_deactivated =
      from.object_retention_policies->workloads->after_deactivated_by_kueue;
}

void ApplyDialect(const Configuration& from, controllers::Settings& settings) {
  if (from.compatibility) settings.simple_dialect = from.compatibility->dialect == "simple";
}

}  // namespace

base::Result<Configured> Configure(const Configuration& configuration, ManagerOptions options) {
  const auto gates = api::FeatureGates::Of(configuration.feature_gates);
  if (!gates.ok()) return base::Invalid("featureGates: " + gates.error().message);
  // Not on the stack: g++ 12 takes parts of it for uninitialized there.
  const auto configured = std::make_unique<Configured>();
  configured->options = std::move(options);
  ApplyGates(*gates, configured->options);
  ApplyWaiting(configuration, configured->options);
  ApplySharing(configuration, configured->options);
  ApplyResources(configuration, configured->options.scheduling);
  ApplyIntegrations(configuration, *configured);
  ApplyJobs(configuration, configured->options.controllers);
  ApplyDialect(configuration, configured->options.controllers);
  ApplyMetrics(configuration, *configured);
  return std::move(*configured);
}

base::Result<Configured> ConfigureFromFile(const std::string& path, const std::string& gates,
                                           ManagerOptions options) {
  Configuration configuration = api::DefaultConfiguration(kNamespace);
  if (!path.empty()) {
    std::ifstream file(path);
    if (!file)
      return base::Invalid(path + ": cannot be read; name a file that holds a Configuration");
    std::stringstream text;
    text << file.rdbuf();
    auto loaded = api::LoadConfiguration(text.str(), kNamespace);
    if (!loaded.ok()) return base::Invalid(path + ": " + loaded.error().message);
    configuration = std::move(*loaded);
  }
  if (!gates.empty()) {
    if (!configuration.feature_gates.empty()) {
      return base::Invalid(path + ": featureGates: also set on the command line (\"" + gates +
                           "\"): set gates in one of the two");
    }
    const auto parsed = api::FeatureGates::Parse(gates);
    if (!parsed.ok()) return base::Invalid("--feature-gates: " + parsed.error().message);
    const std::vector<api::FeatureInfo>& all = api::AllFeatures();
    for (size_t i = 0; i < all.size(); ++i) {
      const bool on = parsed->Enabled(static_cast<Feature>(i));
      if (on != all[i].by_default) configuration.feature_gates[std::string(all[i].name)] = on;
    }
  }
  auto configured = Configure(configuration, std::move(options));
  if (!configured.ok() && !path.empty()) {
    return base::Invalid(path + ": " + configured.error().message);
  }
  return configured;
}

}  // namespace kueue::manager
