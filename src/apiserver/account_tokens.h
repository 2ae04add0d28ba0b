#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/json.h"
#include "apiserver/authn.h"
#include "apiserver/store.h"
#include "base/executor.h"
#include "base/random.h"

// Tokens of service accounts: signed texts (JSON Web Tokens, HMAC with SHA-256) that say whose they
// are, for whom and until when.
namespace kueue::apiserver {

inline constexpr char kApiAudience[] = "https://kubernetes.default.svc";

class AccountTokens final : public TokenVerifier {
 public:
  // `secret`: signs; whoever has it can be anybody. Empty: made up from `random`, so that tokens
  // end with the process. `store` and `executor` must outlive this.
  AccountTokens(const Store& store, const base::Executor& executor, base::Random random,
                std::string secret);

  struct Request {
    const api::Json* account = nullptr;  // a ServiceAccount as stored
    std::vector<std::string> audiences;
    base::Duration valid_for{};
    // "pod", "secret" or "node" with name and uid: the token ends with it. Empty kind: none.
    std::string bound_kind, bound_name, bound_uid;
    std::string node_name, node_uid;  // where a pod runs, for the token's reader
  };
  std::string Issue(const Request& request);

  // For the API server itself.
  std::optional<User> Verify(std::string_view token) const override;
  // For any of `audiences`; `matched` are those of them the token is for.
  std::optional<User> VerifyFor(std::string_view token, const std::vector<std::string>& audiences,
                                std::vector<std::string>& matched) const;

 private:
  std::string Sign(const std::string& text) const;
  bool StillStands(const api::Json& claims) const;

  const Store& store_;
  const base::Executor& executor_;
  base::Random random_;
  std::string secret_;
};

}  // namespace kueue::apiserver
