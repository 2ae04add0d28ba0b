#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http.h"

// Who asks.
namespace kueue::apiserver {

struct User {
  std::string name, uid;
  std::vector<std::string> groups;
  bool InGroup(std::string_view group) const;
};

inline constexpr char kOwnersGroup[] = "system:masters";
inline constexpr char kAuthenticatedGroup[] = "system:authenticated";

// Tells the user of a request by bearer token, client certificate, or because the request comes
// from this process (Peer.trusted): the owner.
class Authenticator {
 public:
  // `user` gets the group of all authenticated users. A token known before is replaced.
  void AddToken(std::string token, User user);
  // Nothing: credentials were shown that nobody here knows. Without credentials the answer is
  // system:anonymous, whom the Authorizer judges.
  std::optional<User> Identify(const net::Request& request) const;

 private:
  std::map<std::string, User, std::less<>> tokens_;
};

}  // namespace kueue::apiserver
