#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

namespace kueue::apiserver {
namespace {

constexpr char kMaps[] = "/api/v1/namespaces/default/configmaps";
constexpr char kPods[] = "/api/v1/namespaces/default/pods";

std::string OwnedBy(const Reply& owner, bool blocks = false) {
  return R"(,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":")" +
         owner.Text({"metadata", "name"}) + R"(","uid":")" + owner.Text({"metadata", "uid"}) +
         R"(","blockOwnerDeletion":)" + (blocks ? "true" : "false") + "}]";
}

TEST(Deletion, APodOnANodeStaysUntilItsKubeletLetsGo) {
  ServerUnderTest t;
  t.MakePod("p", "n1");
  const auto asked = t.Ask("DELETE", std::string(kPods) + "/p");
  EXPECT_EQ(asked->Json().FindPath({"metadata", "deletionGracePeriodSeconds"})->AsInt(), 30);
  EXPECT_EQ(t.Get(std::string(kPods) + "/p")->code, 200);
  t.Ask("DELETE", std::string(kPods) + "/p?gracePeriodSeconds=0");
  EXPECT_EQ(t.Get(std::string(kPods) + "/p")->code, 404);
}

TEST(Deletion, APodWithoutANodeGoesAtOnce) {
  ServerUnderTest t;
  t.MakePod("p");
  t.Ask("DELETE", std::string(kPods) + "/p");
  EXPECT_EQ(t.Get(std::string(kPods) + "/p")->code, 404);
}

TEST(Deletion, FinalizersHoldAnObject) {
  ServerUnderTest t;
  t.MakeConfigMap("a", R"(,"finalizers":["x.io/f"])");
  t.Ask("DELETE", std::string(kMaps) + "/a");
  EXPECT_NE(t.Get(std::string(kMaps) + "/a")->Text({"metadata", "deletionTimestamp"}), "");
  t.Merge(std::string(kMaps) + "/a", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(t.Get(std::string(kMaps) + "/a")->code, 404);
}

TEST(Deletion, PreconditionsAreChecked) {
  ServerUnderTest t;
  t.MakeConfigMap("a");
  EXPECT_EQ(t.Ask("DELETE", std::string(kMaps) + "/a", R"({"preconditions":{"uid":"other"}})")
                ->code, 409);
}

TEST(Deletion, DependentsFollowTheirOwner) {
  ServerUnderTest t;
  const auto owner = t.MakeConfigMap("owner");
  const auto child = t.MakeConfigMap("child", OwnedBy(*owner));
  t.MakeConfigMap("grandchild", OwnedBy(*child));
  t.Ask("DELETE", std::string(kMaps) + "/owner");
  EXPECT_EQ(t.Get(std::string(kMaps) + "/child")->code, 404);
  EXPECT_EQ(t.Get(std::string(kMaps) + "/grandchild")->code, 404);
}

TEST(Deletion, AnObjectWhoseOwnerIsGoneIsNotKept) {
  ServerUnderTest t;
  const auto owner = t.MakeConfigMap("owner");
  t.Ask("DELETE", std::string(kMaps) + "/owner");
  t.MakeConfigMap("late", OwnedBy(*owner));
  EXPECT_EQ(t.Get(std::string(kMaps) + "/late")->code, 404);
}

TEST(Deletion, OrphansStay) {
  ServerUnderTest t;
  const auto owner = t.MakeConfigMap("owner");
  t.MakeConfigMap("child", OwnedBy(*owner));
  t.Ask("DELETE", std::string(kMaps) + "/owner?propagationPolicy=Orphan");
  EXPECT_EQ(t.Get(std::string(kMaps) + "/owner")->code, 404);
  const auto child = t.Get(std::string(kMaps) + "/child");
  EXPECT_EQ(child->code, 200);
  EXPECT_EQ(child->Json().FindPath({"metadata", "ownerReferences"}), nullptr);
}

TEST(Deletion, InTheForegroundTheOwnerWaits) {
  ServerUnderTest t;
  const auto owner = t.MakeConfigMap("owner");
  t.MakeConfigMap("child", OwnedBy(*owner, true) + R"(,"finalizers":["x.io/f"])");
  t.Ask("DELETE", std::string(kMaps) + "/owner?propagationPolicy=Foreground");
  EXPECT_EQ(t.Get(std::string(kMaps) + "/owner")->code, 200);
  EXPECT_NE(t.Get(std::string(kMaps) + "/child")->Text({"metadata", "deletionTimestamp"}), "");
  t.Merge(std::string(kMaps) + "/child", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(t.Get(std::string(kMaps) + "/owner")->code, 404);
}

TEST(Deletion, ANamespaceIsEmptiedFirst) {
  ServerUnderTest t;
  t.Post("/api/v1/namespaces", R"({"metadata":{"name":"n"}})");
  t.Post("/api/v1/namespaces/n/configmaps", R"({"metadata":{"name":"a"}})");
  t.Post("/api/v1/namespaces/n/configmaps",
         R"({"metadata":{"name":"held","finalizers":["x.io/f"]}})");
  t.Ask("DELETE", "/api/v1/namespaces/n");
  EXPECT_EQ(t.Get("/api/v1/namespaces/n")->Text({"status", "phase"}), "Terminating");
  EXPECT_EQ(t.Get("/api/v1/namespaces/n/configmaps/a")->code, 404);
  EXPECT_EQ(t.Post("/api/v1/namespaces/n/configmaps", R"({"metadata":{"name":"b"}})")->code, 403);
  t.Merge("/api/v1/namespaces/n/configmaps/held", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(t.Get("/api/v1/namespaces/n")->code, 404);
}

TEST(Deletion, TheDefaultNamespaceStays) {
  ServerUnderTest t;
  EXPECT_EQ(t.Ask("DELETE", "/api/v1/namespaces/default")->code, 403);
}

TEST(Deletion, EvictionTellsARunningPodWhy) {
  ServerUnderTest t;
  t.MakePod("p", "n1");
  t.Merge(std::string(kPods) + "/p/status", R"({"status":{"phase":"Running"}})");
  EXPECT_EQ(t.Post(std::string(kPods) + "/p/eviction", R"({"metadata":{"name":"p"}})")->code, 201);
  const auto pod = t.Get(std::string(kPods) + "/p");
  EXPECT_NE(pod->body.find("DisruptionTarget"), std::string::npos);
  EXPECT_NE(pod->Text({"metadata", "deletionTimestamp"}), "");
}

TEST(Deletion, ACollectionGoesBySelector) {
  ServerUnderTest t;
  t.MakeConfigMap("a", R"(,"labels":{"x":"1"})");
  t.MakeConfigMap("b");
  const auto gone = t.Ask("DELETE", std::string(kMaps) + "?labelSelector=x%3D1");
  EXPECT_EQ(gone->Json().Find("items")->size(), 1u);
  EXPECT_EQ(t.Get(kMaps)->Json().Find("items")->size(), 1u);
}

}  // namespace
}  // namespace kueue::apiserver
