#pragma once

#include <string>
#include <string_view>

#include "api/types/json.h"
#include "base/error.h"

// What a server's answers mean: errors of failed requests, and the outcome of a deletion.
namespace kueue::kube {

// The code for a Status reason ("AlreadyExists"); an unknown or empty reason goes by the HTTP
// status. Unknown both ways: kInternal.
base::Code CodeOfReason(std::string_view reason, int http_status);

// The error that a Status object tells. `http_status` counts if the object has no code.
base::Error ErrorOfStatus(const api::Json& status, int http_status = 0);

// The error of an answer with HTTP status 400 and above. A body that is no Status is quoted (its
// beginning) together with `what`, which names the request ("GET /api/v1/pods").
base::Error ErrorOfAnswer(int http_status, std::string_view body, const std::string& what);

// Whether the answer to a DELETE says that the object lives on for now: it has finalizers, or its
// grace period runs.
bool StillThere(const api::Json& delete_answer);

}  // namespace kueue::kube
