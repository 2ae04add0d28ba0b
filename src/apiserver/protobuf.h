#pragma once

#include <string_view>

#include "api/types/json.h"
#include "apiserver/api_error.h"

namespace kueue::apiserver {

// Reads a body in Kubernetes' protobuf form, as kubectl sends it for what it makes itself
// (`create namespace`, `create job`, `auth can-i`, `drain`), into the JSON that means the same.
// Known are the kinds that kubectl creates this way and this server has. A body that is no such
// message is refused with 400; a kind or a field that is not known here with 415, so that nothing
// is ever left out silently.
Outcome<api::Json> DecodeProtobuf(std::string_view bytes);

}  // namespace kueue::apiserver
