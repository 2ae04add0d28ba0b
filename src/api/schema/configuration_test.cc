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

}  // namespace
}  // namespace kueue::api
