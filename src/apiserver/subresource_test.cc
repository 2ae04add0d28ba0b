#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

using testing::HasSubstr;

constexpr char kPod[] = "/api/v1/namespaces/default/pods/p";

TEST(Scale, ReadsAndSetsReplicas) {
  ServerUnderTest t;
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  ASSERT_EQ(t.Post(sets, R"({"metadata":{"name":"r"},"spec":{"replicas":2,"selector":{
    "matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[
    {"name":"c","image":"i"}]}}}})")
                ->code,
            201);
  const auto scale = t.Get(sets + "/r/scale");
  EXPECT_EQ(scale->Text({"kind"}), "Scale");
  EXPECT_EQ(scale->Text({"status", "selector"}), "a=b");
  EXPECT_EQ(t.Merge(sets + "/r/scale", R"({"spec":{"replicas":5}})")->code, 200);
  EXPECT_THAT(t.Get(sets + "/r")->body, HasSubstr(R"("replicas":5)"));
  EXPECT_EQ(t.Merge(sets + "/r/scale", R"({"spec":{"replicas":-1}})")->code, 422);
  EXPECT_EQ(t.Get(sets + "/none/scale")->code, 404);
  EXPECT_EQ(t.Ask("DELETE", sets + "/r/scale")->code, 405);
}

TEST(Scale, IsAppliedToLikeAnObject) {
  ServerUnderTest t;
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  ASSERT_EQ(t.Post(sets + "?fieldManager=maker",
                   R"({"metadata":{"name":"r"},"spec":{"replicas":2,"selector":{
    "matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[
    {"name":"c","image":"i"}]}}}})")
                ->code,
            201);
  const auto apply = [&](const std::string& replicas, const std::string& query) {
    return t.Ask("PATCH", sets + "/r/scale?fieldManager=a" + query,
                 R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"r"},
                     "spec":{"replicas":)" +
                     replicas + "}}",
                 {{"Content-Type", "application/apply-patch+yaml"}});
  };
  const auto refused = apply("3", "");
  EXPECT_EQ(refused->code, 409);
  EXPECT_EQ(refused->Text({"message"}),
            "Apply failed with 1 conflict: conflict with \"maker\" using autoscaling/v1: "
            ".spec.replicas");
  EXPECT_EQ(apply("3", "&force=true")->code, 200);
  EXPECT_EQ(apply("4", "")->code, 200);
  const auto set = t.Get(sets + "/r")->Json();
  EXPECT_EQ(*set.FindPath({"spec", "replicas"}), api::Json(4));
  const api::Json* owners = set.FindPath({"metadata", "managedFields"});
  ASSERT_NE(owners, nullptr);
  const auto& last = owners->AsArray().front();
  EXPECT_EQ(api::WriteJson(last),
            R"({"manager":"a","operation":"Apply","apiVersion":"apps/v1","fieldsType":"FieldsV1",)"
            R"("fieldsV1":{"f:spec":{"f:replicas":{}}},"subresource":"scale"})");
}

TEST(Pods, EphemeralContainersAreAddedOnly) {
  ServerUnderTest t;
  t.MakePod("p");
  const std::string sub = std::string(kPod) + "/ephemeralcontainers";
  const auto add = [&](const std::string& list) {
    return t.Merge(sub, R"({"spec":{"ephemeralContainers":)" + list + "}}");
  };
  EXPECT_EQ(add(R"([{"name":"d","image":"i"}])")->code, 200);
  EXPECT_EQ(add("[]")->code, 422);
  EXPECT_EQ(add(R"([{"name":"d","image":"other"}])")->code, 422);
  EXPECT_EQ(add(R"([{"name":"d","image":"i"},{"name":"c","image":"i"}])")->code, 422);
  EXPECT_EQ(t.Merge(kPod, R"({"spec":{"ephemeralContainers":[]}})")->code, 422);
}

TEST(Pods, ResizeChangesNothingElse) {
  ServerUnderTest t;
  ASSERT_EQ(t.Post("/api/v1/namespaces/default/pods", R"({"metadata":{"name":"p"},"spec":{
    "containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}]}})")
                ->code,
            201);
  const auto resize = [&](const std::string& container) {
    return t.Ask("PATCH", std::string(kPod) + "/resize",
                 R"({"spec":{"containers":[)" + container + "]}}",
                 {{"Content-Type", "application/strategic-merge-patch+json"}});
  };
  const auto grown = resize(R"({"name":"c","image":"other","resources":{"requests":{"cpu":"2"}}})");
  EXPECT_EQ(grown->code, 200) << grown->body;
  EXPECT_THAT(grown->body, HasSubstr(R"("requests":{"cpu":"2"})"));
  EXPECT_THAT(grown->body, HasSubstr(R"("image":"i")"));
  EXPECT_EQ(resize(R"({"name":"c","resources":{"limits":{"cpu":"2"},
    "requests":{"cpu":"2","memory":"1Gi"}}})")
                ->code,
            200);
  EXPECT_EQ(resize(R"({"name":"c","resources":{"requests":{"x.io/gpu":"1"}}})")->code, 422);
}

