#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "apiserver/server_under_test.h"
#include "apiserver/strategic_patch.h"

namespace kueue::apiserver {
namespace {

using api::Json;

std::string Patched(const api::KindInfo& kind, const char* target, const char* patch) {
  const auto result = ApplyStrategicPatch(kind, *api::ParseJson(target), *api::ParseJson(patch));
  return result.ok() ? api::WriteJson(*result) : result.error().message;
}
std::string PatchedPod(const char* target, const char* patch) {
  return Patched(api::KindOf<api::Pod>(), target, patch);
}

TEST(StrategicPatch, ContainersMergeByNameAndNewOnesComeFirst) {
  EXPECT_EQ(PatchedPod(R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b"}]}})",
                       R"({"spec":{"containers":[{"name":"b","image":"2"},{"name":"c"}]}})"),
            R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"},)"
            R"({"name":"c"}]}})");
  EXPECT_EQ(PatchedPod(R"({"spec":{"containers":[{"name":"a"}]}})",
                       R"({"spec":{"containers":[{"name":"c"}]}})"),
            R"({"spec":{"containers":[{"name":"c"},{"name":"a"}]}})");
}

TEST(StrategicPatch, TheOrderAskedForIsKept) {
  EXPECT_EQ(PatchedPod(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                       R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}]}})"),
            R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})");
}

TEST(StrategicPatch, EntriesAndObjectsCanBeDeletedOrReplaced) {
  EXPECT_EQ(PatchedPod(R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
                       R"({"spec":{"containers":[{"name":"a","$patch":"delete"}]}})"),
            R"({"spec":{"containers":[{"name":"b"}]}})");
  EXPECT_EQ(PatchedPod(R"({"spec":{"nodeSelector":{"a":"1"}}})",
                       R"({"spec":{"nodeSelector":{"$patch":"replace","b":"2"}}})"),
            R"({"spec":{"nodeSelector":{"b":"2"}}})");
  EXPECT_EQ(PatchedPod(R"({"spec":{"nodeSelector":{"a":"1"}}})",
                       R"({"spec":{"nodeSelector":{"$patch":"delete"}}})"),
            R"({"spec":{}})");
}

TEST(StrategicPatch, FinalizersAreASetAndTolerationsAWhole) {
  EXPECT_EQ(PatchedPod(R"({"metadata":{"finalizers":["a","b"]}})",
                       R"({"metadata":{"finalizers":["c"]}})"),
            R"({"metadata":{"finalizers":["c","a","b"]}})");
  EXPECT_EQ(PatchedPod(R"({"metadata":{"finalizers":["a","b"]}})",
                       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})"),
            R"({"metadata":{"finalizers":["b"]}})");
  EXPECT_EQ(PatchedPod(R"({"spec":{"tolerations":[{"key":"a"}]}})",
                       R"({"spec":{"tolerations":[{"key":"b"}]}})"),
            R"({"spec":{"tolerations":[{"key":"b"}]}})");
}

// Also those of jobs, although server-side apply replaces them whole.
TEST(StrategicPatch, ConditionsMergeByType) {
  const char* target = R"({"status":{"conditions":[{"type":"A"}]}})";
  const char* patch = R"({"status":{"conditions":[{"type":"B"}]}})";
  for (const api::KindInfo* kind : {&api::KindOf<api::Job>(), &api::KindOf<api::Node>()}) {
    EXPECT_EQ(Patched(*kind, target, patch),
              R"({"status":{"conditions":[{"type":"B"},{"type":"A"}]}})");
  }
}

// What a list merges by depends on where it stands, not on its name.
TEST(StrategicPatch, PortsOfServicesMergeByPort) {
  const api::KindInfo* service = api::FindKind("", "v1", "Service");
  EXPECT_EQ(Patched(*service, R"({"spec":{"ports":[{"port":80,"name":"a"}]}})",
                    R"({"spec":{"ports":[{"port":80,"targetPort":1}]}})"),
            R"({"spec":{"ports":[{"port":80,"name":"a","targetPort":1}]}})");
}

TEST(StrategicPatch, AnEntryNeedsItsKey) {
  const auto result = ApplyStrategicPatch(api::KindOf<api::Pod>(), Json::MakeObject(),
                                          *api::ParseJson(R"({"spec":{"containers":[{}]}})"));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, 500);
}

TEST(Patch, EveryTypeOnAnObject) {
  ServerUnderTest t;
  t.MakeConfigMap("a");
  const std::string a = "/api/v1/namespaces/default/configmaps/a";
  const auto patch = [&](const char* type, const char* body) {
    return t.Ask("PATCH", a, body, {{"Content-Type", type}});
  };
  EXPECT_EQ(patch("application/merge-patch+json", R"({"data":{"m":"1"}})")->code, 200);
  EXPECT_EQ(patch("application/json-patch+json",
                  R"([{"op":"add","path":"/data/j","value":"2"}])")->code, 200);
  EXPECT_EQ(patch("application/strategic-merge-patch+json", R"({"data":{"s":"3"}})")->Json()
                .Find("data")->size(), 3u);
  EXPECT_EQ(patch("application/apply-patch+cbor", "")->code, 415);
  EXPECT_EQ(patch("application/json", "{}")->code, 415);
  EXPECT_EQ(patch("application/merge-patch+json", "[]")->code, 400);
}

TEST(Patch, CustomResourcesDoNotTakeStrategicOnes) {
  ServerUnderTest t;
  t.Post("/apis/kueue.x-k8s.io/v1beta2/resourceflavors",
         R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ResourceFlavor",
             "metadata":{"name":"f"}})");
  EXPECT_EQ(t.Ask("PATCH", "/apis/kueue.x-k8s.io/v1beta2/resourceflavors/f", "{}",
                  {{"Content-Type", "application/strategic-merge-patch+json"}})->code, 415);
}

}  // namespace
}  // namespace kueue::apiserver
