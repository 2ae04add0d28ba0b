#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/merge/managed_fields.h"
#include "apiserver/admission.h"
#include "apiserver/api_error.h"
#include "apiserver/options.h"
#include "apiserver/store.h"
#include "base/executor.h"
#include "base/random.h"

// Writes with all their rules: defaults, admission, validation, versions, generations, finalizers.
// What handlers of requests, the garbage collector and the namespace cleaner have in common.
namespace kueue::apiserver {

// Who writes, and where remarks for them go.
struct WriteContext {
  const User* user = nullptr;
  WriteRequest options;
  std::vector<std::string>* warnings = nullptr;  // may be null
  std::string manager = {};  // who owns the fields that are written; empty: "unknown"
  // The server completes an object for itself: its fields do not change hands.
  bool untracked = false;
  // Where a write that comes from a client keeps what webhooks answer. Null: webhooks are not
  // asked.
  WriteSession* session = nullptr;
  // Policies and webhooks have judged the subresource that this write carries out.
  bool settled = false;
  bool nameless = false;       // one of a collection: the request does not name it
};

// A body as it came in, with what is wrong with it but can be lived with.
struct IncomingObject {
  api::Json object;
  std::vector<std::string> duplicate_keys;  // paths
  size_t bytes = 0;                         // as it came in; of a patch with what it was applied to
  api::Json given_owners = {};              // metadata.managedFields of the body; null: none
  // Who owns what afterwards, where that is settled already (server-side apply).
  std::optional<api::ManagedFields> managed = std::nullopt;
  // Members of metadata that were applied empty to a custom resource (Writer::kept_empty_).
  std::vector<std::string> empty_metadata = {};
};

enum class UpdateSource { kPut, kPatch, kApply };

struct WriteResult {
  StoredPtr object;  // as stored, in the version of the request; of a dry run as it would be
  bool created = false;
};

struct DeleteResult {
  // In the stored version.
  StoredPtr object;  // the last state, or the state that waits for finalizers or the grace period
  bool gone = false;
};

class Writer {
 public:
  Writer(base::Executor& executor, base::Random random, Store& store)
      : executor_(executor), random_(std::move(random)), store_(store) {}

  // Asked in the order added. Must outlive the writer.
  void AddAdmission(Admission* admission) { admissions_.push_back(admission); }
  // The one that is asked when nobody else objects, because it counts. Must outlive the writer.
  void set_last_admission(Admission* admission) { last_admission_ = admission; }
  // Asked after all others that mutate, and before the last of those that validate. Must outlive
  // the writer.
  void set_webhooks(PatientAdmission* admission) { webhooks_ = admission; }
  // For a write that ended as pending: see PatientAdmission::Ask.
  bool AskWebhooks(WriteSession& session, std::function<void()> then) {
    return webhooks_ != nullptr && webhooks_->Ask(session, std::move(then));
  }
  // New nodes get the taint not-ready, as long as somebody takes it off again.
  void set_taint_new_nodes(bool taint) { taint_new_nodes_ = taint; }

  // `namespace_name` is the one of the path, "" for cluster-scoped kinds.
  Outcome<WriteResult> Create(const api::KindInfo& kind, const std::string& namespace_name,
                              IncomingObject incoming, const WriteContext& context);

  // Replaces the object, or with a subresource the part it stands for ("status", "finalize", or
  // "" for everything else; "binding" sets what no update may).
  Outcome<WriteResult> Update(const api::KindInfo& kind, const std::string& namespace_name,
                              const std::string& name, const std::string& subresource,
                              UpdateSource source, IncomingObject incoming,
                              const WriteContext& context);

  Outcome<DeleteResult> Delete(const api::KindInfo& served, const std::string& namespace_name,
                               const std::string& name, const DeleteRequest& request,
                               const WriteContext& context);

  // A body that is not stored (a review, a Scale): of the right kind, without unknown fields where
  // those are refused, and readable. Unknown fields are taken out.
  Refusal CheckReadable(const api::KindInfo& kind, IncomingObject& incoming,
                        const WriteContext& context,
                        UpdateSource source = UpdateSource::kPut) const;

