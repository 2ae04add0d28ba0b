#include "api/schema/described.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/descriptors.h"
#include "api/schema/kind.h"

namespace kueue::api {
namespace {

using testing::ElementsAre;

Json Parse(std::string_view text) { return ParseJson(text).value(); }

const KindInfo& Deployment() { return *FindKind("apps", "v1", "Deployment"); }

// A field without a C++ member is in the table like any other, but nothing reaches it.
TEST(DescribedFields, HaveNoMember) {
  const FieldDescriptor* described = DescriptorOf<PodSpec>().Find("volumes");
  ASSERT_NE(described, nullptr);
  EXPECT_EQ(described->member, nullptr);
  EXPECT_EQ(described->ops->Struct()->name, "Volume");
  EXPECT_EQ(described->list_keys, std::vector<std::string_view>{"name"});
  EXPECT_EQ(described->merge_key, "name");
  EXPECT_NE(DescriptorOf<PodSpec>().Find("containers")->member, nullptr);
}

// Their values are kept in `extra` and come back.
TEST(DescribedFields, SurviveATypedRoundTrip) {
  const Json spec = Parse(R"({"containers":[{"name":"c","securityContext":{"runAsUser":1}}],
    "volumes":[{"name":"v","emptyDir":{}}]})");
  const auto pod_spec = Decode<PodSpec>(spec);
  ASSERT_TRUE(pod_spec.ok());
  EXPECT_EQ(Encode(*pod_spec), spec);
}

TEST(DescribedFields, UnknownMembersInsideAreFound) {
  const Json pod = Parse(R"({"metadata":{"name":"a"},"spec":{"bogus":1,"containers":[],
    "volumes":[{"name":"v","emptyDir":{"odd":1}}]}})");
  EXPECT_THAT(UnknownFields(KindOf<Pod>(), pod),
              ElementsAre("spec.bogus", "spec.volumes[0].emptyDir.odd"));
}

// A kind without any struct works by its table alone.
TEST(DescribedKinds, TypesAreChecked) {
  const auto errors =
      TypeErrors(Deployment(), Parse(R"({"spec":{"replicas":"3","paused":1,"selector":[]}})"));
  std::vector<std::string> fields;
  for (const FieldError& error : errors) fields.push_back(error.field);
  EXPECT_THAT(fields,
              testing::UnorderedElementsAre("spec.replicas", "spec.paused", "spec.selector"));
}

TEST(DescribedKinds, ArePruned) {
  Json object = Parse(R"({"kind":"Deployment","apiVersion":"apps/v1","spec":{"replicas":1,"x":2,
    "template":{"spec":{"containers":[{"name":"c","y":1}]}}}})");
  EXPECT_THAT(PruneUnknown(Deployment(), object),
              ElementsAre("spec.x", "spec.template.spec.containers[0].y"));
  EXPECT_EQ(object, Parse(R"({"kind":"Deployment","apiVersion":"apps/v1","spec":{"replicas":1,
    "template":{"spec":{"containers":[{"name":"c"}]}}}})"));
}

// A claim's template is a whole object inside another.
TEST(DescribedKinds, ObjectsInsideObjectsHaveKindAndVersion) {
  const Json object = Parse(R"({"spec":{"volumeClaimTemplates":[{"kind":"PersistentVolumeClaim",
    "apiVersion":"v1","metadata":{"name":"v"}}]}})");
  EXPECT_TRUE(UnknownFields(*FindKind("apps", "v1", "StatefulSet"), object).empty());
}

TEST(DescribedTables, MayReferToThemselves) {
  const StructDescriptor* schema = DescribedTable("apiextensions.v1.JSONSchemaProps");
  ASSERT_NE(schema, nullptr);
  EXPECT_EQ(schema->Find("properties")->ops->Struct(), schema);
  EXPECT_EQ(DescribedTable("core.v1.Nothing"), nullptr);
}

TEST(RequestKinds, HaveTablesButAreNotStored) {
  for (const KindInfo* kind : RequestKinds()) {
    ASSERT_NE(kind->table, nullptr) << kind->kind;
    EXPECT_EQ(FindKind(kind->group, kind->version, kind->kind), nullptr) << kind->kind;
  }
  EXPECT_THAT(UnknownFields(*RequestKinds().front(), Parse(R"({"target":{"x":1}})")),
              ElementsAre("target.x"));
}

}  // namespace
}  // namespace kueue::api
