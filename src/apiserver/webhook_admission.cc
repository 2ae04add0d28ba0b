#include "apiserver/webhook_admission.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/codec/patch.h"
#include "api/schema/conversion.h"
#include "base/check.h"
#include "base/log.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kGroup[] = "admissionregistration.k8s.io";
// As long as Kubernetes lets a request take.
constexpr base::Duration kRequestTime = base::seconds(60);

const api::KindInfo& KindNamed(std::string_view kind) {
  const api::KindInfo* found = api::FindKind(kGroup, "v1", kind);
  KUEUE_CHECK_MSG(found != nullptr, std::string(kind));
  return *found;
}

// What rules the admission is not ruled by it: a wrong one could never be taken back.
bool IsExempt(const api::KindInfo& kind) {
  if (kind.group != kGroup) return false;
  return kind.kind.find("WebhookConfiguration") != std::string_view::npos ||
         kind.kind.find("AdmissionPolicy") != std::string_view::npos;
}

ApiError TooLate() {
  ApiError error;
  error.code = 504;
  error.reason = "Timeout";
  error.message = "Timeout: request did not complete within requested timeout";
  error.has_details = true;
  return error;
}

Json WithOwners(const Json* object, const api::ManagedFields* managed) {
  if (object == nullptr) return {};
  Json whole = *object;
  if (managed != nullptr && !managed->empty()) {
    whole["metadata"].Set("managedFields", api::EncodeManagedFields(*managed));
  }
  return whole;
}

// Whole seconds, rounded up, as a URL has them.
std::string SecondsText(base::Duration duration) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  return fmt::format("{}s", seconds);
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Why a call broke off, in the words that clients know from Kubernetes where there are some.
std::string TransportFailure(const WebhookTarget& target, const base::Error& error) {
  if (error.code == base::Code::kTimeout) return "context deadline exceeded";
  const std::string& text = error.message;
  if (EndsWith(text, "Connection refused")) {
    const bool v6 = target.host.find(':') != std::string::npos;
    return fmt::format("dial tcp {}:{}: connect: connection refused",
                       v6 ? "[" + target.host + "]" : target.host, target.port);
  }
  constexpr std::string_view kVerify = "certificate verify failed";
  const size_t at = text.find(kVerify);
  if (at == std::string::npos) return text;
  std::string why = text.substr(at + kVerify.size());
  while (!why.empty() && (why[0] == ':' || why[0] == ' ' || why[0] == ')')) why.erase(0, 1);
  const bool unknown = why.find("issuer") != std::string::npos ||
                       why.find("self-signed") != std::string::npos ||
                       why.find("self signed") != std::string::npos;
  return "tls: failed to verify certificate: x509: " +
         (unknown ? "certificate signed by unknown authority" : why);
}

}  // namespace

WebhookAdmission::WebhookAdmission(base::Executor& executor, base::Random random, Store& store,
                                   const KindRegistry& kinds, const Authorizer& authorizer,
                                   Options options)
    : executor_(executor),
      random_(random),
      store_(store),
      kinds_(kinds),
      authorizer_(authorizer),
      options_(std::move(options)),
      validating_kind_(KindNamed("ValidatingWebhookConfiguration")),
      mutating_kind_(KindNamed("MutatingWebhookConfiguration")) {
  const auto note = [this](const StoreChange&) {
    stale_ = true;
    any_validating_ = store_.Count(validating_kind_) > 0;
    any_mutating_ = store_.Count(mutating_kind_) > 0;
  };
  validating_watcher_ = store_.AddWatcher(&validating_kind_, note);
  mutating_watcher_ = store_.AddWatcher(&mutating_kind_, note);
  any_validating_ = store_.Count(validating_kind_) > 0;
  any_mutating_ = store_.Count(mutating_kind_) > 0;
}

WebhookAdmission::~WebhookAdmission() {
  store_.RemoveWatcher(validating_watcher_);
  store_.RemoveWatcher(mutating_watcher_);
}

bool WebhookAdmission::Concerns(const AdmissionRequest& request, bool mutating) const {
  return (mutating ? any_mutating_ : any_validating_) && request.session != nullptr &&
         !request.settled && !IsExempt(*request.kind);
}

