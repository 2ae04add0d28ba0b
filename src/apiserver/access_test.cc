#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/rbac.h"
#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

using testing::HasSubstr;

constexpr char kRoles[] = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
constexpr char kBindings[] = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";

// Bob of group dev, who may do nothing yet.
class Access : public testing::Test {
 protected:
  Access() { t.server.AddToken("bob", {"bob", "bob-uid", {"dev"}}); }

  std::shared_ptr<Reply> Bob(const std::string& method, const std::string& target,
                             const std::string& body = "", net::Headers headers = {}) {
    headers.emplace_back("Authorization", "Bearer bob");
    return t.Ask(method, target, body, std::move(headers), false);
  }
  // A binding of role or cluster role to the group dev.
  void Bind(const std::string& kind, const std::string& role) {
    const auto reply = t.Post(
        kBindings, R"({"metadata":{"name":"b-)" + role + R"("},"roleRef":{"apiGroup":)" +
                       R"("rbac.authorization.k8s.io","kind":")" + kind + R"(","name":")" + role +
                       R"("},"subjects":[{"kind":"Group","apiGroup":"rbac.authorization.k8s.io",)" +
                       R"("name":"dev"}]})");
    ASSERT_EQ(reply->code, 201) << reply->body;
  }
  void MakeRole(const std::string& name, const std::string& rules) {
    const auto reply =
        t.Post(kRoles, R"({"metadata":{"name":")" + name + R"("},"rules":)" + rules + "}");
    ASSERT_EQ(reply->code, 201) << reply->body;
  }

  ServerUnderTest t;
};

TEST_F(Access, RefusalsSayWhoMayNotDoWhatWhere) {
  EXPECT_EQ(Bob("GET", kMaps)->Text({"message"}),
            R"(configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group )"
            R"("" in the namespace "default")");
  EXPECT_EQ(Bob("GET", "/api/v1/namespaces/default/pods/p/log")->Text({"message"}),
            R"(pods "p" is forbidden: User "bob" cannot get resource "pods/log" in API group "" )"
            R"(in the namespace "default")");
  EXPECT_EQ(Bob("DELETE", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/q")->Text({"message"}),
            R"(clusterqueues.kueue.x-k8s.io "q" is forbidden: User "bob" cannot delete resource )"
            R"("clusterqueues" in API group "kueue.x-k8s.io" at the cluster scope)");
  EXPECT_EQ(Bob("POST", "/nothing")->Text({"message"}),
            R"(forbidden: User "bob" cannot post path "/nothing")");
}

TEST_F(Access, RolesAllowWhatTheyName) {
  MakeRole("maps", R"([{"apiGroups":[""],"resources":["configmaps"],"verbs":["get","create"]}])");
  Bind("Role", "maps");
  EXPECT_EQ(Bob("POST", kMaps, R"({"metadata":{"name":"a"}})")->code, 201);
  EXPECT_EQ(Bob("GET", std::string(kMaps) + "/a")->code, 200);
  EXPECT_EQ(Bob("GET", kMaps)->code, 403);
  EXPECT_EQ(Bob("GET", "/api/v1/namespaces/kube-system/configmaps/a")->code, 403);
  EXPECT_EQ(Bob("GET", "/api/v1/namespaces/default/secrets/a")->code, 403);
}

TEST_F(Access, RolesOfJobQueueingAreThere) {
  Bind("ClusterRole", "kueue-batch-user-role");
  EXPECT_EQ(Bob("GET", "/apis/batch/v1/namespaces/default/jobs")->code, 200);
  EXPECT_EQ(Bob("GET", "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/workloads")->code, 200);
  const char* queues = "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/localqueues";
  EXPECT_EQ(Bob("GET", queues)->code, 200);
  EXPECT_EQ(Bob("POST", queues, "{}")->code, 403);
}

TEST_F(Access, ViewSeesQueuesButNoSecrets) {
  Bind("ClusterRole", "view");
  EXPECT_EQ(Bob("GET", "/api/v1/namespaces/default/pods")->code, 200);
  EXPECT_EQ(Bob("GET", "/apis/kueue.x-k8s.io/v1beta2/namespaces/default/localqueues")->code, 200);
  EXPECT_EQ(Bob("GET", "/api/v1/namespaces/default/secrets")->code, 403);
  EXPECT_EQ(Bob("POST", kMaps, "{}")->code, 403);
}

TEST_F(Access, SumsFollowTheirParts) {
  const char* roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  Bind("ClusterRole", "view");
  ASSERT_EQ(Bob("GET", "/api/v1/namespaces/default/secrets")->code, 403);
  ASSERT_EQ(t.Post(roles, R"({"metadata":{"name":"more","labels":{
    "rbac.authorization.k8s.io/aggregate-to-view":"true"}},"rules":[
    {"apiGroups":[""],"resources":["secrets"],"verbs":["list"]}]})")
                ->code,
            201);
  EXPECT_EQ(Bob("GET", "/api/v1/namespaces/default/secrets")->code, 200);
  ASSERT_EQ(t.Ask("DELETE", std::string(roles) + "/more")->code, 200);
  EXPECT_EQ(Bob("GET", "/api/v1/namespaces/default/secrets")->code, 403);
}

