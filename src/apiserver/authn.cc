#include "apiserver/authn.h"

#include <algorithm>
#include <utility>

namespace kueue::apiserver {

bool User::InGroup(std::string_view group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

void Authenticator::AddToken(std::string token, User user) {
  if (!user.InGroup(kAuthenticatedGroup)) user.groups.push_back(kAuthenticatedGroup);
  tokens_.insert_or_assign(std::move(token), std::move(user));
}

std::optional<User> Authenticator::Identify(const net::Request& request) const {
  const std::string_view authorization = net::HeaderOf(request.headers, "authorization");
  constexpr std::string_view kBearer = "Bearer ";
  if (authorization.substr(0, kBearer.size()) == kBearer) {
    auto it = tokens_.find(authorization.substr(kBearer.size()));
    if (it == tokens_.end()) return std::nullopt;
    return it->second;
  }
  if (!authorization.empty()) return std::nullopt;
  if (!request.peer.certificate_name.empty()) {
    User user{request.peer.certificate_name, "", request.peer.certificate_groups};
    if (!user.InGroup(kAuthenticatedGroup)) user.groups.push_back(kAuthenticatedGroup);
    return user;
  }
  if (request.peer.trusted) {
    return User{"system:kueue", "", {kOwnersGroup, kAuthenticatedGroup}};
  }
  return User{"system:anonymous", "", {"system:unauthenticated"}};
}

}  // namespace kueue::apiserver
