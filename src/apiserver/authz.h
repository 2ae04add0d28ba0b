#pragma once

#include <string>
#include <vector>

#include "apiserver/api_error.h"
#include "apiserver/authn.h"

// May they?
namespace kueue::apiserver {

struct AccessAttributes {
  std::string verb;  // "get", "list", "watch", "create", "update", "patch", "delete", ...
  std::string group, resource, subresource, namespace_name, name;
  std::string path;  // of a request that is not about a resource; else empty
};

struct Decision {
  bool allowed = false;
  std::string reason;  // for people; may be empty
};

// As in a Role: which verbs on which resources or paths.
struct AccessRule {
  std::vector<std::string> verbs, groups, resources, names, paths;
};

class Authorizer {
 public:
  virtual ~Authorizer() = default;
  virtual Decision Decide(const User& user, const AccessAttributes& access) const = 0;
  bool Allows(const User& user, const AccessAttributes& access) const {
    return Decide(user, access).allowed;
  }
  // All that `user` may do in a namespace, as far as that can be listed.
  virtual std::vector<AccessRule> RulesFor(const User& user,
                                           const std::string& namespace_name) const {
    (void)user;
    (void)namespace_name;
    return {};
  }
};

// Owners (system:masters) may do everything. Whoever is known may read what the server offers and
// ask about itself; anybody may ask for health and version.
class OwnerAuthorizer final : public Authorizer {
 public:
  Decision Decide(const User& user, const AccessAttributes& access) const override;
};

// The refusal, in the words of Kubernetes: who may not do what where.
ApiError AccessDeniedError(const User& user, const AccessAttributes& access,
                           const std::string& reason);

}  // namespace kueue::apiserver
