#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/codec/codec.h"
#include "api/schema/descriptors.h"
#include "api/types/meta.h"

// What the server and the clients know about a kind, derived from its table.
namespace kueue::api {

struct PrinterColumn {
  std::string_view name;
  std::string_view type;       // string, integer, number, date, boolean
  // ".spec.queueName", ".status.conditions[?(@.type=='Admitted')].status"
  std::string_view json_path;
  int priority = 0;            // 1: only with -o wide
  std::string_view format = {};
};

// What a definition that came at run time says about one version of its kind, in place of a table.
class KindDefinition {
 public:
  struct Findings {
    std::vector<FieldError> errors;
    std::vector<std::string> warnings;
  };
  // Where the scale subresource finds its numbers (".spec.replicas").
  struct ScalePaths {
    std::string spec_replicas, status_replicas, label_selector;  // the last may be empty
  };

  virtual ~KindDefinition() = default;
  virtual void ApplyDefaults(Json& object) const = 0;
  // Of an object as it is stored: the defaults of the version it was written in.
  virtual void ApplyStoredDefaults(Json& object) const = 0;
  // Takes out members the schema does not know; returns their paths.
  virtual std::vector<std::string> Prune(Json& object) const = 0;
  // Everything but metadata. `before` null: a create. `status`: only the status is written.
  virtual Findings Check(const Json& object, const Json* before, bool status) const = 0;
  virtual const ScalePaths* scale() const = 0;  // null: no scale subresource
  // The openAPIV3Schema as it stands in the definition.
  virtual const Json& schema_json() const = 0;
  // Objects stored before this revision may lack defaults.
  virtual uint64_t since() const = 0;
};

struct AdmissionCheck;
struct ClusterQueue;
struct Cohort;
struct ConfigMap;
struct Event;
struct Job;
struct Lease;
struct LocalQueue;
struct MultiKueueCluster;
struct MultiKueueConfig;
struct Namespace;
struct Node;
struct Pod;
struct ProvisioningRequest;
struct ProvisioningRequestConfig;
struct ResourceFlavor;
struct Secret;
struct Topology;
struct Workload;
struct WorkloadPriorityClass;

// A served kind. Lives for the whole process; compare by address.
struct KindInfo {
  std::string_view group;    // "" for core
  std::string_view version;  // "v1"
  std::string_view kind;     // "ClusterQueue"
  std::string_view plural;   // "clusterqueues"
  std::string_view singular; // "clusterqueue"
  std::vector<std::string_view> short_names, categories;
  bool namespaced = false;
  bool has_status = false;          // a status subresource
  bool has_generation = false;      // metadata.generation counts changes of what is wanted
  bool has_scale = false;           // a scale subresource (autoscaling/v1 Scale)
  bool defined = false;             // came at run time; `definition` is null where it is stored
  bool custom_resource = false;     // kueue.x-k8s.io: answered as a CRD's objects are
  const StructDescriptor* table = nullptr;  // of a defined kind: its metadata only
  const KindDefinition* definition = nullptr;  // of kinds that came at run time
  // Of a custom resource: "Name" comes first by itself, and without any there is an Age column.
  // Of a built-in kind: all columns, Name included; `row` gives the cells.
  std::vector<PrinterColumn> columns;
  // Fields beside metadata.name and metadata.namespace that a fieldSelector may name.
  std::vector<std::string_view> selectable_fields;
  // Of a version that is served but not stored: the version that is. Null: this one.
  const KindInfo* stored = nullptr;
  // What clients of a deprecated version are told; empty: it is not deprecated.
  std::string_view deprecation;
  // From this version to `stored` and back (schema/conversion.h). Null: only apiVersion differs.
  std::vector<FieldError> (*to_stored)(Json& object) = nullptr;
  std::vector<FieldError> (*from_stored)(Json& object) = nullptr;
  // Cells of a built-in kind in the order of `columns`. Null: of a custom resource by JSON path, of
  // a built-in kind name and time of creation.
  std::vector<Json> (*row)(const Json& object, Time now) = nullptr;

