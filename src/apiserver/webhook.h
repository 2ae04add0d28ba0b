#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/types/json.h"
#include "apiserver/api_error.h"
#include "apiserver/policy_match.h"
#include "apiserver/policy_program.h"
#include "apiserver/webhook_caller.h"
#include "base/time.h"

// One webhook of a ValidatingWebhookConfiguration or MutatingWebhookConfiguration, and what is said
// to it and by it: admission.k8s.io/v1 (or v1beta1) AdmissionReview.
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
namespace kueue::apiserver {

class Webhook {
 public:
  // `webhook` is an item of `webhooks` that passed validation, `configuration` the object's name.
  Webhook(std::string configuration, bool mutating, const api::Json& webhook);

  const std::string& configuration() const { return configuration_; }
  const std::string& name() const { return name_; }
  bool mutating() const { return mutating_; }
  // The version in which it sees the object; null: it is not meant.
  const api::KindInfo* Matches(const AdmissionRequest& request, const KindRegistry& kinds,
                               const Store& store) const;
  const PolicyProgram& conditions() const { return conditions_; }
  bool ignores_failures() const { return ignores_failures_; }
  bool has_side_effects() const { return has_side_effects_; }  // not to be called in a dry run
  bool reinvoked() const { return reinvoked_; }
  base::Duration timeout() const { return timeout_; }
  // "v1" or "v1beta1".
  const std::string& review_version() const { return review_version_; }
  // Of a service: "namespace/name"; empty if it has a URL.
  const std::string& service() const { return service_; }

  // How it is reached: its URL, or where its service leads by the objects in `store`. The target
  // has its url (without "?timeout=") in any case; an error says why it cannot be reached.
  base::Status Locate(const Store& store, const KindRegistry& kinds, WebhookTarget& target) const;

 private:
  base::Status LocateUrl(WebhookTarget& target) const;
  base::Status LocateService(const Store& store, const KindRegistry& kinds,
                             WebhookTarget& target) const;

  std::string configuration_, name_;
  bool mutating_;
  bool has_rules_;
  PolicyMatch match_;
  PolicyProgram conditions_;
  bool ignores_failures_, has_side_effects_, reinvoked_;
  base::Duration timeout_;
  std::string review_version_, service_;
  api::Json client_config_;
  std::string authority_pem_;
};

// What a webhook has said.
struct WebhookAnswer {
  bool allowed = false;
  api::Json result;  // a Status, or null
  api::Json patch;   // a JSON patch, or null
  std::vector<std::string> warnings;
  std::map<std::string, std::string> annotations;
};

// Reads a reply. An error says why the webhook counts as failed, in the words of the answer.
base::Result<WebhookAnswer> ReadWebhookReply(const Webhook& webhook, const std::string& uid,
                                             const WebhookReply& reply);
// The refusal of the request by `webhook`.
ApiError WebhookDenial(const Webhook& webhook, const api::Json& result);

}  // namespace kueue::apiserver
