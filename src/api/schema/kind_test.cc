#include "api/schema/kind.h"

#include <gtest/gtest.h>

#include <set>

#include "api/codec/json_text.h"
#include "api/types/batch.h"
#include "api/types/kueue.h"

namespace kueue::api {
namespace {

Json Parse(std::string_view text) { return ParseJson(text).value(); }

TEST(Kinds, FoundByKindResourceAndManifest) {
  EXPECT_EQ(FindKind("", "v1", "Pod"), &KindOf<Pod>());
  EXPECT_EQ(FindResource("batch", "v1", "jobs"), &KindOf<Job>());
  EXPECT_EQ(FindKindOf(Parse(R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue"})")),
            &KindOf<ClusterQueue>());
  EXPECT_EQ(FindKind("kueue.x-k8s.io", "v1beta2", "Pod"), nullptr);
  EXPECT_EQ(FindKindOf(Parse(R"({"kind":7})")), nullptr);
}

TEST(Kinds, NamesOfGroupsAndVersions) {
  EXPECT_EQ(KindOf<Pod>().ApiVersion(), "v1");
  EXPECT_EQ(KindOf<Job>().ApiVersion(), "batch/v1");
  EXPECT_EQ(KindOf<Pod>().GroupResource(), "pods");
  EXPECT_EQ(KindOf<Job>().GroupResource(), "jobs.batch");
}

// kubectl takes any of these names, so none may mean two kinds: only events are in two groups.
TEST(Kinds, NoNameIsUsedTwice) {
  std::set<std::string_view> names;
  for (const KindInfo* kind : AllKinds()) {
    EXPECT_NE(kind->table, nullptr);
    if (kind->stored != nullptr || kind->group == "events.k8s.io") continue;
    EXPECT_TRUE(names.insert(kind->plural).second) << kind->plural;
    for (const auto name : kind->short_names) EXPECT_TRUE(names.insert(name).second) << name;
  }
}

TEST(Kinds, EncodedObjectsSayWhatTheyAre) {
  LocalQueue queue;
  queue.metadata.name = "q";
  queue.spec.cluster_queue = "cq";
  const Json json = EncodeObject(queue);
  EXPECT_EQ(json.AsObject()[0].key, "apiVersion");
  EXPECT_EQ(json.AsObject()[1].key, "kind");
  EXPECT_EQ(FindKindOf(json), &KindOf<LocalQueue>());
  EXPECT_EQ(json.StringAt({"spec", "clusterQueue"}), "cq");
}

TEST(UnknownMembers, ArePrunedWhereTheTableIsComplete) {
  Json queue = Parse(R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ClusterQueue",
    "metadata":{"name":"a"},"bogus":1,
    "spec":{"odd":2,"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"f","x":1,
      "resources":[]}]}]}})");
  const std::vector<std::string> expected = {"bogus", "spec.odd",
                                             "spec.resourceGroups[0].flavors[0].x"};
  EXPECT_EQ(UnknownFields(KindOf<ClusterQueue>(), queue), expected);
  EXPECT_EQ(PruneUnknown(KindOf<ClusterQueue>(), queue), expected);
  EXPECT_EQ(queue.Find("bogus"), nullptr);
  EXPECT_TRUE(UnknownFields(KindOf<ClusterQueue>(), queue).empty());
  EXPECT_EQ(queue.StringAt({"kind"}), "ClusterQueue");
}

// spec/api.md §8.1: a template's metadata keeps five members, its pod spec everything.
TEST(UnknownMembers, TemplatesInCustomResources) {
  Json workload = Parse(R"({"metadata":{"name":"a"},"spec":{"podSets":[{"name":"main","template":{
    "metadata":{"labels":{"a":"b"},"creationTimestamp":null,"uid":"x"},
    "spec":{"containers":[],"volumes":[]}}}]}})");
  PruneUnknown(KindOf<Workload>(), workload);
  const Json& pod_template = *workload.FindPath({"spec", "podSets"})->AsArray()[0].Find("template");
  EXPECT_EQ(*pod_template.Find("metadata"), Parse(R"({"labels":{"a":"b"}})"));
  EXPECT_NE(pod_template.FindPath({"spec", "volumes"}), nullptr);
}

}  // namespace
}  // namespace kueue::api
