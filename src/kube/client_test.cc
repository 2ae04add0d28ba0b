#include "kube/client.h"

#include <gtest/gtest.h>

#include "api/types/batch.h"
#include "kube/status.h"
#include "kube/testing/fake_cluster.h"

namespace kueue::kube {
namespace {

using api::Json;
using base::Code;

class ClientTest : public testing::Test {
 protected:
  Client::ObjectCallback Keep() {
    return [this](base::Result<Json> answer) {
      ++answers;
      last = std::move(answer);
    };
  }
  Code LastCode() const { return last.ok() ? Code::kInternal : last.error().code; }

  const api::KindInfo& kind = api::KindOf<api::ConfigMap>();
  FakeCluster cluster;
  Client& client = cluster.client;
  base::Result<Json> last = Json();
  int answers = 0;
};

TEST_F(ClientTest, PathsFollowGroupAndNamespace) {
  client.Get(kind, {"a", "x"}, Keep());
  client.Get(api::KindOf<api::Job>(), {"a", "x"}, Keep());
  client.Get(api::KindOf<api::Node>(), {"", "n1"}, Keep());
  client.List(api::KindOf<api::ClusterQueue>(), "", {}, Keep());
  client.CreateSub(api::KindOf<api::Pod>(), {"a", "p"}, "binding", Json::MakeObject(), Keep());
  client.Patch(kind, {"a", "x"}, "status", PatchType::kMerge, Json::MakeObject(), Keep());
  cluster.executor.RunReady();
  EXPECT_EQ(cluster.server.requests(),
            (std::vector<std::string>{"GET /api/v1/namespaces/a/configmaps/x",
                                      "GET /apis/batch/v1/namespaces/a/jobs/x",
                                      "GET /api/v1/nodes/n1",
                                      "GET /apis/kueue.x-k8s.io/v1beta2/clusterqueues",
                                      "POST /api/v1/namespaces/a/pods/p/binding",
                                      "PATCH /api/v1/namespaces/a/configmaps/x/status"}));
  EXPECT_EQ(answers, 6);
}

TEST_F(ClientTest, HeadersSayWhoAsksForWhat) {
  client.Patch(kind, {"a", "x"}, "", PatchType::kMerge, Json::MakeObject(), Keep());
  cluster.executor.RunReady();
  const net::Headers& headers = cluster.server.last_request().headers;
  EXPECT_EQ(net::HeaderOf(headers, "Authorization"), "Bearer secret");
  EXPECT_EQ(net::HeaderOf(headers, "User-Agent"), "kueue-test/1.0");
  EXPECT_EQ(net::HeaderOf(headers, "Accept"), "application/json");
  EXPECT_EQ(net::HeaderOf(headers, "Content-Type"), "application/merge-patch+json");

  client.SetBearerToken("renewed");
  client.Patch(kind, {"a", "x"}, "", PatchType::kApply, Json::MakeObject(), Keep());
  cluster.executor.RunReady();
  const net::Request& request = cluster.server.last_request();
  EXPECT_EQ(net::HeaderOf(request.headers, "Authorization"), "Bearer renewed");
  EXPECT_EQ(net::ParseTarget(request.target).Query("fieldManager"), "kueue-test");
}

TEST_F(ClientTest, WritesAndReadsAnObject) {
  Json object = FakeCluster::MapOf("1");
  object["metadata"].Set("name", "x");
  object["metadata"].Set("namespace", "a");
  client.Create(kind, object, Keep());
  cluster.executor.RunReady();
  ASSERT_TRUE(last.ok());
  Json stored = *last;
  stored["data"].Set("value", "2");
  client.Update(kind, stored, "", Keep());
  cluster.executor.RunReady();
  EXPECT_EQ(cluster.ValueOf("x"), "2");
  client.Update(kind, stored, "", Keep());  // the version is the old one
  cluster.executor.RunReady();
  EXPECT_EQ(LastCode(), Code::kConflict);
  DeleteOptions options;
  options.precondition_uid = "another";
  client.Delete(kind, {"a", "x"}, options, Keep());
  cluster.executor.RunReady();
  EXPECT_EQ(LastCode(), Code::kConflict);
  options.precondition_uid = stored.StringAt({"metadata", "uid"});
  client.Delete(kind, {"a", "x"}, options, Keep());
  cluster.executor.RunReady();
  ASSERT_TRUE(last.ok());
  EXPECT_FALSE(StillThere(*last));
  EXPECT_EQ(cluster.ValueOf("x"), "(none)");
}

TEST_F(ClientTest, ReasonsBecomeCodes) {
  const std::pair<std::string, Code> kCases[] = {
      {"AlreadyExists", Code::kAlreadyExists}, {"Expired", Code::kGone},
      {"Invalid", Code::kInvalid},             {"Forbidden", Code::kForbidden},
      {"SomethingNew", Code::kConflict},  // by the HTTP status
  };
  for (const auto& [reason, code] : kCases) {
    cluster.server.Intercept([&reason = reason](const net::Request&) {
      return FakeServer::Refuse(409, reason, "because");
    });
    client.Get(kind, {"a", "x"}, Keep());
    cluster.executor.RunReady();
    EXPECT_EQ(LastCode(), code) << reason;
    EXPECT_EQ(last.error().message, "because");
  }
}

TEST_F(ClientTest, AnAnswerThatIsNoStatusIsQuoted) {
  cluster.server.Intercept([](const net::Request&) {
    return FakeServer::Answer{502, "<html>bad gateway</html>", {}};
  });
  client.Get(kind, {"a", "x"}, Keep());
  cluster.executor.RunReady();
  EXPECT_EQ(LastCode(), Code::kUnavailable);
  EXPECT_NE(last.error().message.find("bad gateway"), std::string::npos);
}

TEST_F(ClientTest, NoAnswerIsUnavailable) {
  cluster.server.Intercept([](const net::Request&) { return FakeServer::Answer{0, "", {}}; });
  client.Get(kind, {"a", "x"}, Keep());
  cluster.executor.RunReady();
  EXPECT_EQ(LastCode(), Code::kUnavailable);
  EXPECT_EQ(client.counters().broken, 1u);
}

TEST_F(ClientTest, ABusyServerIsAskedAgainWhenItSays) {
  int refusals = 2;
  cluster.server.Intercept([&](const net::Request&) -> std::optional<FakeServer::Answer> {
    if (refusals-- <= 0) return std::nullopt;
    auto answer = FakeServer::Refuse(429, "TooManyRequests");
    answer.headers.emplace_back("Retry-After", "3");
    return answer;
  });
  cluster.Put("x", "1");
  client.Get(kind, {"a", "x"}, Keep());
  cluster.executor.RunFor(base::seconds(5));
  EXPECT_EQ(answers, 0);
  cluster.executor.RunFor(base::seconds(1));
  EXPECT_EQ(answers, 1);
  EXPECT_TRUE(last.ok());
  EXPECT_EQ(client.counters().retried, 2u);
}

TEST_F(ClientTest, ABusyServerIsNotAskedForEver) {
  cluster.server.Intercept([&](const net::Request&) {
    auto answer = FakeServer::Refuse(429, "TooManyRequests");
    answer.headers.emplace_back("Retry-After", "1");
    return answer;
  });
  client.Get(kind, {"a", "x"}, Keep());
  cluster.executor.RunFor(base::minutes(1));
  EXPECT_EQ(LastCode(), Code::kTooManyRequests);
  EXPECT_EQ(cluster.server.requests().size(), 5u);
}

// Answers nothing, ever.
class SilentServer final : public net::Handler {
 public:
  void Handle(net::Request, std::shared_ptr<net::Responder> responder) override {
    responders.push_back(std::move(responder));
  }
  std::vector<std::shared_ptr<net::Responder>> responders;
};

TEST_F(ClientTest, ASilentServerIsGivenUp) {
  SilentServer silent;
  const auto transport =
      net::MakeInProcessTransport(silent, cluster.executor, cluster.executor);
  Client impatient(*transport, "", "test", cluster.executor);
  impatient.Get(kind, {"a", "x"}, Keep());
  cluster.executor.RunFor(base::seconds(29));
  EXPECT_EQ(answers, 0);
  cluster.executor.RunFor(base::seconds(1));
  EXPECT_EQ(LastCode(), Code::kTimeout);
  EXPECT_TRUE(silent.responders.at(0)->Closed());
}

TEST_F(ClientTest, ADestroyedClientCallsNobody) {
  auto mortal = std::make_unique<Client>(*cluster.transport, "", "test", cluster.executor);
  mortal->Get(kind, {"a", "x"}, Keep());
  mortal.reset();
  cluster.executor.RunFor(base::minutes(1));
  EXPECT_EQ(answers, 0);
}

TEST_F(ClientTest, ACallbackMayDestroyTheClient) {
  auto mortal = std::make_unique<Client>(*cluster.transport, "", "test", cluster.executor);
  mortal->Get(kind, {"a", "x"}, [&](base::Result<Json>) {
    ++answers;
    mortal.reset();
  });
  cluster.executor.RunReady();
  EXPECT_EQ(answers, 1);
}

TEST_F(ClientTest, WatchEventsMayBeSplitAnywhere) {
  cluster.server.SetChunkSize(1);
  std::vector<std::string> values;
  ListOptions from;
  from.resource_version = "100";
  const auto watch = client.Watch(
      kind, "", from,
      [&](WatchEvent event) { values.push_back(event.object.StringAt({"data", "value"})); },
      [](base::Status) {});
  cluster.executor.RunReady();
  cluster.Put("x", std::string(10000, 'v'));
  cluster.Put("x", "short");
  cluster.executor.RunReady();
  EXPECT_EQ(values, (std::vector<std::string>{std::string(10000, 'v'), "short"}));
}

TEST_F(ClientTest, AWatchMayBeEndedByItsOwnEvent) {
  int events = 0, ends = 0;
  std::unique_ptr<net::Exchange> watch;
  ListOptions from;
  from.resource_version = "100";
  cluster.Put("x", "1");
  cluster.Put("x", "2");
  watch = client.Watch(
      kind, "a", from,
      [&](WatchEvent) {
        ++events;
        watch.reset();
      },
      [&](base::Status) { ++ends; });
  cluster.executor.RunReady();
  EXPECT_EQ(events, 1);
  EXPECT_EQ(ends, 0);
  EXPECT_EQ(cluster.server.open_watches(), 0u);
}

TEST_F(ClientTest, ARefusedWatchEndsWithTheReason) {
  cluster.server.Intercept(
      [](const net::Request&) { return FakeServer::Refuse(403, "Forbidden", "not you"); });
  base::Status end;
  const auto watch = client.Watch(
      kind, "", {}, [](WatchEvent) {}, [&](base::Status status) { end = std::move(status); });
  cluster.executor.RunReady();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, Code::kForbidden);
}

}  // namespace
}  // namespace kueue::kube
