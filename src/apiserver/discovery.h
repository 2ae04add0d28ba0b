#pragma once

#include <map>
#include <string>
#include <vector>

#include "apiserver/call.h"
#include "apiserver/kind_registry.h"
#include "apiserver/openapi.h"

// What the server tells about itself: groups, versions, resources, OpenAPI documents, version,
// who issues tokens, and the paths it has. Health and metrics are elsewhere (health.h,
// request_metrics.h).
namespace kueue::apiserver {

class Discovery {
 public:
  explicit Discovery(const KindRegistry& kinds) : kinds_(kinds), openapi_(kinds) {}

  // Answers the call if its path is one of discovery's and returns true. Paths of resources are
  // not: /api/v1/pods. Does not look at who asks.
  bool Handle(Call& call);

 private:
  struct Document {
    std::string text, etag;
  };
  // The aggregated document of the core group, or of all others, kept until a kind comes or goes.
  const Document& Aggregated(bool core);

  void SendAggregated(Call& call, bool core);
  void SendGroups(Call& call, bool core);
  void SendGroup(Call& call, const std::string& name);
  void SendResources(Call& call, const std::string& group, const std::string& version);
  void SendPaths(Call& call);

  const KindRegistry& kinds_;
  OpenApi openapi_;
  std::map<bool, Document> aggregated_;
  uint64_t generation_ = 0;
};

}  // namespace kueue::apiserver
