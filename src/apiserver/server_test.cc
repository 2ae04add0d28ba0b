#include "apiserver/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

using testing::ElementsAre;

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kTable[] = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

TEST(Server, StartsWithTheNamespacesOfACluster) {
  ServerUnderTest t;
  std::string names;
  const api::Json list = t.Get("/api/v1/namespaces")->Json();
  for (const api::Json& item : list.Find("items")->AsArray()) {
    names += item.StringAt({"metadata", "name"}) + " ";
  }
  EXPECT_EQ(names, "default kube-node-lease kube-public kube-system kueue-system ");
}

TEST(Server, SameSeedSameAnswers) {
  ServerUnderTest a, b;
  EXPECT_EQ(a.MakePod("p")->body, b.MakePod("p")->body);
}

TEST(Server, CreateReadReplaceDelete) {
  ServerUnderTest t;
  EXPECT_EQ(t.Get(std::string(kMaps) + "/a")->code, 404);
  const auto created = t.Post(kMaps, R"({"metadata":{"name":"a"},"data":{"k":"1"}})");
  EXPECT_EQ(created->code, 201);
  EXPECT_EQ(t.Post(kMaps, R"({"metadata":{"name":"a"}})")->code, 409);
  api::Json object = created->Json();
  object["data"].Set("k", "2");
  EXPECT_EQ(t.Ask("PUT", std::string(kMaps) + "/a", api::WriteJson(object))->code, 200);
  // The version in the object is not the newest any more.
  const auto stale = t.Ask("PUT", std::string(kMaps) + "/a", api::WriteJson(object));
  EXPECT_EQ(stale->code, 409);
  EXPECT_EQ(stale->Text({"reason"}), "Conflict");
  const auto deleted = t.Ask("DELETE", std::string(kMaps) + "/a");
  EXPECT_EQ(deleted->Text({"status"}), "Success");
  EXPECT_EQ(deleted->Text({"details", "uid"}), created->Text({"metadata", "uid"}));
  EXPECT_EQ(t.Get(std::string(kMaps) + "/a")->code, 404);
}

TEST(Server, AWriteThatChangesNothingKeepsTheVersion) {
  ServerUnderTest t;
  const auto created = t.MakeConfigMap("a");
  const auto patched = t.Merge(std::string(kMaps) + "/a", "{}");
  EXPECT_EQ(patched->Text({"metadata", "resourceVersion"}),
            created->Text({"metadata", "resourceVersion"}));
}

TEST(Server, GenerateNameMakesNamesThatDiffer) {
  ServerUnderTest t;
  const auto one = t.Post(kMaps, R"({"metadata":{"generateName":"x-"}})");
  const auto two = t.Post(kMaps, R"({"metadata":{"generateName":"x-"}})");
  EXPECT_EQ(one->Text({"metadata", "name"}).size(), 7u);
  EXPECT_NE(one->Text({"metadata", "name"}), two->Text({"metadata", "name"}));
}

TEST(Server, DryRunStoresNothing) {
  ServerUnderTest t;
  EXPECT_EQ(t.Post(std::string(kMaps) + "?dryRun=All", R"({"metadata":{"name":"a"}})")->code, 201);
  EXPECT_EQ(t.Get(std::string(kMaps) + "/a")->code, 404);
}

TEST(Server, ANamespaceMustExistAndStay) {
  ServerUnderTest t;
  EXPECT_EQ(t.Post("/api/v1/namespaces/none/configmaps", R"({"metadata":{"name":"a"}})")->code,
            404);
}

TEST(Server, StatusAndSpecAreWrittenApart) {
  ServerUnderTest t;
  const std::string queues = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues";
  ASSERT_EQ(t.Post(queues, R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",
      "metadata":{"name":"q"},"spec":{"namespaceSelector":{}},
      "status":{"pendingWorkloads":7}})")->code, 201);
  EXPECT_EQ(t.Get(queues + "/q")->Json().Find("status"), nullptr);
  const auto status = t.Merge(queues + "/q/status",
                              R"({"status":{"pendingWorkloads":3},"spec":{"stopPolicy":"Hold"}})");
  EXPECT_EQ(status->Text({"spec", "stopPolicy"}), "None");
  EXPECT_EQ(status->Json().FindPath({"metadata", "generation"})->AsInt(), 1);
  const auto spec = t.Merge(queues + "/q",
                            R"({"status":{"pendingWorkloads":9},"spec":{"stopPolicy":"Hold"}})");
  EXPECT_EQ(spec->Json().FindPath({"status", "pendingWorkloads"})->AsInt(), 3);
  EXPECT_EQ(spec->Json().FindPath({"metadata", "generation"})->AsInt(), 2);
}

