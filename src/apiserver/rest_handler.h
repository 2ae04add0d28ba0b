#pragma once

#include <memory>
#include <string>

#include "api/merge/ownership.h"
#include "apiserver/account_tokens.h"
#include "apiserver/authn.h"
#include "apiserver/authz.h"
#include "apiserver/call.h"
#include "apiserver/kind_registry.h"
#include "apiserver/log_source.h"
#include "apiserver/render.h"
#include "apiserver/watch_hub.h"
#include "apiserver/writer.h"
#include "base/executor.h"

// The verbs on resources: what a request that is about a resource does.
namespace kueue::apiserver {

class RestHandler {
 public:
  RestHandler(base::Executor& executor, Store& store, Writer& writer, WatchHub& watches,
              const Authenticator& authenticator, const Authorizer& authorizer,
              AccountTokens& tokens)
      : executor_(executor),
        store_(store),
        writer_(writer),
        watches_(watches),
        authenticator_(authenticator),
        authorizer_(authorizer),
        tokens_(tokens) {}

  // Null: no logs are kept.
  void set_log_source(LogSource* logs) { logs_ = logs; }

  // The verb of a request, as authorizers name it; "" if the method is none.
  static std::string VerbOf(const Call& call);

  // Answers the call. REQUIRES: call->path has a kind or a virtual resource.
  void Handle(const std::shared_ptr<Call>& call);

 private:
  void HandleCollection(const std::shared_ptr<Call>& call);
  void HandleObject(Call& call);
  void HandleSubresource(Call& call);
  void HandleChange(Call& call);
  void HandleVirtual(Call& call);
  void RefuseConnection(Call& call);

  // rest_read.cc
  void ListOrWatch(const std::shared_ptr<Call>& call);
  void Get(Call& call);
  void ReadLog(Call& call);

  // rest_write.cc
  void Create(Call& call);
  void Update(Call& call);
  void Patch(Call& call);
  void Apply(Call& call, const WriteRequest& options);
  void Delete(Call& call);
  void DeleteCollection(Call& call);

  // rest_scale.cc
  void Scale(Call& call);
  void SendScale(Call& call, const api::Json& object);

  // rest_pod.cc
  Refusal AdmitOnPod(Call& call, const api::KindInfo& shown_as, api::Json& object,
                     const WriteContext& context);
  void Bind(Call& call);
  void Evict(Call& call);
  bool MarkDisrupted(Call& call, const DeleteRequest& request);
  bool TakeFromBudget(Call& call, const DeleteRequest& request);

  // rest_scale.cc
  void HandleScale(Call& call);
  Outcome<IncomingObject> ReadScale(Call& call, const StoredPtr& current,
                                    const WriteRequest& options, const api::ScaleMapping& mapping,
                                    const api::Json& before);
  Outcome<IncomingObject> ApplyScale(Call& call, const WriteRequest& options,
                                     const api::ScaleMapping& mapping, const StoredObject& current,
                                     const api::Json& before);
  Outcome<api::ManagedFields> SettleScale(Call& call, const api::ScaleMapping& mapping,
                                          const StoredObject& current, api::Json before,
                                          IncomingObject& wanted, const WriteContext& context);
  void SendScale(Call& call, const StoredObject& object);

  // rest_review.cc
  Outcome<api::Json> ReadRequest(Call& call, const api::KindInfo& kind);
  void ReviewSelf(Call& call, const api::KindInfo& kind);
  void ReviewRules(Call& call, const api::KindInfo& kind, const api::Json& spec);
  void ReviewToken(Call& call, const api::KindInfo& kind, api::Json spec);
  void CreateToken(Call& call);
  Refusal FindBound(const Call& call, const api::Json& reference,
                    AccountTokens::Request& request) const;

  // Whether the request is one of server-side apply.
  static bool IsApply(const Call& call);
  // Settles the form of the answer; without one that fits, answers 406 and returns false.
  bool Agree(Call& call, AnswerKind answer);
  View ViewOf(const Call& call) const;
  // The time of the write: the same in every pass of one that waits for webhooks.
  base::Time Began(Call& call) const;
  WriteContext ContextOf(Call& call, const WriteRequest& options) const;
  Outcome<IncomingObject> ReadBody(const Call& call) const;
  Outcome<DeleteRequest> ReadDeleteOptions(const Call& call) const;
  // `kind` is that of `target`.
  Outcome<api::Json> ApplyPatch(const Call& call, const api::KindInfo& kind,
                                const api::Json& target, IncomingObject& incoming) const;
  void SendWritten(Call& call, const Outcome<WriteResult>& result);

  base::Executor& executor_;
  Store& store_;
  Writer& writer_;
  WatchHub& watches_;
  const Authenticator& authenticator_;
  const Authorizer& authorizer_;
  AccountTokens& tokens_;
  LogSource* logs_ = nullptr;
};

}  // namespace kueue::apiserver
