#include "apiserver/server.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "apiserver/account_tokens.h"
#include "apiserver/aggregated.h"
#include "apiserver/built_in_admission.h"
#include "apiserver/call.h"
#include "apiserver/definitions.h"
#include "apiserver/discovery.h"
#include "apiserver/event_expiry.h"
#include "apiserver/first_objects.h"
#include "apiserver/garbage_collector.h"
#include "apiserver/health.h"
#include "apiserver/impersonation.h"
#include "apiserver/namespace_cleaner.h"
#include "apiserver/namespace_objects.h"
#include "apiserver/policy_admission.h"
#include "apiserver/policy_status.h"
#include "apiserver/quota.h"
#include "apiserver/rbac.h"
#include "apiserver/request_limiter.h"
#include "apiserver/request_metrics.h"
#include "apiserver/rest_handler.h"
#include "apiserver/restore.h"
#include "apiserver/role_aggregator.h"
#include "apiserver/storage/storage.h"
#include "apiserver/watch_hub.h"
#include "apiserver/webhook_admission.h"
#include "apiserver/writer.h"
#include "base/check.h"

namespace kueue::apiserver {

namespace {

constexpr const char* kFirstNamespaces[] = {"kube-system", "kube-public", "default",
                                            "kube-node-lease", "kueue-system"};

// Passes calls to whichever authorizer is set.
class CurrentAuthorizer final : public Authorizer {
 public:
  explicit CurrentAuthorizer(std::unique_ptr<Authorizer> first) : current(std::move(first)) {}
  Decision Decide(const User& user, const AccessAttributes& access) const override {
    return current->Decide(user, access);
  }
  std::vector<AccessRule> RulesFor(const User& user,
                                   const std::string& namespace_name) const override {
    return current->RulesFor(user, namespace_name);
  }
  std::unique_ptr<Authorizer> current;
};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// How long a request may take, as the client wishes; refused if that cannot be read.
Refusal CheckTimeout(const net::Target& target) {
  const auto text = target.Query("timeout");
  if (!text || text->empty() || base::ParseDuration(*text).ok()) return std::nullopt;
  return BadRequestError(
      fmt::format("invalid timeout specified in the request URL: \"{}\" is no "
                  "duration like 30s",
                  *text));
}

// The object that a list or watch is about, if its field selector names just one.
std::string SelectedName(const net::Target& target) {
  const std::string selector = target.Query("fieldSelector").value_or("");
  constexpr std::string_view kName = "metadata.name=";
  if (selector.compare(0, kName.size(), kName) != 0) return "";
  std::string name = selector.substr(kName.size());
  if (!name.empty() && name[0] == '=') name.erase(0, 1);
  return name.find(',') == std::string::npos ? name : "";
}

AccessAttributes AccessOf(const Call& call, bool resource) {
  AccessAttributes access;
  if (!resource) {
    access.verb = Lower(call.request.method);
    access.path = "/";
    for (const std::string& segment : call.segments) {
      if (access.path.size() > 1) access.path += '/';
      access.path += segment;
    }
    return access;
  }
  access.verb = RestHandler::VerbOf(call);
  access.group = call.path.group;
  access.resource = call.path.resource;
  access.subresource = call.path.subresource;
  access.namespace_name = call.path.namespace_name;
  access.name = call.path.name;
  if (access.name.empty() && (access.verb == "list" || access.verb == "watch")) {
    access.name = SelectedName(call.target);
  }
  // A namespace is in itself: who may read what is in it can be allowed to read it.
  if (access.group.empty() && access.resource == "namespaces") {
    access.namespace_name = call.path.name;
  }
  return access;
}

}  // namespace

class Server::Impl {
 public:
  Impl(base::Executor& executor, base::Random random, const ServerOptions& options)
      : executor_(executor),
        max_waiting_(options.max_waiting_requests),
        limiter_(options.requests_per_second, options.request_burst),
        store_(options.store),
        writer_(executor, std::move(random), store_),
        watches_(executor, store_),
        discovery_(kinds_),
        metrics_(executor, store_),
        definitions_(executor, kinds_, writer_, watches_),
        tokens_(store_, executor, base::Random(SeedOfTokens(executor)), options.token_secret),
        authorizer_(std::make_unique<RbacAuthorizer>(store_, kinds_)),
        policies_(store_, kinds_, authorizer_),
        webhooks_(executor, base::Random(SeedOfTokens(executor) ^ 0x3eb00c), store_, kinds_,
                  authorizer_, {options.webhook_caller, options.own_services}),
        rest_(executor, store_, writer_, watches_, authenticator_, authorizer_, tokens_),
        rbac_(store_, kinds_),
        escalation_(rbac_, authorizer_),
        priority_(store_, kinds_),
        runtime_class_(store_, kinds_),
        limits_(store_, kinds_),
        quota_(store_, kinds_) {
    if (options.audit != nullptr) {
      audit_ = std::make_unique<AuditLog>(*options.audit, executor,
                                          base::Random(SeedOfTokens(executor) ^ 0xa0d17));
    }
    authenticator_.set_verifier(&tokens_);
    writer_.AddAdmission(&definitions_);
    writer_.AddAdmission(&policies_);
    writer_.set_webhooks(&webhooks_);
    writer_.set_taint_new_nodes(options.taint_new_nodes);
    if (options.store.storage != nullptr) {
      RestoreObjects(
          options.store.storage->TakeState(), kinds_, [this] { definitions_.Restore(); }, store_);
    }
    CreateNamespaces();
    MakeFirstObjects(kinds_, executor.clock().Now(), store_);
    if (options.show_definitions) definitions_.AddBuiltIn();
    AddAdmissions(options);
    if (options.controllers) {
      aggregator_ = std::make_unique<RoleAggregator>(executor, writer_);
      quota_controller_ = std::make_unique<QuotaController>(executor, kinds_, store_);
      collector_ = std::make_unique<GarbageCollector>(executor, kinds_, writer_);
      cleaner_ = std::make_unique<NamespaceCleaner>(executor, kinds_, writer_);
      policy_status_ = std::make_unique<PolicyStatus>(executor, store_);
    }
    if (options.service_accounts) {
      namespace_objects_ =
          std::make_unique<NamespaceObjects>(executor, kinds_, writer_, options.authority_pem);
    }
    expiry_ = std::make_unique<EventExpiry>(executor, store_, options.keep_events);
  }

