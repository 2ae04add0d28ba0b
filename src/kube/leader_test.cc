#include "kube/leader.h"

#include <gtest/gtest.h>

#include "api/types/core.h"
#include "kube/testing/fake_cluster.h"

namespace kueue::kube {
namespace {

using base::seconds;

const char kPath[] = "/apis/coordination.k8s.io/v1/namespaces/system/leases/manager";

class LeaderTest : public testing::Test {
 protected:
  struct Candidate {
    std::unique_ptr<LeaderElector> elector;
    int started = 0, lost = 0;
    bool leading() const { return elector->leading(); }
  };
  void Join(Candidate& candidate, const std::string& identity) {
    LeaderOptions options;
    options.namespace_name = "system";
    options.name = "manager";
    options.identity = identity;
    LeaderCallbacks callbacks;
    callbacks.on_started = [&candidate, this] {
      ++candidate.started;
      EXPECT_EQ(++leaders, 1) << "two lead at once";
    };
    callbacks.on_lost = [&candidate, this] {
      ++candidate.lost;
      --leaders;
    };
    candidate.elector = std::make_unique<LeaderElector>(cluster.client, cluster.executor, options,
                                                        std::move(callbacks));
    candidate.elector->Start();
  }
  std::string Spec(const char* member) {
    const api::Json* lease = cluster.server.Find(kPath);
    return lease == nullptr ? "(none)" : lease->StringAt({"spec", member});
  }

  FakeCluster cluster;
  int leaders = 0;
  Candidate a, b;
};

TEST_F(LeaderTest, OneOfTwoLeadsAndRenews) {
  Join(a, "a");
  Join(b, "b");
  cluster.executor.RunFor(seconds(1));
  EXPECT_TRUE(a.leading());
  EXPECT_FALSE(b.leading());
  const std::string renewed = Spec("renewTime");
  cluster.executor.RunFor(base::minutes(5));
  EXPECT_TRUE(a.leading());
  EXPECT_EQ(b.started, 0);
  EXPECT_EQ(b.elector->leader(), "a");
  EXPECT_NE(Spec("renewTime"), renewed);
}

TEST_F(LeaderTest, TheOtherTakesOverWhenTheLeaderDies) {
  Join(a, "a");
  cluster.executor.RunFor(seconds(1));
  Join(b, "b");
  cluster.executor.RunFor(seconds(20));
  a.elector.reset();
  leaders = 0;
  cluster.executor.RunFor(seconds(10));
  EXPECT_FALSE(b.leading());  // the lease has not run out
  cluster.executor.RunFor(seconds(12));
  EXPECT_TRUE(b.leading());
  EXPECT_EQ(cluster.server.Find(kPath)->FindPath({"spec", "leaseTransitions"})->AsInt(), 1);
}

TEST_F(LeaderTest, AGivenUpLeaseIsTakenAtOnce) {
  Join(a, "a");
  cluster.executor.RunFor(seconds(1));
  Join(b, "b");
  cluster.executor.RunFor(seconds(5));
  bool stopped = false;
  a.elector->Stop([&] { stopped = true; });
  leaders = 0;
  EXPECT_FALSE(a.leading());
  cluster.executor.RunReady();
  EXPECT_TRUE(stopped);
  EXPECT_EQ(Spec("holderIdentity"), "");
  cluster.executor.RunFor(seconds(4));
  EXPECT_TRUE(b.leading());
  EXPECT_EQ(a.lost, 0);
}

TEST_F(LeaderTest, ALeaderThatCannotRenewStopsBeforeAnotherBegins) {
  // The leader's requests fail; the other candidate's do not. on_started checks that there is
  // never more than one.
  Client isolated(*cluster.transport, "", "isolated", cluster.executor);
  cluster.server.Intercept([&](const net::Request& request) -> std::optional<FakeServer::Answer> {
    const bool cut = cluster.executor.clock().Elapsed() > seconds(30);
    if (cut && net::HeaderOf(request.headers, "User-Agent") == "isolated") {
      return FakeServer::Answer{0, "", {}};
    }
    return std::nullopt;
  });
  LeaderOptions options;
  options.namespace_name = "system";
  options.name = "manager";
  options.identity = "a";
  LeaderCallbacks callbacks;
  callbacks.on_started = [&] { EXPECT_EQ(++leaders, 1); };
  callbacks.on_lost = [&] {
    ++a.lost;
    --leaders;
  };
  LeaderElector elector(isolated, cluster.executor, options, callbacks);
  elector.Start();
  cluster.executor.RunFor(seconds(1));
  ASSERT_TRUE(elector.leading());
  Join(b, "b");
  cluster.executor.RunFor(base::minutes(2));
  EXPECT_EQ(a.lost, 1);
  EXPECT_FALSE(elector.leading());
  EXPECT_TRUE(b.leading());
}

TEST_F(LeaderTest, UnknownFieldsOfTheLeaseSurvive) {
  cluster.server.Put(kPath, FakeCluster::Text(
      R"({"metadata":{"labels":{"keep":"me"}},"spec":{"strategy":"OldestEmulationVersion"}})"));
  Join(a, "a");
  cluster.executor.RunFor(seconds(5));
  EXPECT_TRUE(a.leading());
  EXPECT_EQ(Spec("strategy"), "OldestEmulationVersion");
  EXPECT_EQ(cluster.server.Find(kPath)->StringAt({"metadata", "labels", "keep"}), "me");
}

TEST(LeaderOptionsTest, DurationsMustBeOrdered) {
  LeaderOptions options;
  options.namespace_name = options.name = options.identity = "x";
  EXPECT_TRUE(CheckLeaderOptions(options).ok());
  options.renew_deadline = options.lease_duration;
  EXPECT_FALSE(CheckLeaderOptions(options).ok());
  options.renew_deadline = seconds(1);
  EXPECT_FALSE(CheckLeaderOptions(options).ok());
  options = LeaderOptions();
  EXPECT_FALSE(CheckLeaderOptions(options).ok());
}

}  // namespace
}  // namespace kueue::kube
