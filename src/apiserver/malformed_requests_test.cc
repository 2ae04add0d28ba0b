#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "api/codec/patch.h"
#include "apiserver/server_under_test.h"

// Requests that are wrong in one place each: refused with a text that names the place, and without
// a trace in the store.
namespace kueue::apiserver {
namespace {

using api::Json;

// A value that does not fit, and where it is put (a JSON pointer).
struct Mistake {
  const char* pointer;
  const char* value;
  const char* place = nullptr;  // how the refusal calls it, if not by its path
};

// "/spec/containers/0/name" is told as "spec.containers[0].name".
std::string PlaceOf(const std::string& pointer) {
  std::string place;
  for (size_t at = 1; at <= pointer.size();) {
    const size_t end = std::min(pointer.find('/', at), pointer.size());
    const std::string step = pointer.substr(at, end - at);
    if (step.find_first_not_of("0123456789") == std::string::npos) {
      place += "[" + step + "]";
    } else {
      place += (place.empty() ? "" : ".") + step;
    }
    at = end + 1;
  }
  return place;
}

class Malformed : public testing::Test {
 protected:
  void Refused(const std::string& method, const std::string& target, const std::string& body,
               const std::string& place, const net::Headers& headers = {}) {
    const uint64_t revision = t_.server.store().revision();
    const auto reply = t_.Ask(method, target, body, headers);
    const std::string what = method + " " + target + " " + body.substr(0, 300);
    EXPECT_GE(reply->code, 400) << what << reply->body.substr(0, 300);
    EXPECT_LT(reply->code, 500) << what << reply->body.substr(0, 300);
    EXPECT_THAT(reply->body, testing::HasSubstr(place)) << what;
    EXPECT_EQ(t_.server.store().revision(), revision) << what;
    std::string whole = what + "\n" + body;
    for (const auto& [name, value] : headers) whole += "\n" + name + ": " + value;
    EXPECT_TRUE(asked_->insert(std::move(whole)).second) << "asked twice: " << what;
  }

  static void SetUpTestSuite() { asked_ = new std::set<std::string>; }
  static void TearDownTestSuite() {
    const testing::TestSuite* suite = testing::UnitTest::GetInstance()->current_test_suite();
    if (suite->test_to_run_count() == suite->total_test_count()) {
      EXPECT_GE(asked_->size(), 150u);
    }
    delete asked_;
  }

  void RefuseAll(const std::string& target, const std::string& base,
                 const std::vector<Mistake>& mistakes) {
    const auto good = api::ParseJson(base);
    ASSERT_TRUE(good.ok());
    ASSERT_EQ(t_.Post(target + "?dryRun=All", base)->code, 201)
        << t_.Post(target + "?dryRun=All", base)->body;
    for (const Mistake& mistake : mistakes) {
      const auto patch = api::ParseJson(std::string(R"([{"op":"add","path":")") + mistake.pointer +
                                        R"(","value":)" + mistake.value + "}]");
      ASSERT_TRUE(patch.ok()) << mistake.pointer;
      const auto bad = api::ApplyJsonPatch(*good, *patch);
      ASSERT_TRUE(bad.ok()) << mistake.pointer << bad.error().message;
      Refused("POST", target, api::WriteJson(*bad),
              mistake.place != nullptr ? mistake.place : PlaceOf(mistake.pointer));
    }
  }

  ServerUnderTest t_;
  static std::set<std::string>* asked_;  // every request, whole
};

std::set<std::string>* Malformed::asked_ = nullptr;

