#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

using testing::HasSubstr;

constexpr char kPods[] = "/api/v1/namespaces/default/pods";
constexpr char kQuotas[] = "/api/v1/namespaces/default/resourcequotas";

std::string Pod(const std::string& name, const std::string& resources,
                const std::string& more_spec = "") {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more_spec +
         R"("containers":[{"name":"c","image":"i","resources":)" + resources + "}]}}";
}

TEST(Priority, ComesFromTheClass) {
  ServerUnderTest t;
  const char* classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  ASSERT_EQ(
      t.Post(classes, R"({"metadata":{"name":"high"},"value":7,"preemptionPolicy":"Never"})")->code,
      201);
  const auto high = t.Post(kPods, Pod("a", "{}", R"("priorityClassName":"high",)"));
  EXPECT_THAT(high->body, HasSubstr(R"("priority":7)"));
  EXPECT_EQ(high->Text({"spec", "preemptionPolicy"}), "Never");
  const auto none = t.Post(kPods, Pod("b", "{}", R"("priorityClassName":"none",)"));
  EXPECT_EQ(none->code, 403);
  EXPECT_THAT(none->body, HasSubstr("no PriorityClass with name none was found"));
  EXPECT_EQ(t.Post(kPods, Pod("c", "{}", R"("priority":8,)"))->code, 403);
  ASSERT_EQ(
      t.Post(classes, R"({"metadata":{"name":"usual"},"value":3,"globalDefault":true})")->code,
      201);
  EXPECT_EQ(t.Post(kPods, Pod("d", "{}"))->Text({"spec", "priorityClassName"}), "usual");
  EXPECT_EQ(t.Post(classes, R"({"metadata":{"name":"two"},"value":3,"globalDefault":true})")->code,
            403);
}

TEST(RuntimeClass, AddsOverheadAndPlacement) {
  ServerUnderTest t;
  ASSERT_EQ(t.Post("/apis/node.k8s.io/v1/runtimeclasses", R"({"metadata":{"name":"kata"},
    "handler":"kata","overhead":{"podFixed":{"cpu":"250m"}},
    "scheduling":{"nodeSelector":{"kata":"yes"}}})")
                ->code,
            201);
  const auto pod = t.Post(kPods, Pod("a", "{}", R"("runtimeClassName":"kata",)"));
  EXPECT_EQ(pod->Text({"spec", "overhead", "cpu"}), "250m") << pod->body;
  EXPECT_EQ(pod->Text({"spec", "nodeSelector", "kata"}), "yes");
  EXPECT_EQ(t.Post(kPods, Pod("b", "{}", R"("runtimeClassName":"none",)"))->code, 403);
}

TEST(Limits, FillAndBound) {
  ServerUnderTest t;
  ASSERT_EQ(t.Post("/api/v1/namespaces/default/limitranges", R"({"metadata":{"name":"l"},"spec":{
    "limits":[{"type":"Container","default":{"cpu":"1"},"defaultRequest":{"cpu":"500m"},
    "max":{"cpu":"2"},"min":{"cpu":"100m"},"maxLimitRequestRatio":{"cpu":"4"}},
    {"type":"Pod","max":{"cpu":"3"}}]}})")
                ->code,
            201);
  const auto filled = t.Post(kPods, Pod("a", "{}"));
  EXPECT_THAT(filled->body, HasSubstr(R"("limits":{"cpu":"1"},"requests":{"cpu":"500m"})"));
  EXPECT_EQ(filled->Text({"metadata", "annotations", "kubernetes.io/limit-ranger"}),
            "LimitRanger plugin set: cpu request for container c; cpu limit for container c");
  const auto message = [&](const char* resources) {
    return t.Post(kPods, Pod("b", resources))->Text({"message"});
  };
  EXPECT_EQ(message(R"({"requests":{"cpu":"50m"},"limits":{"cpu":"150m"}})"),
            "pods \"b\" is forbidden: minimum cpu usage per Container is 100m, but request is 50m");
  EXPECT_THAT(message(R"({"limits":{"cpu":"4"}})"),
              HasSubstr("[maximum cpu usage per Container is 2, but limit is 4, maximum cpu usage "
                        "per Pod is 3, but limit is 4]"));
  EXPECT_THAT(message(R"({"requests":{"cpu":"100m"},"limits":{"cpu":"1"}})"),
              HasSubstr("cpu max limit to request ratio per Container is 4, but provided ratio is "
                        "10.000000"));
}

