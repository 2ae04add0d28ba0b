#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

constexpr char kDefinitions[] = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr char kThings[] = "/apis/example.com/v1/namespaces/default/things";

std::string Definition(const std::string& versions, const std::string& names = "") {
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"things.example.com"},"spec":{"group":"example.com",
             "scope":"Namespaced","names":{"plural":"things","kind":"Thing")" +
         names + R"(},"versions":[)" + versions + "]}}";
}

std::string Version(const std::string& spec, const std::string& more = "",
                    const std::string& name = "v1", const std::string& storage = "true") {
  return R"({"name":")" + name + R"(","served":true,"storage":)" + storage +
         R"(,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":)" + spec + "}}}" +
         more + "}";
}

std::string Thing(const std::string& name, const std::string& more = "") {
  return R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":")" + name + "\"" +
         more + "}}";
}

constexpr char kFree[] = R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})";

TEST(Definitions, ServeTheirKind) {
  ServerUnderTest test;
  EXPECT_EQ(test.Get(kThings)->code, 404);
  EXPECT_EQ(test.Post(kDefinitions, Definition(Version(kFree)))->code, 201);
  EXPECT_EQ(test.Post(kThings, Thing("a"))->code, 201);
  EXPECT_EQ(test.Get(std::string(kThings) + "/a")->code, 200);
  EXPECT_NE(test.Get("/apis/example.com/v1")->body.find("\"things\""), std::string::npos);
}

TEST(Definitions, TakeTheirObjectsWithThem) {
  ServerUnderTest test;
  test.Post(kDefinitions, Definition(Version(kFree)));
  test.Post(kThings, Thing("a"));
  const auto watch = test.Get(std::string(kThings) + "?watch=true");
  test.Ask("DELETE", std::string(kDefinitions) + "/things.example.com");
  EXPECT_EQ(test.Get(std::string(kDefinitions) + "/things.example.com")->code, 404);
  EXPECT_EQ(test.Get(kThings)->code, 404);
  EXPECT_EQ(watch->Events(), (std::vector<std::string>{"ADDED a", "DELETED a"}));
  EXPECT_TRUE(watch->ended);
}

TEST(Definitions, WaitForObjectsThatAreHeld) {
  ServerUnderTest test;
  test.Post(kDefinitions, Definition(Version(kFree)));
  test.Post(kThings, Thing("a", R"(,"finalizers":["x.io/f"])"));
  test.Ask("DELETE", std::string(kDefinitions) + "/things.example.com");
  EXPECT_EQ(test.Get(std::string(kDefinitions) + "/things.example.com")->code, 200);
  EXPECT_EQ(test.Post(kThings, Thing("b"))->code, 403);
  test.Merge(std::string(kThings) + "/a", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(test.Get(std::string(kDefinitions) + "/things.example.com")->code, 404);
}

TEST(Definitions, ComeAgainWithoutOldObjects) {
  ServerUnderTest test;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(test.Post(kDefinitions, Definition(Version(kFree)))->code, 201);
    EXPECT_EQ(test.Get(std::string(kThings) + "/a")->code, 404);
    EXPECT_EQ(test.Post(kThings, Thing("a"))->code, 201);
    test.Ask("DELETE", std::string(kDefinitions) + "/things.example.com");
  }
}

