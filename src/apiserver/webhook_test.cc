// Webhooks as a client meets them. The words of refusals are those of a real server
// (tests/cluster/webhooks_compare.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "apiserver/server_under_test.h"
#include "apiserver/webhook_caller.h"
#include "base/base64.h"

namespace kueue::apiserver {
namespace {

using api::Json;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kValidating[] =
    "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
constexpr char kMutating[] = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

// Answers in place of webhooks, after a while.
class Webhooks final : public WebhookCaller {
 public:
  explicit Webhooks(base::Executor& executor) : executor_(executor) {}

  // Members of the response of the webhook at this host; "" breaks the call off.
  using Answerer = std::function<std::string(const Json& request)>;
  std::map<std::string, Answerer> answers;
  base::Duration delay{0};
  std::vector<std::string> asked;  // hosts
  std::vector<Json> requests;
  std::vector<WebhookTarget> targets;

  void Post(const WebhookTarget& target, std::string body, base::Duration timeout,
            std::function<void(base::Result<WebhookReply>)> done) override {
    Json request = *api::ParseJson(body)->Find("request");
    asked.push_back(target.host);
    targets.push_back(target);
    requests.push_back(request);
    if (delay > timeout) {
      executor_.PostAfter(timeout, [done] { done(base::MakeError(base::Code::kTimeout, "late")); });
      return;
    }
    const auto it = answers.find(target.host);
    const std::string answer = it != answers.end() ? it->second(request) : "\"allowed\":true";
    executor_.PostAfter(delay, [done, answer, uid = request.StringAt({"uid"})] {
      if (answer.empty()) return done(base::Unavailable("connecting: Connection refused"));
      done(WebhookReply{200, "application/json",
                        R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",
                                 "response":{"uid":")" +
                            uid + "\"," + answer + "}}"});
    });
  }

 private:
  base::Executor& executor_;
};

std::string Patch(const std::string& patch) {
  return R"("allowed":true,"patchType":"JSONPatch","patch":")" + base::EncodeBase64(patch) + "\"";
}

std::string Deny(const std::string& status) { return R"("allowed":false,"status":)" + status; }

class WebhookTest : public testing::Test {
 protected:
  WebhookTest()
      : executor_(*base::ParseTime("2026-01-01T00:00:00Z")),
        webhooks_(executor_),
        server_(executor_, Options()) {}

  ServerOptions Options() {
    ServerOptions options;
    options.webhook_caller = &webhooks_;
    options.own_services = {"kueue-system/own"};
    return options;
  }

  // One configuration with one webhook, `more` are further members of it.
  void Make(const char* path, const std::string& name, const std::string& more = "",
            const std::string& resource = "configmaps", const std::string& client = "") {
    const std::string config =
        R"({"metadata":{"name":")" + name + R"("},"webhooks":[{"name":")" + name +
        R"(.example.com","sideEffects":"None",
        "admissionReviewVersions":["v1"],"clientConfig":)" +
        (client.empty() ? R"({"url":"https://)" + name + R"(/hook"})" : client) +
        R"(,"rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],"resources":[")" +
        resource + "\"]}]" + more + "}]}";
    const auto made = server_.Post(path, config);
    ASSERT_EQ(made->code, 201) << made->body;
  }
  std::shared_ptr<Reply> MakeMap(const std::string& name, const std::string& more = "") {
    return Wait(server_.Post(kMaps, R"({"metadata":{"name":")" + name + "\"" + more + "}}"));
  }
  std::shared_ptr<Reply> Wait(std::shared_ptr<Reply> reply) {
    executor_.RunUntilTrue([&] { return reply->ended; },
                           executor_.clock().Now() + base::seconds(100));
    return reply;
  }

  base::VirtualExecutor executor_;
  Webhooks webhooks_;
  ServerUnderTest server_;
};

TEST_F(WebhookTest, ARefusalIsToldInItsOwnWords) {
  Make(kValidating, "a");
  webhooks_.answers["a"] = [](const Json&) {
    return Deny(R"({"code":418,"reason":"Teapot","message":"no tea"})");
  };
  const auto refused = MakeMap("m");
  EXPECT_EQ(refused->code, 418);
  EXPECT_EQ(refused->Text({"reason"}), "Teapot");
  EXPECT_EQ(refused->Text({"message"}),
            "admission webhook \"a.example.com\" denied the request: no tea");
  EXPECT_EQ(server_.Get(std::string(kMaps) + "/m")->code, 404);
}