TEST_F(Malformed, Pods) {
  RefuseAll("/api/v1/namespaces/default/pods", R"({"apiVersion":"v1","kind":"Pod","metadata":{
      "name":"p","labels":{},"annotations":{}},"spec":{"containers":[{"name":"c","image":"i",
      "ports":[{"containerPort":1}],"env":[{"name":"E"}],
      "resources":{"requests":{},"limits":{}}}],"volumes":[{"name":"v","emptyDir":{}}],
      "tolerations":[{"key":"k","operator":"Exists"}],"affinity":{"nodeAffinity":{}},
      "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"z","whenUnsatisfiable":
      "DoNotSchedule","labelSelector":{}}]}})",
            {{"/metadata/name", "5"},
             {"/metadata/name", "\"Not_A_Name\""},
             {"/metadata/name", "\"\""},
             {"/metadata/generateName", "[]"},
             {"/metadata/labels", "[]"},
             {"/metadata/labels/a", "1"},
             {"/metadata/labels/a", "\"not a label value\"", "metadata.labels"},
             {"/metadata/annotations/a", "{}"},
             {"/metadata/finalizers", "\"x\""},
             {"/metadata/finalizers", "[\"bad\"]", "metadata.finalizers[0]"},
             {"/metadata/ownerReferences", "{}"},
             {"/metadata/ownerReferences", "[{\"kind\":\"Job\"}]", "metadata.ownerReferences"},
             {"/metadata/creationTimestamp", "\"yesterday\""},
             {"/spec", "[]"},
             {"/spec/containers", "{}"},
             {"/spec/containers", "[]"},
             {"/spec/containers/0", "7"},
             {"/spec/containers/0/name", "7"},
             {"/spec/containers/0/name", "\"Bad_Name\""},
             {"/spec/containers/0/image", "[]"},
             {"/spec/containers/0/imagePullPolicy", "\"Sometimes\""},
             {"/spec/containers/0/ports", "1"},
             {"/spec/containers/0/ports/0/containerPort", "\"x\""},
             {"/spec/containers/0/ports/0/containerPort", "70000"},
             {"/spec/containers/0/ports/0/protocol", "\"ICMP\""},
             {"/spec/containers/0/env", "{}"},
             {"/spec/containers/0/env/0/name", "1"},
             {"/spec/containers/0/resources/requests/cpu", "\"much\""},
             {"/spec/containers/0/resources/requests/cpu", "\"-1\"",
              "spec.containers[0].resources.requests[cpu]"},
             {"/spec/containers/0/resources/limits/memory", "{}"},
             {"/spec/containers/0/volumeMounts", "1"},
             {"/spec/containers/0/command", "\"sh\""},
             {"/spec/containers/0/tty", "\"no\""},
             {"/spec/nodeSelector", "[]"},
             {"/spec/tolerations", "{}"},
             {"/spec/tolerations/0/operator", "\"Near\""},
             {"/spec/tolerations/0/tolerationSeconds", "\"x\""},
             {"/spec/priority", "\"x\""},
             {"/spec/terminationGracePeriodSeconds", "\"x\""},
             {"/spec/terminationGracePeriodSeconds", "-5"},
             {"/spec/activeDeadlineSeconds", "0"},
             {"/spec/hostNetwork", "\"yes\""},
             {"/spec/restartPolicy", "1"},
             {"/spec/restartPolicy", "\"Sometimes\""},
             {"/spec/dnsPolicy", "\"Guess\""},
             {"/spec/volumes", "1"},
             {"/spec/volumes/0/name", "\"Bad_Name\""},
             {"/spec/affinity", "[]"},
             {"/spec/affinity/nodeAffinity", "\"near\""},
             {"/spec/schedulingGates", "1"},
             {"/spec/serviceAccountName", "\"Bad_Name\""},
             {"/spec/topologySpreadConstraints/0/maxSkew", "\"x\""},
             {"/spec/topologySpreadConstraints/0/maxSkew", "0"}});
}

TEST_F(Malformed, Jobs) {
  RefuseAll("/apis/batch/v1/namespaces/default/jobs", R"({"apiVersion":"batch/v1","kind":"Job",
      "metadata":{"name":"j"},"spec":{"template":{"metadata":{"labels":{}},"spec":{"containers":[
      {"name":"c","image":"i"}],"restartPolicy":"Never"}}}})",
            {{"/spec/parallelism", "\"x\""},
             {"/spec/parallelism", "-1"},
             {"/spec/parallelism", "1.5"},
             {"/spec/completions", "{}"},
             {"/spec/completions", "-1"},
             {"/spec/backoffLimit", "true"},
             {"/spec/backoffLimit", "-1"},
             {"/spec/activeDeadlineSeconds", "-1"},
             {"/spec/ttlSecondsAfterFinished", "-1"},
             {"/spec/suspend", "\"maybe\""},
             {"/spec/completionMode", "\"Sorted\""},
             {"/spec/podReplacementPolicy", "\"Never\""},
             {"/spec/managedBy", "\"me\""},
             {"/spec/maxFailedIndexes", "1"},
             {"/spec/selector", "[]"},
             {"/spec/template", "[]"},
             {"/spec/template/spec", "\"x\""},
             {"/spec/template/spec/restartPolicy", "\"Always\""},
             {"/spec/template/spec/containers", "[]"},
             {"/spec/template/spec/containers/0/name", "\"\""},
             {"/spec/template/metadata/labels", "1"}});
}