TEST(Definitions, TakeOverObjectsThatWereLeftBehind) {
  ServerUnderTest test;
  const std::string path = std::string(kDefinitions) + "/things.example.com";
  test.Post(kDefinitions, Definition(Version(kFree)));
  test.Post(kThings, Thing("a", R"(,"finalizers":["x.io/f"])"));
  test.Ask("DELETE", path);
  test.Merge(path, R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(test.Get(path)->code, 404);
  EXPECT_EQ(test.Post(kDefinitions, Definition(Version(kFree)))->code, 201);
  EXPECT_EQ(test.Get(std::string(kThings) + "/a")->code, 200);
}

TEST(Definitions, ShowObjectsInEveryVersion) {
  ServerUnderTest test;
  test.Post(kDefinitions, Definition(Version(kFree)));
  test.Post(kThings, Thing("a"));
  const auto changed = test.Merge(std::string(kDefinitions) + "/things.example.com",
                                  R"({"spec":{"versions":[)" + Version(kFree, "", "v1", "false") +
                                      "," + Version(kFree, "", "v2") + "]}}");
  EXPECT_EQ(changed->code, 200) << changed->body;
  const auto read = test.Get("/apis/example.com/v2/namespaces/default/things/a");
  EXPECT_NE(read->body.find("\"apiVersion\":\"example.com/v2\""), std::string::npos) << read->body;
  EXPECT_NE(test.Get(std::string(kThings) + "/a")->body.find("example.com/v1"), std::string::npos);
}

TEST(Definitions, FillInNewDefaultsWhenRead) {
  ServerUnderTest test;
  test.Post(kDefinitions, Definition(Version(R"({"type":"object"})")));
  test.Post(kThings, R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},
                         "spec":{}})");
  test.Merge(std::string(kDefinitions) + "/things.example.com",
             R"({"spec":{"versions":[)" +
                 Version(R"({"type":"object","properties":{"d":{"type":"integer","default":7}}})") +
                 "]}}");
  EXPECT_NE(test.Get(std::string(kThings) + "/a")->body.find("\"d\":7"), std::string::npos);
}

TEST(Definitions, NamesBelongToWhoCameFirst) {
  ServerUnderTest test;
  test.Post(kDefinitions, Definition(Version(kFree)));
  std::string other = Definition(Version(kFree));
  other.replace(other.find("things.example.com"), 18, "others.example.com");
  other.replace(other.find("\"plural\":\"things\""), 17, "\"plural\":\"others\"");
  EXPECT_EQ(test.Post(kDefinitions, other)->code, 201);
  EXPECT_EQ(test.Get("/apis/example.com/v1/namespaces/default/others")->code, 404);
  test.Ask("DELETE", std::string(kDefinitions) + "/things.example.com");
  EXPECT_EQ(test.Get("/apis/example.com/v1/namespaces/default/others")->code, 200);
}

TEST(Definitions, ScaleByPath) {
  ServerUnderTest test;
  test.Post(kDefinitions,
            Definition(Version(R"({"type":"object","properties":{"n":{"type":"integer"}}})",
                               R"(,"subresources":{"scale":{"specReplicasPath":".spec.n",
                                   "statusReplicasPath":".status.n"}})")));
  test.Post(kThings, R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},
                         "spec":{"n":1}})");
  const auto scaled = test.Merge(std::string(kThings) + "/a/scale", R"({"spec":{"replicas":3}})");
  EXPECT_EQ(scaled->code, 200) << scaled->body;
  EXPECT_NE(test.Get(std::string(kThings) + "/a")->body.find("\"n\":3"), std::string::npos);
}

TEST(Definitions, OfBuiltInKindsChangeNothing) {
  ServerOptions options;
  options.show_definitions = true;
  ServerUnderTest test(options);
  const auto shown = test.Get(std::string(kDefinitions) + "/clusterqueues.kueue.x-k8s.io");
  EXPECT_EQ(shown->code, 200);
  EXPECT_NE(shown->body.find("\"Established\""), std::string::npos);
  EXPECT_EQ(test.Ask("DELETE", std::string(kDefinitions) + "/clusterqueues.kueue.x-k8s.io")->code,
            200);
  EXPECT_EQ(test.Get("/apis/kueue.x-k8s.io/v1beta2/clusterqueues")->code, 200);
}

TEST(Definitions, AreServedAgainFromAStoreThatWasFilled) {
  ServerUnderTest test;
  test.Post(kDefinitions, Definition(Version(kFree)));
  const auto* kind = api::FindKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
  const StoredPtr definition = test.server.store().Get(*kind, "things.example.com");

  ServerUnderTest restarted;
  restarted.server.store().Put(*kind, "things.example.com", definition->object());
  restarted.server.RestoreDefinitions();
  ASSERT_NE(restarted.server.FindDefined("example.com", "Thing"), nullptr);
  EXPECT_EQ(restarted.Post(kThings, Thing("a"))->code, 201);
}

}  // namespace
}  // namespace kueue::apiserver
