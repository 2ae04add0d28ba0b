#include "apiserver/policy_admission.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/schema/conversion.h"
#include "apiserver/policy_review.h"
#include "apiserver/versions.h"
#include "base/check.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kGroup[] = "admissionregistration.k8s.io";

const api::KindInfo& KindNamed(std::string_view kind) {
  const api::KindInfo* found = api::FindKind(kGroup, "v1", kind);
  KUEUE_CHECK_MSG(found != nullptr, std::string(kind));
  return *found;
}

const Json& SpecOf(const StoredPtr& object) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* spec = object->object().Find("spec");
  return spec != nullptr && spec->IsObject() ? *spec : *none;
}

bool HasAction(const Json& spec, std::string_view action) {
  const Json* actions = spec.Find("validationActions");
  if (actions == nullptr || !actions->IsArray()) return false;
  return std::any_of(actions->AsArray().begin(), actions->AsArray().end(), [&](const Json& item) {
    return item.IsString() && item.AsString() == action;
  });
}

int CodeOf(std::string_view reason) {
  if (reason == "Forbidden") return 403;
  if (reason == "RequestEntityTooLarge") return 413;
  return 422;
}

// A configuration that cannot be used: not the client's fault, and told without a status.
ApiError Unusable(std::string message) { return InternalError(std::move(message)); }

}  // namespace

// What one request has come to so far.
struct PolicyAdmission::Review {
  const AdmissionRequest& request;
  const AccessAnswers& judge;
  Verdict verdict = Verdict::Allow();
  bool denied = false;

  // The first refusal is the answer.
  void Deny(const Policy& policy, const Binding* binding, std::string_view reason,
            std::string_view message) {
    if (denied) return;
    denied = true;
    verdict.allowed = false;
    verdict.code = CodeOf(reason);
    verdict.reason = reason;
    verdict.message =
        binding == nullptr
            ? fmt::format("ValidatingAdmissionPolicy '{}' denied request: {}", policy.name, message)
            : fmt::format("ValidatingAdmissionPolicy '{}' with binding '{}' denied request: {}",
                          policy.name, binding->name, message);
  }
  void DenyUnusable(const Policy& policy, const Binding* binding, const std::string& why) {
    if (!policy.program.fails_closed()) return;
    Deny(policy, binding, "Invalid",
         fmt::format("failed to configure {}: {}", binding == nullptr ? "policy" : "binding", why));
  }
};

PolicyAdmission::PolicyAdmission(Store& store, const KindRegistry& kinds,
                                 const Authorizer& authorizer)
    : store_(store),
      kinds_(kinds),
      authorizer_(authorizer),
      policy_kind_(KindNamed("ValidatingAdmissionPolicy")),
      binding_kind_(KindNamed("ValidatingAdmissionPolicyBinding")) {
  const auto note = [this](const StoreChange&) {
    stale_ = true;
    any_ = store_.Count(binding_kind_) > 0;
  };
  policies_watcher_ = store_.AddWatcher(&policy_kind_, note);
  bindings_watcher_ = store_.AddWatcher(&binding_kind_, note);
  any_ = store_.Count(binding_kind_) > 0;
}

PolicyAdmission::~PolicyAdmission() {
  store_.RemoveWatcher(policies_watcher_);
  store_.RemoveWatcher(bindings_watcher_);
}

// Policies do not guard themselves: a wrong one could never be taken back.
bool PolicyAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  if (mutating || !any_ || request.settled) return false;
  const bool policy = request.kind->group == kGroup &&
                      (request.kind->kind.find("AdmissionPolicy") != std::string_view::npos);
  return !policy;
}

void PolicyAdmission::Refresh() {
  if (!stale_) return;
  stale_ = false;
  std::vector<std::shared_ptr<Policy>> known;
  known.swap(policies_);
  store_.Scan(policy_kind_, "", "", [&](const std::string& key, const StoredPtr& object) {
    const auto same = [&](const std::shared_ptr<Policy>& policy) {
      return policy->name == key && SpecOf(policy->object) == SpecOf(object);
    };
    const auto it = std::find_if(known.begin(), known.end(), same);
    if (it != known.end()) {
      (*it)->bindings.clear();
      policies_.push_back(*it);
    } else {
      policies_.push_back(
          std::make_shared<Policy>(Policy{key,
                                          object,
                                          PolicyMatch(SpecOf(object).Find("matchConstraints")),
                                          PolicyProgram(SpecOf(object)),
                                          {}}));
    }
    return true;
  });
  store_.Scan(binding_kind_, "", "", [&](const std::string& key, const StoredPtr& object) {
    const Json& spec = SpecOf(object);
    for (const std::shared_ptr<Policy>& policy : policies_) {
      if (policy->name != spec.StringAt({"policyName"})) continue;
      policy->bindings.push_back({key, object, PolicyMatch(spec.Find("matchResources")),
                                  HasAction(spec, "Deny"), HasAction(spec, "Warn")});
    }
    return true;
  });
}

