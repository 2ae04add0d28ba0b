#include "apiserver/request_path.h"

#include <algorithm>

namespace kueue::apiserver {

namespace {

// Splits what follows the version: "namespaces/ns/pods/name/sub" and shorter forms.
bool SplitResource(const std::vector<std::string>& segments, size_t at, ResourcePath& path) {
  const auto left = [&] { return segments.size() - at; };
  if (segments[at] == "watch" && left() > 1) {
    path.watch = true;
    ++at;
  }
  // Everything under a namespace is a resource of it, except the namespace's own subresources.
  if (segments[at] == "namespaces" && left() >= 3 && segments[at + 2] != "status" &&
      segments[at + 2] != "finalize") {
    path.namespace_name = segments[at + 1];
    at += 2;
  }
  path.resource = segments[at++];
  if (left() > 0) path.name = segments[at++];
  for (; left() > 0; ++at) {
    if (!path.subresource.empty()) path.subresource += '/';
    path.subresource += segments[at];
  }
  // What follows a proxy is the business of the one behind it.
  if (path.subresource.compare(0, 6, "proxy/") == 0) path.subresource = "proxy";
  return std::find(segments.begin(), segments.end(), std::string()) == segments.end();
}

const VirtualResource* FindVirtual(const ResourcePath& path) {
  for (const VirtualResource& resource : VirtualResources()) {
    if (resource.group == path.group && resource.version == path.version &&
        resource.plural == path.resource) {
      return &resource;
    }
  }
  return nullptr;
}

bool FitsScope(const ResourcePath& path) {
  const bool namespaced = path.kind ? path.kind->namespaced : path.virtual_resource->namespaced;
  if (!namespaced) return path.namespace_name.empty();
  // Objects of a namespace are reached through it; lists of them also without.
  return !path.namespace_name.empty() || path.name.empty();
}

bool HasSubresource(const ResourcePath& path) {
  if (path.subresource.empty()) return true;
  if (path.kind == nullptr) return false;
  for (const Subresource& sub : SubresourcesOf(*path.kind)) {
    if (sub.name == path.subresource) return true;
  }
  return false;
}

}  // namespace

PathOutcome ParseResourcePath(const std::vector<std::string>& segments, const KindRegistry& kinds,
                              ResourcePath& path) {
  const bool core = segments[0] == "api";
  path.group = core ? "" : segments[1];
  path.version = segments[core ? 1 : 2];
  const bool clean = SplitResource(segments, core ? 2 : 3, path);
  const KindRegistry::Group* group = kinds.FindGroup(path.group);
  if (group == nullptr) return PathOutcome::kNotFoundText;
  const PathOutcome missing =
      group->custom ? PathOutcome::kNotFoundText : PathOutcome::kNotFoundStatus;
  if (!clean) return missing;
  path.kind = kinds.FindResource(path.group, path.version, path.resource);
  path.virtual_resource = path.kind ? nullptr : FindVirtual(path);
  if (path.kind == nullptr && path.virtual_resource == nullptr) return missing;
  if (!FitsScope(path)) return missing;
  if (!HasSubresource(path)) return PathOutcome::kNotFoundStatus;
  return PathOutcome::kResource;
}

bool IsPathSegmentName(std::string_view name) {
  return name != "." && name != ".." && name.find('%') == std::string_view::npos;
}

}  // namespace kueue::apiserver
