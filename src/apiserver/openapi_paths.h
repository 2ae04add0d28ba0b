#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/openapi_schema.h"
#include "apiserver/kind_registry.h"

// The paths of an OpenAPI v3 document: which operations a resource has, with their parameters,
// bodies and answers.
namespace kueue::apiserver {

class OpenApiPaths {
 public:
  // `components` receives what the operations refer to and must outlive this.
  OpenApiPaths(api::OpenApiComponents& components, std::string_view group,
               std::string_view version);

  // Everything under the kind's resource. `schema`: as for OpenApiComponents::Reference.
  void AddKind(const api::KindInfo& kind, const api::Json* schema);
  // A resource that only takes a POST.
  void AddRequest(const api::KindInfo& kind);
  // One GET at `path`, answered by that component ("meta.v1.APIResourceList"); an empty one: by a
  // text. `types`: what it is answered in.
  void AddRead(const std::string& path, const std::string& operation, const std::string& tag,
               std::string_view description, std::string_view component,
               std::vector<std::string_view> types);

  // An object: path -> operations, in the order of the paths.
  api::Json Take();

 private:
  struct Operation;
  struct Context;
  void AddCollection(const Context& at);
  void AddObject(const Context& at);
  void AddWatches(const Context& at);
  void AddSubresource(const Context& at, const Subresource& sub);
  void AddConnect(const Context& at, const Subresource& sub);
  api::Json OperationJson(const Operation& operation, const std::set<std::string>& shared) const;
  void AddPath(const std::string& path, std::vector<Operation> operations);
  api::Json BodyReference(const Context& at, const Subresource& sub);

  api::OpenApiComponents& components_;
  std::string group_, version_, root_, camel_, tag_;
  std::map<std::string, api::Json> paths_;
};

// "rbac.authorization.k8s.io" -> "RbacAuthorization", "kueue.x-k8s.io" -> "KueueXK8sIo", the core
// group -> "Core": as operations are named.
std::string CamelGroup(std::string_view group);

// Kinds of one version in the order of their resources.
std::vector<const api::KindInfo*> ResourcesOf(const KindRegistry& kinds, std::string_view group,
                                              std::string_view version);
// What discovery and OpenAPI say about a kind's subresources, sorted by name: those of
// SubresourcesOf, and those a client of Kubernetes expects to find.
std::vector<Subresource> PublishedSubresources(const api::KindInfo& kind);
// Kinds that only take a POST, of one version, sorted by resource.
std::vector<const api::KindInfo*> PublishedRequests(std::string_view group,
                                                    std::string_view version);
std::string SingularOf(const api::KindInfo& kind);

}  // namespace kueue::apiserver
