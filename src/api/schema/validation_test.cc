#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "api/types/batch.h"
#include "api/types/kueue.h"

namespace kueue::api {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

Json Parse(std::string_view text) { return ParseJson(text).value(); }

// "spec.a FieldValueInvalid" for each error.
std::vector<std::string> Told(const std::vector<FieldError>& errors) {
  std::vector<std::string> lines;
  for (const FieldError& error : errors) {
    EXPECT_FALSE(error.message.empty());
    lines.push_back(error.field + " " + CauseReason(error.type));
  }
  return lines;
}

std::vector<std::string> Create(const KindInfo& kind, std::string_view text) {
  Json object = Parse(text);
  ApplyDefaults(kind, object);
  object["metadata"].Set("uid", "u");
  PrepareForCreate(kind, object);
  return Told(ValidateCreate(kind, object));
}

// A change to a stored object, made by a merge on top of it.
std::vector<std::string> Update(const KindInfo& kind, const Json& before, Json after) {
  ApplyDefaults(kind, after);
  return Told(ValidateUpdate(kind, before, after));
}

Json Stored(const KindInfo& kind, std::string_view text) {
  Json object = Parse(text);
  ApplyDefaults(kind, object);
  object["metadata"].Set("uid", "u");
  PrepareForCreate(kind, object);
  EXPECT_THAT(Told(ValidateCreate(kind, object)), IsEmpty());
  return object;
}

// ---- metadata

TEST(Metadata, NamesFollowTheKind) {
  EXPECT_THAT(Create(KindOf<ResourceFlavor>(), R"({"metadata":{"name":"a.b"}})"), IsEmpty());
  EXPECT_THAT(Create(KindOf<ResourceFlavor>(), R"({"metadata":{"name":"A_"}})"),
              UnorderedElementsAre("metadata.name FieldValueInvalid"));
  EXPECT_THAT(Create(KindOf<Namespace>(), R"({"metadata":{"name":"a.b"}})"),
              UnorderedElementsAre("metadata.name FieldValueInvalid"));
}

TEST(Metadata, NamespaceFollowsTheScope) {
  EXPECT_THAT(Create(KindOf<ConfigMap>(), R"({"metadata":{"name":"a"}})"),
              UnorderedElementsAre("metadata.namespace FieldValueRequired"));
  EXPECT_THAT(Create(KindOf<Cohort>(), R"({"metadata":{"name":"a","namespace":"n"}})"),
              UnorderedElementsAre("metadata.namespace FieldValueForbidden"));
}

TEST(Metadata, LabelsAnnotationsOwnersFinalizers) {
  EXPECT_THAT(Create(KindOf<ConfigMap>(), R"({"metadata":{"name":"a","namespace":"n",
    "labels":{"bad key!":"v","k":"bad value!"},"annotations":{"bad key!":"v"},
    "finalizers":["nodomain"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"x"}]}})"),
              UnorderedElementsAre("metadata.labels FieldValueInvalid",
                                   "metadata.labels FieldValueInvalid",
                                   "metadata.annotations FieldValueInvalid",
                                   "metadata.finalizers[0] FieldValueInvalid",
                                   "metadata.ownerReferences.uid FieldValueInvalid"));
}

TEST(Metadata, IdentityDoesNotChange) {
  const Json before = Stored(KindOf<ResourceFlavor>(), R"({"metadata":{"name":"a"}})");
  Json after = before;
  after["metadata"].Set("uid", "other");
  EXPECT_THAT(Update(KindOf<ResourceFlavor>(), before, after),
              UnorderedElementsAre("metadata.uid FieldValueInvalid"));
}

// ---- types

TEST(Types, OfBuiltInKindsAreToldAlone) {
  const Json pod = Parse(R"({"metadata":{"name":"A_","namespace":"n"},
    "spec":{"priority":"x","nodeSelector":["a"],"containers":[{"name":"c","command":"x"}]}})");
  EXPECT_THAT(Told(TypeErrors(KindOf<Pod>(), pod)),
              UnorderedElementsAre("spec.priority FieldValueTypeInvalid",
                                   "spec.nodeSelector FieldValueTypeInvalid",
                                   "spec.containers[0].command FieldValueTypeInvalid"));
  EXPECT_EQ(ValidateCreate(KindOf<Pod>(), pod).size(), 3u);
}

TEST(Types, NoObjectAtAll) {
  EXPECT_EQ(ValidateCreate(KindOf<Pod>(), Json("text")).size(), 1u);
  EXPECT_EQ(ValidateCreate(KindOf<Workload>(), Json()).size(), 1u);
}

// ---- the schema of custom resources

// Rules are not computed on an object of the wrong shape, and the answer says so.
TEST(Schema, EnumsAndMissingMembersBlockTheRules) {
  EXPECT_THAT(Create(KindOf<ClusterQueue>(), R"({"metadata":{"name":"a"},
    "spec":{"queueingStrategy":"X","resourceGroups":[{"coveredResources":["cpu"]}]}})"),
              UnorderedElementsAre("spec.queueingStrategy FieldValueNotSupported",
                                   "spec.resourceGroups[0].flavors FieldValueRequired",
                                   "<nil> FieldValueInvalid"));
}