TEST_F(WebhookTest, ARefusalWithoutWordsIsABadRequest) {
  Make(kValidating, "a");
  webhooks_.answers["a"] = [](const Json&) { return Deny("null"); };
  const auto refused = MakeMap("m");
  EXPECT_EQ(refused->code, 400);
  EXPECT_EQ(refused->Text({"message"}),
            "admission webhook \"a.example.com\" denied the request without explanation");
}

TEST_F(WebhookTest, TheReviewSaysWhatIsToBeDone) {
  Make(kValidating, "a");
  MakeMap("m", R"(,"labels":{"a":"b"})");
  const auto patched =
      Wait(server_.Merge(std::string(kMaps) + "/m?fieldManager=me", R"({"data":{"a":"b"}})"));
  ASSERT_EQ(patched->code, 200) << patched->body;
  const Json& request = webhooks_.requests.back();
  EXPECT_EQ(request.StringAt({"operation"}), "UPDATE");
  EXPECT_EQ(request.StringAt({"resource", "resource"}), "configmaps");
  EXPECT_EQ(request.StringAt({"requestKind", "kind"}), "ConfigMap");
  EXPECT_EQ(request.StringAt({"name"}), "m");
  EXPECT_EQ(request.StringAt({"namespace"}), "default");
  EXPECT_EQ(request.StringAt({"object", "data", "a"}), "b");
  EXPECT_EQ(request.FindPath({"oldObject", "data"}), nullptr);
  EXPECT_EQ(request.StringAt({"options", "kind"}), "UpdateOptions");
  EXPECT_EQ(request.StringAt({"options", "fieldManager"}), "me");
  const Json* owners = request.FindPath({"object", "metadata", "managedFields"});
  ASSERT_NE(owners, nullptr) << api::WriteJson(request);
  EXPECT_EQ(owners->size(), 2u);
  EXPECT_EQ(webhooks_.targets.back().path, "/hook?timeout=10s");
}

TEST_F(WebhookTest, OneAfterTheOtherTheyChangeTheObjectInTheOrderOfTheirNames) {
  Make(kMutating, "b");
  Make(kMutating, "a");
  webhooks_.answers["a"] = [](const Json&) {
    return Patch(R"([{"op":"add","path":"/data","value":{"a":"1"}}])");
  };
  webhooks_.answers["b"] = [](const Json& request) {
    EXPECT_EQ(request.StringAt({"object", "data", "a"}), "1");
    return Patch(R"([{"op":"add","path":"/data/b","value":"2"}])");
  };
  const auto made = MakeMap("m");
  ASSERT_EQ(made->code, 201) << made->body;
  EXPECT_THAT(webhooks_.asked, ElementsAre("a", "b"));
  EXPECT_EQ(made->Text({"data", "a"}), "1");
  EXPECT_EQ(made->Text({"data", "b"}), "2");
}

TEST_F(WebhookTest, WhoWantsToIsAskedAgainAfterOthersHaveChangedTheObject) {
  Make(kMutating, "a", R"(,"reinvocationPolicy":"IfNeeded")");
  Make(kMutating, "b");
  webhooks_.answers["a"] = [](const Json& request) {
    const bool second = request.FindPath({"object", "data", "b"}) != nullptr;
    return second ? Patch(R"([{"op":"add","path":"/data/a","value":"again"}])")
                  : std::string("\"allowed\":true");
  };
  webhooks_.answers["b"] = [](const Json&) {
    return Patch(R"([{"op":"add","path":"/data","value":{"b":"2"}}])");
  };
  const auto made = MakeMap("m");
  EXPECT_THAT(webhooks_.asked, ElementsAre("a", "b", "a"));
  EXPECT_EQ(made->Text({"data", "a"}), "again");
}

TEST_F(WebhookTest, OneThatCannotBeReachedRefusesEverything) {
  Make(kValidating, "a");
  webhooks_.answers["a"] = [](const Json&) { return std::string(); };
  const auto refused = MakeMap("m");
  EXPECT_EQ(refused->code, 500);
  EXPECT_EQ(refused->Text({"reason"}), "InternalError");
  EXPECT_EQ(refused->Text({"message"}),
            "Internal error occurred: failed calling webhook \"a.example.com\": failed to call "
            "webhook: Post \"https://a/hook?timeout=10s\": dial tcp a:443: connect: connection "
            "refused");
}

TEST_F(WebhookTest, FailuresCanBeIgnored) {
  Make(kValidating, "a", R"(,"failurePolicy":"Ignore")");
  webhooks_.answers["a"] = [](const Json&) { return std::string(); };
  EXPECT_EQ(MakeMap("m")->code, 201);
}

