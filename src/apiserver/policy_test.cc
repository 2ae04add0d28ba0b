// ValidatingAdmissionPolicies as a client meets them. The words of refusals are those of a real
// server (tests/cluster/policies_compare.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

using testing::HasSubstr;

constexpr char kPolicies[] = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
constexpr char kBindings[] =
    "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";
constexpr char kConfigMaps[] =
    R"("matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],
       "operations":["*"],"resources":["configmaps"]}]})";

class Policies : public testing::Test {
 protected:
  // `spec` and `bound` are members of the specs.
  void Make(const std::string& spec, const std::string& bound = R"("validationActions":["Deny"])",
            const std::string& match = kConfigMaps) {
    const auto policy =
        server_.Post(kPolicies, R"({"metadata":{"name":"p"},"spec":{)" + match + "," + spec + "}}");
    ASSERT_EQ(policy->code, 201) << policy->body;
    const auto binding = server_.Post(
        kBindings, R"({"metadata":{"name":"b"},"spec":{"policyName":"p",)" + bound + "}}");
    ASSERT_EQ(binding->code, 201) << binding->body;
  }
  std::shared_ptr<Reply> Map(const std::string& name, const std::string& more = "") {
    return server_.Post("/api/v1/namespaces/default/configmaps",
                        R"({"metadata":{"name":")" + name + "\"}" + more + "}");
  }
  // The message of a refusal, without what they all begin with.
  static std::string Told(const Reply& reply) {
    const std::string text = reply.Text({"message"});
    constexpr std::string_view kStart =
        "is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";
    const size_t at = text.find(kStart);
    return at == std::string::npos ? text : text.substr(at + kStart.size());
  }

  ServerUnderTest server_;
};

TEST_F(Policies, AFalseExpressionRefuses) {
  Make(R"("validations":[{"expression":"object.metadata.name != 'm'","message":" no m "}])");
  const auto refused = Map("m");
  EXPECT_EQ(refused->code, 422);
  EXPECT_EQ(refused->Text({"reason"}), "Invalid");
  EXPECT_EQ(refused->Text({"message"}),
            "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied "
            "request: no m");
  EXPECT_EQ(refused->Json().FindPath({"details", "causes"})->AsArray()[0].StringAt({"message"}),
            "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no m");
  EXPECT_EQ(Map("n")->code, 201);
}

TEST_F(Policies, TheReasonGivesTheCode) {
  Make(R"("validations":[{"expression":"false","reason":"Forbidden"}])");
  EXPECT_EQ(Map("m")->code, 403);
  EXPECT_EQ(Told(*Map("m")), "failed expression: false");
}

TEST_F(Policies, FailuresRefuseUnlessIgnored) {
  Make(R"("validations":[{"expression":"object.data.x == 'y'"}])");
  EXPECT_EQ(Told(*Map("m")),
            "expression 'object.data.x == 'y'' resulted in error: no such key: data");
  const auto ignored =
      server_.Merge(std::string(kPolicies) + "/p", R"({"spec":{"failurePolicy":"Ignore"}})");
  ASSERT_EQ(ignored->code, 200) << ignored->body;
  EXPECT_EQ(Map("m")->code, 201);
}

TEST_F(Policies, VariablesAreComputedOnceAndWhenRead) {
  Make(R"json("variables":[{"name":"size","expression":"object.data.size()"},
          {"name":"none","expression":"null"}],
          "validations":[{"expression":"variables.none == null"},
          {"expression":"!has(object.data) || variables.size < 2",
           "messageExpression":"'not ' + string(variables.size)"}])json");
  EXPECT_EQ(Map("empty")->code, 201);
  EXPECT_EQ(Told(*Map("m", R"(,"data":{"a":"b","c":"d"})")), "not 2");
}

TEST_F(Policies, ChainsOfVariablesAreBounded) {
  std::string variables = R"({"name":"v0","expression":"1"})";
  for (int i = 1; i < 400; ++i) {
    variables += R"(,{"name":"v)" + std::to_string(i) + R"(","expression":"variables.v)" +
                 std::to_string(i - 1) + R"( + 1"})";
  }
  Make(R"("variables":[)" + variables + R"(],"validations":[{"expression":"variables.v399 > 0"}])");
  EXPECT_THAT(Told(*Map("m")), HasSubstr("variables refer to each other more than 20 deep"));
}

TEST_F(Policies, MatchConditionsSelect) {
  Make(R"("matchConditions":[{"name":"m","expression":"object.metadata.name == 'm'"}],
          "validations":[{"expression":"false"}])");
  EXPECT_EQ(Map("m")->code, 422);
  EXPECT_EQ(Map("n")->code, 201);
}

