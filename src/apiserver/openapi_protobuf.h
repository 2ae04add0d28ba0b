#pragma once

#include <string>

#include "api/types/json.h"

// OpenAPI documents in the binary form clients of Kubernetes ask for: the protocol buffers that
// gnostic publishes (openapiv2/OpenAPIv2.proto, openapiv3/OpenAPIv3.proto).
namespace kueue::apiserver {

// What the messages have no field for is left out, except extensions (x-...), which are kept.
std::string OpenApi2Protobuf(const api::Json& document);
std::string OpenApi3Protobuf(const api::Json& document);

}  // namespace kueue::apiserver