void WebhookAdmission::Refresh() {
  if (!stale_) return;
  stale_ = false;
  const auto read = [&](const api::KindInfo& kind, bool mutating,
                        std::vector<std::shared_ptr<Webhook>>& webhooks) {
    webhooks.clear();
    store_.Scan(kind, "", "", [&](const std::string& key, const StoredPtr& object) {
      const Json* list = object->object().Find("webhooks");
      if (list == nullptr || !list->IsArray()) return true;
      for (const Json& item : list->AsArray()) {
        auto webhook = std::make_shared<Webhook>(key, mutating, item);
        if (options_.own_services.count(webhook->service()) > 0) continue;
        webhooks.push_back(std::move(webhook));
      }
      return true;
    });
  };
  read(validating_kind_, false, validating_);
  read(mutating_kind_, true, mutating_);
}

// Whether the webhook is meant, which may be impossible to tell.
Refusal WebhookAdmission::FindMeant(const std::vector<std::shared_ptr<Webhook>>& webhooks,
                                    size_t index, const AdmissionRequest& request,
                                    std::optional<Meant>& meant) const {
  const Webhook& webhook = *webhooks[index];
  const api::KindInfo* seen = webhook.Matches(request, kinds_, store_);
  if (seen == nullptr) return std::nullopt;
  const PolicyReview review(request, *seen, store_);
  if (!review.problem().empty()) return InternalErrorWithCause(review.problem());
  const AccessAnswers judge(authorizer_, request.user);
  const auto matches = webhook.conditions().Matches(review.Input(judge, nullptr));
  if (!matches.ok()) {
    return ForbiddenError(*request.kind, request.nameless ? "" : request.name,
                          matches.error().message);
  }
  if (*matches) meant = Meant{&webhook, seen, index};
  return std::nullopt;
}

Json WebhookAdmission::ReviewOf(const Webhook& webhook, const PolicyReview& seen_as,
                                const AdmissionRequest& request) const {
  Json asked = seen_as.request();
  Json object = WithOwners(seen_as.object(), request.managed);
  // The name is made up after the mutating webhooks have spoken.
  if (request.nameless && webhook.mutating() && object.IsObject()) {
    object["metadata"].Erase("name");
  }
  asked.Set("object", std::move(object));
  asked.Set("oldObject", WithOwners(seen_as.old_object(), request.old_managed));
  Json review = Json::MakeObject();
  review.Set("kind", "AdmissionReview");
  review.Set("apiVersion", "admission.k8s.io/" + webhook.review_version());
  review.Set("request", std::move(asked));
  return review;
}

WebhookAdmission::Told WebhookAdmission::AskOne(const Meant& meant, const AdmissionRequest& request,
                                                int round) {
  const Webhook& webhook = *meant.webhook;
  WriteSession& session = *request.session;
  session.judged = true;
  Told outcome;
  if (request.dry_run && webhook.has_side_effects()) {
    outcome.refusal = BadRequestError(
        fmt::format("admission webhook \"{}\" does not support dry run", webhook.name()));
    return outcome;
  }
  const base::Time now = executor_.clock().Now();
  if (!session.began) session.began = now;
  const base::Duration left = *session.began + kRequestTime - now;
  const base::Duration timeout =
      std::min(webhook.timeout(), std::max(left, base::Duration(base::seconds(1))));

  WebhookTarget target;
  const base::Status located = webhook.Locate(store_, kinds_, target);
  const std::string query = "?timeout=" + SecondsText(webhook.timeout());
  target.url += query;
  target.path += query;
  const auto unreachable = [&](const std::string& why) {
    outcome.failure = fmt::format("failed to call webhook: Post \"{}\": {}", target.url, why);
    return outcome;
  };
  if (!located.ok()) return unreachable(located.error().message);
  if (options_.caller == nullptr) {
    return unreachable("this server has no network and calls no webhooks");
  }

  const PolicyReview seen_as(request, *meant.seen, store_);
  Json review = ReviewOf(webhook, seen_as, request);
  const std::string key = fmt::format("{} {} {} {}\n{}", webhook.configuration(), webhook.name(),
                                      webhook.mutating(), round, api::WriteJson(review));
  const auto known = session.answers.find(key);
  if (known != session.answers.end()) {
    return TakeAnswer(webhook, target, known->second);
  }
  outcome.pending = true;
  if (left <= base::Duration(0)) {
    outcome.pending = false;
    outcome.refusal = TooLate();
    return outcome;
  }
  WriteSession::Call& call = session.wanted[key];
  call.target = std::move(target);
  call.uid = random_.Uuid();
  call.timeout = timeout;
  review["request"].Set("uid", call.uid);
  call.body = api::WriteJson(review);
  return outcome;
}

