#include <gtest/gtest.h>

#include "apiserver/server_under_test.h"

// One kind served in two versions: what is written in one can be read in the other.
namespace kueue::apiserver {
namespace {

constexpr char kOlder[] = "/apis/kueue.x-k8s.io/v1beta1/clusterqueues";
constexpr char kNewer[] = "/apis/kueue.x-k8s.io/v1beta2/clusterqueues";

std::string Queue(const char* version, const char* cohort) {
  const bool older = std::string(version) == "v1beta1";
  return std::string(R"({"apiVersion":"kueue.x-k8s.io/)") + version +
         R"(","kind":"ClusterQueue","metadata":{"name":"q"},"spec":{")" +
         (older ? "cohort" : "cohortName") + R"(":")" + cohort + R"("}})";
}

size_t Warnings(const Reply& reply) {
  size_t count = 0;
  for (const auto& header : reply.headers) count += header.first == "Warning";
  return count;
}

TEST(Versions, AnObjectIsReadInTheVersionThatIsAskedFor) {
  ServerUnderTest test;
  ASSERT_EQ(test.Post(kOlder, Queue("v1beta1", "c"))->code, 201);
  const auto newer = test.Get(std::string(kNewer) + "/q");
  EXPECT_EQ(newer->Text({"spec", "cohortName"}), "c");
  const auto older = test.Get(std::string(kOlder) + "/q");
  EXPECT_EQ(older->Text({"apiVersion"}), "kueue.x-k8s.io/v1beta1");
  EXPECT_EQ(older->Text({"spec", "cohort"}), "c");
  EXPECT_EQ(older->Text({"metadata", "resourceVersion"}),
            newer->Text({"metadata", "resourceVersion"}));
}

TEST(Versions, ADeprecatedVersionSaysSo) {
  ServerUnderTest test;
  EXPECT_EQ(Warnings(*test.Post(kOlder, Queue("v1beta1", "c"))), 1u);
  EXPECT_EQ(Warnings(*test.Get(std::string(kNewer) + "/q")), 0u);
}

TEST(Versions, ListsAndWatchesConvert) {
  ServerUnderTest test;
  const auto watch = test.Get(std::string(kOlder) + "?watch=true");
  test.Post(kNewer, Queue("v1beta2", "c"));
  const auto list = test.Get(kOlder)->Json();
  EXPECT_EQ(list.StringAt({"apiVersion"}), "kueue.x-k8s.io/v1beta1");
  ASSERT_EQ(list.Find("items")->size(), 1u);
  EXPECT_EQ(list.Find("items")->AsArray()[0].StringAt({"spec", "cohort"}), "c");
  EXPECT_EQ(watch->Events(), std::vector<std::string>{"ADDED q"});
  EXPECT_NE(watch->body.find(R"("cohort":"c")"), std::string::npos);
}

TEST(Versions, APatchIsMadeInItsVersion) {
  ServerUnderTest test;
  test.Post(kNewer, Queue("v1beta2", "c"));
  EXPECT_EQ(test.Merge(std::string(kOlder) + "/q", R"({"spec":{"cohort":"d"}})")->code, 200);
  EXPECT_EQ(test.Get(std::string(kNewer) + "/q")->Text({"spec", "cohortName"}), "d");
}

// The annotation travels with the object, so a client that knows only v1beta1 can edit it.
TEST(Versions, EditingInTheOlderVersionKeepsNewerFields) {
  ServerUnderTest test;
  ASSERT_EQ(test.Post(kNewer, R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",
      "metadata":{"name":"q"},"spec":{"concurrentAdmissionPolicy":{"migration":{
      "mode":"RetainFirstAdmission"}}}})")
                ->code,
            201);
  EXPECT_EQ(test.Merge(std::string(kOlder) + "/q", R"({"spec":{"cohort":"d"}})")->code, 200);
  const auto newer = test.Get(std::string(kNewer) + "/q");
  EXPECT_EQ(newer->Text({"spec", "concurrentAdmissionPolicy", "migration", "mode"}),
            "RetainFirstAdmission");
  EXPECT_EQ(newer->Json().FindPath({"metadata", "annotations"}), nullptr);
}

TEST(Versions, WhatIsDeletedInOneIsGoneInTheOther) {
  ServerUnderTest test;
  test.Post(kNewer, Queue("v1beta2", "c"));
  EXPECT_EQ(test.Ask("DELETE", std::string(kOlder) + "/q")->code, 200);
  EXPECT_EQ(test.Get(std::string(kNewer) + "/q")->code, 404);
}

// What is stored must be readable in every version.
TEST(Versions, AValueNobodyCanReadIsRefused) {
  ServerUnderTest test;
  const auto reply = test.Post("/apis/kueue.x-k8s.io/v1beta2/namespaces/default/localqueues",
                               R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"LocalQueue",
      "metadata":{"name":"l"},"spec":{"fairSharing":{"weight":"1e1.5"}}})");
  EXPECT_EQ(reply->code, 422);
  EXPECT_NE(reply->body.find("spec.fairSharing.weight"), std::string::npos);
}

}  // namespace
}  // namespace kueue::apiserver
