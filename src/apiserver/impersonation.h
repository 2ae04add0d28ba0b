#pragma once

#include "apiserver/authz.h"
#include "net/http.h"

namespace kueue::apiserver {

// Lets `user` act as somebody else, if the Impersonate-* headers ask for it and `authorizer` lets
// them. `access` is what the request is about: a refusal names it. Nothing: `user` is who acts now.
Refusal Impersonate(const net::Headers& headers, const AccessAttributes& access,
                    const Authorizer& authorizer, User& user);

}  // namespace kueue::apiserver
