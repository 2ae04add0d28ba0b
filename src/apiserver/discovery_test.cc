#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

using api::Json;
using ::testing::HasSubstr;
using ::testing::NotNull;

// A fresh answer in the form `accept`.
Reply Get(ServerUnderTest& server, const std::string& target, const std::string& accept = "",
          net::Headers headers = {}) {
  if (!accept.empty()) headers.emplace_back("Accept", accept);
  return *server.Ask("GET", target, "", std::move(headers));
}

TEST(Discovery, GivesTheStorageVersionHashOfKubernetes) {
  ServerUnderTest server;
  EXPECT_THAT(Get(server, "/api/v1").body, HasSubstr("\"storageVersionHash\":\"qFsyl6wFWjQ=\""));
  EXPECT_THAT(Get(server, "/apis/events.k8s.io/v1").body, HasSubstr("r2yiGXH7wu8="));
}

TEST(Discovery, AnswersProtobufWhenAskedForIt) {
  ServerUnderTest server;
  const auto answer = Get(server, "/apis/batch/v1", "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(answer.code, 200);
  EXPECT_EQ(answer.body.substr(0, 4), std::string("k8s\0", 4));
}

TEST(Discovery, SendsAnAggregatedDocumentOnce) {
  ServerUnderTest server;
  const char* accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const auto first = Get(server, "/apis", accept);
  const std::string etag(net::HeaderOf(first.headers, "etag"));
  ASSERT_FALSE(etag.empty());
  EXPECT_EQ(Get(server, "/apis", accept, {{"If-None-Match", etag}}).code, 304);
}

TEST(OpenApi, NamesEachDocumentByItsHash) {
  ServerUnderTest server;
  const auto index = api::ParseJson(Get(server, "/openapi/v3").body);
  ASSERT_TRUE(index.ok());
  const std::string url = index->StringAt({"paths", "apis/batch/v1", "serverRelativeURL"});
  EXPECT_EQ(Get(server, url).code, 200);
  const auto old = Get(server, "/openapi/v3/apis/batch/v1?hash=0");
  EXPECT_EQ(old.code, 301);
  EXPECT_EQ(net::HeaderOf(old.headers, "location"), url);
}

TEST(OpenApi, GivesVersion2InBothForms) {
  ServerUnderTest server;
  const auto json = api::ParseJson(Get(server, "/openapi/v2").body);
  ASSERT_TRUE(json.ok());
  const Json* quantity =
      json->FindPath({"definitions", "io.k8s.apimachinery.pkg.api.resource.Quantity", "type"});
  ASSERT_THAT(quantity, NotNull());
  EXPECT_EQ(quantity->AsString(), "string");
  for (const char* accept : {"application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
                             "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"}) {
    const auto binary = Get(server, "/openapi/v2", accept);
    EXPECT_EQ(binary.code, 200);
    EXPECT_EQ(binary.body.substr(0, 5),
              "\x0a\x03"
              "2.0");  // field 1, three bytes
  }
  EXPECT_EQ(Get(server, "/openapi/v2", "text/html").code, 406);
}

TEST(Health, TellsCheckByCheck) {
  ServerUnderTest server;
  EXPECT_THAT(Get(server, "/readyz?verbose&exclude=etcd&exclude=x").body,
              testing::AllOf(HasSubstr("[+]ping ok\n"), HasSubstr("[+]etcd excluded: ok\n"),
                             HasSubstr("no matches for \"x\""), HasSubstr("readyz check passed")));
  EXPECT_EQ(Get(server, "/livez/ping").body, "ok");
  EXPECT_EQ(Get(server, "/livez/none").code, 404);
}

TEST(Metrics, CountAnswersByVerbResourceAndCode) {
  ServerUnderTest server;
  Get(server, "/api/v1/namespaces/default/pods");
  Get(server, "/api/v1/namespaces/default/pods/none");
  const std::string text = Get(server, "/metrics").body;
  EXPECT_THAT(text, HasSubstr("apiserver_request_total{code=\"200\",component=\"apiserver\","
                              "dry_run=\"\",group=\"\",resource=\"pods\",scope=\"namespace\","
                              "subresource=\"\",verb=\"LIST\",version=\"v1\"} 1"));
  EXPECT_THAT(text, HasSubstr("code=\"404\""));
  EXPECT_THAT(text, HasSubstr("apiserver_resource_objects{group=\"\",resource=\"namespaces\"} 5"));
}

}  // namespace
}  // namespace kueue::apiserver
