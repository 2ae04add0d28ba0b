#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "api/schema/validation_parts.h"

namespace kueue::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> Told(const std::vector<FieldError>& errors) {
  std::vector<std::string> lines;
  for (const FieldError& error : errors)
    lines.push_back(error.field + " " + CauseReason(error.type));
  return lines;
}

Json Stored(const KindInfo& kind, std::string_view text) {
  Json object = ParseJson(text).value();
  ApplyDefaults(kind, object);
  object["metadata"].Set("name", "a");
  if (kind.namespaced) object["metadata"].Set("namespace", "ns");
  return object;
}

std::vector<std::string> Create(std::string_view group, std::string_view name,
                                std::string_view text) {
  const KindInfo& kind = *FindKind(group, "v1", name);
  return Told(ValidateCreate(kind, Stored(kind, text)));
}

constexpr char kDeployment[] = R"({"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{
  "metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"x"}]}}}})";

TEST(DeploymentRules, SelectorAndTemplateBelongTogether) {
  EXPECT_THAT(Create("apps", "Deployment", kDeployment), IsEmpty());
  EXPECT_THAT(Create("apps", "Deployment", R"({"spec":{"selector":{"matchLabels":{"a":"x"}},
    "template":{"metadata":{"labels":{"a":"b"}},
    "spec":{"containers":[{"name":"c","image":"x"}],"restartPolicy":"Never"}}}})"),
              UnorderedElementsAre("spec.template.metadata.labels FieldValueInvalid",
                                   "spec.template.spec.restartPolicy FieldValueNotSupported"));
}

TEST(DeploymentRules, TheSelectorStays) {
  const KindInfo& kind = *FindKind("apps", "v1", "Deployment");
  const Json before = Stored(kind, kDeployment);
  Json after = before;
  after["spec"]["selector"]["matchLabels"].Set("c", "d");
  after["spec"]["template"]["metadata"]["labels"].Set("c", "d");
  EXPECT_THAT(Told(ValidateUpdate(kind, before, after)),
              ElementsAre("spec.selector FieldValueInvalid"));
}

TEST(StatefulSetRules, MostOfTheSpecStays) {
  const KindInfo& kind = *FindKind("apps", "v1", "StatefulSet");
  const Json before = Stored(kind, kDeployment);
  Json after = before;
  after["spec"].Set("replicas", 3);
  EXPECT_THAT(Told(ValidateUpdate(kind, before, after)), IsEmpty());
  after["spec"].Set("serviceName", "x");
  EXPECT_THAT(Told(ValidateUpdate(kind, before, after)), ElementsAre("spec FieldValueForbidden"));
}

TEST(CronJobRules, Schedules) {
  for (const char* good : {"* * * * *", "*/5 0-6,12 1 jan-mar MON", "@hourly", "0 0 ? * 1-5/2"}) {
    EXPECT_TRUE(IsCronSchedule(good)) << good;
  }
  for (const char* bad : {"", "* * * *", "60 * * * *", "* * 0 * *", "5-1 * * * *", "*/0 * * * *",
                          "TZ=UTC * * * * *", "@never", "a * * * *", "* * * * 7"}) {
    EXPECT_FALSE(IsCronSchedule(bad)) << bad;
  }
}

TEST(VolumeRules, MountsNeedAVolume) {
  EXPECT_THAT(
      Create("", "Pod", R"({"spec":{"containers":[{"name":"c","image":"x","volumeMounts":[
    {"name":"v","mountPath":"/v"},{"name":"w","mountPath":"/v"}]}],
    "volumes":[{"name":"v","emptyDir":{}},{"name":"v","secret":{}}]}})"),
      UnorderedElementsAre("spec.volumes[1].name FieldValueDuplicate",
                           "spec.volumes[1].secret.secretName FieldValueRequired",
                           "spec.containers[0].volumeMounts[1].name FieldValueNotFound",
                           "spec.containers[0].volumeMounts[1].mountPath FieldValueInvalid"));
}

TEST(ServiceRules, PortsAndNames) {
  EXPECT_THAT(Create("", "Service", R"({"spec":{"ports":[{"port":1},{"port":2}]}})"),
              ElementsAre("spec.ports[0].name FieldValueRequired",
                          "spec.ports[1].name FieldValueRequired"));
  EXPECT_THAT(Create("", "Service", R"({"spec":{}})"),
              ElementsAre("spec.ports FieldValueRequired"));
}

// RBAC names are pieces of a path: "system:node" is a good one.
TEST(RoleRules, NamesAndVerbs) {
  const KindInfo& kind = *FindKind("rbac.authorization.k8s.io", "v1", "ClusterRole");
  Json role = Stored(kind, R"({"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":[]}]})");
  role["metadata"].Set("name", "system:node");
  EXPECT_THAT(Told(ValidateCreate(kind, role)), ElementsAre("rules[0].verbs FieldValueRequired"));
}

TEST(PodDisruptionBudgetRules, OneOfTwoBounds) {
  EXPECT_THAT(
      Create("policy", "PodDisruptionBudget",
             R"({"spec":{"minAvailable":1,"maxUnavailable":"x%"}})"),
      UnorderedElementsAre("spec FieldValueInvalid", "spec.maxUnavailable FieldValueInvalid"));
}

}  // namespace
}  // namespace kueue::api