TEST_F(Malformed, QueueingKinds) {
  RefuseAll("/apis/kueue.x-k8s.io/v1beta2/clusterqueues", R"({
      "apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue","metadata":{"name":"q"},"spec":{
      "resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[
      {"name":"cpu","nominalQuota":"1"}]}]}],"preemption":{}}})",
            {{"/metadata/name", "\"Not_A_Name\""},
             {"/spec/resourceGroups", "{}"},
             {"/spec/resourceGroups/0/coveredResources", "\"cpu\""},
             {"/spec/resourceGroups/0/coveredResources", "[]"},
             {"/spec/resourceGroups/0/flavors", "[]"},
             {"/spec/resourceGroups/0/flavors/0/name", "\"Not_A_Name\""},
             {"/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota", "[]"},
             {"/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota", "\"much\""},
             {"/spec/resourceGroups/0/flavors/0/resources/0/name", "1"},
             {"/spec/queueingStrategy", "\"Random\""},
             {"/spec/stopPolicy", "\"Maybe\""},
             {"/spec/cohortName", "\"Not_A_Name\""},
             {"/spec/namespaceSelector", "\"all\""},
             {"/spec/preemption/withinClusterQueue", "\"Sometimes\""},
             {"/spec/preemption/reclaimWithinCohort", "1"}});
  RefuseAll("/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads", R"({
      "apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"w"},"spec":{
      "queueName":"q","podSets":[{"name":"main","count":1,"template":{"spec":{"containers":[
      {"name":"c","image":"i"}]}}}]}})",
            {{"/spec/queueName", "1"},
             {"/spec/queueName", "\"Not_A_Name\""},
             {"/spec/active", "\"yes\""},
             {"/spec/priority", "\"high\""},
             {"/spec/podSets", "\"x\""},
             {"/spec/podSets/0/name", "\"Not_A_Name\""},
             {"/spec/podSets/0/count", "\"x\""},
             {"/spec/podSets/0/count", "-1"},
             {"/spec/podSets/0/template", "[]"},
             {"/spec/podSets/0/template/spec/containers", "1"},
             {"/spec/maximumExecutionTimeSeconds", "0"}});
}

TEST_F(Malformed, SmallKinds) {
  RefuseAll("/api/v1/namespaces/default/configmaps",
            R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{}})",
            {{"/kind", "\"Secret\"", "Secret"},
             {"/kind", "7", "kind"},
             {"/apiVersion", "\"v9\"", "v9"},
             {"/metadata", "[]", "metadata"},
             {"/metadata/namespace", "\"other\"", "other"},
             {"/metadata/deletionGracePeriodSeconds", "\"x\""},
             {"/data", "[]"},
             {"/data/k", "1"},
             {"/data/k", "{}"},
             {"/data/bad key", "\"x\"", "data[bad key]"},
             {"/binaryData", "{\"k\":\"not base64!\"}", "binaryData.k"},
             {"/immutable", "\"yes\""}});
  RefuseAll("/apis/coordination.k8s.io/v1/namespaces/default/leases",
            R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"},
                "spec":{"leaseDurationSeconds":1}})",
            {{"/spec/leaseDurationSeconds", "0"},
             {"/spec/leaseDurationSeconds", "\"x\""},
             {"/spec/leaseTransitions", "-1"},
             {"/spec/renewTime", "\"2021-01-01T00:00:00Z\""},
             {"/spec/renewTime", "12"},
             {"/spec/holderIdentity", "[]"}});
  RefuseAll("/apis/rbac.authorization.k8s.io/v1/clusterroles",
            R"({"metadata":{"name":"r"},"rules":[{"verbs":["get"],"apiGroups":[""],
                "resources":["pods"]}]})",
            {{"/rules", "{}"},
             {"/rules/0/verbs", "\"get\""},
             {"/rules/0/verbs", "[]"},
             {"/rules/0/resources", "1"}});
}

