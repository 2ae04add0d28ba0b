#include <gtest/gtest.h>
#include <re2/re2.h>

#include <set>

#include "api/codec/json_text.h"
#include "api/schema/descriptors.h"

namespace kueue::api {
namespace {

// All tables reached from the kinds.
void Collect(const StructDescriptor& table, std::set<const StructDescriptor*>& into) {
  if (!into.insert(&table).second) return;
  for (const auto& field : table.fields) {
    if (const StructDescriptor* inner = field.ops->Struct()) Collect(*inner, into);
  }
}

std::set<const StructDescriptor*> AllTables() {
  std::set<const StructDescriptor*> all;
  for (const StructDescriptor* top :
       {&DescriptorOf<ClusterQueue>(), &DescriptorOf<Cohort>(), &DescriptorOf<LocalQueue>(),
        &DescriptorOf<Workload>(), &DescriptorOf<ResourceFlavor>(), &DescriptorOf<Topology>(),
        &DescriptorOf<WorkloadPriorityClass>(), &DescriptorOf<AdmissionCheck>(),
        &DescriptorOf<Job>(), &DescriptorOf<Pod>(), &DescriptorOf<Node>(),
        &DescriptorOf<Namespace>(), &DescriptorOf<Event>(), &DescriptorOf<Secret>(),
        &DescriptorOf<ConfigMap>(), &DescriptorOf<Lease>()}) {
    EXPECT_TRUE(top->top_level) << top->name;
    Collect(*top, all);
  }
  return all;
}

TEST(Tables, AreConsistent) {
  for (const StructDescriptor* table : AllTables()) {
    EXPECT_FALSE(table->fields.empty()) << table->name;
    EXPECT_EQ(table->by_name.size(), table->fields.size()) << table->name;
    for (const auto& field : table->fields) {
      const std::string where = std::string(table->name) + "." + std::string(field.json_name);
      EXPECT_EQ(table->Find(field.json_name), &field) << where;
      const bool is_list = field.ops->kind == FieldKind::kList;
      EXPECT_EQ(field.list_type != ListType::kNone && !is_list, false) << where;
      EXPECT_EQ(field.list_type == ListType::kMap, !field.list_keys.empty()) << where;
      for (const auto key : field.list_keys) {
        const StructDescriptor* entry = field.ops->Struct();
        ASSERT_NE(entry, nullptr) << where;
        EXPECT_NE(entry->Find(key), nullptr) << where;
      }
      if (!field.default_json.empty()) {
        EXPECT_TRUE(ParseJson(field.default_json).ok()) << where;
      }
      for (const auto pattern : {field.pattern, field.item.pattern}) {
        if (!pattern.empty()) {
          EXPECT_TRUE(re2::RE2(re2::StringPiece(pattern.data(), pattern.size())).ok()) << where;
        }
      }
    }
    EXPECT_EQ(table->Find("noSuchField"), nullptr);
  }
}

TEST(Tables, KueueFieldsAreDocumented) {
  // The reference page is made from these sentences.
  std::set<const StructDescriptor*> tables;
  for (const StructDescriptor* top :
       {&DescriptorOf<ClusterQueueSpec>(), &DescriptorOf<ClusterQueueStatus>(),
        &DescriptorOf<WorkloadStatus>(), &DescriptorOf<ResourceFlavorSpec>(),
        &DescriptorOf<CohortSpec>(), &DescriptorOf<LocalQueueStatus>(),
        &DescriptorOf<AdmissionCheckSpec>(), &DescriptorOf<TopologySpec>()}) {
    Collect(*top, tables);
  }
  for (const StructDescriptor* table : tables) {
    EXPECT_TRUE(table->complete) << table->name;
    for (const auto& field : table->fields) {
      EXPECT_FALSE(field.doc.empty()) << table->name << "." << field.json_name;
    }
  }
}

TEST(Tables, NamesThatDifferFromTheMembers) {
  EXPECT_NE(DescriptorOf<PodSet>().Find("template"), nullptr);
  EXPECT_NE(DescriptorOf<Toleration>().Find("operator"), nullptr);
  EXPECT_NE(DescriptorOf<ObjectMeta>().Find("namespace"), nullptr);
  EXPECT_NE(DescriptorOf<PodStatus>().Find("podIP"), nullptr);
  EXPECT_NE(DescriptorOf<PodSetTopologyRequest>().Find("podsetSliceRequiredTopologyConstraints"),
            nullptr);
}

TEST(Tables, BoundsOfAFew) {
  const FieldDescriptor* pod_sets = DescriptorOf<WorkloadSpec>().Find("podSets");
  EXPECT_EQ(pod_sets->max_items, 18);
  EXPECT_EQ(pod_sets->list_keys, std::vector<std::string_view>{"name"});
  EXPECT_EQ(DescriptorOf<ClusterQueueSpec>().Find("queueingStrategy")->default_json,
            "\"BestEffortFIFO\"");
  EXPECT_EQ(DescriptorOf<EvictionCount>().Find("count")->minimum, 0);
  EXPECT_EQ(DescriptorOf<EventSeries>().Find("lastObservedTime")->ops->kind, FieldKind::kMicroTime);
}

}  // namespace
}  // namespace kueue::api