  void Post(net::Request request, std::shared_ptr<net::Responder> responder) {
    auto call = std::make_shared<Call>();
    call->request = std::move(request);
    call->responder = std::move(responder);
    if (call->request.method != "GET" && call->request.method != "HEAD") call->store = &store_;
    // The server's own components wait for themselves.
    if (call->request.peer.trusted) {
      executor_.Post(scope_.Wrap([this, call] { Answer(call); }));
      return;
    }
    if (waiting_->fetch_add(1) >= max_waiting_) {
      waiting_->fetch_sub(1);
      return RefuseBusy(*call);
    }
    executor_.Post(
        [waiting = waiting_, answer = scope_.Wrap([this, call] { Answer(call); })]() mutable {
          waiting->fetch_sub(1);
          answer();
        });
  }

  Store& store() { return store_; }
  KindRegistry& kinds() { return kinds_; }
  Definitions& definitions() { return definitions_; }
  Writer& writer() { return writer_; }
  RestHandler& rest() { return rest_; }
  AggregatedKinds& aggregated() { return aggregated_; }
  Authenticator& authenticator() { return authenticator_; }
  CurrentAuthorizer& authorizer() { return authorizer_; }
  size_t open_watches() const { return watches_.size(); }
  void EndWatches() { watches_.EndAll(); }
  void Publish(const std::string& address, uint16_t port) {
    PublishServer(kinds_, address, port, executor_.clock().Now(), store_);
  }

 private:
  static uint64_t SeedOfTokens(const base::Executor& executor) {
    return static_cast<uint64_t>(executor.clock().Now().time_since_epoch().count());
  }

  static void RefuseBusy(const Call& call) {
    const std::string text = "Too many requests, please try again later.\n";
    call.responder->Start(429, {{"Content-Type", "text/plain; charset=utf-8"},
                                {"X-Content-Type-Options", "nosniff"},
                                {"Retry-After", "1"},
                                {"Content-Length", std::to_string(text.size())}});
    call.responder->Write(text);
    call.responder->End();
  }