TEST(Schema, PatternsAndLengths) {
  EXPECT_THAT(Create(KindOf<ClusterQueue>(),
                     R"({"metadata":{"name":"a"},"spec":{"cohortName":"Bad Name"}})"),
              UnorderedElementsAre("spec.cohortName FieldValueInvalid"));
  EXPECT_THAT(Create(KindOf<Topology>(), R"({"metadata":{"name":"a"},"spec":{"levels":[]}})"),
              UnorderedElementsAre("spec.levels FieldValueInvalid"));
  Json flavor = Parse(R"({"metadata":{"name":"a"},"spec":{"topologyName":""}})");
  flavor["spec"].Set("topologyName", std::string(254, 'a'));
  EXPECT_THAT(Told(ValidateCreate(KindOf<ResourceFlavor>(), flavor)),
              UnorderedElementsAre("spec.topologyName FieldValueTooLong",
                                   "<nil> FieldValueInvalid"));
}

TEST(Schema, KeysOfListsAreUnique) {
  EXPECT_THAT(Create(KindOf<Workload>(), R"({"metadata":{"name":"a","namespace":"n"},"spec":{
    "podSets":[{"template":{}},{"template":{}}]}})"),
              UnorderedElementsAre("spec.podSets[1] FieldValueDuplicate"));
}

TEST(Schema, Quantities) {
  const auto queue = [](std::string_view quota) {
    return Create(KindOf<Cohort>(), R"({"metadata":{"name":"a"},"spec":{"resourceGroups":[
      {"coveredResources":["cpu"],"flavors":[{"name":"f","resources":[{"name":"cpu",
      "nominalQuota":)" + std::string(quota) + "}]}]}]}}");
  };
  const std::string at = "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota ";
  EXPECT_THAT(queue("5"), IsEmpty());
  EXPECT_THAT(queue(R"("1.5Gi")"), IsEmpty());
  EXPECT_THAT(queue(R"("many")"), UnorderedElementsAre(at + "FieldValueInvalid"));
  EXPECT_THAT(queue("true"), testing::Contains(at + "FieldValueTypeInvalid"));
}

// spec/api.md §1.4: what an update leaves as it was does not block it.
TEST(Schema, MistakesThatDidNotChangeAreLetPass) {
  const Json before = Parse(R"({"metadata":{"name":"a"},"spec":{"cohortName":"Bad Name",
    "stopPolicy":"None"}})");
  Json after = before;
  after["spec"].Set("stopPolicy", "Hold");
  EXPECT_THAT(Update(KindOf<ClusterQueue>(), before, after), IsEmpty());
  after["spec"].Set("cohortName", "Also Bad");
  EXPECT_THAT(Update(KindOf<ClusterQueue>(), before, after),
              UnorderedElementsAre("spec.cohortName FieldValueInvalid"));
}

// ---- small built-in kinds

TEST(BuiltIn, NodesEventsLeasesMaps) {
  EXPECT_THAT(Create(KindOf<Node>(),
                     R"({"metadata":{"name":"n"},"spec":{"taints":[{"key":"k"}]}})"),
              UnorderedElementsAre("metadata.taints[0].effect FieldValueRequired"));
  EXPECT_THAT(Create(KindOf<Event>(), R"({"metadata":{"name":"e","namespace":"n"},
    "involvedObject":{"namespace":"other"}})"),
              UnorderedElementsAre("involvedObject.namespace FieldValueInvalid"));
  EXPECT_THAT(Create(KindOf<Lease>(), R"({"metadata":{"name":"l","namespace":"n"},
    "spec":{"leaseDurationSeconds":0}})"),
              UnorderedElementsAre("spec.leaseDurationSeconds FieldValueInvalid"));
  EXPECT_THAT(Create(KindOf<ConfigMap>(), R"({"metadata":{"name":"c","namespace":"n"},
    "data":{"a/b":"v"}})"),
              UnorderedElementsAre("data[a/b] FieldValueInvalid"));
}

TEST(BuiltIn, ATypedSecretHasItsKeys) {
  EXPECT_THAT(Create(KindOf<Secret>(), R"({"metadata":{"name":"s","namespace":"n"},
    "type":"kubernetes.io/tls","data":{"tls.crt":""}})"),
              UnorderedElementsAre("data[tls.key] FieldValueRequired"));
}

TEST(BuiltIn, AnImmutableMapStays) {
  const Json before = Stored(KindOf<ConfigMap>(), R"({"metadata":{"name":"c","namespace":"n"},
    "immutable":true,"data":{"k":"v"}})");
  Json after = before;
  after["data"].Set("k", "w");
  EXPECT_THAT(Update(KindOf<ConfigMap>(), before, after),
              UnorderedElementsAre("data FieldValueForbidden"));
}

}  // namespace
}  // namespace kueue::api
