#pragma once

#include <map>
#include <string>

#include "apiserver/call.h"
#include "apiserver/kind_registry.h"

// What the server tells about itself: groups, versions, resources, OpenAPI documents, version and
// health. Documents are made once and kept until a kind comes or goes.
namespace kueue::apiserver {

class Discovery {
 public:
  explicit Discovery(const KindRegistry& kinds) : kinds_(kinds) {}

  // Answers the call if its path is one of discovery's and returns true. Paths of resources are
  // not: /api/v1/pods. Does not look at who asks.
  bool Handle(Call& call);

 private:
  struct Document {
    std::string text, etag;
  };
  // The kept document of that name, made by `make` if need be.
  const Document& Kept(const std::string& name, std::string (Discovery::*make)() const);

  void SendDocument(Call& call, const Document& document, const char* content_type);
  void SendGroups(Call& call, bool core);
  void SendGroup(Call& call, const std::string& name);
  void SendResources(Call& call, const std::string& group, const std::string& version);
  bool HandleOpenApi(Call& call);
  bool HandleHealth(Call& call);

  std::string AggregatedCore() const;
  std::string AggregatedGroups() const;
  std::string OpenApi2() const;
  std::string OpenApi3Index() const;
  std::string OpenApi3Of(const std::string& group, const std::string& version) const;

  const KindRegistry& kinds_;
  std::map<std::string, Document> documents_;
  uint64_t documents_generation_ = 0;
};

}  // namespace kueue::apiserver
