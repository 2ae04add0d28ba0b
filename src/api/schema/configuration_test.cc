#include "api/schema/configuration.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

const std::string kNewer = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
const std::string kOlder = "apiVersion: config.kueue.x-k8s.io/v1beta1\nkind: Configuration\n";

Configuration Load(const std::string& text) {
  auto configuration = LoadConfiguration(text, "kueue-system");
  EXPECT_TRUE(configuration.ok()) << (configuration.ok() ? "" : configuration.error().message);
  return configuration.ok() ? *configuration : Configuration();
}
std::string ErrorOf(const std::string& text) {
  const auto configuration = LoadConfiguration(text, "kueue-system");
  return configuration.ok() ? "" : configuration.error().message;
}

TEST(Configuration, DefaultsAreFilledIn) {
  const Configuration c = DefaultConfiguration("here");
  EXPECT_EQ(c.namespace_name, "here");
  EXPECT_EQ(c.webhook.port, 9443);
  EXPECT_EQ(c.integrations->frameworks, std::vector<std::string>{"batch/job"});
  EXPECT_EQ(c.wait_for_pods_ready->timeout, base::minutes(30));
  EXPECT_EQ(c.wait_for_pods_ready->recovery_timeout, base::minutes(30));
  EXPECT_EQ(c.managed_jobs_namespace_selector->match_expressions[0].values,
            (std::vector<std::string>{"kube-system", "here"}));
  EXPECT_FALSE(c.fair_sharing.has_value());
}

TEST(Configuration, AnOlderFileHasSwitches) {
  Configuration c =
      Load(kOlder + "waitForPodsReady: {enable: true}\nfairSharing: {enable: true}\n");
  EXPECT_EQ(c.wait_for_pods_ready->timeout, base::minutes(5));
  EXPECT_EQ(c.wait_for_pods_ready->block_admission, true);
  EXPECT_EQ(c.fair_sharing->preemption_strategies.size(), 2u);
  c = Load(kOlder + "waitForPodsReady: {enable: false}\nfairSharing: {enable: false}\n");
  EXPECT_FALSE(c.wait_for_pods_ready.has_value());
  EXPECT_FALSE(c.fair_sharing.has_value());
  EXPECT_FALSE(Load(kOlder).wait_for_pods_ready.has_value());
}

TEST(Configuration, MistakesAreToldWithTheirPlace) {
  EXPECT_NE(ErrorOf(kNewer + "webhok: {}\n").find("webhok: is no field"), std::string::npos);
  EXPECT_NE(ErrorOf(kNewer + "webhook: {port: x}\n").find("webhook.port"), std::string::npos);
  EXPECT_NE(ErrorOf(kNewer + "tls: {minVersion: old}\n").find("tls.minVersion"), std::string::npos);
  EXPECT_NE(ErrorOf("kind: Pod\n").find("must be config.kueue.x-k8s.io/v1beta2"),
            std::string::npos);
}

TEST(Configuration, NamesTheDialect) {
  EXPECT_EQ(Load(kNewer + "compatibility: {dialect: simple}\n").compatibility->dialect, "simple");
  EXPECT_NE(ErrorOf(kNewer + "compatibility: {dialect: klingon}\n").find("compatibility.dialect"),
            std::string::npos);
}

TEST(Configuration, GatesAreReadByName) {
  EXPECT_EQ(Load(kNewer + "featureGates: {PriorityBoost: true}\n").feature_gates,
            (std::map<std::string, bool>{{"PriorityBoost", true}}));
}

// A file that breaks one rule, and what has to be in the answer: path, value, what is allowed.
struct Broken {
  const char* text;
  const char* error;
};

void ExpectErrors(std::initializer_list<Broken> all) {
  for (const Broken& broken : all) {
    const std::string error = ErrorOf(kNewer + broken.text + "\n");
    EXPECT_NE(error.find(broken.error), std::string::npos) << broken.text << "\n" << error;
  }
}
void ExpectGood(std::initializer_list<const char*> all) {
  for (const char* text : all) EXPECT_EQ(ErrorOf(kNewer + text + "\n"), "") << text;
}

