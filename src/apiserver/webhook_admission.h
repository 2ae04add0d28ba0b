#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apiserver/admission.h"
#include "apiserver/authz.h"
#include "apiserver/kind_registry.h"
#include "apiserver/policy_review.h"
#include "apiserver/store.h"
#include "apiserver/webhook.h"
#include "apiserver/write_session.h"
#include "base/executor.h"
#include "base/random.h"

namespace kueue::apiserver {

// Has writes judged and changed by the webhooks that the store's ValidatingWebhookConfigurations
// and MutatingWebhookConfigurations name. It never waits: what it needs to ask goes into the
// session of the write, and the verdict is Pending until the answers are there (write_session.h).
// Lives on the server's executor.
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
class WebhookAdmission final : public PatientAdmission {
 public:
  struct Options {
    WebhookCaller* caller = nullptr;  // null: no webhook can be reached
    // Services ("namespace/name") whose webhooks this process is itself: they are not called.
    std::set<std::string> own_services;
  };
  // All must outlive this. `random` makes the ids of reviews.
  WebhookAdmission(base::Executor& executor, base::Random random, Store& store,
                   const KindRegistry& kinds, const Authorizer& authorizer, Options options);
  ~WebhookAdmission() override;

  bool Concerns(const AdmissionRequest& request, bool mutating) const override;
  bool JudgesParts() const override { return true; }
  Verdict Mutate(AdmissionRequest& request) override;
  Verdict Validate(const AdmissionRequest& request) override;

  bool Ask(WriteSession& session, std::function<void()> then) override;

 private:
  // What came of asking one webhook.
  struct Told {
    bool pending = false;
    std::string failure;  // not empty: it failed, and its failurePolicy counts
    std::optional<ApiError> refusal;
    WebhookAnswer answer;
  };
  struct Meant {
    const Webhook* webhook;
    const api::KindInfo* seen;
    size_t index;
  };

  void Refresh();
  Refusal FindMeant(const std::vector<std::shared_ptr<Webhook>>& webhooks, size_t index,
                    const AdmissionRequest& request, std::optional<Meant>& meant) const;
  Told AskOne(const Meant& meant, const AdmissionRequest& request, int round);
  static Told TakeAnswer(const Webhook& webhook, const WebhookTarget& target,
                         const WriteSession::Answer& answer);
  api::Json ReviewOf(const Webhook& webhook, const PolicyReview& seen_as,
                     const AdmissionRequest& request) const;
  Refusal Patch(const Meant& meant, const api::Json& patch, AdmissionRequest& request,
                bool& changed) const;
  static void Remember(const Webhook& webhook, const Told& outcome, Verdict& verdict,
                       WriteSession& session);
  // What the server makes of a failure: a refusal, or nothing if failures are ignored.
  static std::optional<ApiError> Judge(const Webhook& webhook, const Told& outcome);
  static void NoteMutation(const Meant& meant, int round, bool changed, WriteSession& session);

  base::Executor& executor_;
  base::Random random_;
  Store& store_;
  const KindRegistry& kinds_;
  const Authorizer& authorizer_;
  const Options options_;
  const api::KindInfo& validating_kind_;
  const api::KindInfo& mutating_kind_;
  Store::WatcherId validating_watcher_, mutating_watcher_;
  bool stale_ = true;
  bool any_validating_ = false, any_mutating_ = false;
  std::vector<std::shared_ptr<Webhook>> validating_, mutating_;  // in the order they are asked
  base::Scope scope_;
};

}  // namespace kueue::apiserver