  // Has policies and webhooks judge `object` of kind `shown_as`, which stands for `subresource` of
  // an object of `kind` (or is something to be done with it), and may be changed by them.
  struct Part {
    const api::KindInfo& kind;
    const api::KindInfo& shown_as;
    const std::string& namespace_name;
    const std::string& name;
    const std::string& subresource;
    Operation operation;
    const api::ManagedFields& managed;      // who owns the fields of the part
    const api::ManagedFields& old_managed;  // and owned them before
  };
  Refusal AdmitPart(const Part& part, api::Json& object, const api::Json* old_object,
                    const WriteContext& context) const;

  Store& store() { return store_; }

 private:
  // Whether anything can be kept at the moment.
  Refusal CheckStorage(bool dry_run) const;
  Refusal CheckNamespace(const api::KindInfo& kind, const std::string& namespace_name,
                         const std::string& name) const;
  Refusal CheckBody(const api::KindInfo& kind, api::Json& object, UpdateSource source,
                    const WriteContext& context) const;
  // Defaults, and what the admissions derive.
  void FillIn(const api::KindInfo& kind, api::Json& object,
              api::Nulls nulls = api::Nulls::kAreAbsent) const;
  Refusal Translate(const api::KindInfo& kind, const api::Json* before, api::Json& object,
                    const WriteContext& context) const;
  Refusal CheckFields(const api::KindInfo& kind, IncomingObject& incoming,
                      const WriteContext& context, UpdateSource source) const;
  std::vector<Admission*> Asked(bool mutate) const;
  Refusal Admit(bool mutate, AdmissionRequest& request, const WriteContext& context) const;
  Refusal AdmitOnce(bool mutate, AdmissionRequest& request, const WriteContext& context) const;
  static Refusal Judged(const AdmissionRequest& request, Verdict verdict,
                        const WriteContext& context);
  bool Asked(bool mutate, const AdmissionRequest& request) const;
  Refusal Mutate(const api::KindInfo& kind, AdmissionRequest& request, api::Json& object,
                 const WriteContext& context) const;
  Refusal Judge(const api::KindInfo& kind, AdmissionRequest& request, api::Json& object,
                const WriteContext& context, api::Json& converted) const;
  Refusal CheckVersions(const api::KindInfo& kind, const std::string& subresource,
                        const StoredObject& current, const api::Json& desired,
                        UpdateSource source) const;
  std::string MakeName(const api::KindInfo& kind, const std::string& namespace_name,
                       const api::Json& object, const WriteContext& context);
  std::string GenerateName(const api::KindInfo& kind, const std::string& namespace_name,
                           const api::Json& object);
  Outcome<WriteResult> FinishUpdate(const api::KindInfo& kind, const StoredPtr& current,
                                    const std::string& key, const std::string& subresource,
                                    IncomingObject incoming, api::ManagedFields managed,
                                    const WriteContext& context);
  void NoteEmptyMetadata(const api::Json& object, std::vector<std::string> members);
  static void TakeOwners(IncomingObject& incoming);
  api::ManagedFields Owners(const api::KindInfo& kind, const std::string& subresource,
                            const StoredObject* current, IncomingObject& incoming,
                            const WriteContext& context) const;
  Outcome<DeleteResult> DeleteDefinition(const api::KindInfo& kind, const StoredPtr& current,
                                         const std::string& key, bool dry_run);
  Outcome<DeleteResult> DeleteNamespace(const api::KindInfo& kind, const StoredPtr& current,
                                        const std::string& key, bool dry_run);
  DeleteResult CarryOut(const api::KindInfo& kind, const StoredPtr& current, const std::string& key,
                        api::Json after, bool dry_run);
  base::Time Now() const { return executor_.clock().Now(); }
  // The same in every pass of a write that waits for webhooks.
  base::Time Began(const WriteContext& context) const;
  std::string NewUid(const WriteContext& context);

  base::Executor& executor_;
  base::Random random_;
  Store& store_;
  std::vector<Admission*> admissions_;
  PatientAdmission* webhooks_ = nullptr;
  Admission* last_admission_ = nullptr;
  bool taint_new_nodes_ = false;
  // Jobs (by uid) whose labels are those of their template and were never written: Kubernetes makes
  // them up at every read, until the first update, which changes the object if nothing else does.
  std::set<std::string> borrowed_labels_;
  // Empty maps and lists in the metadata of custom resources (by uid), as applied last. Kubernetes
  // stores them, shows them to nobody and drops them with the next write of another kind, which
  // then changes the object if nothing else does.
  std::map<std::string, std::vector<std::string>> kept_empty_;
};

}  // namespace kueue::apiserver