TEST(ConfigurationRules, Features) {
  ExpectErrors(
      {{"featureGates: {NoSuchGate: true}", "featureGates: there is no feature gate"},
       {"featureGates: {TLSOptions: false}", "TLSOptions is locked to true"},
       {"featureGates: {TopologyAwareScheduling: false}", "needs TopologyAwareScheduling"}});
}

TEST(ConfigurationRules, Waiting) {
  ExpectErrors(
      {{"waitForPodsReady: {timeout: -1s}",
        "waitForPodsReady.timeout: \"-1s\": must be 0s or more"},
       {"waitForPodsReady: {recoveryTimeout: -1m}", "waitForPodsReady.recoveryTimeout: \"-1m\""},
       {"waitForPodsReady: {requeuingStrategy: {timestamp: Now}}",
        "waitForPodsReady.requeuingStrategy.timestamp"},
       {"waitForPodsReady: {requeuingStrategy: {backoffLimitCount: -1}}", "backoffLimitCount"},
       {"waitForPodsReady: {requeuingStrategy: {backoffBaseSeconds: -1}}", "backoffBaseSeconds"},
       {"waitForPodsReady: {requeuingStrategy: {backoffMaxSeconds: -1}}", "backoffMaxSeconds"},
       {"objectRetentionPolicies: {workloads: {afterFinished: -1s}}",
        "objectRetentionPolicies.workloads.afterFinished"},
       {"objectRetentionPolicies: {workloads: {afterDeactivatedByKueue: -1s}}",
        "objectRetentionPolicies.workloads.afterDeactivatedByKueue"}});
  ExpectGood({"waitForPodsReady: {timeout: 0s, recoveryTimeout: 0s}",
              "objectRetentionPolicies: {workloads: {afterFinished: 0s}}"});
}

TEST(ConfigurationRules, Integrations) {
  ExpectErrors(
      {{"integrations: {frameworks: [batch/jib]}", "integrations.frameworks[0]"},
       {"integrations: {frameworks: [pod, pod]}", "integrations.frameworks[1]: \"pod\" is named"},
       {"integrations: {externalFrameworks: [Job]}",
        "integrations.externalFrameworks[0]: \"Job\": must be Kind.version.group"},
       {"integrations: {externalFrameworks: [A.v1.b.c, A.v1.b.c]}",
        "integrations.externalFrameworks[1]: \"A.v1.b.c\" is named before"},
       {"integrations: {frameworks: [batch/job], externalFrameworks: [Job.v1.batch]}",
        "integrations.externalFrameworks[0]"},
       {"integrations: {labelKeysToCopy: [\"a b\"]}", "integrations.labelKeysToCopy[0]"}});
  ExpectGood({"integrations: {frameworks: [pod, batch/job], externalFrameworks: [A.v1.b.c]}"});
}

TEST(ConfigurationRules, ManagedNamespaces) {
  ExpectErrors({{"managedJobsNamespaceSelector: {}", "matches the namespace \"kube-system\""},
                {"managedJobsNamespaceSelector: {matchExpressions: [{key: "
                 "kubernetes.io/metadata.name, operator: NotIn, values: [kube-system]}]}",
                 "matches the namespace \"kueue-system\""},
                {"managedJobsNamespaceSelector: {matchExpressions: [{key: a, operator: Like}]}",
                 "managedJobsNamespaceSelector.matchExpressions[0].operator"}});
  ExpectGood({"managedJobsNamespaceSelector: {matchLabels: {managed: \"true\"}}"});
}