TEST_F(Access, NobodyHandsOutMoreThanTheyHave) {
  Bind("ClusterRole", "admin");
  const auto role = [&](const std::string& name, const std::string& resource) {
    return Bob("POST", kRoles,
               R"({"metadata":{"name":")" + name + R"("},"rules":[{"apiGroups":)" +
                   R"([""],"resources":[")" + resource + R"("],"verbs":["get"]}]})");
  };
  EXPECT_EQ(role("fine", "configmaps")->code, 201);
  const auto refused = role("more", "nodes");
  EXPECT_EQ(refused->code, 403);
  EXPECT_THAT(refused->Text({"message"}),
              HasSubstr("user \"bob\" (groups=[\"dev\" \"system:authenticated\"]) is attempting to "
                        "grant RBAC permissions not currently held:\n"
                        "{APIGroups:[\"\"], Resources:[\"nodes\"], Verbs:[\"get\"]}"));
  const auto binding = Bob("POST", kBindings, R"({"metadata":{"name":"up"},"roleRef":{"apiGroup":
    "rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},"subjects":[
    {"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"bob"}]})");
  EXPECT_EQ(binding->code, 403);
  EXPECT_THAT(binding->body, HasSubstr("not currently held"));
}

TEST_F(Access, ImpersonationNeedsARightToIt) {
  const net::Headers carol = {{"Impersonate-User", "carol"}, {"Impersonate-Group", "dev"}};
  EXPECT_EQ(Bob("GET", kMaps, "", carol)->code, 403);
  MakeRole("maps", R"([{"apiGroups":[""],"resources":["configmaps"],"verbs":["list"]}])");
  Bind("Role", "maps");
  EXPECT_EQ(t.Ask("GET", kMaps, "", carol)->code, 200);
  EXPECT_EQ(t.Ask("GET", kMaps, "", {{"Impersonate-User", "carol"}})->code, 403);
  EXPECT_EQ(t.Ask("GET", kMaps, "", {{"Impersonate-Group", "dev"}})->code, 400);
  const auto self = t.Ask("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}",
                          {{"Impersonate-User", "carol"}, {"Impersonate-Extra-scopes", "view"}});
  EXPECT_THAT(self->body, HasSubstr(R"("username":"carol")"));
  EXPECT_THAT(self->body, HasSubstr(R"("scopes":["view"])"));
}

TEST_F(Access, ReviewsAnswerForOthers) {
  Bind("ClusterRole", "view");
  const auto ask = [&](const std::string& spec) {
    return t.Post("/apis/authorization.k8s.io/v1/subjectaccessreviews", R"({"spec":)" + spec + "}");
  };
  const auto allowed = ask(R"({"groups":["dev"],"resourceAttributes":{"verb":"get",
    "resource":"pods","namespace":"default"}})");
  EXPECT_THAT(allowed->body, HasSubstr(R"("allowed":true)"));
  EXPECT_THAT(allowed->body, HasSubstr("RBAC: allowed by RoleBinding"));
  EXPECT_THAT(ask(R"({"user":"dev","resourceAttributes":{"verb":"get","resource":"pods"}})")->body,
              HasSubstr(R"("allowed":false)"));
  EXPECT_EQ(ask(R"({"resourceAttributes":{"verb":"get","resource":"pods"}})")->code, 422);
  const auto rules = Bob("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                         R"({"spec":{"namespace":"default"}})");
  EXPECT_THAT(rules->body, HasSubstr("localqueues"));
}

