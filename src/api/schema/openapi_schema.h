#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/kind.h"

// The schemas of an OpenAPI v3 document, derived from the tables: one component per type of
// Kubernetes, under the name Kubernetes publishes it by, and one per custom resource with
// everything inside it. Only what a document refers to is in it.
namespace kueue::api {

// "batch.v1.JobSpec" -> "io.k8s.api.batch.v1.JobSpec".
std::string ComponentName(std::string_view component);
// Of a kind: "io.k8s.api.batch.v1.Job", "io.x-k8s.kueue.v1beta2.Workload".
std::string ComponentName(const KindInfo& kind);
// Of the list of it: "io.k8s.api.batch.v1.JobList".
std::string ListComponentName(const KindInfo& kind);

class OpenApiComponents {
 public:
  // `groups`: those whose requests take DeleteOptions and give WatchEvents in this document, as
  // {group, version} beside the core group.
  using GroupVersions = std::vector<std::pair<std::string, std::string>>;
  explicit OpenApiComponents(GroupVersions groups) : groups_(std::move(groups)) {}

  // All give {"$ref": ...} and see to it that the component is there with whatever it refers to.
  // "meta.v1.Status". REQUIRES: there are facts of that name, or it is one of the plain types.
  Json Reference(std::string_view component);
  // `schema`: of a custom resource whose definition came at run time, its openAPIV3Schema; null:
  // the kind's table says it.
  Json Reference(const KindInfo& kind, const Json* schema = nullptr);
  Json ListReference(const KindInfo& kind, const Json* schema = nullptr);

  // An object: name -> schema, sorted by name.
  Json Take();

 private:
  Json AddTable(const StructDescriptor& table);
  Json AddPlain(std::string_view component);
  Json TableSchema(const StructDescriptor& table);
  Json FieldSchema(const StructDescriptor& table, const FieldDescriptor& field);
  Json ValueSchema(const StructDescriptor& table, const FieldDescriptor& field,
                   const ValueOps& ops);
  Json ItemSchema(const StructDescriptor& table, const FieldDescriptor& field, const ValueOps& ops);
  void AddKinds(const StructDescriptor& table, Json& schema) const;

  GroupVersions groups_;
  std::map<std::string, Json> schemas_;
};

// {"group": ..., "kind": ..., "version": ...}
Json GroupVersionKind(std::string_view group, std::string_view version, std::string_view kind);

}  // namespace kueue::api
