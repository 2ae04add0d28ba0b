#include "manager/configured.h"

#include <gtest/gtest.h>

#include <fstream>

#include "api/schema/configuration.h"

namespace kueue::manager {
namespace {

ManagerOptions OptionsOf(const std::string& rest) {
  const auto loaded = api::LoadConfiguration(
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + rest, "kueue-system");
  EXPECT_TRUE(loaded.ok()) << loaded.error().message;
  const auto configured = Configure(*loaded);
  EXPECT_TRUE(configured.ok());
  return configured->options;
}

TEST(Configured, DefaultsWaitForReadyPodsAndLeaveTheSystemAlone) {
  const ManagerOptions options = OptionsOf("");
  ASSERT_TRUE(options.controllers.wait_for_pods_ready);
  EXPECT_EQ(options.controllers.wait_for_pods_ready->timeout, base::minutes(30));
  EXPECT_EQ(options.controllers.wait_for_pods_ready->recovery_timeout, base::minutes(30));
  EXPECT_FALSE(options.controllers.wait_for_pods_ready->backoff_limit);
  EXPECT_FALSE(options.scheduling.block_admission_until_ready);
  EXPECT_FALSE(options.scheduling.fair_sharing);
  ASSERT_TRUE(options.controllers.managed_jobs_namespace_selector);
  ASSERT_EQ(options.integrations.size(), 1u);
  EXPECT_EQ(options.integrations[0]->framework(), "batch/job");
}

TEST(Configured, TheDialectIsAsBeforeWhereTheFileDoesNotSpeakOfIt) {
  EXPECT_FALSE(OptionsOf("").controllers.simple_dialect);
  EXPECT_TRUE(OptionsOf("compatibility: {dialect: simple}\n").controllers.simple_dialect);
  ManagerOptions embedded;
  embedded.controllers.simple_dialect = true;
  const auto silent = ConfigureFromFile("", "", embedded);
  ASSERT_TRUE(silent.ok());
  EXPECT_TRUE(silent->options.controllers.simple_dialect);
  const auto off = api::LoadConfiguration(
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
      "compatibility: {dialect: ''}\n",
      "kueue-system");
  ASSERT_TRUE(off.ok());
  EXPECT_FALSE(Configure(*off, embedded)->options.controllers.simple_dialect);
}

TEST(Configured, WaitingRequeuesAndBlocksAsWritten) {
  const ManagerOptions options = OptionsOf(R"(
waitForPodsReady:
  timeout: 10m
  recoveryTimeout: 0s
  blockAdmission: true
  requeuingStrategy:
    {timestamp: Creation, backoffLimitCount: 5, backoffBaseSeconds: 10, backoffMaxSeconds: 20}
)");
  const auto& policy = options.controllers.wait_for_pods_ready;
  ASSERT_TRUE(policy);
  EXPECT_EQ(policy->timeout, base::minutes(10));
  EXPECT_EQ(policy->recovery_timeout, base::Duration(0));
  EXPECT_EQ(policy->backoff_limit, 5);
  EXPECT_EQ(policy->first_backoff, base::seconds(10));
  EXPECT_EQ(policy->longest_backoff, base::seconds(20));
  EXPECT_TRUE(options.scheduling.block_admission_until_ready);
  EXPECT_TRUE(options.scheduling.requeue_by_creation);
}

TEST(Configured, AGateOrAnOlderFileTurnsWaitingOff) {
  const ManagerOptions options =
      OptionsOf("featureGates: {DisableWaitForPodsReady: true}\nwaitForPodsReady: {timeout: 1m}\n");
  EXPECT_FALSE(options.controllers.wait_for_pods_ready);
  EXPECT_FALSE(options.controllers.pods_ready);
  const auto older = api::LoadConfiguration(
      "apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\n", "kueue-system");
  ASSERT_TRUE(older.ok());
  EXPECT_FALSE(Configure(*older)->options.controllers.wait_for_pods_ready);
}

TEST(Configured, SharingOfQuotaAndOfThePast) {
  const ManagerOptions options = OptionsOf(R"(
fairSharing: {preemptionStrategies: [LessThanInitialShare]}
admissionFairSharing:
  usageHalfLifeTime: 168h
  usageSamplingInterval: 1m
  resourceWeights: {cpu: 2.5, memory: 0}
)");
  ASSERT_TRUE(options.scheduling.fair_sharing);
  EXPECT_EQ(options.scheduling.fair_sharing->preemption_strategies,
            std::vector{scheduling::FairPreemptionStrategy::kLessThanInitialShare});
  const auto& past = options.scheduling.admission_fair_sharing;
  ASSERT_TRUE(past);
  EXPECT_EQ(past->half_life, base::hours(168));
  EXPECT_EQ(past->sampling_interval, base::minutes(1));
  EXPECT_EQ(past->resource_weights, (std::map<std::string, double>{{"cpu", 2.5}, {"memory", 0}}));
}

TEST(Configured, JobsRetentionResourcesAndGates) {
  const ManagerOptions options = OptionsOf(R"(
manageJobsWithoutQueueName: true
managedJobsNamespaceSelector: {matchLabels: {team: a}}
objectRetentionPolicies: {workloads: {afterFinished: 1h, afterDeactivatedByKueue: 0s}}
resources: {excludeResourcePrefixes: [example.com/]}
featureGates: {PartialAdmission: false, TASReplaceNodeOnNodeTaints: false}
integrations: {frameworks: [batch/job], labelKeysToCopy: [team]}
)");
  EXPECT_TRUE(options.controllers.manage_jobs_without_queue_name);
  EXPECT_EQ(options.controllers.managed_jobs_namespace_selector->match_labels.at("team"), "a");
  EXPECT_EQ(options.controllers.retain_finished, base::hours(1));
  EXPECT_EQ(options.controllers.retain_deactivated, base::Duration(0));
  EXPECT_EQ(options.controllers.label_keys_to_copy, std::vector<std::string>{"team"});
  EXPECT_EQ(options.scheduling.exclude_resource_prefixes, std::vector<std::string>{"example.com/"});
  EXPECT_FALSE(options.scheduling.gates.partial_admission);
  EXPECT_FALSE(options.controllers.gates.Enabled(api::Feature::kPartialAdmission));
  EXPECT_FALSE(options.controllers.gates.Enabled(api::Feature::kTASReplaceNodeOnNodeTaints));
  EXPECT_FALSE(OptionsOf("resources: {quotaCheckStrategy: BlockUndeclared}")
                   .scheduling.ignore_undeclared_resources);
  EXPECT_TRUE(OptionsOf("resources: {quotaCheckStrategy: IgnoreUndeclared}")
                  .scheduling.ignore_undeclared_resources);
}

// spec/scheduling.md §1.7, §1.9.
TEST(Configured, TransformationsAndDevices) {
  const ManagerOptions options = OptionsOf(R"(
resources:
  transformations:
  - {input: a.com/gpu, strategy: Replace, multiplyBy: b.com/times, outputs: {credits: 5}}
  - {input: cpu, outputs: {credits: 1}}
  deviceClassMappings:
  - {name: gpus, deviceClassNames: [gpu.com]}
  - name: gpu-memory
    deviceClassNames: [mig.com]
    sources:
    - counter: {driver: gpu.com, name: memory, deviceSelector: {cel: {expression: "true"}}}
)");
  const auto& rules = options.scheduling.transformations;
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_TRUE(rules[0].replace);
  EXPECT_EQ(rules[0].multiply_by, "b.com/times");
  EXPECT_EQ(rules[0].outputs.at("credits"), resources::Quantity::FromUnits(5));
  EXPECT_FALSE(rules[1].replace);
  const auto& mappings = options.scheduling.device_mappings;
  ASSERT_EQ(mappings.size(), 2u);
  EXPECT_EQ(mappings[0].device_classes, std::vector<std::string>{"gpu.com"});
  ASSERT_EQ(mappings[1].sources.size(), 1u);
  EXPECT_TRUE(mappings[1].sources[0].counter);
  EXPECT_EQ(mappings[1].sources[0].selector, "true");
}

TEST(Configured, WhatChangesNothingIsNamed) {
  auto configuration = api::DefaultConfiguration("kueue-system");
  configuration.integrations->frameworks = {"batch/job", "no.such/framework"};
  const auto configured = Configure(configuration);
  ASSERT_TRUE(configured.ok());
  ASSERT_EQ(configured->unused.size(), 1u);
  EXPECT_EQ(configured->unused[0].rfind("integrations.frameworks[1]: ", 0), 0u);
}

class ConfiguredFile : public testing::Test {
 protected:
  std::string Write(const std::string& text) {
    const std::string path = testing::TempDir() + "configured_" +
                             testing::UnitTest::GetInstance()->current_test_info()->name();
    std::ofstream(path) << text;
    return path;
  }
};

TEST_F(ConfiguredFile, ErrorsNameTheFileThePathAndWhatIsAllowed) {
  const std::string path = Write(
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
      "fairSharing: {preemptionStrategies: [Sometimes]}\nnoSuchField: 1\n");
  const auto configured = ConfigureFromFile(path, "");
  ASSERT_FALSE(configured.ok());
  const std::string& message = configured.error().message;
  EXPECT_EQ(message.rfind(path + ": ", 0), 0u) << message;
  EXPECT_NE(message.find("fairSharing.preemptionStrategies"), std::string::npos) << message;
  EXPECT_NE(message.find("LessThanOrEqualToFinalShare"), std::string::npos) << message;
  EXPECT_NE(message.find("noSuchField"), std::string::npos) << message;
}

TEST_F(ConfiguredFile, GatesAreSetInOnePlace) {
  const auto from_flag = ConfigureFromFile("", "PartialAdmission=false");
  ASSERT_TRUE(from_flag.ok());
  EXPECT_FALSE(from_flag->options.scheduling.gates.partial_admission);
  EXPECT_FALSE(ConfigureFromFile("", "NoSuchGate=true").ok());
  const std::string path = Write(
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
      "featureGates: {PartialAdmission: false}\n");
  EXPECT_TRUE(ConfigureFromFile(path, "").ok());
  EXPECT_FALSE(ConfigureFromFile(path, "PriorityBoost=true").ok());
}

TEST_F(ConfiguredFile, AFileThatIsNotThereIsNamed) {
  const auto configured = ConfigureFromFile("/no/such/file.yaml", "");
  ASSERT_FALSE(configured.ok());
  EXPECT_NE(configured.error().message.find("/no/such/file.yaml"), std::string::npos);
}

}  // namespace
}  // namespace kueue::manager