TEST(Quota, CountsAndRefuses) {
  ServerUnderTest t;
  ASSERT_EQ(t.Post(kQuotas, R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"2",
    "requests.cpu":"1","count/configmaps":"3"}}})")
                ->code,
            201);
  const auto quota = [&] { return t.Get(std::string(kQuotas) + "/q"); };
  EXPECT_EQ(quota()->Text({"status", "used", "pods"}), "0");
  const auto unspecified = t.Post(kPods, Pod("a", "{}"));
  EXPECT_EQ(unspecified->Text({"message"}),
            "pods \"a\" is forbidden: failed quota: q: must specify requests.cpu for: c");
  const char* small = R"({"requests":{"cpu":"600m"}})";
  ASSERT_EQ(t.Post(kPods, Pod("a", small))->code, 201);
  EXPECT_EQ(quota()->Text({"status", "used", "requests.cpu"}), "600m");
  EXPECT_EQ(t.Post(kPods, Pod("b", small))->Text({"message"}),
            "pods \"b\" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: "
            "requests.cpu=600m, limited: requests.cpu=1");
  ASSERT_EQ(t.Ask("DELETE", std::string(kPods) + "/a")->code, 200);
  EXPECT_EQ(quota()->Text({"status", "used", "requests.cpu"}), "0");
  EXPECT_EQ(t.Post(kPods, Pod("b", small))->code, 201);
}

TEST(Quota, DryRunsAndRefusedWritesCostNothing) {
  ServerUnderTest t;
  ASSERT_EQ(t.Post(kQuotas, R"({"metadata":{"name":"q"},"spec":{"hard":{"count/configmaps":"2"}}})")
                ->code,
            201);
  const char* maps = "/api/v1/namespaces/default/configmaps";
  EXPECT_EQ(t.Post(std::string(maps) + "?dryRun=All", R"({"metadata":{"name":"a"}})")->code, 201);
  EXPECT_EQ(t.MakeConfigMap("a")->code, 201);
  EXPECT_EQ(t.MakeConfigMap("a")->code, 409);
  EXPECT_EQ(t.Get(std::string(kQuotas) + "/q")->Text({"status", "used", "count/configmaps"}), "1");
  EXPECT_EQ(t.MakeConfigMap("b")->code, 201);
  EXPECT_EQ(t.MakeConfigMap("c")->code, 403);
}

TEST(Quota, ScopesChooseAmongPods) {
  ServerUnderTest t;
  ASSERT_EQ(t.Post(kQuotas, R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"1"},
    "scopes":["BestEffort"]}})")
                ->code,
            201);
  EXPECT_EQ(t.Post(kPods, Pod("a", "{}"))->code, 201);
  EXPECT_EQ(t.Post(kPods, Pod("b", "{}"))->code, 403);
  EXPECT_EQ(t.Post(kPods, Pod("b", R"({"requests":{"cpu":"1"}})"))->code, 201);
}

TEST(ServiceAccounts, PodsGetOneAndItsToken) {
  ServerOptions options;
  options.service_accounts = true;
  options.authority_pem = "PEM";
  ServerUnderTest t(options);
  const auto pod = t.Post(kPods, Pod("a", "{}"));
  ASSERT_EQ(pod->code, 201) << pod->body;
  EXPECT_EQ(pod->Text({"spec", "serviceAccountName"}), "default");
  EXPECT_THAT(pod->body, HasSubstr("/var/run/secrets/kubernetes.io/serviceaccount"));
  EXPECT_THAT(pod->body, HasSubstr("kube-api-access-"));
  const auto none = t.Post(kPods, Pod("b", "{}", R"("serviceAccountName":"none",)"));
  EXPECT_EQ(none->code, 403);
  EXPECT_THAT(
      none->Text({"message"}),
      HasSubstr("error looking up service account default/none: serviceaccount \"none\" not "
                "found"));
  const auto plain = t.Post(kPods, Pod("c", "{}", R"("automountServiceAccountToken":false,)"));
  EXPECT_EQ(plain->body.find("kube-api-access-"), std::string::npos);
}

TEST(ServiceAccounts, EveryNamespaceHasItsObjects) {
  ServerOptions options;
  options.service_accounts = true;
  options.authority_pem = "PEM";
  ServerUnderTest t(options);
  ASSERT_EQ(t.Post("/api/v1/namespaces", R"({"metadata":{"name":"n"}})")->code, 201);
  const std::string account = "/api/v1/namespaces/n/serviceaccounts/default";
  EXPECT_EQ(t.Get(account)->code, 200);
  EXPECT_EQ(t.Get("/api/v1/namespaces/n/configmaps/kube-root-ca.crt")->Text({"data", "ca.crt"}),
            "PEM");
  ASSERT_EQ(t.Ask("DELETE", account)->code, 200);
  EXPECT_EQ(t.Get(account)->code, 200);
}

}  // namespace
}  // namespace kueue::apiserver