TEST_F(WebhookTest, ASlowOneIsGivenUp) {
  Make(kValidating, "a", R"(,"timeoutSeconds":3)");
  webhooks_.delay = base::seconds(20);
  const base::Time began = executor_.clock().Now();
  const auto refused = MakeMap("m");
  EXPECT_EQ(refused->code, 500);
  EXPECT_THAT(refused->Text({"message"}), HasSubstr("?timeout=3s\": context deadline exceeded"));
  EXPECT_EQ(executor_.clock().Now() - began, base::seconds(3));
}

TEST_F(WebhookTest, OthersAreServedWhileOneIsWaitedFor) {
  Make(kValidating, "a");
  webhooks_.delay = base::seconds(2);
  const auto waiting = server_.Post(kMaps, R"({"metadata":{"name":"m"}})");
  EXPECT_FALSE(waiting->ended);
  EXPECT_EQ(server_.Get("/api/v1/namespaces/default")->code, 200);
  EXPECT_EQ(Wait(waiting)->code, 201);
}

TEST_F(WebhookTest, AnObjectThatHasChangedMeanwhileIsShownAgain) {
  MakeMap("m");
  Make(kValidating, "a", R"(,"objectSelector":{"matchLabels":{"ask":"yes"}})");
  webhooks_.delay = base::seconds(2);
  const std::string path = std::string(kMaps) + "/m";
  const auto waiting =
      server_.Merge(path, R"({"metadata":{"labels":{"ask":"yes"}},"data":{"a":"1"}})");
  const auto other = server_.Merge(path, R"({"data":{"b":"2"}})");
  ASSERT_EQ(other->code, 200) << other->body;
  ASSERT_EQ(Wait(waiting)->code, 200);
  EXPECT_EQ(webhooks_.requests.size(), 2u);
  EXPECT_EQ(webhooks_.requests.back().StringAt({"object", "data", "b"}), "2");
  EXPECT_EQ(waiting->Text({"data", "a"}) + waiting->Text({"data", "b"}), "12");
}

TEST_F(WebhookTest, AnUpdateOfAVersionThatIsGoneMeanwhileIsAConflict) {
  const auto made = MakeMap("m");
  Make(kValidating, "a", R"(,"objectSelector":{"matchLabels":{"ask":"yes"}})");
  webhooks_.delay = base::seconds(2);
  const std::string path = std::string(kMaps) + "/m";
  const auto waiting =
      server_.Ask("PUT", path,
                  R"({"metadata":{"name":"m","labels":{"ask":"yes"},"resourceVersion":")" +
                      made->Text({"metadata", "resourceVersion"}) + "\"}}");
  server_.Merge(path, R"({"data":{"b":"2"}})");
  EXPECT_EQ(Wait(waiting)->code, 409);
}

TEST_F(WebhookTest, AGeneratedNameStaysWhatItWas) {
  Make(kMutating, "a");
  Make(kValidating, "b");
  const auto made = Wait(server_.Post(kMaps, R"({"metadata":{"generateName":"m-"}})"));
  ASSERT_EQ(made->code, 201) << made->body;
  EXPECT_EQ(webhooks_.requests.size(), 2u);
  EXPECT_EQ(webhooks_.requests[0].StringAt({"object", "metadata", "name"}), "");
  EXPECT_EQ(webhooks_.requests[0].StringAt({"name"}), "");
  EXPECT_EQ(webhooks_.requests[1].StringAt({"name"}), made->Text({"metadata", "name"}));
  EXPECT_EQ(webhooks_.requests[1].StringAt({"object", "metadata", "name"}),
            made->Text({"metadata", "name"}));
}

TEST_F(WebhookTest, WhatIsNotMeantIsNotAsked) {
  Make(kValidating, "a", R"(,"matchConditions":[{"name":"c",
       "expression":"object.metadata.name != 'm'"}])");
  Make(kValidating, "b", R"(,"namespaceSelector":{"matchLabels":{"no":"such"}})");
  Make(kValidating, "c", "", "secrets");
  Make(kValidating, "d", "", "configmaps/status");
  EXPECT_EQ(MakeMap("m")->code, 201);
  EXPECT_THAT(webhooks_.asked, ElementsAre());
}

TEST_F(WebhookTest, AConditionThatCannotBeComputedRefuses) {
  Make(kValidating, "a", R"(,"matchConditions":[{"name":"c",
       "expression":"object.data.missing == 'x'"}])");
  const auto refused = MakeMap("m");
  EXPECT_EQ(refused->code, 403);
  EXPECT_THAT(refused->Text({"message"}),
              HasSubstr("configmaps \"m\" is forbidden: expression 'object.data.missing == 'x'' "
                        "resulted in error: no such key: data"));
}

