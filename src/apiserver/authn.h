#pragma once

#include <map>
#include <memory>
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
  std::map<std::string, std::vector<std::string>> extra = {};
  bool InGroup(std::string_view group) const;
};

inline constexpr char kOwnersGroup[] = "system:masters";
inline constexpr char kAuthenticatedGroup[] = "system:authenticated";
inline constexpr char kUnauthenticatedGroup[] = "system:unauthenticated";
inline constexpr char kAnonymousUser[] = "system:anonymous";
inline constexpr char kServiceAccountPrefix[] = "system:serviceaccount:";

// Tells users by tokens that carry what they are worth (those of service accounts).
class TokenVerifier {
 public:
  virtual ~TokenVerifier() = default;
  // The user, or nothing: no such token, run out, for others, or its account is gone.
  virtual std::optional<User> Verify(std::string_view token) const = 0;
};

// Tells the user of a request by bearer token, client certificate, or because the request comes
// from this process (Peer.trusted): the owner.
class Authenticator {
 public:
  // `user` gets the group of all authenticated users. A token known before is replaced.
  void AddToken(std::string token, User user);
  // Asked about tokens that were not added. Must outlive this; null: nobody.
  void set_verifier(const TokenVerifier* verifier) { verifier_ = verifier; }

  // Nothing: credentials were shown that nobody here knows. Without credentials the answer is
  // system:anonymous, whom the Authorizer judges.
  std::optional<User> Identify(const net::Request& request) const;
  // The user of a token, nothing if nobody knows it.
  std::optional<User> UserOfToken(std::string_view token) const;

 private:
  std::map<std::string, User, std::less<>> tokens_;
  const TokenVerifier* verifier_ = nullptr;
};

}  // namespace kueue::apiserver