// A schema only has a pattern for quantities. What it lets pass and no controller can read would be
// as good as deleted for them.
TEST(Server, CustomResourcesThatCannotBeReadAreRefused) {
  ServerUnderTest t;
  const std::string cohorts = "/apis/kueue.x-k8s.io/v1beta2/cohorts";
  const auto cohort = [](const std::string& quota) {
    return R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Cohort","metadata":{"name":"c"},
        "spec":{"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f",
        "resources":[{"name":"cpu","nominalQuota":")" + quota + R"("}]}]}]}})";
  };
  for (const char* quota : {"1e1.5", "1e9999999999999999"}) {
    const auto refused = t.Post(cohorts, cohort(quota));
    EXPECT_EQ(refused->code, 422) << quota;
    EXPECT_NE(refused->Text({"message"}).find("resources[0].nominalQuota"), std::string::npos)
        << refused->body;
  }
  EXPECT_EQ(t.Post(cohorts, cohort("1e422"))->code, 201);
  EXPECT_EQ(t.Ask("PATCH", cohorts + "/c", R"([{"op":"replace","value":"1e1.5",
      "path":"/spec/resourceGroups/0/flavors/0/resources/0/nominalQuota"}])",
                  {{"Content-Type", "application/json-patch+json"}})->code, 422);
}

TEST(Server, RefusalsTellTheirCauses) {
  ServerUnderTest t;
  const auto reply = t.Post(kMaps, R"({"metadata":{"name":"Not_Good"}})");
  EXPECT_EQ(reply->code, 422);
  const api::Json causes = *reply->Json().FindPath({"details", "causes"});
  EXPECT_EQ(causes.AsArray()[0].StringAt({"field"}), "metadata.name");
  EXPECT_EQ(causes.AsArray()[0].StringAt({"reason"}), "FieldValueInvalid");
}

TEST(Server, ListsInPagesOfOneState) {
  ServerUnderTest t;
  for (const char* name : {"a", "b", "c"}) t.MakeConfigMap(name);
  const auto first = t.Get(std::string(kMaps) + "?limit=2");
  EXPECT_EQ(first->Json().FindPath({"metadata", "remainingItemCount"})->AsInt(), 1);
  t.MakeConfigMap("d");
  const auto second = t.Get(std::string(kMaps) + "?limit=2&continue=" +
                            first->Text({"metadata", "continue"}));
  EXPECT_EQ(second->Json().Find("items")->size(), 1u);
  EXPECT_EQ(second->Text({"metadata", "continue"}), "");
}

TEST(Server, AnOldPageTokenIsExpiredAndComesWithANewOne) {
  ServerUnderTest t;
  for (const char* name : {"a", "b", "c"}) t.MakeConfigMap(name);
  const auto first = t.Get(std::string(kMaps) + "?limit=1");
  t.MakeConfigMap("d");
  t.server.store().Compact();
  const auto expired = t.Get(std::string(kMaps) + "?limit=1&continue=" +
                             first->Text({"metadata", "continue"}));
  EXPECT_EQ(expired->code, 410);
  const auto on = t.Get(std::string(kMaps) + "?continue=" +
                        expired->Text({"metadata", "continue"}));
  EXPECT_EQ(on->Json().Find("items")->size(), 3u);
}

TEST(Server, SelectsByLabelAndField) {
  ServerUnderTest t;
  t.MakeConfigMap("a", R"(,"labels":{"x":"1"})");
  t.MakeConfigMap("b");
  EXPECT_EQ(t.Get(std::string(kMaps) + "?labelSelector=x%3D1")->Json().Find("items")->size(), 1u);
  EXPECT_EQ(t.Get(std::string(kMaps) + "?fieldSelector=metadata.name%3Db")->Json().Find("items")
                ->size(), 1u);
  EXPECT_EQ(t.Get(std::string(kMaps) + "?fieldSelector=data.k%3Db")->code, 400);
}

TEST(Server, TablesForKubectl) {
  ServerUnderTest t;
  t.MakePod("p");
  const auto reply = t.Ask("GET", "/api/v1/pods", "", {{"Accept", kTable}});
  const api::Json table = reply->Json();
  EXPECT_EQ(table.StringAt({"kind"}), "Table");
  const api::Json& row = table.Find("rows")->AsArray()[0];
  EXPECT_EQ(row.Find("cells")->AsArray()[2].AsString(), "Pending");
  EXPECT_EQ(row.StringAt({"object", "kind"}), "PartialObjectMetadata");
}

TEST(Server, ProtobufAnswersAreNotAcceptable) {
  ServerUnderTest t;
  const auto reply = t.Ask("GET", "/api/v1/pods", "",
                           {{"Accept", "application/vnd.kubernetes.protobuf"}});
  EXPECT_EQ(reply->code, 406);
}

TEST(Server, YamlBodiesAreRead) {
  ServerUnderTest t;
  const auto reply = t.Ask("POST", kMaps, "metadata:\n  name: a\ndata:\n  k: v\n",
                           {{"Content-Type", "application/yaml"}});
  EXPECT_EQ(reply->code, 201);
  EXPECT_EQ(reply->Text({"data", "k"}), "v");
}

