#pragma once

#include <string_view>

#include "api/types/json.h"
#include "apiserver/api_error.h"

namespace kueue::apiserver {

// Reads a body in Kubernetes' protobuf form into the JSON that means the same. kubectl sends what
// it makes itself this way (`create namespace`, `create job`, `auth can-i`, `drain`), and
// client-go's typed clients everything. Known are the kinds that kubectl creates and that
// controllers need: leases, events, jobs with their status, config maps, secrets, pods without
// their status. A body that is no such message is refused with 400; a kind or a field that is not
// known here with 415, so that nothing is ever left out silently.
Outcome<api::Json> DecodeProtobuf(std::string_view bytes);

}  // namespace kueue::apiserver
