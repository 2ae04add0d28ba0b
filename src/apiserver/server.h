#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/admission.h"
#include "apiserver/aggregated.h"
#include "apiserver/audit.h"
#include "apiserver/authn.h"
#include "apiserver/authz.h"
#include "apiserver/kind_registry.h"
#include "apiserver/log_source.h"
#include "apiserver/store.h"
#include "apiserver/webhook_caller.h"
#include "base/executor.h"
#include "base/random.h"
#include "net/http.h"

// A Kubernetes-compatible API server, for as much of Kubernetes as job queueing needs. Everything
// it does happens on one executor and in the order of its tasks: with a virtual executor the same
// requests give the same answers at the same times.
namespace kueue::apiserver {

struct ServerOptions {
  Store::Options store;
  // Dependents follow their owners, and deleted namespaces are emptied. Off only where the server
  // is compared with one that has no controllers.
  bool controllers = true;
  // New nodes get the taint node.kubernetes.io/not-ready. Only where somebody takes it off again.
  bool taint_new_nodes = false;
  base::Duration keep_events = base::hours(1);
  // Pods run as service accounts and get tokens of them, and every namespace has the account
  // "default". Off where the server is compared with one that leaves this out.
  bool service_accounts = false;
  // Signs tokens of service accounts; empty: tokens end with the server.
  std::string token_secret;
  // The authority of the server's certificate, for clients inside the cluster (PEM).
  std::string authority_pem;
  // Requests from outside that wait for their turn; further ones get 429.
  size_t max_waiting_requests = 1000;
  // What one user may ask from outside in the long run, and at once; further requests get 429.
  // Owners and probes of health are not counted. 0: no limit.
  size_t requests_per_second = 0;
  size_t request_burst = 1;
  // Gets a line for each request from outside this process. Null: none; must outlive the server.
  AuditSink* audit = nullptr;
  // Reaches webhooks; null: none can be reached, and their failurePolicy says what becomes of a
  // write. Must outlive the server.
  WebhookCaller* webhook_caller = nullptr;
  // Services ("namespace/name") whose webhooks are admissions of this process: they are not called.
  std::set<std::string> own_services;
  // Definitions of the built-in custom resources can be read, as where they are installed.
  bool show_definitions = false;
};

class Server final : public net::Handler {
 public:
  // `executor` must outlive the server. Creates the namespaces every cluster has, and kueue-system.
  Server(base::Executor& executor, base::Random random, const ServerOptions& options);
  ~Server() override;

  // Any thread: posts the request to the executor.
  void Handle(net::Request request, std::shared_ptr<net::Responder> responder) override;

  // The rest is to be used on the executor, or before the first request.
  Store& store();
  KindRegistry& kinds();
  // To be called when a store that was filled from elsewhere has its CustomResourceDefinitions, and
  // before objects of their kinds are put in: makes those kinds.
  void RestoreDefinitions();
  // The kind to store such objects under; null if no definition is in.
  const api::KindInfo* FindDefined(std::string_view group, std::string_view kind) const;
  // Whoever shows this token is `user`.
  void AddToken(std::string token, User user);
  // Asked in the order added; must outlive the server.
  void AddAdmission(Admission* admission);
  // Serves a kind whose objects are computed (get and list). Both must outlive the server.
  void AddComputed(const api::KindInfo& kind, ComputedObjects& objects);
  // Where the server is reached, for the Service "kubernetes".
  void Publish(const std::string& address, uint16_t port);
  // Null: no logs. Must outlive the server.
  void SetLogSource(LogSource* logs);
  // Replaces the judgement by roles and bindings.
  void SetAuthorizer(std::unique_ptr<Authorizer> authorizer);
  // Ends all watches, and from now on each as soon as it begins: before the server goes.
  void EndWatches();
  // Open watches, for tests and metrics.
  size_t open_watches() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::apiserver
