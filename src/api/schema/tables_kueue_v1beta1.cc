#include "api/schema/tables_kueue_v1beta1.h"

#include "api/schema/descriptors.h"
#include "api/schema/patterns.h"
#include "api/schema/rules_kueue.h"
#include "api/schema/table_edit.h"
#include "api/schema/tables_kueue_dialect.h"

namespace kueue::api::v1beta1 {
namespace {

void Unlimited(FieldDescriptor& field) {
  field.min_items = field.max_items = field.min_length = field.max_length = std::nullopt;
}
void Plain(FieldDescriptor& field) {
  field.list_type = ListType::kNone;
  field.list_keys.clear();
}
// Conditions have no limit to their number in this version.
void FreeConditions(TableEditor& t) { Unlimited(t.At("conditions")); }

// ---- AdmissionCheck

const StructDescriptor& CheckParametersTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionCheckParametersReference>(), [](TableEditor& t) {
        for (const char* name : {"apiGroup", "kind", "name"}) t.At(name).min_length.reset();
      });
  return table;
}

const StructDescriptor& CheckSpecTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionCheckSpec>(), [](TableEditor& t) {
        Unlimited(t.At("controllerName"));
        t.Retype("parameters", Described<CheckParametersTable>::kStruct);
        t.Add<std::optional<int64_t>>("retryDelayMinutes").Default("15")
            .Doc("Not used any more.");
      });
  return table;
}

const StructDescriptor& CheckStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionCheckStatus>(), FreeConditions);
  return table;
}

// ---- ClusterQueue and Cohort

const StructDescriptor& ResourceGroupTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ResourceGroup>(), [](TableEditor& t) {
        Plain(t.At("coveredResources"));
      });
  return table;
}

const StructDescriptor& CheckRuleTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionCheckStrategyRule>(), [](TableEditor& t) {
        t.At("name").min_length.reset();
        Plain(t.At("onFlavors"));
        Unlimited(t.At("onFlavors"));
      });
  return table;
}

const StructDescriptor& ChecksStrategyTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionChecksStrategy>(), [](TableEditor& t) {
        FieldDescriptor& checks = t.At("admissionChecks");
        checks.ops = &Described<CheckRuleTable>::kList;
        checks.required = false;
        Plain(checks);
        Unlimited(checks);
      });
  return table;
}

const StructDescriptor& FungibilityTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<FlavorFungibility>(), [](TableEditor& t) {
        t.At("whenCanBorrow").enum_values.emplace_back("Borrow");
        t.At("whenCanPreempt").enum_values.emplace_back("Preempt");
      });
  return table;
}

const StructDescriptor& AdmissionScopeTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionScope>(), [](TableEditor& t) {
        t.At("admissionMode").enum_values.clear();
      });
  return table;
}

const StructDescriptor& ClusterQueueSpecTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ClusterQueueSpec>(), [](TableEditor& t) {
        t.Retype("resourceGroups", Described<ResourceGroupTable>::kList);
        t.Rename("cohortName", "cohort");
        t.Retype("flavorFungibility", Described<FungibilityTable>::kStruct);
        t.Retype("admissionScope", Described<AdmissionScopeTable>::kStruct);
        t.Retype("admissionChecksStrategy", Described<ChecksStrategyTable>::kStruct);
        t.Remove("concurrentAdmissionPolicy");
        t.Add<std::vector<std::string>>("admissionChecks").ItemLength(0, 316)
            .Doc("Checks for all flavors; replaces admissionChecksStrategy.");
        t.rules() = {{"has(self.cohort) || !has(self.resourceGroups) || "
                      "self.resourceGroups.all(g, g.flavors.all(f, f.resources.all(r, "
                      "!has(r.borrowingLimit))))",
                      "a borrowingLimit needs a cohort"}};
      });
  return table;
}

const StructDescriptor& FairSharingStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<LocalQueueFairSharingStatus>(), [](TableEditor&) {});
  return table;
}

