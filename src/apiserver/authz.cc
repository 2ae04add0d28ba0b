#include "apiserver/authz.h"

namespace kueue::apiserver {

namespace {

bool Under(const std::string& path, std::string_view root) {
  return path.compare(0, root.size(), root) == 0 &&
         (path.size() == root.size() || path[root.size()] == '/');
}

}  // namespace

bool OwnerAuthorizer::Allows(const User& user, const AccessAttributes& access) const {
  if (user.InGroup(kOwnersGroup)) return true;
  if (!access.path.empty()) {
    if (access.verb != "get") return false;
    for (const char* root : {"/healthz", "/livez", "/readyz", "/version"}) {
      if (Under(access.path, root)) return true;
    }
    if (!user.InGroup(kAuthenticatedGroup)) return false;
    for (const char* root : {"/api", "/apis", "/openapi"}) {
      if (Under(access.path, root)) return true;
    }
    return false;
  }
  if (!user.InGroup(kAuthenticatedGroup) || access.verb != "create") return false;
  return access.resource == "selfsubjectaccessreviews" || access.resource == "selfsubjectreviews";
}

}  // namespace kueue::apiserver