WebhookAdmission::Told WebhookAdmission::TakeAnswer(const Webhook& webhook,
                                                    const WebhookTarget& target,
                                                    const WriteSession::Answer& answer) {
  Told outcome;
  if (!answer.reply.ok()) {
    outcome.failure = fmt::format("failed to call webhook: Post \"{}\": {}", target.url,
                                  TransportFailure(target, answer.reply.error()));
    return outcome;
  }
  auto read = ReadWebhookReply(webhook, answer.uid, *answer.reply);
  if (!read.ok()) {
    outcome.failure = read.error().message;
    return outcome;
  }
  outcome.answer = *std::move(read);
  if (!outcome.answer.allowed) outcome.refusal = WebhookDenial(webhook, outcome.answer.result);
  return outcome;
}

void WebhookAdmission::Remember(const Webhook& webhook, const Told& outcome, Verdict& verdict,
                                WriteSession& session) {
  for (const std::string& warning : outcome.answer.warnings) verdict.warnings.push_back(warning);
  if (session.annotations == nullptr) return;
  for (const auto& [key, value] : outcome.answer.annotations) {
    (*session.annotations)[webhook.name() + "/" + key] = value;
  }
}

std::optional<ApiError> WebhookAdmission::Judge(const Webhook& webhook, const Told& outcome) {
  if (outcome.failure.empty()) return outcome.refusal;
  const std::string text =
      fmt::format("failed calling webhook \"{}\": {}", webhook.name(), outcome.failure);
  base::LogWarn("apiserver", text);
  if (webhook.ignores_failures()) return std::nullopt;
  return InternalErrorWithCause(text);
}

void WebhookAdmission::NoteMutation(const Meant& meant, int round, bool changed,
                                    WriteSession& session) {
  if (session.annotations == nullptr) return;
  Json note = Json::MakeObject();
  note.Set("configuration", meant.webhook->configuration());
  note.Set("webhook", meant.webhook->name());
  note.Set("mutated", changed);
  (*session.annotations)[fmt::format("mutation.webhook.admission.k8s.io/round_{}_index_{}", round,
                                     meant.index)] = api::WriteJson(note);
}

// Changes the object as the webhook wants it, in the version the webhook sees.
Refusal WebhookAdmission::Patch(const Meant& meant, const Json& patch, AdmissionRequest& request,
                                bool& changed) const {
  const Webhook& webhook = *meant.webhook;
  if (request.object == nullptr) {
    return InternalErrorWithCause(
        fmt::format("admission webhook \"{}\" attempted to modify the object, which is not "
                    "supported for this operation",
                    webhook.name()));
  }
  const PolicyReview seen_as(request, *meant.seen, store_);
  const Json before = *seen_as.object();
  auto patched = api::ApplyJsonPatch(WithOwners(&before, request.managed), patch);
  if (!patched.ok()) return InternalErrorWithCause(patched.error().message);
  Json after = *std::move(patched);
  if (!after.IsObject()) {
    return InternalErrorWithCause(
        fmt::format("admission webhook \"{}\" leaves no object", webhook.name()));
  }
  const api::KindInfo& kind = request.shown_as != nullptr ? *request.shown_as : *meant.seen;
  if (!(after.StringAt({"kind"}) == before.StringAt({"kind"}) &&
        after.StringAt({"apiVersion"}) == before.StringAt({"apiVersion"}))) {
    return InternalErrorWithCause(
        fmt::format("admission webhook \"{}\" makes something else of the object", webhook.name()));
  }
  if (Json* metadata = after.Find("metadata"); metadata != nullptr && metadata->IsObject()) {
    metadata->Erase("managedFields");  // who owns what is settled by now
  }
  api::PruneUnknown(kind, after);
  const auto errors = api::TypeErrors(kind, after);
  if (!errors.empty()) {
    return InternalErrorWithCause(
        fmt::format("what admission webhook \"{}\" makes cannot be read: "
                    "{}",
                    webhook.name(), api::JoinFieldErrors(errors)));
  }
  api::ApplyDefaults(kind, after);
  if (after == before) return std::nullopt;
  changed = true;
  if (meant.seen->stored != nullptr && request.shown_as == nullptr) {
    const auto unconverted = api::ToStored(*meant.seen, after);
    if (!unconverted.empty()) return InternalErrorWithCause(api::JoinFieldErrors(unconverted));
  }
  *request.object = std::move(after);
  return std::nullopt;
}