TEST(Server, DuplicateKeysAreRemarkedUponOrRefused) {
  ServerUnderTest t;
  const std::string body = R"({"metadata":{"name":"a"},"data":{"k":"1","k":"2"}})";
  EXPECT_EQ(t.Post(std::string(kMaps) + "?fieldValidation=Strict", body)->code, 400);
  const auto warned = t.Post(kMaps, body);
  EXPECT_EQ(warned->code, 201);
  EXPECT_EQ(net::HeaderOf(warned->headers, "Warning"),
            R"(299 - "duplicate field \"data.k\"")");
}

TEST(Server, OnlyOwnersMayWrite) {
  ServerUnderTest t;
  t.server.AddToken("s3cret", {"bob", "", {}});
  t.server.AddToken("root", {"root", "", {kOwnersGroup}});
  const auto code = [&](const std::string& token, const std::string& target) {
    net::Headers headers;
    if (!token.empty()) headers.emplace_back("Authorization", "Bearer " + token);
    return t.Ask("GET", target, "", headers, false)->code;
  };
  EXPECT_EQ(code("root", "/api/v1/pods"), 200);
  EXPECT_EQ(code("s3cret", "/api/v1/pods"), 403);
  EXPECT_EQ(code("s3cret", "/api"), 200);
  EXPECT_EQ(code("wrong", "/api/v1/pods"), 401);
  EXPECT_EQ(code("", "/api/v1/pods"), 403);
  EXPECT_EQ(code("", "/healthz"), 200);
}

TEST(Server, DiscoveryIsCachedByTag) {
  ServerUnderTest t;
  const char* accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const auto first = t.Ask("GET", "/apis", "", {{"Accept", accept}});
  EXPECT_EQ(first->Text({"kind"}), "APIGroupDiscoveryList");
  const std::string tag(net::HeaderOf(first->headers, "etag"));
  EXPECT_EQ(t.Ask("GET", "/apis", "", {{"Accept", accept}, {"If-None-Match", tag}})->code, 304);
}

TEST(Server, OpenApiSaysThatTheServerChecksFields) {
  // kubectl looks for this parameter before it leaves the check to the server.
  ServerUnderTest t;
  const auto reply = t.Get("/openapi/v3/apis/batch/v1");
  EXPECT_NE(reply->body.find("fieldValidation"), std::string::npos);
  EXPECT_NE(reply->body.find(R"("kind":"Job")"), std::string::npos);
}

TEST(Server, BindingAssignsAPodOnce) {
  ServerUnderTest t;
  t.MakePod("p");
  const std::string pod = "/api/v1/namespaces/default/pods/p";
  const std::string binding = R"({"metadata":{"name":"p"},"target":{"kind":"Node","name":"n1"}})";
  EXPECT_EQ(t.Post(pod + "/binding", binding)->code, 201);
  EXPECT_EQ(t.Post(pod + "/binding", binding)->code, 409);
  const auto bound = t.Get(pod);
  EXPECT_EQ(bound->Text({"spec", "nodeName"}), "n1");
  EXPECT_NE(bound->body.find("PodScheduled"), std::string::npos);
}

// Names every job it sees and refuses those called "no".
class NamingAdmission final : public Admission {
 public:
  Verdict Mutate(AdmissionRequest& request) override {
    if (request.object && request.kind->kind == "ConfigMap") {
      (*request.object)["data"].Set("seen", "yes");
    }
    return Verdict::Allow();
  }
  Verdict Validate(const AdmissionRequest& request) override {
    Verdict verdict;
    if (request.name == "no") verdict = Verdict::Deny("not this one");
    verdict.warnings.push_back("looked at");
    return verdict;
  }
};

TEST(Server, AdmissionsChangeRefuseAndWarn) {
  ServerUnderTest t;
  NamingAdmission admission;
  t.server.AddAdmission(&admission);
  const auto created = t.MakeConfigMap("a");
  EXPECT_EQ(created->Text({"data", "seen"}), "yes");
  EXPECT_EQ(net::HeaderOf(created->headers, "Warning"), "299 - \"looked at\"");
  EXPECT_EQ(t.MakeConfigMap("no")->code, 403);
}

TEST(Server, EventsGoAfterAnHour) {
  ServerUnderTest t;
  const std::string events = "/api/v1/namespaces/default/events";
  ASSERT_EQ(t.Post(events, R"({"metadata":{"name":"e"},"involvedObject":{"namespace":"default"}})")
                ->code, 201);
  t.executor.RunFor(base::minutes(59));
  EXPECT_EQ(t.Get(events)->Json().Find("items")->size(), 1u);
  t.executor.RunFor(base::minutes(2));
  EXPECT_EQ(t.Get(events)->Json().Find("items")->size(), 0u);
}

TEST(Server, NothingRunsWhileNothingChanges) {
  ServerUnderTest t;
  t.Get("/api/v1/pods?watch=1&allowWatchBookmarks=true");
  t.MakePod("p");
  t.executor.RunFor(base::minutes(5));
  const uint64_t tasks = t.executor.tasks_run();
  t.executor.RunFor(base::hours(24));
  EXPECT_EQ(t.executor.tasks_run(), tasks);
}

}  // namespace
}  // namespace kueue::apiserver