Verdict PolicyAdmission::Validate(const AdmissionRequest& request) {
  Refresh();
  const AccessAnswers judge(authorizer_, request.user);
  Review review{request, judge};
  for (const std::shared_ptr<Policy>& policy : policies_) {
    if (!policy->bindings.empty()) Judge(*policy, review);
  }
  return std::move(review.verdict);
}

void PolicyAdmission::Judge(const Policy& policy, Review& review) const {
  const AdmissionRequest& request = review.request;
  if (policy.match.Matches(request, kinds_, store_) == nullptr) return;
  const Json* kind = SpecOf(policy.object).Find("paramKind");
  if (kind != nullptr && FindParamKind(kinds_, *kind) == nullptr) {
    review.DenyUnusable(policy, nullptr,
                        fmt::format("failed to find resource referenced by paramKind: '{}, "
                                    "Kind={}'",
                                    kind->StringAt({"apiVersion"}), kind->StringAt({"kind"})));
    return;
  }
  for (const Binding& binding : policy.bindings) JudgeBinding(policy, binding, review);
}

void PolicyAdmission::JudgeBinding(const Policy& policy, const Binding& binding,
                                   Review& review) const {
  const AdmissionRequest& request = review.request;
  const api::KindInfo* seen = policy.match.Matches(request, kinds_, store_);
  if (binding.match.Matches(request, kinds_, store_) == nullptr) return;
  const Json* param_kind = SpecOf(policy.object).Find("paramKind");
  const api::KindInfo* kind = param_kind == nullptr ? nullptr : FindParamKind(kinds_, *param_kind);
  const auto params = ParamsOf(policy, binding, kind, request);
  if (!params.ok()) return review.DenyUnusable(policy, &binding, params.error().message);
  const PolicyReview seen_as(request, *seen, store_);
  if (!seen_as.problem().empty()) {
    return review.DenyUnusable(policy, &binding,
                               "failed to convert object version: " + seen_as.problem());
  }
  for (const StoredPtr& param : *params) {
    const Json* object = param == nullptr ? nullptr : &param->object();
    for (const PolicyDenial& denial :
         policy.program.Evaluate(seen_as.Input(review.judge, object))) {
      if (denial.unconditional || binding.deny) {
        review.Deny(policy, &binding, denial.reason, denial.message);
      }
      if (denial.unconditional || !binding.warn) continue;
      review.verdict.warnings.push_back(
          fmt::format("Validation failed for ValidatingAdmissionPolicy '{}' with binding '{}': {}",
                      policy.name, binding.name, denial.message));
    }
  }
}

// The params to evaluate with, one after the other; a null pointer evaluates without any.
Outcome<std::vector<StoredPtr>> PolicyAdmission::ParamsOf(const Policy&, const Binding& binding,
                                                          const api::KindInfo* kind,
                                                          const AdmissionRequest& request) const {
  const Json* ref = SpecOf(binding.object).Find("paramRef");
  if (kind == nullptr || ref == nullptr) return std::vector<StoredPtr>{nullptr};
  std::string namespace_name = ref->StringAt({"namespace"});
  if (!kind->namespaced && !namespace_name.empty()) {
    return Unusable("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  if (kind->namespaced && namespace_name.empty()) namespace_name = NamespaceOf(request);
  if (kind->namespaced && namespace_name.empty()) {
    return Unusable(
        "cannot use namespaced paramRef in policy binding that matches cluster-scoped "
        "resources");
  }
  std::vector<StoredPtr> found;
  const api::KindInfo& stored = api::StoredKind(*kind);
  if (const std::string name = ref->StringAt({"name"}); !name.empty()) {
    if (StoredPtr param = store_.Get(stored, StoreKey(namespace_name, name))) {
      found.push_back(std::move(param));
    }
  } else {
    const auto selector = SelectorIn(ref->Find("selector"));
    const std::string prefix = kind->namespaced ? StoreKey(namespace_name, "") : "";
    store_.Scan(stored, prefix, prefix, [&](const std::string&, const StoredPtr& object) {
      if (!selector || LabelsMatch(*selector, &object->object())) found.push_back(object);
      return true;
    });
  }
  for (StoredPtr& param : found) {
    auto shown = ShowAs(*kind, param);
    if (!shown.ok()) return shown.error();
    param = *std::move(shown);
  }
  if (found.empty() && ref->StringAt({"parameterNotFoundAction"}) == "Deny") {
    return Unusable("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return found;
}

}  // namespace kueue::apiserver