const StructDescriptor& PendingWorkloadTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionScope>(), [](TableEditor& t) {
        t.Remove("admissionMode");
        t.Add<std::string>("name").Required().Doc("The workload's name.");
        t.Add<std::string>("namespace").Required().Doc("The workload's namespace.");
      });
  return table;
}

const StructDescriptor& PendingStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionScope>(), [](TableEditor& t) {
        t.Remove("admissionMode");
        t.Add("clusterQueuePendingWorkload", Described<PendingWorkloadTable>::kList).Atomic()
            .Doc("Not used any more.");
        t.Add<std::optional<Time>>("lastChangeTime").Required().Doc("Not used any more.");
      });
  return table;
}

const StructDescriptor& ClusterQueueStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ClusterQueueStatus>(), [](TableEditor& t) {
        FreeConditions(t);
        t.Retype("fairSharing", Described<FairSharingStatusTable>::kStruct);
        t.Add("pendingWorkloadsStatus", Described<PendingStatusTable>::kStruct)
            .Doc("Not used any more.");
      });
  return table;
}

const StructDescriptor& CohortSpecTable() {
  static const StructDescriptor table = EditTable(DescriptorOf<CohortSpec>(), [](TableEditor& t) {
    t.Retype("resourceGroups", Described<ResourceGroupTable>::kList);
  });
  return table;
}

const StructDescriptor& CohortStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<CohortStatus>(), [](TableEditor& t) {
        t.Retype("fairSharing", Described<FairSharingStatusTable>::kStruct);
      });
  return table;
}

// ---- LocalQueue

const StructDescriptor& TopologyInfoTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionScope>(), [](TableEditor& t) {
        t.Remove("admissionMode");
        t.Add<std::string>("name").Required().ObjectName().Doc("The Topology.");
        t.Add<std::vector<std::string>>("levels").Required().Atomic().MaxItems(8)
            .Doc("Its levels.");
      });
  return table;
}

const StructDescriptor& LocalQueueFlavorTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionScope>(), [](TableEditor& t) {
        t.Remove("admissionMode");
        t.Add<std::string>("name").Required().ObjectName().Doc("The flavor.");
        t.Add<std::vector<std::string>>("resources").Set().MaxItems(16).Doc("Its resources.");
        t.Add<StringMap>("nodeLabels").Atomic().MaxProperties(8).Doc("Its node labels.");
        t.Add<std::vector<Taint>>("nodeTaints").Atomic().MaxItems(8).Doc("Its node taints.");
        t.Add("topology", Described<TopologyInfoTable>::kStruct).Doc("Its topology.");
      });
  return table;
}

const StructDescriptor& LocalQueueStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<LocalQueueStatus>(), [](TableEditor& t) {
        FreeConditions(t);
        t.Rename("flavorsUsage", "flavorUsage");
        t.Add("flavors", Described<LocalQueueFlavorTable>::kList).MapBy("name").MaxItems(16)
            .Doc("Not used any more.");
      });
  return table;
}

// ---- MultiKueueCluster, MultiKueueConfig, ProvisioningRequestConfig

const StructDescriptor& KubeConfigTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<KubeConfigSource>(), [](TableEditor& t) {
        Unlimited(t.At("location"));
      });
  return table;
}

const StructDescriptor& ClusterSpecTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<MultiKueueClusterSpec>(), [](TableEditor& t) {
        t.Remove("clusterSource");
        t.Add("kubeConfig", Described<KubeConfigTable>::kStruct).Required().Doc("A kubeconfig.");
        t.Add<std::optional<ClusterProfileReference>>("clusterProfileRef")
            .Doc("A ClusterProfile.");
      });
  return table;
}

const StructDescriptor& ClusterStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<MultiKueueClusterStatus>(), FreeConditions);
  return table;
}

