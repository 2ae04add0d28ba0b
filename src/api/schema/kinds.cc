#include "api/schema/columns_built_in.h"
#include "api/schema/kind.h"
#include "api/types/batch.h"
#include "api/types/core.h"
#include "api/types/kueue.h"

namespace kueue::api {
namespace {

constexpr std::string_view kKueueGroup = "kueue.x-k8s.io";

KindInfo CoreKind(std::string_view kind, std::string_view plural, std::string_view singular,
                  const StructDescriptor& table) {
  KindInfo info;
  info.version = "v1";
  info.kind = kind;
  info.plural = plural;
  info.singular = singular;
  info.namespaced = true;
  info.table = &table;
  return info;
}

KindInfo KueueKind(std::string_view kind, std::string_view plural, std::string_view singular,
                   std::vector<std::string_view> short_names, const StructDescriptor& table) {
  KindInfo info;
  info.group = kKueueGroup;
  info.version = "v1beta2";
  info.kind = kind;
  info.plural = plural;
  info.singular = singular;
  info.short_names = std::move(short_names);
  info.custom_resource = true;
  info.table = &table;
  return info;
}

KindInfo MakeConfigMap() {
  KindInfo info = CoreKind("ConfigMap", "configmaps", "configmap", DescriptorOf<ConfigMap>());
  info.short_names = {"cm"};
  info.columns = ConfigMapColumns();
  info.row = ConfigMapRow;
  return info;
}

KindInfo MakeEvent() {
  KindInfo info = CoreKind("Event", "events", "event", DescriptorOf<Event>());
  info.short_names = {"ev"};
  info.columns = EventColumns();
  info.row = EventRow;
  info.selectable_fields = {"involvedObject.kind",            "involvedObject.namespace",
                            "involvedObject.name",            "involvedObject.uid",
                            "involvedObject.apiVersion",      "involvedObject.resourceVersion",
                            "involvedObject.fieldPath",       "reason",
                            "reportingComponent",             "source",
                            "type"};
  return info;
}

KindInfo MakeNamespace() {
  KindInfo info = CoreKind("Namespace", "namespaces", "namespace", DescriptorOf<Namespace>());
  info.short_names = {"ns"};
  info.namespaced = false;
  info.has_status = true;
  info.columns = NamespaceColumns();
  info.row = NamespaceRow;
  info.selectable_fields = {"status.phase"};
  return info;
}

KindInfo MakeNode() {
  KindInfo info = CoreKind("Node", "nodes", "node", DescriptorOf<Node>());
  info.short_names = {"no"};
  info.namespaced = false;
  info.has_status = true;
  info.columns = NodeColumns();
  info.row = NodeRow;
  info.selectable_fields = {"spec.unschedulable"};
  return info;
}

KindInfo MakePod() {
  KindInfo info = CoreKind("Pod", "pods", "pod", DescriptorOf<Pod>());
  info.short_names = {"po"};
  info.categories = {"all"};
  info.has_status = true;
  info.columns = PodColumns();
  info.row = PodRow;
  info.selectable_fields = {"spec.nodeName",      "spec.restartPolicy", "spec.schedulerName",
                            "spec.serviceAccountName", "spec.hostNetwork", "status.phase",
                            "status.podIP",       "status.nominatedNodeName"};
  return info;
}

KindInfo MakeSecret() {
  KindInfo info = CoreKind("Secret", "secrets", "secret", DescriptorOf<Secret>());
  info.columns = SecretColumns();
  info.row = SecretRow;
  info.selectable_fields = {"type"};
  return info;
}

KindInfo MakeJob() {
  KindInfo info = CoreKind("Job", "jobs", "job", DescriptorOf<Job>());
  info.group = "batch";
  info.categories = {"all"};
  info.has_status = true;
  info.columns = JobColumns();
  info.row = JobRow;
  info.selectable_fields = {"status.successful"};
  return info;
}

KindInfo MakeLease() {
  KindInfo info = CoreKind("Lease", "leases", "lease", DescriptorOf<Lease>());
  info.group = "coordination.k8s.io";
  info.columns = LeaseColumns();
  info.row = LeaseRow;
  return info;
}

// The kinds of group kueue.x-k8s.io: names, scope and columns of spec/api.md §1.1.

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

KindInfo MakeResourceFlavor() {
  return KueueKind("ResourceFlavor", "resourceflavors", "resourceflavor",
                   {"flavor", "flavors", "rf"}, DescriptorOf<ResourceFlavor>());
}

KindInfo MakeTopology() {
  return KueueKind("Topology", "topologies", "topology", {"topo"}, DescriptorOf<Topology>());
}

KindInfo MakeWorkload() {
  KindInfo info = KueueKind("Workload", "workloads", "workload",
                            {"kwl", "kueueworkload", "kueueworkloads"}, DescriptorOf<Workload>());
  info.namespaced = true;
  info.has_status = true;
  info.columns = {
      {"Queue", "string", ".spec.queueName"},
      {"Reserved in", "string", ".status.admission.clusterQueue"},
      {"Admitted", "string", ".status.conditions[?(@.type=='Admitted')].status"},
      {"Finished", "string", ".status.conditions[?(@.type=='Finished')].status"},
      {"Age", "date", ".metadata.creationTimestamp"}};
  info.selectable_fields = {"status.admission.clusterQueue"};
  return info;
}

KindInfo MakeWorkloadPriorityClass() {
  KindInfo info =
      KueueKind("WorkloadPriorityClass", "workloadpriorityclasses", "workloadpriorityclass",
                {"wpc"}, DescriptorOf<WorkloadPriorityClass>());
  info.columns = {{"Value", "integer", ".value"}};
  return info;
}

}  // namespace

template <>
const KindInfo& KindOf<ConfigMap>() {
  static const KindInfo info = MakeConfigMap();
  return info;
}
template <>
const KindInfo& KindOf<Event>() {
  static const KindInfo info = MakeEvent();
  return info;
}
template <>
const KindInfo& KindOf<Namespace>() {
  static const KindInfo info = MakeNamespace();
  return info;
}
template <>
const KindInfo& KindOf<Node>() {
  static const KindInfo info = MakeNode();
  return info;
}
template <>
const KindInfo& KindOf<Pod>() {
  static const KindInfo info = MakePod();
  return info;
}
template <>
const KindInfo& KindOf<Secret>() {
  static const KindInfo info = MakeSecret();
  return info;
}
template <>
const KindInfo& KindOf<Job>() {
  static const KindInfo info = MakeJob();
  return info;
}
template <>
const KindInfo& KindOf<Lease>() {
  static const KindInfo info = MakeLease();
  return info;
}
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

std::string KindInfo::ApiVersion() const {
  if (group.empty()) return std::string(version);
  return std::string(group) + "/" + std::string(version);
}

std::string KindInfo::GroupResource() const {
  if (group.empty()) return std::string(plural);
  return std::string(plural) + "." + std::string(group);
}

const std::vector<const KindInfo*>& AllKinds() {
  static const std::vector<const KindInfo*> kinds = {
      &KindOf<ConfigMap>(),      &KindOf<Event>(),      &KindOf<Namespace>(),
      &KindOf<Node>(),           &KindOf<Pod>(),        &KindOf<Secret>(),
      &KindOf<Job>(),            &KindOf<Lease>(),      &KindOf<AdmissionCheck>(),
      &KindOf<ClusterQueue>(),   &KindOf<Cohort>(),     &KindOf<LocalQueue>(),
      &KindOf<ResourceFlavor>(), &KindOf<Topology>(),   &KindOf<Workload>(),
      &KindOf<WorkloadPriorityClass>()};
  return kinds;
}

const KindInfo* FindKind(std::string_view group, std::string_view version, std::string_view kind) {
  for (const KindInfo* info : AllKinds()) {
    if (info->kind == kind && info->group == group && info->version == version) return info;
  }
  return nullptr;
}

const KindInfo* FindResource(std::string_view group, std::string_view version,
                             std::string_view plural) {
  for (const KindInfo* info : AllKinds()) {
    if (info->plural == plural && info->group == group && info->version == version) return info;
  }
  return nullptr;
}

const KindInfo* FindKindOf(const Json& object) {
  const std::string api_version = object.StringAt({"apiVersion"});
  const size_t slash = api_version.find('/');
  const std::string_view text = api_version;
  const bool core = slash == std::string::npos;
  return FindKind(core ? "" : text.substr(0, slash), core ? text : text.substr(slash + 1),
                  object.StringAt({"kind"}));
}

Json EncodeWithKind(const KindInfo& kind, const void* object) {
  Json body = EncodeStruct(*kind.table, object);
  Json result = Json::MakeObject();
  result.Set("apiVersion", kind.ApiVersion());
  result.Set("kind", kind.kind);
  if (!body.IsObject()) return result;
  for (Json::Member& member : body.AsObject()) {
    if (member.key == "apiVersion" || member.key == "kind") continue;
    result.AsObject().push_back(std::move(member));
  }
  return result;
}

}  // namespace kueue::api