  // In the order in which they are asked; what others add comes between them and the quota.
  void AddAdmissions(const ServerOptions& options) {
    if (options.service_accounts) {
      service_accounts_ = std::make_unique<ServiceAccountAdmission>(
          store_, kinds_, base::Random(SeedOfTokens(executor_) ^ 0x5ec3e7));
      writer_.AddAdmission(service_accounts_.get());
    }
    writer_.AddAdmission(&limits_);
    writer_.AddAdmission(&priority_);
    writer_.AddAdmission(&tolerations_);
    writer_.AddAdmission(&runtime_class_);
    writer_.AddAdmission(&escalation_);
    writer_.set_last_admission(&quota_);
  }

  void CreateNamespaces() {
    const User owner{"system:kueue", "", {kOwnersGroup, kAuthenticatedGroup}};
    for (const char* name : kFirstNamespaces) {
      IncomingObject incoming;
      incoming.object["metadata"].Set("name", name);
      WriteContext context;
      context.user = &owner;
      context.manager = "kube-apiserver";
      if (store_.Get(api::KindOf<api::Namespace>(), name) != nullptr) continue;
      const auto created =
          writer_.Create(api::KindOf<api::Namespace>(), "", std::move(incoming), context);
      KUEUE_CHECK_MSG(created.ok(), created.ok() ? std::string() : created.error().message);
    }
  }

  void Answer(const std::shared_ptr<Call>& call) {
    call->target = net::ParseTarget(call->request.target);
    call->segments = call->target.path;
    while (!call->segments.empty() && call->segments.back().empty()) call->segments.pop_back();
    if (Refusal refusal = CheckTimeout(call->target)) return SendError(*call, *refusal);
    std::shared_ptr<AuditRecord> record;
    if (audit_ && !call->request.peer.trusted) record = audit_->Follow(*call);
    if (record) call->session.annotations = record->annotations;
    const auto user = authenticator_.Identify(call->request);
    if (!user) return SendError(*call, UnauthorizedError("Unauthorized"));
    call->user = *user;
    if (record) record->user = *user;
    if (IsLimited(*call) && !limiter_.Take(call->user.name, executor_.clock().Now())) {
      return RefuseBusy(*call);
    }
    PathOutcome outcome = PathOutcome::kNotFoundText;
    const bool deep = IsDeep(*call);
    if (deep) outcome = ParseResourcePath(call->segments, kinds_, call->path);
    const std::string_view written = call->request.target;
    if (deep && written.substr(0, written.find('?')).find("//") != std::string_view::npos) {
      outcome = PathOutcome::kNotFoundStatus;
      call->path.kind = nullptr;
    }
    const AccessAttributes access = AccessOf(*call, deep);
    metrics_.Follow(*call, access);
    if (record) {
      record->verb = access.verb;
      record->access = access;
      record->version = call->path.version;
    }
    if (Refusal refusal = Impersonate(call->request.headers, access, authorizer_, call->user)) {
      return SendError(*call, *refusal);
    }
    const Decision decision = authorizer_.Decide(call->user, access);
    if (record) {
      if (call->user.name != record->user.name) record->impersonated = call->user;
      record->decided = true;
      record->decision = decision;
    }
    if (!decision.allowed) {
      return SendError(*call, AccessDeniedError(call->user, access, decision.reason));
    }
    if (!deep) {
      const bool answered =
          discovery_.Handle(*call) || HandleHealth(*call) || metrics_.Handle(*call);
      if (!answered) SendText(*call, 404, "404 page not found\n");
      return;
    }
    if (outcome == PathOutcome::kNotFoundText) return SendText(*call, 404, "404 page not found\n");
    if (outcome == PathOutcome::kNotFoundStatus) {
      const bool custom = call->path.kind != nullptr && call->path.kind->custom_resource;
      return SendError(
          *call, custom ? NotFoundError(*call->path.kind, call->path.name) : NoSuchPathError());
    }
    const bool read_only = call->path.kind != nullptr && TraitsOf(*call->path.kind).read_only;
    if (access.verb.empty() || (read_only && access.verb != "get" && access.verb != "list")) {
      return SendError(*call, MethodNotAllowedError());
    }
    if (aggregated_.Handle(*call, executor_.clock().Now())) return;
    Serve(call);
  }

