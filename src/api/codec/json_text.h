#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/types/json.h"
#include "base/result.h"

namespace kueue::api {

// Limits on what is read, so that no input costs more than linear time and memory.
struct JsonLimits {
  int max_depth = 500;
  size_t max_bytes = 64u << 20;
};

// A key that came twice in one object, by path ("spec.containers[0].name"). The last one wins, as
// in Kubernetes; strict reading refuses on it.
struct DuplicateKey {
  std::string path;
};

// Reads one JSON document. Errors (kBadRequest) name the byte offset and what is wrong there.
// `duplicates` (may be null) receives keys that came twice.
base::Result<Json> ParseJson(std::string_view text, const JsonLimits& limits = {},
                             std::vector<DuplicateKey>* duplicates = nullptr);
// Compact text. Strings are valid UTF-8 on output: bad bytes become U+FFFD.
std::string WriteJson(const Json& value);
std::string WriteJsonPretty(const Json& value, int indent = 2);

// Reads a YAML stream (YAML 1.1 scalars as Kubernetes reads them; anchors expanded with a bound).
// Empty documents are left out. Errors name line and column.
base::Result<std::vector<Json>> ParseYaml(std::string_view text,
                                          std::vector<DuplicateKey>* duplicates = nullptr);
// Block style, keys in their order, strings quoted only where needed.
std::string WriteYaml(const Json& value);

}  // namespace kueue::api
