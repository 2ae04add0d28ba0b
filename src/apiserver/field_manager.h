#pragma once

#include <string>

#include "api/merge/ownership.h"
#include "api/schema/kind.h"
#include "api/types/json.h"
#include "apiserver/api_error.h"
#include "base/time.h"

// managedFields of the kinds this server has: the rules of api/merge with the kinds' tables,
// versions and subresources.
namespace kueue::apiserver {

// One way of writing objects of a kind.
struct WriteWay {
  const api::KindInfo* kind;
  const std::string& subresource;  // "" for the object itself
};

// What ownership a write starts from: that of the object as it is (`live`), or what the client has
// put into the body itself (`given`, may be null), if that can be read. Through a subresource
// nothing can be given.
api::ManagedFields OwnershipBefore(const WriteWay& way, const api::Json* given,
                                   const api::ManagedFields& live);

// Ownership after a create (`before` null), an update or a patch. An object nobody owned anything
// of stays so until it is applied to.
api::ManagedFields TrackWrite(const WriteWay& way, const std::string& manager, base::Time now,
                              const api::Json* before, const api::Json& after,
                              const api::ManagedFields& managed);

// The object and its ownership after server-side apply of `config`; `live` is null if there is no
// object yet. Refused where the configuration is not of the kind, or others own what it changes.
struct ApplyWish {
  std::string manager;
  bool force = false;
};
Outcome<api::Applied> ApplyTo(const WriteWay& way, const ApplyWish& wish, base::Time now,
                              const api::Json* live, const api::ManagedFields& managed,
                              const api::Json& config);

// A manager's name out of the User-Agent: what stands before the first '/'.
std::string ManagerOfUserAgent(std::string_view user_agent);

}  // namespace kueue::apiserver