  std::string ApiVersion() const;      // "v1" or "group/version"
  std::string GroupResource() const;   // "jobs.batch", "pods"
};

// All stored kinds in a fixed order: core first, then groups by name.
const std::vector<const KindInfo*>& AllKinds();
// Bodies of requests that are not stored: reviews, Binding, Eviction, Scale, TokenRequest. What has
// no resource of its own has no plural. Pruning and the checks of types work on them as on others.
const std::vector<const KindInfo*>& RequestKinds();
// Null if there is none.
const KindInfo* FindKind(std::string_view group, std::string_view version, std::string_view kind);
const KindInfo* FindResource(std::string_view group, std::string_view version,
                             std::string_view plural);
// By a manifest's apiVersion and kind.
const KindInfo* FindKindOf(const Json& object);

// The kind of struct T.
template <class T>
const KindInfo& KindOf();
template <> const KindInfo& KindOf<ConfigMap>();
template <> const KindInfo& KindOf<Event>();
template <> const KindInfo& KindOf<Namespace>();
template <> const KindInfo& KindOf<Node>();
template <> const KindInfo& KindOf<Pod>();
template <> const KindInfo& KindOf<Secret>();
template <> const KindInfo& KindOf<Job>();
template <> const KindInfo& KindOf<Lease>();
template <> const KindInfo& KindOf<ProvisioningRequest>();
template <> const KindInfo& KindOf<AdmissionCheck>();
template <> const KindInfo& KindOf<ClusterQueue>();
template <> const KindInfo& KindOf<Cohort>();
template <> const KindInfo& KindOf<LocalQueue>();
template <> const KindInfo& KindOf<MultiKueueCluster>();
template <> const KindInfo& KindOf<MultiKueueConfig>();
template <> const KindInfo& KindOf<ProvisioningRequestConfig>();
template <> const KindInfo& KindOf<ResourceFlavor>();
template <> const KindInfo& KindOf<Topology>();
template <> const KindInfo& KindOf<Workload>();
template <> const KindInfo& KindOf<WorkloadPriorityClass>();

// Encodes with apiVersion and kind first: what is sent to the server.
template <class T>
Json EncodeObject(const T& object);
Json EncodeWithKind(const KindInfo& kind, const void* object);
template <class T>
Json EncodeObject(const T& object) {
  return EncodeWithKind(KindOf<T>(), &object);
}

// ---- interpreters for the server (each walks the table; `object` is the whole object)
//
// The order of a write: PruneUnknown, TypeErrors (answer 400), ApplyDefaults, mutating admission,
// for a create the system's metadata and then PrepareForCreate, ValidateCreate or ValidateUpdate
// (answer 422), validating admission.

// What an object of the kind has before anybody has said anything: kind and apiVersion, and of a
// built-in kind what its encoding never leaves out.
Json NewObject(const KindInfo& kind);
// Puts defaults in where members are absent: the table's (only inside parents that are present)
// and the kind's own. Built-in kinds also take the form their server stores: no null and no
// omittable zero members, quantities canonical, a Secret's stringData moved into data.
// `nulls` of a custom resource that have no default stay where server-side apply has left them: its
// validation then refuses them, as Kubernetes does.
enum class Nulls { kAreAbsent, kStay };
void ApplyDefaults(const KindInfo& kind, Json& object, Nulls nulls = Nulls::kAreAbsent);
// What the server itself puts into a new object. A status the client sent is dropped or set to
// what a new object has (Pod, Namespace; a Node keeps its own); a Job gets its generated selector
// and labels. REQUIRES: metadata.uid is set.
void PrepareForCreate(const KindInfo& kind, Json& object);
// What the server itself keeps or takes away when an object is written again: of a Service the
// addresses and ports it chose and the client has left out, and what its new type has no use for.
void PrepareForUpdate(const KindInfo& kind, const Json& before, Json& object);
// Removes members that a complete table does not know; returns their paths.
std::vector<std::string> PruneUnknown(const KindInfo& kind, Json& object);
// Members no complete table knows, for fieldValidation Strict/Warn. Where the table is not
// complete, unknown members are kept and not reported.
std::vector<std::string> UnknownFields(const KindInfo& kind, const Json& object);
// Values of a type that cannot be read at all: of a built-in kind anywhere, of a custom resource
// in its metadata. The server answers 400 to these.
std::vector<FieldError> TypeErrors(const KindInfo& kind, const Json& object);
// Values of a custom resource that its schema lets pass and that cannot be read for all that, such
// as the quantity 1e1.5. Nothing of the kind may be stored: no controller could read the object.
std::vector<FieldError> UnreadableValues(const KindInfo& kind, const Json& object);
// Types, bounds, enums, patterns, list keys, required members, then the kind's own rules. Returns
// TypeErrors alone if there are any. A custom resource whose schema fails in a way that rules
// cannot be computed on gets one more error, with field "<nil>".
// `warnings`, where given, gets what is wrong but let pass.
std::vector<FieldError> ValidateCreate(const KindInfo& kind, const Json& object,
                                       std::vector<std::string>* warnings = nullptr);
// As ValidateCreate, and what may not change between `before` and `after`. For custom resources
// a mistake in a part that did not change is let pass (spec/api.md §1.4, ratcheting). Binding a
// pod to a node is not an update in this sense: it sets what an update may not.
// `subresource` as in a path, "" for the object itself.
std::vector<FieldError> ValidateUpdate(const KindInfo& kind, const Json& before, const Json& after,
                                       std::string_view subresource = {},
                                       std::vector<std::string>* warnings = nullptr);

// Of a custom resource: values its schema lets pass but nothing can read, such as a quantity with a
// fraction in its exponent. None may be stored.
std::vector<FieldError> UnreadableValues(const KindInfo& kind, const Json& object);

// ---- tables as `kubectl get` shows them

struct TableColumn {
  std::string name, type, format;
  int priority = 0;
};
// All columns, Name included (first, except for events).
std::vector<TableColumn> TableColumns(const KindInfo& kind);
// One cell for each of TableColumns, Name included.
std::vector<Json> TableCells(const KindInfo& kind, const Json& object, Time now);
// Values of a JSONPath of the subset printer columns use, joined by ","; "" if absent. The subset:
// .member, ['member'], [index], [*], [?(@.member=='text')].
std::string JsonPathText(const Json& object, std::string_view path);

}  // namespace kueue::api