// A service account and a token of it.
class Accounts : public Access {
 protected:
  Accounts() {
    EXPECT_EQ(
        t.Post("/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"sa"}})")->code,
        201);
  }
  std::string Token(const std::string& spec = "{}") {
    const auto reply =
        t.Post("/api/v1/namespaces/default/serviceaccounts/sa/token", R"({"spec":)" + spec + "}");
    EXPECT_EQ(reply->code, 201) << reply->body;
    return reply->Text({"status", "token"});
  }
  std::shared_ptr<Reply> WhoAmI(const std::string& token) {
    return t.Ask("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}",
                 {{"Authorization", "Bearer " + token}}, false);
  }
};

TEST_F(Accounts, TokensSayWhoTheyAre) {
  const auto self = WhoAmI(Token());
  EXPECT_EQ(self->code, 201) << self->body;
  EXPECT_EQ(self->Text({"status", "userInfo", "username"}), "system:serviceaccount:default:sa");
  EXPECT_THAT(self->body, HasSubstr("system:serviceaccounts:default"));
}

TEST_F(Accounts, TokensRunOut) {
  const std::string token = Token(R"({"expirationSeconds":600})");
  t.executor.RunFor(base::seconds(599));
  EXPECT_EQ(WhoAmI(token)->code, 201);
  t.executor.RunFor(base::seconds(2));
  EXPECT_EQ(WhoAmI(token)->code, 401);
}

TEST_F(Accounts, TokensEndWithTheirAccountAndWithTheirPod) {
  ASSERT_EQ(t.Post("/api/v1/namespaces/default/pods", R"({"metadata":{"name":"p"},"spec":{
    "serviceAccountName":"sa","containers":[{"name":"c","image":"i"}]}})")
                ->code,
            201);
  const std::string bound = Token(R"({"boundObjectRef":{"kind":"Pod","name":"p"}})");
  const std::string free = Token();
  EXPECT_EQ(WhoAmI(bound)->code, 201);
  ASSERT_EQ(t.Ask("DELETE", "/api/v1/namespaces/default/pods/p")->code, 200);
  EXPECT_EQ(WhoAmI(bound)->code, 401);
  EXPECT_EQ(WhoAmI(free)->code, 201);
  ASSERT_EQ(t.Ask("DELETE", "/api/v1/namespaces/default/serviceaccounts/sa")->code, 200);
  EXPECT_EQ(WhoAmI(free)->code, 401);
}

TEST_F(Accounts, TokensForOthersAreNotForThisServer) {
  const std::string token = Token(R"({"audiences":["vault"]})");
  EXPECT_EQ(WhoAmI(token)->code, 401);
  const auto review = [&](const std::string& audience) {
    return t.Post("/apis/authentication.k8s.io/v1/tokenreviews",
                  R"({"spec":{"token":")" + token + R"(","audiences":[")" + audience + R"("]}})");
  };
  EXPECT_THAT(review("vault")->body, HasSubstr(R"("authenticated":true)"));
  EXPECT_THAT(review("other")->body, testing::Not(HasSubstr(R"("authenticated":true)")));
}

TEST_F(Accounts, ForgedTokensAreRefused) {
  std::string token = Token();
  ASSERT_FALSE(token.empty());
  token[token.size() / 2] = token[token.size() / 2] == 'A' ? 'B' : 'A';
  EXPECT_EQ(WhoAmI(token)->code, 401);
  EXPECT_EQ(WhoAmI("a.b.c")->code, 401);
}

TEST(Rbac, CoverageKnowsStarsAndNames) {
  const AccessRule pods{{"get", "list"}, {""}, {"pods", "pods/log"}, {}, {}};
  const AccessRule all{{"*"}, {"*"}, {"*"}, {}, {}};
  const AccessRule one{{"get"}, {""}, {"pods"}, {"p"}, {}};
  EXPECT_TRUE(Uncovered({all}, {pods}).empty());
  EXPECT_TRUE(Uncovered({pods}, {one}).empty());
  EXPECT_EQ(Uncovered({one}, {pods}).size(), 4u);
  EXPECT_EQ(Uncovered({pods}, {all}).size(), 1u);
}

}  // namespace
}  // namespace kueue::apiserver