Verdict WebhookAdmission::Mutate(AdmissionRequest& request) {
  Refresh();
  const std::vector<std::shared_ptr<Webhook>> webhooks = mutating_;
  Reinvocation& again = request.reinvocation;
  const auto require = [&] {
    again.again.insert(again.asked.begin(), again.asked.end());
    again.asked.clear();
  };
  if (again.second && request.object != nullptr && !(*request.object == again.last)) require();
  const int round = again.second ? 1 : 0;
  Verdict verdict = Verdict::Allow();
  for (size_t i = 0; i < webhooks.size(); ++i) {
    std::optional<Meant> meant;
    if (Refusal refusal = FindMeant(webhooks, i, request, meant)) return Verdict::Answer(*refusal);
    if (!meant) continue;
    const Webhook& webhook = *meant->webhook;
    const std::string id = fmt::format("{}/{}/{}", webhook.configuration(), webhook.name(), i);
    if (again.second && again.again.count(id) == 0) continue;
    const Told outcome = AskOne(*meant, request, round);
    if (outcome.pending) return Verdict::Pending();
    Remember(webhook, outcome, verdict, *request.session);
    bool changed = false;
    Refusal refusal = Judge(webhook, outcome);
    if (!refusal && outcome.failure.empty() && outcome.answer.patch.IsArray() &&
        outcome.answer.patch.size() > 0) {
      refusal = Patch(*meant, outcome.answer.patch, request, changed);
    }
    NoteMutation(*meant, round, changed, *request.session);
    if (changed) {
      require();
      again.wanted = true;
    }
    if (webhook.reinvoked()) again.asked.insert(id);
    if (!refusal) continue;
    verdict.allowed = false;
    verdict.answer = std::move(refusal);
    return verdict;
  }
  if (request.object != nullptr) again.last = *request.object;
  return verdict;
}

Verdict WebhookAdmission::Validate(const AdmissionRequest& request) {
  Refresh();
  const std::vector<std::shared_ptr<Webhook>> webhooks = validating_;
  std::vector<Meant> all;
  for (size_t i = 0; i < webhooks.size(); ++i) {
    std::optional<Meant> meant;
    if (Refusal refusal = FindMeant(webhooks, i, request, meant)) return Verdict::Answer(*refusal);
    if (meant) all.push_back(*meant);
  }
  // All of them are asked at the same time.
  std::vector<Told> outcomes;
  for (const Meant& meant : all) outcomes.push_back(AskOne(meant, request, 0));
  Verdict verdict = Verdict::Allow();
  for (const Told& outcome : outcomes) {
    if (outcome.pending) return Verdict::Pending();
  }
  for (size_t i = 0; i < all.size(); ++i) {
    const Webhook& webhook = *all[i].webhook;
    Remember(webhook, outcomes[i], verdict, *request.session);
    Refusal refusal = Judge(webhook, outcomes[i]);
    if (!refusal || verdict.answer) continue;
    verdict.allowed = false;
    verdict.answer = std::move(refusal);
  }
  return verdict;
}

bool WebhookAdmission::Ask(WriteSession& session, std::function<void()> then) {
  if (session.wanted.empty()) return false;
  KUEUE_CHECK(options_.caller != nullptr);
  const auto left = std::make_shared<size_t>(session.wanted.size());
  const auto wanted = std::exchange(session.wanted, {});
  for (const auto& [key, call] : wanted) {
    options_.caller->Post(
        call.target, call.body, call.timeout,
        scope_.Wrap(
            [&session, key = key, uid = call.uid, left, then](base::Result<WebhookReply> reply) {
              session.answers.insert_or_assign(key, WriteSession::Answer{uid, std::move(reply)});
              if (--*left == 0) then();
            }));
  }
  return true;
}

}  // namespace kueue::apiserver