TEST_F(Policies, Warnings) {
  Make(R"("validations":[{"expression":"false","message":"careful"}])",
       R"("validationActions":["Warn"])");
  const auto reply = Map("m");
  EXPECT_EQ(reply->code, 201);
  EXPECT_EQ(net::HeaderOf(reply->headers, "Warning"),
            "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': "
            "careful\"");
}

TEST_F(Policies, Params) {
  ASSERT_EQ(Map("limits", R"(,"data":{"most":"1"})")->code, 201);
  Make(R"json("paramKind":{"apiVersion":"v1","kind":"ConfigMap"},
          "validations":[{"expression":"object.data.size() <= int(params.data.most)",
                          "messageExpression":"'at most ' + string(params.data.most)"}])json",
       R"("validationActions":["Deny"],"paramRef":{"name":"limits",
          "parameterNotFoundAction":"Deny"})");
  EXPECT_EQ(Told(*Map("m", R"(,"data":{"a":"b","c":"d"})")), "at most 1");
  EXPECT_EQ(Map("m", R"(,"data":{"a":"b"})")->code, 201);
}

TEST_F(Policies, ParamsThatAreMissing) {
  Make(R"("paramKind":{"apiVersion":"v1","kind":"ConfigMap"},
          "validations":[{"expression":"true"}])",
       R"("validationActions":["Deny"],"paramRef":{"name":"none",
          "parameterNotFoundAction":"Deny"})");
  EXPECT_EQ(Told(*Map("m")),
            "failed to configure binding: no params found for policy binding with `Deny` "
            "parameterNotFoundAction");
}

TEST_F(Policies, DeletionsHaveNoObject) {
  ASSERT_EQ(Map("m")->code, 201);
  Make(R"("validations":[{"expression":"object != null && oldObject == null"}])");
  const auto reply = server_.Ask("DELETE", "/api/v1/namespaces/default/configmaps/m");
  EXPECT_EQ(reply->code, 422);
}

TEST_F(Policies, TheAuthorizerIsTheServers) {
  Make(
      R"json("validations":[
      {"expression":"!authorizer.group('').resource('pods').check('get').allowed() || )json"
      R"json(authorizer.serviceAccount('n', 'a').group('').resource('pods').check('get').allowed()",
       "message":"the owner only"},
      {"expression":"!authorizer.requestResource.check('update').allowed()"}])json");
  EXPECT_EQ(Told(*Map("m")), "the owner only");
}

// A rule that names another version of the resource sees the object in that version.
TEST_F(Policies, EquivalentVersions) {
  Make(R"json("validations":[{"expression":"false","messageExpression":)json"
       R"json("[string(object.apiVersion), request.resource.version].join(' ')"}])json",
       R"("validationActions":["Deny"])",
       R"("matchConstraints":{"resourceRules":[{"apiGroups":["kueue.x-k8s.io"],
          "apiVersions":["v1beta1"],"operations":["CREATE"],"resources":["*"]}]})");
  const auto reply = server_.Post("/apis/kueue.x-k8s.io/v1beta2/resourceflavors",
                                  R"({"apiVersion":"kueue.x-k8s.io/v1beta2",
                                      "kind":"ResourceFlavor","metadata":{"name":"f"}})");
  EXPECT_EQ(Told(*reply), "kueue.x-k8s.io/v1beta1 v1beta1");
}

TEST_F(Policies, TextsThatCannotBeCompiledAreRefused) {
  const auto reply =
      server_.Post(kPolicies, std::string(R"({"metadata":{"name":"p"},"spec":{)") + kConfigMaps +
                                  R"(,"validations":[{"expression":"request.nope == ''"}]}})");
  EXPECT_EQ(reply->code, 422);
  EXPECT_THAT(reply->Text({"message"}),
              HasSubstr("spec.validations[0].expression: compilation failed: ERROR: "
                        "<input>:1:8: undefined field 'nope'"));
}

TEST_F(Policies, TheGenerationThatCountsIsTold) {
  Make(R"("validations":[{"expression":"true"}])");
  const auto reply = server_.Get(std::string(kPolicies) + "/p");
  const api::Json policy = reply->Json();
  ASSERT_NE(policy.FindPath({"status", "observedGeneration"}), nullptr) << reply->body;
  EXPECT_EQ(*policy.FindPath({"status", "observedGeneration"}), api::Json(1));
}

TEST_F(Policies, WithoutABindingNothingIsRefused) {
  Make(R"("validations":[{"expression":"false"}])");
  EXPECT_EQ(Map("m")->code, 422);
  ASSERT_EQ(server_.Ask("DELETE", std::string(kBindings) + "/b")->code, 200);
  EXPECT_EQ(Map("m")->code, 201);
}

}  // namespace
}  // namespace kueue::apiserver