TEST_F(Malformed, Webhooks) {
  RefuseAll(
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
      R"({"metadata":{"name":"w"},"webhooks":[{"name":"a.b.c","sideEffects":"None",
                "admissionReviewVersions":["v1"],"clientConfig":{"url":"https://a/"},
                "rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],
                          "resources":["*"]}]}]})",
      {{"/webhooks", "{}"},
       {"/webhooks/0/name", "\"a\""},
       {"/webhooks/0/clientConfig/url", "\"http://a/\""},
       {"/webhooks/0/clientConfig/url", "\"https:///a\""},
       {"/webhooks/0/clientConfig/url", "\"https://u@a/\""},
       {"/webhooks/0/clientConfig/url", "\"https://a/?q=1\""},
       {"/webhooks/0/clientConfig/url", "\"https://a/#f\""},
       {"/webhooks/0/clientConfig", "{}"},
       {"/webhooks/0/clientConfig", R"({"service":{"namespace":"n"}})",
        "webhooks[0].clientConfig.service.name"},
       {"/webhooks/0/clientConfig", R"({"service":{"namespace":"n","name":"m","path":"x"}})",
        "webhooks[0].clientConfig.service.path"},
       {"/webhooks/0/clientConfig", R"({"service":{"namespace":"n","name":"m","port":0}})",
        "webhooks[0].clientConfig.service.port"},
       {"/webhooks/0/rules/0/operations", "[]"},
       {"/webhooks/0/rules/0/operations", R"(["*","CREATE"])"},
       {"/webhooks/0/rules/0/operations", R"(["READ"])", "webhooks[0].rules[0].operations[0]"},
       {"/webhooks/0/rules/0/scope", "\"Everywhere\""},
       {"/webhooks/0/sideEffects", "\"Some\""},
       {"/webhooks/0/timeoutSeconds", "31"},
       {"/webhooks/0/timeoutSeconds", "\"1\""},
       {"/webhooks/0/failurePolicy", "\"Panic\""},
       {"/webhooks/0/matchPolicy", "\"Nearly\""},
       {"/webhooks/0/reinvocationPolicy", "\"Often\""},
       {"/webhooks/0/admissionReviewVersions", R"(["v2"])"},
       {"/webhooks/0/admissionReviewVersions", R"(["v1","v1"])",
        "webhooks[0].admissionReviewVersions[1]"},
       {"/webhooks/0/matchConditions", R"([{"name":"c","expression":"1 +"}])",
        "webhooks[0].matchConditions[0].expression"},
       {"/webhooks/0/objectSelector", R"({"matchLabels":{"a b":"c"}})",
        "webhooks[0].objectSelector"}});
}

TEST_F(Malformed, Scales) {
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  ASSERT_EQ(t_.Post(sets, R"({"metadata":{"name":"r"},"spec":{"selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[
      {"name":"c","image":"i"}]}}}})")
                ->code,
            201);
  const auto patch = [&](const std::string& body, const char* type, const std::string& place) {
    Refused("PATCH", sets + "/r/scale?fieldManager=m", body, place, {{"Content-Type", type}});
  };
  constexpr char kMerge[] = "application/merge-patch+json";
  constexpr char kApply[] = "application/apply-patch+yaml";
  patch(R"({"spec":{"replicas":"x"}})", kMerge, "spec.replicas");
  patch(R"({"spec":{"replicas":-1}})", kMerge, "spec.replicas");
  patch(R"({"spec":1})", kMerge, "spec");
  patch(R"({"kind":"Other"})", kMerge, "kind");
  patch(R"({"metadata":{"name":"s"}})", kMerge, "name");
  patch(R"({"metadata":{"uid":"x"}})", kMerge, "uid");
  patch(R"([{"op":"add","path":"/a/b","value":1}])", "application/json-patch+json", "/a/b");
  patch("kind: Other", kApply, "kind");
  patch("a: [", kApply, "YAML");
  patch(R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"r"},
            "spec":{"replicas":7}})",
        kApply, "spec.replicas");
  Refused("PUT", sets + "/r/scale", R"({"metadata":{"name":"s"}})", "name");
  Refused("DELETE", sets + "/r/scale", "", "MethodNotAllowed");
}

