#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/schema/kind.h"
#include "apiserver/api_error.h"
#include "apiserver/kind_registry.h"

// What a path under /api and /apis is about.
namespace kueue::apiserver {

struct ResourcePath {
  std::string group, version, resource;  // as written: "batch", "v1", "jobs"
  std::string namespace_name;            // empty: cluster-wide, or all namespaces
  std::string name;                      // empty: the collection
  std::string subresource;               // may have further segments after a slash
  bool watch = false;                    // the old form /api/v1/watch/...

  const api::KindInfo* kind = nullptr;             // null: a virtual resource
  const VirtualResource* virtual_resource = nullptr;
};

enum class PathOutcome {
  kResource,
  kNotFoundStatus,  // 404 with a Status
  kNotFoundText,    // 404 with plain text: the group is not served, or of custom resources
};

// `segments` are the decoded segments, without an empty last one. REQUIRES: at least three
// segments after "api", four after "apis" (shorter ones are discovery).
PathOutcome ParseResourcePath(const std::vector<std::string>& segments, const KindRegistry& kinds,
                              ResourcePath& path);

// Whether `name` can be a segment of a path: not ".", "..", and without "%".
bool IsPathSegmentName(std::string_view name);

}  // namespace kueue::apiserver