const StructDescriptor& ConfigSpecTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<MultiKueueConfigSpec>(), [](TableEditor& t) {
        FieldDescriptor& clusters = t.At("clusters");
        clusters.list_type = ListType::kSet;
        clusters.item = {};
        clusters.rules.clear();
        t.Remove("quotaManagement");
      });
  return table;
}

const StructDescriptor& PodSetUpdatesTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ProvisioningPodSetUpdates>(), [](TableEditor& t) {
        Plain(t.At("nodeSelector"));
      });
  return table;
}

const StructDescriptor& ProvisioningSpecTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ProvisioningRequestConfigSpec>(), [](TableEditor& t) {
        t.At("provisioningClassName").min_length.reset();
        t.Retype("podSetUpdates", Described<PodSetUpdatesTable>::kStruct);
      });
  return table;
}

// ---- Topology

const StructDescriptor& TopologySpecTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<TopologySpec>(), [](TableEditor& t) {
        t.At("levels").rules[0] = {"self == oldSelf", "may not be changed"};
      });
  return table;
}

// ---- Workload

const StructDescriptor& TopologyRequestTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<PodSetTopologyRequest>(), [](TableEditor& t) {
        t.Remove("podsetSliceRequiredTopologyConstraints");
        for (const char* name : {"required", "preferred", "podIndexLabel", "subGroupIndexLabel",
                                 "podSetGroupName", "podSetSliceRequiredTopology"}) {
          Unlimited(t.At(name));
        }
        t.At("subGroupCount").minimum.reset();
      });
  return table;
}

const StructDescriptor& PodSetTable() {
  static const StructDescriptor table = EditTable(DescriptorOf<PodSet>(), [](TableEditor& t) {
    t.At("count").required = true;
    t.Retype("topologyRequest", Described<TopologyRequestTable>::kStruct);
  });
  return table;
}

const StructDescriptor& WorkloadSpecTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<WorkloadSpec>(), [](TableEditor& t) {
        t.At("podSets").required = true;
        t.Retype("podSets", Described<PodSetTable>::kList);
        t.Remove("priorityClassRef");
        t.Remove("preemptionGates");
        t.Add<std::optional<std::string>>("priorityClassName").ObjectName()
            .Doc("The class the priority comes from.");
        t.Add<std::optional<std::string>>("priorityClassSource").Default("\"\"")
            .Enum({"kueue.x-k8s.io/workloadpriorityclass", "scheduling.k8s.io/priorityclass", ""})
            .Doc("What kind of class that is.");
        t.rules() = {{"!has(self.priorityClassName) || has(self.priority)",
                      "a priorityClassName needs a priority"}};
      });
  return table;
}

const StructDescriptor& DomainTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionScope>(), [](TableEditor& t) {
        t.Remove("admissionMode");
        t.Add<std::vector<std::string>>("values").Required().Atomic().Items(1, 16)
            .Doc("The domain's node labels, one a level.");
        t.Add<int32_t>("count").Required().Min(1).Doc("How many pods are in it.");
      });
  return table;
}

const StructDescriptor& TopologyAssignmentTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<TopologyAssignment>(), [](TableEditor& t) {
        t.At("levels").item = {};
        t.Remove("slices");
        t.Add("domains", Described<DomainTable>::kList).Required().Doc("Where the pods go.");
        t.rules().clear();
      });
  return table;
}

const StructDescriptor& AssignmentTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<PodSetAssignment>(), [](TableEditor& t) {
        t.At("name").required = true;
        t.Retype("topologyAssignment", Described<TopologyAssignmentTable>::kStruct);
        FieldDescriptor& delayed = t.At("delayedTopologyRequest");
        Unlimited(delayed);
        delayed.enum_values.clear();
      });
  return table;
}

const StructDescriptor& AdmissionTable() {
  static const StructDescriptor table = EditTable(DescriptorOf<Admission>(), [](TableEditor& t) {
    t.At("clusterQueue").required = true;
    t.At("podSetAssignments").required = true;
    t.Retype("podSetAssignments", Described<AssignmentTable>::kList);
  });
  return table;
}

