#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/schema/openapi_schema.h"
#include "apiserver/call.h"
#include "apiserver/kind_registry.h"

// The server's OpenAPI documents: version 3, one per group and version, with an index that names
// each by a hash; version 2, one for everything. All are derived from the tables, a document when
// somebody first asks for it, and kept until a kind comes or goes.
namespace kueue::apiserver {

class OpenApi {
 public:
  explicit OpenApi(const KindRegistry& kinds) : kinds_(kinds) {}

  // Answers below /openapi and returns true; false: no such path.
  bool Handle(Call& call);

  // The documents themselves. `path` is one of Paths(): "api/v1", "apis/batch", "version".
  std::vector<std::string> Paths() const;
  api::Json Version3(const std::string& path) const;
  api::Json Version2() const;

 private:
  struct Document {
    std::string text, etag;
  };
  void Renew();
  const std::string& HashOfPath(const std::string& path);
  std::string Index();
  void SendVersion3(Call& call, const std::string& path);
  void SendVersion2(Call& call);
  api::OpenApiComponents::GroupVersions AllVersions() const;

  const KindRegistry& kinds_;
  uint64_t generation_ = 0;
  std::map<std::string, std::string> hashes_;  // of the version 3 documents, by path
  std::map<std::string, Document> documents_;  // as sent, by form and path
};

}  // namespace kueue::apiserver