TEST(Pods, EvictionAsksTheBudget) {
  ServerUnderTest t;
  ASSERT_EQ(t.Post("/api/v1/namespaces/default/pods", R"({"metadata":{"name":"p","labels":{
    "a":"b"}},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}})")
                ->code,
            201);
  ASSERT_EQ(t.Merge(std::string(kPod) + "/status", R"({"status":{"phase":"Running","conditions":[
    {"type":"Ready","status":"True"}]}})")
                ->code,
            200);
  const std::string budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  ASSERT_EQ(t.Post(budgets, R"({"metadata":{"name":"b"},"spec":{"minAvailable":1,"selector":{
    "matchLabels":{"a":"b"}}}})")
                ->code,
            201);
  const auto evict = [&] {
    return t.Post(std::string(kPod) + "/eviction", R"({"metadata":{"name":"p"}})");
  };
  const auto early = evict();
  EXPECT_EQ(early->code, 429);
  EXPECT_EQ(net::HeaderOf(early->headers, "Retry-After"), "10");
  ASSERT_EQ(t.Merge(budgets + "/b/status", R"({"status":{"observedGeneration":1,
    "disruptionsAllowed":1,"currentHealthy":2,"desiredHealthy":1,"expectedPods":2}})")
                ->code,
            200);
  EXPECT_EQ(evict()->code, 201);
  EXPECT_THAT(t.Get(budgets + "/b")->body, HasSubstr(R"("disruptionsAllowed":0)"));
}

TEST(Pods, NothingRunsThatOneCouldConnectTo) {
  ServerUnderTest t;
  t.MakePod("p");
  for (const char* sub : {"/exec?command=ls", "/attach", "/portforward", "/proxy", "/proxy/a/b"}) {
    const auto reply = t.Get(std::string(kPod) + sub);
    EXPECT_EQ(reply->code, 400) << sub;
    EXPECT_THAT(reply->Text({"message"}), HasSubstr("simulated")) << sub;
  }
  EXPECT_EQ(t.Get("/api/v1/namespaces/default/pods/none/exec")->code, 404);
}

TEST(Events, AreTheSameInBothGroups) {
  ServerUnderTest t;
  const std::string core = "/api/v1/namespaces/default/events";
  const std::string newer = "/apis/events.k8s.io/v1/namespaces/default/events";
  ASSERT_EQ(t.Post(core, R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Pod","name":"p",
    "namespace":"default"},"message":"said","source":{"component":"me"}})")
                ->code,
            201);
  const auto shown = t.Get(newer + "/e");
  EXPECT_EQ(shown->Text({"note"}), "said");
  EXPECT_EQ(shown->Text({"regarding", "name"}), "p");
  EXPECT_EQ(shown->Text({"deprecatedSource", "component"}), "me");
  EXPECT_EQ(t.Get(newer + "?fieldSelector=regarding.name%3Dp")->Json().Find("items")->size(), 1u);
  EXPECT_EQ(t.Get(newer + "?fieldSelector=involvedObject.name%3Dp")->code, 400);
  ASSERT_EQ(t.Ask("DELETE", newer + "/e")->code, 200);
  EXPECT_EQ(t.Get(core + "/e")->code, 404);
}

// Keeps the lines.
class Lines final : public AuditSink {
 public:
  void Write(const std::string& line) override { lines.push_back(line); }
  std::vector<std::string> lines;
};

TEST(Audit, WritesDownWhoDidWhat) {
  Lines sink;
  ServerOptions options;
  options.audit = &sink;
  ServerUnderTest t(options);
  t.server.AddToken("bob", {"bob", "", {}});
  t.Ask("GET", "/api/v1/namespaces/default/pods/p", "",
        {{"Authorization", "Bearer bob"}, {"User-Agent", "test"}}, false);
  t.MakePod("p");
  ASSERT_EQ(sink.lines.size(), 1u) << "the server's own requests are not written down";
  const auto event = api::ParseJson(sink.lines[0]);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->StringAt({"verb"}), "get");
  EXPECT_EQ(event->StringAt({"user", "username"}), "bob");
  EXPECT_EQ(event->StringAt({"objectRef", "name"}), "p");
  EXPECT_EQ(event->FindPath({"responseStatus", "code"})->AsInt(), 403);
  EXPECT_EQ(event->StringAt({"annotations", "authorization.k8s.io/decision"}), "forbid");
}

}  // namespace
}  // namespace kueue::apiserver
