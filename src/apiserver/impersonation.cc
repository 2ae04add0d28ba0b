#include "apiserver/impersonation.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace kueue::apiserver {

namespace {

constexpr std::string_view kExtra = "impersonate-extra-";

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

struct Wanted {
  std::string name, uid;
  std::vector<std::string> groups;
  std::vector<std::pair<std::string, std::string>> extra;  // key, value
  bool any = false;
};

Wanted Read(const net::Headers& headers) {
  Wanted wanted;
  for (const auto& [header, value] : headers) {
    const std::string name = Lower(header);
    if (name.compare(0, 12, "impersonate-") != 0) continue;
    wanted.any = true;
    if (name == "impersonate-user") wanted.name = value;
    if (name == "impersonate-uid") wanted.uid = value;
    if (name == "impersonate-group") wanted.groups.push_back(value);
    if (name.compare(0, kExtra.size(), kExtra) == 0) {
      wanted.extra.emplace_back(net::UrlDecode(name.substr(kExtra.size())), value);
    }
  }
  return wanted;
}

// The namespace and name of "system:serviceaccount:namespace:name"; false: no such name.
bool SplitAccount(const std::string& name, std::string& space, std::string& account) {
  const std::string prefix = kServiceAccountPrefix;
  if (name.compare(0, prefix.size(), prefix) != 0) return false;
  const size_t colon = name.find(':', prefix.size());
  if (colon == std::string::npos) return false;
  space = name.substr(prefix.size(), colon - prefix.size());
  account = name.substr(colon + 1);
  return !space.empty() && !account.empty();
}

AccessAttributes About(std::string group, std::string resource, std::string name) {
  AccessAttributes access;
  access.verb = "impersonate";
  access.group = std::move(group);
  access.resource = std::move(resource);
  access.name = std::move(name);
  return access;
}

// What one must be allowed to impersonate.
std::vector<AccessAttributes> Needed(const Wanted& wanted) {
  constexpr char kGroup[] = "authentication.k8s.io";
  std::vector<AccessAttributes> needed;
  std::string space, account;
  if (SplitAccount(wanted.name, space, account)) {
    needed.push_back(About("", "serviceaccounts", account));
    needed.back().namespace_name = space;
  } else {
    needed.push_back(About("", "users", wanted.name));
  }
  for (const std::string& group : wanted.groups) needed.push_back(About("", "groups", group));
  if (!wanted.uid.empty()) needed.push_back(About(kGroup, "uids", wanted.uid));
  for (const auto& [key, value] : wanted.extra) {
    needed.push_back(About(kGroup, "userextras", value));
    needed.back().subresource = key;
  }
  return needed;
}

}  // namespace

Refusal Impersonate(const net::Headers& headers, const AccessAttributes& access,
                    const Authorizer& authorizer, User& user) {
  const Wanted wanted = Read(headers);
  if (!wanted.any) return std::nullopt;
  if (wanted.name.empty()) {
    return BadRequestError(
        "groups, uid and extra of somebody else need a user to impersonate: Impersonate-User is "
        "missing");
  }
  for (const AccessAttributes& needed : Needed(wanted)) {
    const Decision decision = authorizer.Decide(user, needed);
    if (decision.allowed) continue;
    return AccessDeniedError(
        user, access,
        fmt::format("cannot impersonate {} \"{}\"{}{}", needed.resource, needed.name,
                    decision.reason.empty() ? "" : ": ", decision.reason));
  }
  User acting;
  acting.name = wanted.name;
  acting.uid = wanted.uid;
  acting.groups = wanted.groups;
  for (const auto& [key, value] : wanted.extra) acting.extra[key].push_back(value);
  std::string space, account;
  if (acting.groups.empty() && SplitAccount(wanted.name, space, account)) {
    acting.groups = {"system:serviceaccounts", "system:serviceaccounts:" + space};
  }
  const bool told = acting.InGroup(kAuthenticatedGroup) || acting.InGroup(kUnauthenticatedGroup);
  if (!told) {
    acting.groups.emplace_back(wanted.name == kAnonymousUser ? kUnauthenticatedGroup
                                                             : kAuthenticatedGroup);
  }
  user = std::move(acting);
  return std::nullopt;
}

}  // namespace kueue::apiserver