const StructDescriptor& SchedulingStatsTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<SchedulingStats>(), [](TableEditor& t) {
        Unlimited(t.At("evictions"));
      });
  return table;
}

const StructDescriptor& UnhealthyNodeTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<UnhealthyNode>(), [](TableEditor& t) { Unlimited(t.At("name")); });
  return table;
}

const StructDescriptor& WorkloadStatusTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<WorkloadStatus>(), [](TableEditor& t) {
        FreeConditions(t);
        t.Retype("admission", Described<AdmissionTable>::kStruct);
        t.Rename("accumulatedPastExecutionTimeSeconds", "accumulatedPastExexcutionTimeSeconds");
        t.Retype("schedulingStats", Described<SchedulingStatsTable>::kStruct);
        t.At("nominatedClusterNames").item = {};
        Unlimited(t.At("clusterName"));
        FieldDescriptor& nodes = t.At("unhealthyNodes");
        nodes.ops = &Described<UnhealthyNodeTable>::kList;
        Plain(nodes);
        Unlimited(nodes);
        t.Remove("preemptionGates");
        AddState(t);
      });
  return table;
}

}  // namespace

const StructDescriptor& AdmissionCheckTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<AdmissionCheck>(), [](TableEditor& t) {
        t.Retype("spec", Described<CheckSpecTable>::kStruct);
        t.Retype("status", Described<CheckStatusTable>::kStruct);
      });
  return table;
}

const StructDescriptor& ClusterQueueTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ClusterQueue>(), [](TableEditor& t) {
        t.Retype("spec", Described<ClusterQueueSpecTable>::kStruct);
        t.Retype("status", Described<ClusterQueueStatusTable>::kStruct);
      });
  return table;
}

const StructDescriptor& CohortTable() {
  static const StructDescriptor table = EditTable(DescriptorOf<Cohort>(), [](TableEditor& t) {
    t.Retype("spec", Described<CohortSpecTable>::kStruct);
    t.Retype("status", Described<CohortStatusTable>::kStruct);
  });
  return table;
}

const StructDescriptor& LocalQueueTable() {
  static const StructDescriptor table = EditTable(DescriptorOf<LocalQueue>(), [](TableEditor& t) {
    t.Retype("status", Described<LocalQueueStatusTable>::kStruct);
  });
  return table;
}

const StructDescriptor& MultiKueueClusterTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<MultiKueueCluster>(), [](TableEditor& t) {
        t.Retype("spec", Described<ClusterSpecTable>::kStruct);
        t.Retype("status", Described<ClusterStatusTable>::kStruct);
      });
  return table;
}

const StructDescriptor& MultiKueueConfigTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<MultiKueueConfig>(), [](TableEditor& t) {
        t.Retype("spec", Described<ConfigSpecTable>::kStruct);
      });
  return table;
}

const StructDescriptor& ProvisioningRequestConfigTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<ProvisioningRequestConfig>(), [](TableEditor& t) {
        t.Retype("spec", Described<ProvisioningSpecTable>::kStruct);
      });
  return table;
}

const StructDescriptor& TopologyTable() {
  static const StructDescriptor table = EditTable(DescriptorOf<Topology>(), [](TableEditor& t) {
    t.Retype("spec", Described<TopologySpecTable>::kStruct);
  });
  return table;
}

const StructDescriptor& WorkloadTable() {
  static const StructDescriptor table = EditTable(DescriptorOf<Workload>(), [](TableEditor& t) {
    t.Retype("spec", Described<WorkloadSpecTable>::kStruct);
    t.Retype("status", Described<WorkloadStatusTable>::kStruct);
    t.rules() = WorkloadRulesV1beta1();
  });
  return table;
}

const StructDescriptor& WorkloadPriorityClassTable() {
  static const StructDescriptor table =
      EditTable(DescriptorOf<WorkloadPriorityClass>(), [](TableEditor& t) {
        Unlimited(t.At("description"));
      });
  return table;
}

}  // namespace kueue::api::v1beta1
