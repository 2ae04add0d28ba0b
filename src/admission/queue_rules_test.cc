#include "admission/queue_rules.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/descriptors.h"

namespace kueue::admission {
namespace {

std::vector<std::string> Fields(const char* spec) {
  api::Json object;
  object["metadata"].Set("name", "cq");
  object.Set("spec", *api::ParseJson(spec));
  std::vector<std::string> fields;
  const auto queue = api::Decode<api::ClusterQueue>(object);
  EXPECT_TRUE(queue.ok());
  if (!queue.ok()) return fields;
  for (const auto& error : ValidateClusterQueue(api::FeatureGates(), nullptr, *queue)) {
    fields.push_back(error.field);
  }
  return fields;
}

TEST(ClusterQueueRules, AcceptsAnOrdinaryQueue) {
  EXPECT_TRUE(Fields(R"({"resourceGroups":[{"coveredResources":["cpu"],"flavors":[
      {"name":"a","resources":[{"name":"cpu","nominalQuota":"5"}]}]}]})")
                  .empty());
}

TEST(ClusterQueueRules, LimitsNeedACohort) {
  EXPECT_EQ(
      Fields(R"({"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"a",
      "resources":[{"name":"cpu","nominalQuota":"5","borrowingLimit":"1"}]}]}]})"),
      std::vector<std::string>{"spec.resourceGroups[0].flavors[0].resources[0].borrowingLimit"});
}

TEST(ClusterQueueRules, LendingMoreThanNominalIsRefused) {
  EXPECT_EQ(
      Fields(R"({"cohortName":"c","resourceGroups":[{"coveredResources":["cpu"],"flavors":[
      {"name":"a","resources":[{"name":"cpu","nominalQuota":"5","lendingLimit":"6"}]}]}]})"),
      std::vector<std::string>{"spec.resourceGroups[0].flavors[0].resources[0].lendingLimit"});
}

TEST(ClusterQueueRules, AResourceBelongsToOneGroup) {
  const char* group = R"({"coveredResources":["cpu"],"flavors":[{"name":"%s","resources":[
      {"name":"cpu","nominalQuota":"1"}]}]})";
  std::string a = group, b = group;
  a.replace(a.find("%s"), 2, "x");
  b.replace(b.find("%s"), 2, "y");
  EXPECT_EQ(Fields(("{\"resourceGroups\":[" + a + "," + b + "]}").c_str()),
            std::vector<std::string>{"spec.resourceGroups[1].coveredResources[0]"});
}

}  // namespace
}  // namespace kueue::admission