TEST_F(Malformed, QueriesAndPaths) {
  const std::string maps = "/api/v1/namespaces/default/configmaps";
  const std::string good = R"({"metadata":{"name":"a"}})";
  Refused("GET", maps + "?limit=x", "", "limit");
  Refused("GET", maps + "?continue=x", "", "continue");
  Refused("GET", maps + "?resourceVersion=x", "", "resourceVersion");
  Refused("GET", maps + "?resourceVersion=1&resourceVersionMatch=Near", "", "resourceVersionMatch");
  Refused("GET", maps + "?resourceVersionMatch=Exact", "", "resourceVersionMatch");
  Refused("GET", maps + "?sendInitialEvents=true", "", "sendInitialEvents");
  Refused("GET", maps + "?labelSelector=a%3D%3D%3Db", "", "labelSelector");
  Refused("GET", maps + "?labelSelector=a+in+b", "", "labelSelector");
  Refused("GET", maps + "?fieldSelector=data%3Dx", "", "data");
  Refused("GET", maps + "?fieldSelector=metadata.name", "", "fieldSelector");
  Refused("GET", maps + "?timeoutSeconds=x&watch=1", "", "timeoutSeconds");
  Refused("GET", maps + "?timeout=soon", "", "timeout");
  Refused("POST", maps + "?dryRun=Some", good, "dryRun");
  Refused("POST", maps + "?fieldValidation=Maybe", good, "fieldValidation");
  Refused("POST", maps + "?fieldManager=a%00b", good, "fieldManager");
  Refused("POST", maps + "?fieldValidation=Strict", R"({"metadata":{"name":"a"},"odd":1})", "odd");
  Refused("POST", maps, "{", "JSON");
  Refused("POST", maps, "", "JSON");
  Refused("POST", maps, "[]", "object");
  Refused("POST", maps, "{} x", "byte");
  Refused("POST", maps, "a: [", "YAML", {{"Content-Type", "application/yaml"}});
  Refused("POST", maps, "x", "protobuf", {{"Content-Type", "application/vnd.kubernetes.protobuf"}});
  Refused("POST", maps, good, "application/json", {{"Content-Type", "text/plain"}});
  Refused("GET", maps, "", "application/json", {{"Accept", "text/html"}});
  Refused("DELETE", maps + "/a", R"({"gracePeriodSeconds":"x"})", "gracePeriodSeconds");
  Refused("DELETE", maps + "/a?propagationPolicy=Sometimes", "", "propagationPolicy");
  Refused("DELETE", maps + "/a?dryRun=Some", "", "dryRun");
  Refused("PUT", maps + "/b", good, "a");
  Refused("GET", maps + "/..", "", "..");
  Refused("GET", "/api/v1/namespaces/default/nothings", "", "NotFound");
  Refused("GET", "/api/v1/namespaces/default/pods/p/nothing", "", "NotFound");
  Refused("FROB", maps, "", "MethodNotAllowed");
  Refused("PATCH", maps + "/a", "{}", "application/json", {{"Content-Type", "application/json"}});
}

TEST_F(Malformed, Patches) {
  ASSERT_EQ(t_.MakeConfigMap("a")->code, 201);
  const std::string map = "/api/v1/namespaces/default/configmaps/a";
  const auto json = [&](const std::string& patch, const std::string& place) {
    Refused("PATCH", map, patch, place, {{"Content-Type", "application/json-patch+json"}});
  };
  json("{}", "list");
  json("[1]", "operation 0");
  json(R"([{"op":"frob","path":"/data"}])", "frob");
  json(R"([{"op":"remove","path":"/data/none"}])", "/data/none");
  json(R"([{"op":"test","path":"/kind","value":"x"}])", "/kind");
  json(R"([{"op":"move","path":"/data","from":"/none"}])", "from");
  json(R"([{"op":"add","path":"/a/b/c","value":1}])", "/a/b/c");
  json(R"([{"op":"add"}])", "path");
  json(R"([{"op":"replace","path":"/metadata/uid","value":"x"}])", "metadata.uid");
  const auto merge = [&](const std::string& patch, const std::string& place) {
    Refused("PATCH", map, patch, place, {{"Content-Type", "application/merge-patch+json"}});
  };
  merge("[]", "object");
  merge("{", "JSON");
  merge(R"({"data":[]})", "data");
  merge(R"({"metadata":{"resourceVersion":"1"}})", "changed");
  merge(R"({"metadata":{"creationTimestamp":"2020-01-01T00:00:00Z"}})",
        "metadata.creationTimestamp");
  Refused("PATCH", map, R"({"data":1})", "data",
          {{"Content-Type", "application/strategic-merge-patch+json"}});
}

}  // namespace
}  // namespace kueue::apiserver