TEST_F(WebhookTest, WarningsAreToldOnce) {
  Make(kValidating, "a");
  Make(kMutating, "b");
  webhooks_.answers["a"] = [](const Json&) {
    return std::string(R"("allowed":true,"warnings":["be careful"])");
  };
  const auto made = MakeMap("m");
  EXPECT_EQ(net::HeaderOf(made->headers, "warning"), "299 - \"be careful\"");
  EXPECT_EQ(std::count_if(made->headers.begin(), made->headers.end(),
                          [](const auto& header) { return header.first == "Warning"; }),
            1);
}

TEST_F(WebhookTest, ADryRunIsSaidToBeOne) {
  Make(kValidating, "a");
  const auto made =
      Wait(server_.Post(std::string(kMaps) + "?dryRun=All", R"({"metadata":{"name":"m"}})"));
  EXPECT_EQ(made->code, 201);
  EXPECT_EQ(*webhooks_.requests.back().Find("dryRun"), Json(true));
  EXPECT_EQ(server_.Get(std::string(kMaps) + "/m")->code, 404);
}

TEST_F(WebhookTest, DeletionsAreJudgedToo) {
  MakeMap("m");
  Make(kValidating, "a");
  webhooks_.answers["a"] = [](const Json&) { return Deny(R"({"code":403,"message":"stay"})"); };
  const auto refused = Wait(server_.Ask("DELETE", std::string(kMaps) + "/m"));
  EXPECT_EQ(refused->code, 403);
  const Json& request = webhooks_.requests.back();
  EXPECT_EQ(request.StringAt({"operation"}), "DELETE");
  EXPECT_TRUE(request.Find("object")->IsNull());
  EXPECT_EQ(request.StringAt({"oldObject", "metadata", "name"}), "m");
}

TEST_F(WebhookTest, ACollectionIsDeletedOneByOne) {
  MakeMap("m");
  MakeMap("n");
  Make(kValidating, "a");
  const auto gone = Wait(server_.Ask("DELETE", kMaps));
  ASSERT_EQ(gone->code, 200) << gone->body;
  EXPECT_EQ(gone->Json().Find("items")->size(), 2u);
  EXPECT_EQ(webhooks_.requests.size(), 2u);
  EXPECT_EQ(server_.Get(kMaps)->Json().Find("items")->size(), 0u);
}

TEST_F(WebhookTest, WhatAWebhookMakesMustBeValid) {
  Make(kMutating, "a");
  webhooks_.answers["a"] = [](const Json&) {
    return Patch(R"([{"op":"add","path":"/metadata/labels","value":{"a b":"c"}}])");
  };
  EXPECT_EQ(MakeMap("m")->code, 422);
  webhooks_.answers["a"] = [](const Json&) {
    return Patch(R"([{"op":"remove","path":"/no/such"}])");
  };
  EXPECT_EQ(MakeMap("m")->code, 500);
}

TEST_F(WebhookTest, AnAnswerToAnotherQuestionIsAFailure) {
  Make(kValidating, "a");
  webhooks_.answers["a"] = [](const Json&) { return std::string(R"("allowed":true,"uid":"x")"); };
  const auto refused = MakeMap("m");
  EXPECT_EQ(refused->code, 500);
  EXPECT_THAT(refused->Text({"message"}),
              HasSubstr("failed calling webhook \"a.example.com\": received invalid webhook "
                        "response: expected response.uid=\""));
}

TEST_F(WebhookTest, AServiceLeadsToItsEndpoints) {
  Make(kValidating, "a", "", "configmaps",
       R"({"service":{"namespace":"default","name":"hook","path":"/p"}})");
  EXPECT_THAT(MakeMap("m")->Text({"message"}),
              HasSubstr("Post \"https://hook.default.svc:443/p?timeout=10s\": service \"hook\" not "
                        "found"));
  server_.Post("/api/v1/namespaces/default/services",
               R"({"metadata":{"name":"hook"},"spec":{"ports":[{"port":443}]}})");
  EXPECT_THAT(MakeMap("m")->Text({"message"}),
              HasSubstr("no endpoints available for service \"hook\""));
  const auto slice =
      server_.Post("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
                   R"({"metadata":{"name":"s","labels":{"kubernetes.io/service-name":"hook"}},
          "addressType":"IPv4","endpoints":[{"addresses":["127.0.0.1"]}],
          "ports":[{"port":9443}]})");
  ASSERT_EQ(slice->code, 201) << slice->body;
  EXPECT_EQ(MakeMap("m")->code, 201);
  EXPECT_EQ(webhooks_.targets.back().host + ":" + webhooks_.targets.back().port, "127.0.0.1:9443");
  EXPECT_EQ(webhooks_.targets.back().tls_name, "hook.default.svc");
}

