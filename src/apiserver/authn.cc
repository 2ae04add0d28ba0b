#include "apiserver/authn.h"

#include <algorithm>
#include <utility>

namespace kueue::apiserver {

namespace {

User Authenticated(User user) {
  if (!user.InGroup(kAuthenticatedGroup)) user.groups.emplace_back(kAuthenticatedGroup);
  return user;
}

}  // namespace

bool User::InGroup(std::string_view group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

void Authenticator::AddToken(std::string token, User user) {
  tokens_.insert_or_assign(std::move(token), Authenticated(std::move(user)));
}

std::optional<User> Authenticator::UserOfToken(std::string_view token) const {
  if (auto it = tokens_.find(token); it != tokens_.end()) return it->second;
  auto user = verifier_ != nullptr ? verifier_->Verify(token) : std::nullopt;
  if (!user) return std::nullopt;
  return Authenticated(std::move(*user));
}

std::optional<User> Authenticator::Identify(const net::Request& request) const {
  const std::string_view authorization = net::HeaderOf(request.headers, "authorization");
  constexpr std::string_view kBearer = "Bearer ";
  if (authorization.substr(0, kBearer.size()) == kBearer) {
    std::string_view token = authorization.substr(kBearer.size());
    while (!token.empty() && token.front() == ' ') token.remove_prefix(1);
    return UserOfToken(token);
  }
  if (!authorization.empty()) return std::nullopt;
  if (!request.peer.certificate_name.empty()) {
    return Authenticated({request.peer.certificate_name, "", request.peer.certificate_groups});
  }
  if (request.peer.trusted) {
    return User{"system:kueue", "", {kOwnersGroup, kAuthenticatedGroup}};
  }
  return User{kAnonymousUser, "", {kUnauthenticatedGroup}};
}

}  // namespace kueue::apiserver
