#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "api/types/core.h"

namespace kueue::api {
namespace {

Json Parse(std::string_view text) { return ParseJson(text).value(); }

Json Created(std::string_view group, std::string_view kind, std::string_view text) {
  const KindInfo& info = *FindKind(group, "v1", kind);
  Json object = Parse(text);
  ApplyDefaults(info, object);
  object["metadata"].Set("uid", "u");
  PrepareForCreate(info, object);
  return object;
}

std::string At(const Json& object, std::initializer_list<std::string_view> path) {
  const Json* value = object.FindPath(path);
  return value ? WriteJson(*value) : "absent";
}

TEST(WorkloadDefaults, Deployment) {
  const Json object = Created("apps", "Deployment", R"({"metadata":{"name":"a"},"spec":{
    "template":{"spec":{"containers":[{"name":"c","image":"x"}]}}}})");
  EXPECT_EQ(At(object, {"spec", "replicas"}), "1");
  EXPECT_EQ(
      At(object, {"spec", "strategy"}),
      R"({"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":"25%","maxSurge":"25%"}})");
  EXPECT_EQ(At(object, {"spec", "progressDeadlineSeconds"}), "600");
  EXPECT_EQ(At(object, {"spec", "template", "spec", "dnsPolicy"}), "\"ClusterFirst\"");
  EXPECT_EQ(At(object, {"status"}), "{}");
}

// Only a pod's requests follow from its limits; a template stays as it was written.
TEST(WorkloadDefaults, RequestsFollowLimitsInPodsOnly) {
  const char* spec = R"({"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"1"}}}]}})";
  const Json pod = Created("", "Pod", spec);
  EXPECT_EQ(At(pod.FindPath({"spec", "containers"})->AsArray()[0], {"resources", "requests"}),
            R"({"cpu":"1"})");
  const Json other = Created("", "PodTemplate", std::string(R"({"template":)") + spec + "}");
  const Json& container = other.FindPath({"template", "spec", "containers"})->AsArray()[0];
  EXPECT_EQ(At(container, {"resources", "requests"}), "absent");
}

TEST(WorkloadDefaults, StatefulSetClaimsAreWholeObjects) {
  const Json object = Created("apps", "StatefulSet", R"({"metadata":{"name":"a"},"spec":{
    "volumeClaimTemplates":[{"metadata":{"name":"v"},"spec":{}}]}})");
  const Json& claim = object.FindPath({"spec", "volumeClaimTemplates"})->AsArray()[0];
  EXPECT_EQ(At(claim, {"kind"}), "\"PersistentVolumeClaim\"");
  EXPECT_EQ(At(claim, {"spec", "volumeMode"}), "\"Filesystem\"");
  EXPECT_EQ(At(claim, {"status", "phase"}), "\"Pending\"");
  EXPECT_EQ(*object.Find("status"), Parse(R"({"replicas":0,"availableReplicas":0})"));
}

// The jobs a CronJob makes get their own defaults when they are made.
TEST(WorkloadDefaults, CronJob) {
  const Json object =
      Created("batch", "CronJob", R"({"metadata":{"name":"a"},"spec":{"schedule":"@daily"}})");
  EXPECT_EQ(At(object, {"spec", "concurrencyPolicy"}), "\"Allow\"");
  EXPECT_EQ(At(object, {"spec", "jobTemplate", "spec", "parallelism"}), "absent");
}

TEST(VolumeDefaults, OfPods) {
  const Json pod = Created("", "Pod", R"({"spec":{"containers":[],"volumes":[{"name":"a"},
    {"name":"b","secret":{"secretName":"s"}},{"name":"c","hostPath":{"path":"/x"}}]}})");
  EXPECT_EQ(At(pod, {"spec", "volumes"}),
            R"([{"name":"a","emptyDir":{}},{"name":"b","secret":{"secretName":"s",)"
            R"("defaultMode":420}},{"name":"c","hostPath":{"path":"/x","type":""}}])");
}

TEST(ClusterDefaults, ServiceGetsAnAddress) {
  const Json object = Created("", "Service", R"({"spec":{"ports":[{"port":80}]}})");
  EXPECT_EQ(At(object, {"spec", "ports"}), R"([{"port":80,"protocol":"TCP","targetPort":80}])");
  EXPECT_EQ(object.StringAt({"spec", "clusterIP"}).substr(0, 3), "10.");
  EXPECT_EQ(At(object, {"spec", "internalTrafficPolicy"}), "\"Cluster\"");
  EXPECT_EQ(At(object, {"status"}), R"({"loadBalancer":{}})");
}

// Who writes a service again may leave out what the server chose.
TEST(ClusterDefaults, AServiceKeepsItsNumbers) {
  const Json before = Created("", "Service", R"({"metadata":{"uid":"u"},"spec":{
    "type":"NodePort","ports":[{"name":"p","port":80}]}})");
  const KindInfo& kind = *FindKind("", "v1", "Service");
  Json again = Parse(R"({"metadata":{"uid":"u"},"spec":{
    "type":"NodePort","ports":[{"name":"p","port":80}]}})");
  ApplyDefaults(kind, again);
  PrepareForUpdate(kind, before, again);
  EXPECT_EQ(*again.Find("spec"), *before.Find("spec"));

  Json other = before;
  other["spec"].Set("type", "ExternalName");
  PrepareForUpdate(kind, before, other);
  EXPECT_EQ(At(other, {"spec", "clusterIP"}), "absent");
  EXPECT_EQ(At(other, {"spec", "clusterIPs"}), "absent");
  EXPECT_EQ(At(other, {"spec", "ports"}),
            R"([{"name":"p","port":80,"protocol":"TCP","targetPort":80}])");
}

TEST(ClusterDefaults, RoleBindingSubjects) {
  const Json object = Created("rbac.authorization.k8s.io", "RoleBinding",
                              R"({"roleRef":{"kind":"Role","name":"r"},"subjects":[
    {"kind":"User","name":"u"},{"kind":"ServiceAccount","name":"s"}]})");
  EXPECT_EQ(At(object, {"roleRef", "apiGroup"}), "\"rbac.authorization.k8s.io\"");
  EXPECT_EQ(At(object, {"subjects"}),
            R"([{"kind":"User","name":"u","apiGroup":"rbac.authorization.k8s.io"},)"
            R"({"kind":"ServiceAccount","name":"s"}])");
}

// What Go always writes is there: null lists, zero counts, empty parts.
TEST(StoredForm, WhatIsNeverLeftOut) {
  EXPECT_EQ(
      At(Created("rbac.authorization.k8s.io", "Role", R"({"metadata":{"name":"r"}})"), {"rules"}),
      "null");
  const Json pod = Created("", "Pod", R"({"spec":{"containers":[{"name":"c","env":[{"name":"A",
    "valueFrom":{"resourceFieldRef":{"resource":"limits.cpu"}}}]}]}})");
  const Json& container = pod.FindPath({"spec", "containers"})->AsArray()[0];
  EXPECT_EQ(At(container, {"resources"}), "{}");
  EXPECT_EQ(At(container.Find("env")->AsArray()[0], {"valueFrom", "resourceFieldRef", "divisor"}),
            "\"0\"");
}

}  // namespace
}  // namespace kueue::api