TEST(ConfigurationRules, MultiKueue) {
  ExpectErrors(
      {{"multiKueue: {gcInterval: -1s}", "multiKueue.gcInterval: \"-1s\""},
       {"multiKueue: {workerLostTimeout: -1s}", "multiKueue.workerLostTimeout"},
       {"multiKueue: {origin: \"a b\"}", "multiKueue.origin: \"a b\": must be a label's value"},
       {"multiKueue: {externalFrameworks: [{name: Job.batch}]}",
        "multiKueue.externalFrameworks[0].name: \"Job.batch\""},
       {"multiKueue: {externalFrameworks: [{name: A.v1.b}, {name: A.v1.b}]}",
        "multiKueue.externalFrameworks[1].name"},
       {"multiKueue: {externalFrameworks: [{name: Job.v1.batch}]}", "a kind the manager knows"},
       {"multiKueue: {incrementalDispatcherConfig: {stepSize: 2}}",
        "multiKueue.incrementalDispatcherConfig: is set while"},
       {"multiKueue: {dispatcherName: kueue.x-k8s.io/multikueue-dispatcher-incremental, "
        "incrementalDispatcherConfig: {stepSize: 0}}",
        "multiKueue.incrementalDispatcherConfig.stepSize"},
       {"multiKueue: {clusterProfile: {accessProviders: [{name: a}], credentialsProviders: "
        "[{name: a}]}}",
        "multiKueue.clusterProfile.credentialsProviders: is the old name"},
       {"multiKueue: {clusterProfile: {accessProviders: [{name: a, execConfig: {env: [{}]}}]}}",
        "accessProviders[0].execConfig.env[0].name: must be set"},
       {"multiKueue: {clusterProfile: {accessProviders: [{name: a}]}}",
        "accessProviders[0].execConfig.command: must be set"},
       {"multiKueue: {clusterProfile: {accessProviders: [{name: a}]}}",
        "accessProviders[0].execConfig.interactiveMode: must be one of"}});
  ExpectGood(
      {"multiKueue: {clusterProfile: {accessProviders: [{name: a, execConfig: {command: c, "
       "apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}}]}}"});
}

TEST(ConfigurationRules, Shares) {
  ExpectErrors(
      {{"fairSharing: {preemptionStrategies: []}", "fairSharing.preemptionStrategies: []"},
       {"fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanOrEqualToFinalShare]}",
        "both in this order"},
       {"fairSharing: {}", "fairSharing.preemptionStrategies"},
       {"admissionFairSharing: {usageHalfLifeTime: -1s}", "admissionFairSharing.usageHalfLifeTime"},
       {"admissionFairSharing: {usageSamplingInterval: 0s}", "must be more than 0s"},
       {"admissionFairSharing: {resourceWeights: {cpu: -0.5}}",
        "admissionFairSharing.resourceWeights[cpu]: -0.5: must be a number of 0 or more"}});
  ExpectGood({"fairSharing: {preemptionStrategies: [LessThanInitialShare]}",
              "admissionFairSharing: {usageHalfLifeTime: 0s, resourceWeights: {cpu: 0.5}}"});
}

TEST(ConfigurationRules, Resources) {
  ExpectErrors(
      {{"resources: {transformations: [{input: a, strategy: Drop}]}",
        "resources.transformations[0].strategy"},
       {"resources: {transformations: [{input: a}, {input: a}]}", "resources.transformations[1]"},
       {"resources: {quotaCheckStrategy: Never}", "resources.quotaCheckStrategy"},
       {"resources: {quotaCheckStrategy: IgnoreUndeclared, excludeResourcePrefixes: [a]}",
        "resources.excludeResourcePrefixes: must be empty"}});
}