TEST_F(WebhookTest, WhatThisProcessDoesItselfIsNotCalled) {
  Make(kValidating, "a", "", "configmaps",
       R"({"service":{"namespace":"kueue-system","name":"own"}})");
  EXPECT_EQ(MakeMap("m")->code, 201);
}

TEST_F(WebhookTest, TheirOwnConfigurationsAreNotJudged) {
  Make(kValidating, "a", "", "*");
  webhooks_.answers["a"] = [](const Json&) { return Deny("null"); };
  EXPECT_EQ(Wait(server_.Ask("DELETE", std::string(kValidating) + "/a"))->code, 200);
}

TEST_F(WebhookTest, AScaleIsShownAsOne) {
  const auto made = server_.Post("/apis/apps/v1/namespaces/default/deployments",
                                 R"({"metadata":{"name":"d"},"spec":{"replicas":1,
        "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
        "spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  ASSERT_EQ(made->code, 201) << made->body;
  Make(kMutating, "a", "", "deployments/scale");
  webhooks_.answers["a"] = [](const Json&) {
    return Patch(R"([{"op":"replace","path":"/spec/replicas","value":5}])");
  };
  const auto scaled = Wait(server_.Merge("/apis/apps/v1/namespaces/default/deployments/d/scale",
                                         R"({"spec":{"replicas":3}})"));
  ASSERT_EQ(scaled->code, 200) << scaled->body;
  EXPECT_EQ(*scaled->Json().FindPath({"spec", "replicas"}), Json(5));
  EXPECT_EQ(webhooks_.requests.back().StringAt({"kind", "kind"}), "Scale");
  EXPECT_EQ(webhooks_.requests.back().StringAt({"subResource"}), "scale");
}

TEST_F(WebhookTest, AnEvictionIsAskedForOnce) {
  server_.MakePod("p");
  Make(kValidating, "a", "", "pods/*");
  const auto evicted =
      Wait(server_.Post("/api/v1/namespaces/default/pods/p/eviction",
                        R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}})"));
  EXPECT_EQ(evicted->code, 201) << evicted->body;
  ASSERT_EQ(webhooks_.requests.size(), 1u);
  EXPECT_EQ(webhooks_.requests[0].StringAt({"kind", "kind"}), "Eviction");
}

TEST_F(WebhookTest, WhatTheServerDeletesIsJudgedToo) {
  const auto owner = MakeMap("owner");
  MakeMap("m",
          R"(,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":")" +
              owner->Text({"metadata", "uid"}) + "\"}]");
  bool may_go = false;
  Make(kValidating, "a", R"(,"objectSelector":{"matchExpressions":[]})");
  webhooks_.answers["a"] = [&](const Json& request) {
    const bool held = request.StringAt({"name"}) == "m" && !may_go;
    return held ? Deny(R"({"code":403,"message":"not yet"})") : std::string("\"allowed\":true");
  };
  ASSERT_EQ(Wait(server_.Ask("DELETE", std::string(kMaps) + "/owner"))->code, 200);
  executor_.RunFor(base::seconds(2));
  EXPECT_EQ(server_.Get(std::string(kMaps) + "/m")->code, 200);
  may_go = true;
  executor_.RunFor(base::seconds(10));
  EXPECT_EQ(server_.Get(std::string(kMaps) + "/m")->code, 404);
}

TEST(WebhookWithoutNetwork, RefusesByItsFailurePolicy) {
  ServerUnderTest server;
  const auto make = [&](const char* name, const char* policy) {
    return server.Post(
        kValidating,
        std::string(R"({"metadata":{"name":")") + name +
            R"("},"webhooks":[{"name":"a.example.com","sideEffects":"None","failurePolicy":")" +
            policy + R"(","admissionReviewVersions":["v1"],"clientConfig":{"url":"https://a/"},
        "rules":[{"operations":["*"],"apiGroups":["*"],"apiVersions":["*"],
                  "resources":["configmaps"]}]}]})");
  };
  ASSERT_EQ(make("open", "Ignore")->code, 201);
  EXPECT_EQ(server.MakeConfigMap("m")->code, 201);
  ASSERT_EQ(make("closed", "Fail")->code, 201);
  const auto refused = server.MakeConfigMap("n");
  EXPECT_EQ(refused->code, 500);
  EXPECT_THAT(refused->Text({"message"}), HasSubstr("this server has no network"));
}

}  // namespace
}  // namespace kueue::apiserver