  // A write that waits for webhooks begins again when they have answered, on what is there then.
  void Serve(const std::shared_ptr<Call>& call) {
    const size_t warnings = call->warnings.size();
    rest_.Handle(call);
    webhooks_.Ask(call->session, [this, call, warnings] {
      if (call->responder->Closed()) return;
      call->warnings.resize(warnings);
      // Its kind may have gone meanwhile.
      call->path = {};
      if (ParseResourcePath(call->segments, kinds_, call->path) != PathOutcome::kResource) {
        return SendError(*call, NoSuchPathError());
      }
      Serve(call);
    });
  }

  // Owners and this process wait for nobody, and whoever asks for its health wants to know it now.
  static bool IsLimited(const Call& call) {
    if (call.request.peer.trusted || call.user.InGroup(kOwnersGroup)) return false;
    const std::string first = call.segments.empty() ? "" : call.segments[0];
    return first != "healthz" && first != "livez" && first != "readyz";
  }

  // Under a version: a resource, not discovery.
  static bool IsDeep(const Call& call) {
    const auto& segments = call.segments;
    if (segments.empty()) return false;
    return (segments[0] == "api" && segments.size() > 2) ||
           (segments[0] == "apis" && segments.size() > 3);
  }

  base::Executor& executor_;
  const size_t max_waiting_;
  RequestLimiter limiter_;
  const std::shared_ptr<std::atomic<size_t>> waiting_ = std::make_shared<std::atomic<size_t>>(0);
  std::unique_ptr<AuditLog> audit_;
  KindRegistry kinds_;
  Store store_;  // holds answers that wait: they go with it, unsent
  Writer writer_;
  WatchHub watches_;
  Discovery discovery_;
  RequestMetrics metrics_;
  Definitions definitions_;
  Authenticator authenticator_;
  AccountTokens tokens_;
  CurrentAuthorizer authorizer_;
  PolicyAdmission policies_;
  WebhookAdmission webhooks_;
  RestHandler rest_;
  AggregatedKinds aggregated_;
  RbacAuthorizer rbac_;
  EscalationGuard escalation_;
  PriorityAdmission priority_;
  TolerationAdmission tolerations_;
  RuntimeClassAdmission runtime_class_;
  LimitAdmission limits_;
  QuotaAdmission quota_;
  std::unique_ptr<ServiceAccountAdmission> service_accounts_;
  std::unique_ptr<RoleAggregator> aggregator_;
  std::unique_ptr<QuotaController> quota_controller_;
  std::unique_ptr<NamespaceObjects> namespace_objects_;
  std::unique_ptr<GarbageCollector> collector_;
  std::unique_ptr<NamespaceCleaner> cleaner_;
  std::unique_ptr<PolicyStatus> policy_status_;
  std::unique_ptr<EventExpiry> expiry_;
  base::Scope scope_;
};

Server::Server(base::Executor& executor, base::Random random, const ServerOptions& options)
    : impl_(std::make_unique<Impl>(executor, std::move(random), options)) {}
Server::~Server() = default;

void Server::Handle(net::Request request, std::shared_ptr<net::Responder> responder) {
  impl_->Post(std::move(request), std::move(responder));
}

Store& Server::store() { return impl_->store(); }
void Server::RestoreDefinitions() { impl_->definitions().Restore(); }
const api::KindInfo* Server::FindDefined(std::string_view group, std::string_view kind) const {
  return impl_->definitions().FindStored(group, kind);
}
KindRegistry& Server::kinds() { return impl_->kinds(); }
void Server::AddToken(std::string token, User user) {
  impl_->authenticator().AddToken(std::move(token), std::move(user));
}
void Server::AddAdmission(Admission* admission) { impl_->writer().AddAdmission(admission); }
void Server::AddComputed(const api::KindInfo& kind, ComputedObjects& objects) {
  impl_->kinds().Add(kind);
  impl_->aggregated().Add(kind, objects);
}
void Server::Publish(const std::string& address, uint16_t port) { impl_->Publish(address, port); }
void Server::SetLogSource(LogSource* logs) { impl_->rest().set_log_source(logs); }
void Server::SetAuthorizer(std::unique_ptr<Authorizer> authorizer) {
  impl_->authorizer().current = std::move(authorizer);
}
void Server::EndWatches() { impl_->EndWatches(); }
size_t Server::open_watches() const { return impl_->open_watches(); }

}  // namespace kueue::apiserver
