#include "api/schema/kinds_kueue.h"

#include "api/schema/conversion.h"
#include "api/schema/descriptors.h"
#include "api/schema/simple_queue.h"
#include "api/schema/tables_kueue_dialect.h"
#include "api/schema/tables_kueue_v1beta1.h"

// Names, scope and columns of the kinds of kueue.x-k8s.io (spec/api.md §1.1).
namespace kueue::api {
namespace {

KindInfo KueueKind(std::string_view kind, std::string_view plural, std::string_view singular,
                   std::vector<std::string_view> short_names, const StructDescriptor& table) {
  KindInfo info;
  info.group = "kueue.x-k8s.io";
  info.version = "v1beta2";
  info.kind = kind;
  info.plural = plural;
  info.singular = singular;
  info.short_names = std::move(short_names);
  info.custom_resource = true;
  info.table = &table;
  return info;
}

KindInfo MakeAdmissionCheck() {
  KindInfo info = KueueKind("AdmissionCheck", "admissionchecks", "admissioncheck", {"ac"},
                            DescriptorOf<AdmissionCheck>());
  info.has_status = true;
  return info;
}

KindInfo MakeClusterQueue() {
  KindInfo info = KueueKind("ClusterQueue", "clusterqueues", "clusterqueue", {"cq"},
                            DescriptorOf<ClusterQueue>());
  info.has_status = true;
  info.columns = {{"Cohort", "string", ".spec.cohortName"},
                  {"Strategy", "string", ".spec.queueingStrategy", 1},
                  {"Pending Workloads", "integer", ".status.pendingWorkloads"},
                  {"Admitted Workloads", "integer", ".status.admittedWorkloads", 1}};
  return info;
}

KindInfo MakeCohort() {
  KindInfo info = KueueKind("Cohort", "cohorts", "cohort", {"co"}, DescriptorOf<Cohort>());
  info.has_status = true;
  return info;
}

KindInfo MakeLocalQueue() {
  KindInfo info = KueueKind("LocalQueue", "localqueues", "localqueue", {"queue", "queues", "lq"},
                            DescriptorOf<LocalQueue>());
  info.namespaced = true;
  info.has_status = true;
  info.columns = {{"ClusterQueue", "string", ".spec.clusterQueue"},
                  {"Pending Workloads", "integer", ".status.pendingWorkloads"},
                  {"Admitted Workloads", "integer", ".status.admittedWorkloads"}};
  return info;
}

KindInfo MakeMultiKueueCluster() {
  KindInfo info = KueueKind("MultiKueueCluster", "multikueueclusters", "multikueuecluster", {"mkc"},
                            DescriptorOf<MultiKueueCluster>());
  info.has_status = true;
  info.columns = {{"Connected", "string", ".status.conditions[?(@.type=='Active')].status"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  return info;
}

KindInfo MakeMultiKueueConfig() {
  return KueueKind("MultiKueueConfig", "multikueueconfigs", "multikueueconfig", {"mkconf"},
                   DescriptorOf<MultiKueueConfig>());
}

KindInfo MakeProvisioningRequestConfig() {
  return KueueKind("ProvisioningRequestConfig", "provisioningrequestconfigs",
                   "provisioningrequestconfig", {"prc"}, DescriptorOf<ProvisioningRequestConfig>());
}

KindInfo MakeResourceFlavor() {
  return KueueKind("ResourceFlavor", "resourceflavors", "resourceflavor",
                   {"flavor", "flavors", "rf"}, DescriptorOf<ResourceFlavor>());
}

KindInfo MakeTopology() {
  return KueueKind("Topology", "topologies", "topology", {"topo"}, DescriptorOf<Topology>());
}

KindInfo MakeWorkload() {
  KindInfo info = KueueKind("Workload", "workloads", "workload",
                            {"kwl", "kueueworkload", "kueueworkloads"}, ServedWorkloadTable());
  info.namespaced = true;
  info.has_status = true;
  info.columns = {{"Queue", "string", ".spec.queueName"},
                  {"Reserved in", "string", ".status.admission.clusterQueue"},
                  {"Admitted", "string", ".status.conditions[?(@.type=='Admitted')].status"},
                  {"Finished", "string", ".status.conditions[?(@.type=='Finished')].status"},
                  {"Age", "date", ".metadata.creationTimestamp"}};
  info.selectable_fields = {"status.admission.clusterQueue", "status.state"};
  return info;
}

KindInfo MakeWorkloadPriorityClass() {
  KindInfo info =
      KueueKind("WorkloadPriorityClass", "workloadpriorityclasses", "workloadpriorityclass",
                {"wpc"}, DescriptorOf<WorkloadPriorityClass>());
  info.columns = {{"Value", "integer", ".value"}};
  return info;
}

// The same kind in v1beta1.
KindInfo Older(const KindInfo& stored, const StructDescriptor& table) {
  KindInfo info = stored;
  info.version = "v1beta1";
  info.table = &table;
  info.stored = &stored;
  info.deprecation = "this version is deprecated; use kueue.x-k8s.io/v1beta2";
  info.selectable_fields.clear();
  return info;
}

std::vector<KindInfo> MakeOlderKinds() {
  std::vector<KindInfo> kinds = {
      Older(KindOf<AdmissionCheck>(), v1beta1::AdmissionCheckTable()),
      Older(KindOf<ClusterQueue>(), v1beta1::ClusterQueueTable()),
      Older(KindOf<Cohort>(), v1beta1::CohortTable()),
      Older(KindOf<LocalQueue>(), v1beta1::LocalQueueTable()),
      Older(KindOf<MultiKueueCluster>(), v1beta1::MultiKueueClusterTable()),
      Older(KindOf<MultiKueueConfig>(), v1beta1::MultiKueueConfigTable()),
      Older(KindOf<ProvisioningRequestConfig>(), v1beta1::ProvisioningRequestConfigTable()),
      Older(KindOf<ResourceFlavor>(), DescriptorOf<ResourceFlavor>()),
      Older(KindOf<Topology>(), v1beta1::TopologyTable()),
      Older(KindOf<Workload>(), v1beta1::WorkloadTable()),
      Older(KindOf<WorkloadPriorityClass>(), v1beta1::WorkloadPriorityClassTable())};
  for (KindInfo& kind : kinds) {
    if (kind.kind == "MultiKueueConfig") kind.deprecation = "";
    if (kind.kind == "Workload") kind.selectable_fields = {"status.state"};
    if (kind.kind == "ClusterQueue") kind.columns[0].json_path = ".spec.cohort";
    FindConversion(kind.kind, kind.to_stored, kind.from_stored);
  }
  return kinds;
}

}  // namespace

template <>
const KindInfo& KindOf<AdmissionCheck>() {
  static const KindInfo info = MakeAdmissionCheck();
  return info;
}
template <>
const KindInfo& KindOf<ClusterQueue>() {
  static const KindInfo info = MakeClusterQueue();
  return info;
}
template <>
const KindInfo& KindOf<Cohort>() {
  static const KindInfo info = MakeCohort();
  return info;
}
template <>
const KindInfo& KindOf<LocalQueue>() {
  static const KindInfo info = MakeLocalQueue();
  return info;
}
template <>
const KindInfo& KindOf<MultiKueueCluster>() {
  static const KindInfo info = MakeMultiKueueCluster();
  return info;
}
template <>
const KindInfo& KindOf<MultiKueueConfig>() {
  static const KindInfo info = MakeMultiKueueConfig();
  return info;
}
template <>
const KindInfo& KindOf<ProvisioningRequestConfig>() {
  static const KindInfo info = MakeProvisioningRequestConfig();
  return info;
}
template <>
const KindInfo& KindOf<ResourceFlavor>() {
  static const KindInfo info = MakeResourceFlavor();
  return info;
}
template <>
const KindInfo& KindOf<Topology>() {
  static const KindInfo info = MakeTopology();
  return info;
}
template <>
const KindInfo& KindOf<Workload>() {
  static const KindInfo info = MakeWorkload();
  return info;
}
template <>
const KindInfo& KindOf<WorkloadPriorityClass>() {
  static const KindInfo info = MakeWorkloadPriorityClass();
  return info;
}

const std::vector<const KindInfo*>& KueueKinds() {
  static const std::vector<const KindInfo*> all = [] {
    static const std::vector<KindInfo> older = MakeOlderKinds();
    std::vector<const KindInfo*> kinds = {&KindOf<AdmissionCheck>(),
                                          &KindOf<ClusterQueue>(),
                                          &KindOf<Cohort>(),
                                          &KindOf<LocalQueue>(),
                                          &KindOf<MultiKueueCluster>(),
                                          &KindOf<MultiKueueConfig>(),
                                          &KindOf<ProvisioningRequestConfig>(),
                                          &KindOf<ResourceFlavor>(),
                                          &KindOf<Topology>(),
                                          &KindOf<Workload>(),
                                          &KindOf<WorkloadPriorityClass>()};
    for (const KindInfo& kind : older) kinds.push_back(&kind);
    kinds.push_back(&KindOf<SimpleQueue>());
    return kinds;
  }();
  return all;
}

}  // namespace kueue::api
