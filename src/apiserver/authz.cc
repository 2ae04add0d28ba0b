#include "apiserver/authz.h"

#include <fmt/format.h>

namespace kueue::apiserver {

namespace {

bool Under(const std::string& path, std::string_view root) {
  return path.compare(0, root.size(), root) == 0 &&
         (path.size() == root.size() || path[root.size()] == '/');
}

bool MayRead(const User& user, const std::string& path) {
  for (const char* root : {"/healthz", "/livez", "/readyz", "/version"}) {
    if (Under(path, root)) return true;
  }
  if (!user.InGroup(kAuthenticatedGroup)) return false;
  for (const char* root : {"/api", "/apis", "/openapi"}) {
    if (Under(path, root)) return true;
  }
  return false;
}

}  // namespace

Decision OwnerAuthorizer::Decide(const User& user, const AccessAttributes& access) const {
  if (user.InGroup(kOwnersGroup)) return {true, ""};
  if (!access.path.empty()) return {access.verb == "get" && MayRead(user, access.path), ""};
  if (!user.InGroup(kAuthenticatedGroup) || access.verb != "create") return {};
  return {access.resource == "selfsubjectaccessreviews" || access.resource == "selfsubjectreviews",
          ""};
}

ApiError AccessDeniedError(const User& user, const AccessAttributes& access,
                           const std::string& reason) {
  std::string what;
  if (!access.path.empty()) {
    what = fmt::format("User \"{}\" cannot {} path \"{}\"", user.name, access.verb, access.path);
  } else {
    const std::string resource = access.subresource.empty()
                                     ? access.resource
                                     : access.resource + "/" + access.subresource;
    const std::string where =
        access.namespace_name.empty()
            ? std::string("at the cluster scope")
            : fmt::format("in the namespace \"{}\"", access.namespace_name);
    what = fmt::format("User \"{}\" cannot {} resource \"{}\" in API group \"{}\" {}", user.name,
                       access.verb, resource, access.group, where);
  }
  if (!reason.empty()) what += ": " + reason;
  ApiError error;
  error.code = 403;
  error.reason = "Forbidden";
  error.has_details = true;
  error.name = access.name;
  error.group = access.group;
  error.kind = access.resource;
  if (access.resource.empty()) {
    error.message = "forbidden: " + what;
  } else {
    const std::string qualified =
        access.group.empty() ? access.resource : access.resource + "." + access.group;
    error.message = access.name.empty()
                        ? fmt::format("{} is forbidden: {}", qualified, what)
                        : fmt::format("{} \"{}\" is forbidden: {}", qualified, access.name, what);
  }
  return error;
}

}  // namespace kueue::apiserver
