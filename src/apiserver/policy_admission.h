#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/admission.h"
#include "apiserver/api_error.h"
#include "apiserver/authz.h"
#include "apiserver/kind_registry.h"
#include "apiserver/policy_match.h"
#include "apiserver/policy_program.h"
#include "apiserver/store.h"

namespace kueue::apiserver {

// Judges writes by the ValidatingAdmissionPolicies and their bindings that the store holds. A
// policy counts from the write on that made it; it is compiled when it is first needed. Lives on
// the server's executor.
// https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
class PolicyAdmission final : public Admission {
 public:
  // All must outlive this.
  PolicyAdmission(Store& store, const KindRegistry& kinds, const Authorizer& authorizer);
  ~PolicyAdmission() override;

  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  bool JudgesParts() const override { return true; }
  Verdict Validate(const AdmissionRequest& request) override;

 private:
  struct Binding {
    std::string name;
    StoredPtr object;
    PolicyMatch match;
    bool deny = false, warn = false;
  };
  struct Policy {
    std::string name;
    StoredPtr object;
    PolicyMatch match;
    PolicyProgram program;
    std::vector<Binding> bindings;
  };
  struct Review;

  void Refresh();
  void Judge(const Policy& policy, Review& review) const;
  void JudgeBinding(const Policy& policy, const Binding& binding, Review& review) const;
  Outcome<std::vector<StoredPtr>> ParamsOf(const Policy& policy, const Binding& binding,
                                           const api::KindInfo* kind,
                                           const AdmissionRequest& request) const;

  Store& store_;
  const KindRegistry& kinds_;
  const Authorizer& authorizer_;
  const api::KindInfo& policy_kind_;
  const api::KindInfo& binding_kind_;
  Store::WatcherId policies_watcher_, bindings_watcher_;
  bool stale_ = true;
  bool any_ = false;                               // whether there are bindings at all
  std::vector<std::shared_ptr<Policy>> policies_;  // by name, with those bindings that exist
};

}  // namespace kueue::apiserver
