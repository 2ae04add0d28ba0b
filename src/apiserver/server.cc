#include "apiserver/server.h"

#include <fmt/format.h>

#include <utility>

#include "apiserver/call.h"
#include "apiserver/definitions.h"
#include "apiserver/discovery.h"
#include "apiserver/event_expiry.h"
#include "apiserver/garbage_collector.h"
#include "apiserver/namespace_cleaner.h"
#include "apiserver/policy_admission.h"
#include "apiserver/policy_status.h"
#include "apiserver/rest_handler.h"
#include "apiserver/restore.h"
#include "apiserver/storage/storage.h"
#include "apiserver/watch_hub.h"
#include "apiserver/writer.h"
#include "base/check.h"

namespace kueue::apiserver {

namespace {

constexpr const char* kFirstNamespaces[] = {"kube-system", "kube-public", "default",
                                            "kube-node-lease", "kueue-system"};

// Passes calls to whichever authorizer is set.
class CurrentAuthorizer final : public Authorizer {
 public:
  bool Allows(const User& user, const AccessAttributes& access) const override {
    return current->Allows(user, access);
  }
  std::unique_ptr<Authorizer> current = std::make_unique<OwnerAuthorizer>();
};

std::string VerbOfMethod(const std::string& method) {
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

AccessAttributes AccessOf(const Call& call, bool resource) {
  AccessAttributes access;
  if (!resource) {
    access.verb = VerbOfMethod(call.request.method);
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
  return access;
}

ApiError Denied(const Call& call, const AccessAttributes& access) {
  ApiError error;
  error.code = 403;
  error.reason = "Forbidden";
  error.message = access.path.empty() ? fmt::format("user \"{}\" may not {} {}", call.user.name,
                                                    access.verb, access.resource)
                                      : fmt::format("user \"{}\" may not {} path \"{}\"",
                                                    call.user.name, access.verb, access.path);
  error.has_details = true;
  error.name = access.name;
  error.group = access.group;
  error.kind = access.resource;
  return error;
}

}  // namespace

class Server::Impl {
 public:
  Impl(base::Executor& executor, base::Random random, const ServerOptions& options)
      : executor_(executor),
        store_(options.store),
        writer_(executor, std::move(random), store_),
        watches_(executor, store_),
        discovery_(kinds_),
        definitions_(executor, kinds_, writer_, watches_),
        policies_(store_, kinds_, authorizer_),
        rest_(executor, store_, writer_, watches_, authorizer_) {
    writer_.AddAdmission(&definitions_);
    writer_.AddAdmission(&policies_);
    writer_.set_taint_new_nodes(options.taint_new_nodes);
    if (options.store.storage != nullptr) {
      RestoreObjects(options.store.storage->TakeState(), kinds_, [this] { definitions_.Restore(); },
                     store_);
    }
    CreateNamespaces();
    if (options.show_definitions) definitions_.AddBuiltIn();
    if (options.controllers) {
      collector_ = std::make_unique<GarbageCollector>(executor, kinds_, writer_);
      cleaner_ = std::make_unique<NamespaceCleaner>(executor, kinds_, writer_);
      policy_status_ = std::make_unique<PolicyStatus>(executor, store_);
    }
    expiry_ = std::make_unique<EventExpiry>(executor, store_, options.keep_events);
  }

  void Post(net::Request request, std::shared_ptr<net::Responder> responder) {
    auto call = std::make_shared<Call>();
    call->request = std::move(request);
    call->responder = std::move(responder);
    if (call->request.method != "GET" && call->request.method != "HEAD") call->store = &store_;
    executor_.Post(scope_.Wrap([this, call] { Answer(call); }));
  }

  Store& store() { return store_; }
  KindRegistry& kinds() { return kinds_; }
  Definitions& definitions() { return definitions_; }
  Writer& writer() { return writer_; }
  RestHandler& rest() { return rest_; }
  Authenticator& authenticator() { return authenticator_; }
  CurrentAuthorizer& authorizer() { return authorizer_; }
  size_t open_watches() const { return watches_.size(); }

 private:
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
    const auto user = authenticator_.Identify(call->request);
    if (!user) {
      return SendError(*call, UnauthorizedError("these credentials are not known here"));
    }
    call->user = *user;
    PathOutcome outcome = PathOutcome::kNotFoundText;
    const bool deep = IsDeep(*call);
    if (deep) outcome = ParseResourcePath(call->segments, kinds_, call->path);
    const std::string_view written = call->request.target;
    if (deep && written.substr(0, written.find('?')).find("//") != std::string_view::npos) {
      outcome = PathOutcome::kNotFoundStatus;
      call->path.kind = nullptr;
    }
    const AccessAttributes access = AccessOf(*call, deep);
    if (!authorizer_.Allows(call->user, access)) return SendError(*call, Denied(*call, access));
    if (!deep) {
      if (!discovery_.Handle(*call)) SendText(*call, 404, "404 page not found\n");
      return;
    }
    if (outcome == PathOutcome::kNotFoundText) return SendText(*call, 404, "404 page not found\n");
    if (outcome == PathOutcome::kNotFoundStatus) {
      const bool custom = call->path.kind != nullptr && call->path.kind->custom_resource;
      return SendError(
          *call, custom ? NotFoundError(*call->path.kind, call->path.name) : NoSuchPathError());
    }
    if (RestHandler::VerbOf(*call).empty()) return SendError(*call, MethodNotAllowedError());
    rest_.Handle(call);
  }

  // Under a version: a resource, not discovery.
  static bool IsDeep(const Call& call) {
    const auto& segments = call.segments;
    if (segments.empty()) return false;
    return (segments[0] == "api" && segments.size() > 2) ||
           (segments[0] == "apis" && segments.size() > 3);
  }

  base::Executor& executor_;
  KindRegistry kinds_;
  Store store_;  // holds answers that wait: they go with it, unsent
  Writer writer_;
  WatchHub watches_;
  Discovery discovery_;
  Definitions definitions_;
  Authenticator authenticator_;
  CurrentAuthorizer authorizer_;
  PolicyAdmission policies_;
  RestHandler rest_;
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
void Server::SetLogSource(LogSource* logs) { impl_->rest().set_log_source(logs); }
void Server::SetAuthorizer(std::unique_ptr<Authorizer> authorizer) {
  impl_->authorizer().current = std::move(authorizer);
}
size_t Server::open_watches() const { return impl_->open_watches(); }

}  // namespace kueue::apiserver
