#include "apiserver/account_tokens.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/schema/kind.h"
#include "base/base64.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kIssuer[] = "https://kubernetes.default.svc.cluster.local";
constexpr char kHeader[] = R"({"alg":"HS256","typ":"JWT"})";
constexpr char kClaims[] = "kubernetes.io";

int64_t Seconds(base::Time t) {
  return std::chrono::floor<std::chrono::seconds>(t).time_since_epoch().count();
}

const api::KindInfo* CoreKind(std::string_view name) { return api::FindKind("", "v1", name); }

Json Reference(const std::string& name, const std::string& uid) {
  Json reference = Json::MakeObject();
  reference.Set("name", name);
  if (!uid.empty()) reference.Set("uid", uid);
  return reference;
}

int64_t IntAt(const Json& object, const char* member) {
  const Json* value = object.Find(member);
  return value != nullptr && value->IsInt() ? value->AsInt() : 0;
}

std::vector<std::string> AudiencesOf(const Json& claims) {
  std::vector<std::string> audiences;
  const Json* list = claims.Find("aud");
  if (list == nullptr || !list->IsArray()) return audiences;
  for (const Json& item : list->AsArray()) {
    if (item.IsString()) audiences.push_back(item.AsString());
  }
  return audiences;
}

User UserOf(const Json& claims, const Json& about) {
  const std::string space = about.StringAt({"namespace"});
  User user;
  user.name = kServiceAccountPrefix + space + ":" + about.StringAt({"serviceaccount", "name"});
  user.uid = about.StringAt({"serviceaccount", "uid"});
  user.groups = {"system:serviceaccounts", "system:serviceaccounts:" + space, kAuthenticatedGroup};
  const auto extra = [&](const char* name, const std::string& value) {
    if (!value.empty()) user.extra["authentication.kubernetes.io/" + std::string(name)] = {value};
  };
  extra("credential-id", "JTI=" + claims.StringAt({"jti"}));
  extra("pod-name", about.StringAt({"pod", "name"}));
  extra("pod-uid", about.StringAt({"pod", "uid"}));
  extra("node-name", about.StringAt({"node", "name"}));
  extra("node-uid", about.StringAt({"node", "uid"}));
  return user;
}

}  // namespace

AccountTokens::AccountTokens(const Store& store, const base::Executor& executor,
                             base::Random random, std::string secret)
    : store_(store), executor_(executor), random_(std::move(random)), secret_(std::move(secret)) {
  if (secret_.empty()) secret_ = random_.Uuid() + random_.Uuid();
}

std::string AccountTokens::Sign(const std::string& text) const {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), secret_.data(), static_cast<int>(secret_.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
  return base::EncodeBase64(std::string_view(reinterpret_cast<const char*>(digest), size),
                            base::Base64::kUrl);
}

std::string AccountTokens::Issue(const Request& request) {
  const Json& account = *request.account;
  const int64_t now = Seconds(executor_.clock().Now());
  const std::string space = account.StringAt({"metadata", "namespace"});
  const std::string name = account.StringAt({"metadata", "name"});
  Json audiences = Json::MakeArray();
  for (const std::string& audience : request.audiences) audiences.Append(audience);
  Json about = Json::MakeObject();
  about.Set("namespace", space);
  about.Set("serviceaccount", Reference(name, account.StringAt({"metadata", "uid"})));
  if (!request.bound_kind.empty()) {
    about.Set(request.bound_kind, Reference(request.bound_name, request.bound_uid));
  }
  if (!request.node_name.empty()) {
    about.Set("node", Reference(request.node_name, request.node_uid));
  }
  Json claims = Json::MakeObject();
  claims.Set("aud", std::move(audiences));
  claims.Set("exp",
             now + std::chrono::duration_cast<std::chrono::seconds>(request.valid_for).count());
  claims.Set("iat", now);
  claims.Set("iss", kIssuer);
  claims.Set("jti", random_.Uuid());
  claims.Set(kClaims, std::move(about));
  claims.Set("nbf", now);
  claims.Set("sub", kServiceAccountPrefix + space + ":" + name);
  const std::string signed_part =
      base::EncodeBase64(kHeader, base::Base64::kUrl) + "." +
      base::EncodeBase64(api::WriteJson(claims), base::Base64::kUrl);
  return signed_part + "." + Sign(signed_part);
}

// The account and what the token is bound to are the ones it was made for, and there.
bool AccountTokens::StillStands(const Json& claims) const {
  const Json* about = claims.Find(kClaims);
  if (about == nullptr || !about->IsObject()) return false;
  const std::string space = about->StringAt({"namespace"});
  const auto stands = [&](const char* member, const char* kind, bool namespaced) {
    const Json* reference = about->Find(member);
    if (reference == nullptr) return true;
    const std::string name = reference->StringAt({"name"});
    const StoredPtr found =
        store_.Get(*CoreKind(kind), StoreKey(namespaced ? space : std::string(), name));
    return found != nullptr &&
           found->object().StringAt({"metadata", "uid"}) == reference->StringAt({"uid"});
  };
  if (about->Find("serviceaccount") == nullptr) return false;
  // A pod's token names its node too, and does not end with that.
  const bool node_binds = about->Find("pod") == nullptr;
  return stands("serviceaccount", "ServiceAccount", true) && stands("pod", "Pod", true) &&
         stands("secret", "Secret", true) && (!node_binds || stands("node", "Node", false));
}

std::optional<User> AccountTokens::VerifyFor(std::string_view token,
                                             const std::vector<std::string>& audiences,
                                             std::vector<std::string>& matched) const {
  const size_t first = token.find('.');
  const size_t last = token.rfind('.');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const std::string expected = Sign(std::string(token.substr(0, last)));
  const std::string_view signature = token.substr(last + 1);
  if (signature.size() != expected.size() ||
      CRYPTO_memcmp(signature.data(), expected.data(), expected.size()) != 0) {
    return std::nullopt;
  }
  const base::DecodedBase64 text =
      base::DecodeBase64(token.substr(first + 1, last - first - 1), base::Base64::kUrl);
  if (text.illegal_at) return std::nullopt;
  const auto claims = api::ParseJson(text.bytes);
  if (!claims.ok() || !claims->IsObject()) return std::nullopt;
  const int64_t now = Seconds(executor_.clock().Now());
  if (now >= IntAt(*claims, "exp") || now < IntAt(*claims, "nbf")) return std::nullopt;
  for (const std::string& audience : AudiencesOf(*claims)) {
    if (std::find(audiences.begin(), audiences.end(), audience) != audiences.end()) {
      matched.push_back(audience);
    }
  }
  if (matched.empty() || !StillStands(*claims)) return std::nullopt;
  return UserOf(*claims, *claims->Find(kClaims));
}

std::optional<User> AccountTokens::Verify(std::string_view token) const {
  std::vector<std::string> matched;
  return VerifyFor(token, {kApiAudience}, matched);
}

}  // namespace kueue::apiserver