TEST(ConfigurationRules, Devices) {
  const std::string gates =
      "featureGates: {KueueDRAIntegration: true, KueueDRAIntegrationPartitionableDevices: true, "
      "KueueDRAIntegrationConsumableCapacity: true}\n";
  const auto mapping = [&](const std::string& text) {
    return ErrorOf(kNewer + gates + "resources: {deviceClassMappings: [" + text + "]}\n");
  };
  const auto says = [&](const std::string& text, const char* error) {
    EXPECT_NE(mapping(text).find(error), std::string::npos) << text << "\n" << mapping(text);
  };
  says("{name: a b, deviceClassNames: [c]}", "deviceClassMappings[0].name: \"a b\"");
  says("{name: a, deviceClassNames: []}", "deviceClassNames");
  says("{name: a, deviceClassNames: [c, c]}", "deviceClassNames[1]");
  says("{name: a, deviceClassNames: [c]}, {name: b, deviceClassNames: [c]}",
       "deviceClassMappings[1].deviceClassNames[0]: \"c\" is in another mapping");
  says("{name: a, deviceClassNames: [c], sources: [{}]}", "neither of counter and capacity");
  says(
      "{name: a, deviceClassNames: [c], sources: [{counter: {name: m, driver: d}}, "
      "{capacity: {name: m, driver: d}}]}",
      "mixes counters and capacities");
  says("{name: a, deviceClassNames: [c], sources: [{counter: {name: m, driver: D}}]}",
       "sources[0].counter.driver: \"D\"");
  says(
      "{name: a, deviceClassNames: [c], sources: [{counter: {name: m, driver: d, "
      "deviceSelector: {cel: {expression: 'device.('}}}}]}",
      "must be CEL");
  EXPECT_EQ(mapping("{name: a, deviceClassNames: [c], sources: [{counter: {name: m, driver: d}}]}, "
                    "{name: b, deviceClassNames: [c], sources: [{counter: {name: k, driver: d}}]}"),
            "");
  EXPECT_NE(ErrorOf(kNewer + "featureGates: {KueueDRAIntegrationPartitionableDevices: false}\n"
                             "resources: {deviceClassMappings: [{name: a, deviceClassNames: [c], "
                             "sources: [{counter: {name: m, driver: d}}]}]}\n")
                .find("needs the feature gate"),
            std::string::npos);
}

TEST(ConfigurationRules, Servers) {
  ExpectErrors({{"tls: {cipherSuites: [TLS_NONE]}", "tls.cipherSuites[0]"},
                {"tls: {curvePreferences: [P1]}", "tls.curvePreferences[0]"},
                {"tls: {minVersion: VersionTLS13, cipherSuites: [TLS_AES_128_GCM_SHA256]}",
                 "tls.cipherSuites: must be empty"},
                {"tls: {minVersion: VersionTLS11}", "tls.minVersion"},
                {"visibilityServer: {bindAddress: here}", "visibilityServer.bindAddress: \"here\""},
                {"visibilityServer: {bindPort: 0}", "visibilityServer.bindPort"},
                {"internalCertManagement: {webhookServiceName: 1a}",
                 "internalCertManagement.webhookServiceName: \"1a\""},
                {"internalCertManagement: {webhookSecretName: A}",
                 "internalCertManagement.webhookSecretName: \"A\""}});
  ExpectGood({"internalCertManagement: {enable: false, webhookServiceName: 1a}",
              "visibilityServer: {bindAddress: '::1'}",
              "tls: {cipherSuites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]}"});
}

TEST(ConfigurationRules, LabelsOfMetrics) {
  std::string many, workloads;
  for (int i = 0; i < 7; ++i) many += "{name: n" + std::to_string(i) + "}, ";
  for (int i = 0; i < 3; ++i) {
    workloads += "{name: n" + std::to_string(i) + ", sourceKind: Workload, trackedValues: [a]}, ";
  }
  const auto labels = [](const std::string& list) {
    return ErrorOf(kNewer + "metrics: {customLabels: [" + list + "]}\n");
  };
  const auto says = [&](const std::string& list, const char* error) {
    EXPECT_NE(labels(list).find(error), std::string::npos) << list << "\n" << labels(list);
  };
  says(many, "metrics.customLabels[6].sourceKind: \"ClusterQueue\" has more than 6 labels");
  says(workloads, "metrics.customLabels[2].sourceKind: \"Workload\" has more than 2 labels");
  says("{name: 1}", "metrics.customLabels[0].name");
  says("{name: a}, {name: a}", "metrics.customLabels[1].name: \"a\" is named before");
  says("{name: a, sourceLabelKey: k, sourceAnnotationKey: k}", "set one of the two");
  says("{name: a, sourceLabelKey: k k}", "metrics.customLabels[0].sourceLabelKey: \"k k\"");
  says("{name: a, sourceKind: Workload}", "trackedValues: has 0 values");
  says("{name: a, trackedValues: [x, x]}", "trackedValues[1]: \"x\" is named before");
  says("{name: a, sourceKind: Pod}", "metrics.customLabels[0].sourceKind");
  EXPECT_EQ(labels("{name: a, sourceLabelKey: k, trackedValues: [x, z]}"), "");
}

}  // namespace
}  // namespace kueue::api
