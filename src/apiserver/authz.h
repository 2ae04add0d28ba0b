#pragma once

#include <string>

#include "apiserver/authn.h"

// May they?
namespace kueue::apiserver {

struct AccessAttributes {
  std::string verb;  // "get", "list", "watch", "create", "update", "patch", "delete", ...
  std::string group, resource, subresource, namespace_name, name;
  std::string path;  // of a request that is not about a resource; else empty
};

class Authorizer {
 public:
  virtual ~Authorizer() = default;
  virtual bool Allows(const User& user, const AccessAttributes& access) const = 0;
};

// Owners (system:masters) may do everything. Whoever is known may read what the server offers and
// ask about itself; anybody may ask for health and version.
class OwnerAuthorizer final : public Authorizer {
 public:
  bool Allows(const User& user, const AccessAttributes& access) const override;
};

}  // namespace kueue::apiserver
