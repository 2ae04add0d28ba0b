#pragma once

#include <string>

#include "apiserver/admission.h"
#include "apiserver/authz.h"
#include "apiserver/kind_registry.h"
#include "apiserver/policy_program.h"
#include "apiserver/store.h"
#include "cel/authorizer.h"

// A write as the expressions of a policy see it.
namespace kueue::apiserver {

// The authorizer of expressions: asks the server's about the user of the request, or about a
// service account.
class AccessAnswers final : public cel::AccessJudge {
 public:
  // Both must outlive this; `user` may be null.
  AccessAnswers(const Authorizer& authorizer, const User* user)
      : authorizer_(authorizer), user_(user) {}
  cel::AccessAnswer Judge(const cel::AccessQuestion& question) const override;

 private:
  const Authorizer& authorizer_;
  const User* user_;
};

class PolicyReview {
 public:
  // The objects are shown in the version `seen`, whose stored version is request.kind.
  PolicyReview(const AdmissionRequest& request, const api::KindInfo& seen, const Store& store);

  // Not empty: the object cannot be shown in that version.
  const std::string& problem() const { return problem_; }
  // The AdmissionRequest without its uid and the objects.
  const api::Json& request() const { return request_; }
  // Null where there is none.
  const api::Json* object() const { return object_; }
  const api::Json* old_object() const { return old_object_; }
  // Good while this, the request, `judge` and `params` live.
  PolicyInput Input(const cel::AccessJudge& judge, const api::Json* params) const;

 private:
  const api::Json* ShowIn(const AdmissionRequest& request, const api::KindInfo& seen,
                          const api::Json* object, api::Json& copy);

  const api::Json* object_ = nullptr;
  const api::Json* old_object_ = nullptr;
  api::Json object_copy_, old_copy_, request_;
  StoredPtr namespace_;
  cel::AccessQuestion about_request_;
  std::string problem_;
};

// The kind that paramKind names; null if none is served.
const api::KindInfo* FindParamKind(const KindRegistry& kinds, const api::Json& param_kind);

}  // namespace kueue::apiserver
