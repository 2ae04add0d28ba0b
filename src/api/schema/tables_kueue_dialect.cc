#include "api/schema/simple_queue.h"
#include "api/schema/table_builder.h"
#include "api/schema/table_edit.h"
#include "api/schema/tables_kueue_dialect.h"

// Tables of what the simple dialect adds to the reference's API.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<SimpleQueueSpec>() {
  using S = SimpleQueueSpec;
  static const StructDescriptor table =
      MakeTable<S>("SimpleQueueSpec", kComplete, [](TableBuilder& t) {
        t.Field<&S::cluster_queue>("clusterQueue").Required().ObjectName()
            .Rule("self == oldSelf", "may not be changed to another queue")
            .Doc("The ClusterQueue behind this queue; cannot be changed to another.");
        t.Field<&S::priority>("priority")
            .Doc("Work of queues with a higher one goes first in their ClusterQueue; absent "
                 "counts as 0.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<SimpleQueueStatus>() {
  using S = SimpleQueueStatus;
  static const StructDescriptor table =
      MakeTable<S>("SimpleQueueStatus", kComplete, [](TableBuilder& t) {
        t.Field<&S::conditions>("conditions").MapBy("type").MaxItems(16)
            .Doc("Active says whether workloads are admitted.");
        t.Field<&S::pending_workloads>("pendingWorkloads").AlwaysWritten()
            .Doc("Workloads that wait.");
        t.Field<&S::admitted_workloads>("admittedWorkloads").AlwaysWritten()
            .Doc("Workloads that are admitted and not finished.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<SimpleQueue>() {
  using S = SimpleQueue;
  static const StructDescriptor table =
      MakeTable<S>("SimpleQueue", kComplete | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec").Doc("The ClusterQueue, and the place among its queues.");
        t.Field<&S::status>("status").Doc("Counts of work.");
      });
  return table;
}

template <>
const KindInfo& KindOf<SimpleQueue>() {
  static const KindInfo info = [] {
    KindInfo made;
    made.group = "kueue.x-k8s.io";
    made.version = "v1beta1";
    made.kind = "Queue";
    made.plural = "simplequeues";
    made.singular = "simplequeue";
    made.namespaced = true;
    made.has_status = true;
    made.custom_resource = true;
    made.table = &DescriptorOf<SimpleQueue>();
    made.columns = {{"ClusterQueue", "string", ".spec.clusterQueue"},
                    {"Priority", "integer", ".spec.priority"},
                    {"Pending Workloads", "integer", ".status.pendingWorkloads"},
                    {"Admitted Workloads", "integer", ".status.admittedWorkloads"}};
    return made;
  }();
  return info;
}

void AddState(TableEditor& status) {
  status.Add<std::optional<std::string>>("state")
      .Enum({"Pending", "QuotaReserved", "Admitted", "Evicted", "Finished"})
      .Doc("The conditions in one word.");
}

namespace {

// An edited table is described only. This one is of the base's struct all the same: what was added
// at the end lives in its Extra.
StructDescriptor OfTheSameStruct(const StructDescriptor& base, StructDescriptor table) {
  table.extra = base.extra;
  for (size_t i = 0; i < base.fields.size(); ++i) table.fields[i].member = base.fields[i].member;
  return table;
}

const StructDescriptor* StatusTable() {
  static const StructDescriptor table =
      OfTheSameStruct(DescriptorOf<WorkloadStatus>(),
                      EditTable(DescriptorOf<WorkloadStatus>(), AddState));
  return &table;
}

const ValueOps& StatusOps() {
  static const ValueOps ops = [] {
    ValueOps made = *DescriptorOf<Workload>().Find("status")->ops;
    made.element = &StatusTable;
    return made;
  }();
  return ops;
}

std::string_view StateOf(const Json::Array& conditions) {
  const auto is_true = [&](std::string_view type) {
    for (const Json& condition : conditions) {
      if (condition.StringAt({"type"}) == type) return condition.StringAt({"status"}) == "True";
    }
    return false;
  };
  for (const std::string_view state : {"Finished", "Evicted", "Admitted", "QuotaReserved"}) {
    if (is_true(state)) return state;
  }
  return "Pending";
}

}  // namespace

const StructDescriptor& ServedWorkloadTable() {
  static const StructDescriptor table = OfTheSameStruct(
      DescriptorOf<Workload>(), EditTable(DescriptorOf<Workload>(), [](TableEditor& t) {
        t.At("status").ops = &StatusOps();
      }));
  return table;
}

void FollowState(const KindInfo& kind, Json& object) {
  if (kind.kind != "Workload" || kind.group != "kueue.x-k8s.io") return;
  Json* status = object.Find("status");
  if (status == nullptr || !status->IsObject()) return;
  const Json* conditions = status->Find("conditions");
  const bool said = conditions != nullptr && conditions->IsArray() && conditions->size() > 0;
  if (!said && status->Find("state") == nullptr) return;
  status->Set("state", std::string(said ? StateOf(conditions->AsArray()) : "Pending"));
}

}  // namespace kueue::api
