#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/merge/managed_fields.h"
#include "api/schema/kind.h"
#include "api/types/json.h"
#include "apiserver/api_error.h"
#include "apiserver/authn.h"
#include "apiserver/write_session.h"

// What is asked before a write is carried out. The server declares this interface; who knows the
// rules of a kind implements it.
namespace kueue::apiserver {

enum class Operation { kCreate, kUpdate, kDelete };

// The mutating admissions are asked a second time if a webhook has changed what others had seen.
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
// section "Reinvocation policy"
struct Reinvocation {
  bool second = false;  // this is the second time
  bool wanted = false;
  std::set<std::string> asked;  // webhooks that may be asked again
  std::set<std::string> again;  // and those that have to be
  api::Json last;               // what the webhooks have made of the object
};

struct AdmissionRequest {
  Operation operation = Operation::kCreate;
  const api::KindInfo* kind = nullptr;       // the stored version
  const api::KindInfo* requested = nullptr;  // the version of the request; null: the stored one
  std::string namespace_name, name;
  std::string subresource;  // "" or "status"
  // What the object is, if it is not a `kind` but stands for a part of one (a Scale, a Binding).
  const api::KindInfo* shown_as = nullptr;
  // The server carries out what was admitted as a part already: policies and webhooks have spoken.
  bool settled = false;
  // The request does not name the object: the server made `name` up, or a collection is deleted.
  bool nameless = false;
  const User* user = nullptr;
  bool dry_run = false;
  // CreateOptions, UpdateOptions or DeleteOptions as webhooks see them; null: only `dry_run`.
  api::Json options = {};
  // Where answers of webhooks are kept; null: whoever writes cannot wait for any.
  WriteSession* session = nullptr;
  Reinvocation reinvocation = {};
  // Who owns the fields of `object` and `old_object`; null: nobody.
  const api::ManagedFields* managed = nullptr;
  const api::ManagedFields* old_managed = nullptr;
  // The state after the write; may be changed in place by a mutating admission. Null on deletion.
  api::Json* object = nullptr;
  // The state before; null on creation.
  const api::Json* old_object = nullptr;
};

struct Verdict {
  bool allowed = true;
  // Refused: `code` 403 or 400. Field errors become the causes of a 403; a 400 names them in its
  // text only.
  int code = 403;
  std::vector<api::FieldError> errors;
  std::string message;
  // Not empty: `code` may be any, this is the reason of the answer, and `message` its one cause.
  std::string reason = {};
  // Sentences sent along as Warning headers, whatever the verdict.
  std::vector<std::string> warnings;
  // Refused with just this answer.
  std::optional<ApiError> answer = std::nullopt;
  // Nothing can be said before the calls that the session wants have been answered.
  bool pending = false;

  static Verdict Allow() { return {}; }
  static Verdict Deny(std::string message) { return Refused(403, {}, std::move(message), false); }
  // Allowed if there are no errors.
  static Verdict Deny(std::vector<api::FieldError> errors) {
    const bool allowed = errors.empty();
    return Refused(403, std::move(errors), "", allowed);
  }
  // The object could not be read; allowed if there are no errors.
  static Verdict Unreadable(std::vector<api::FieldError> errors) {
    const bool allowed = errors.empty();
    return Refused(400, std::move(errors), "", allowed);
  }
  static Verdict Answer(ApiError error) {
    Verdict verdict;
    verdict.allowed = false;
    verdict.answer = std::move(error);
    return verdict;
  }
  static Verdict Pending() {
    Verdict verdict;
    verdict.allowed = false;
    verdict.pending = true;
    return verdict;
  }

 private:
  static Verdict Refused(int code, std::vector<api::FieldError> errors, std::string message,
                         bool allowed) {
    Verdict verdict;
    verdict.allowed = allowed;
    verdict.code = code;
    verdict.errors = std::move(errors);
    verdict.message = std::move(message);
    return verdict;
  }
};

// Called on the server's executor; Translate before anything else, the others after defaulting and
// before validation; must answer at once. All mutating calls of all admissions come before the
// first validating one.
class Admission {
 public:
  virtual ~Admission() = default;
  // Whether Mutate (or else Validate) has a say in writes of that kind. `kind` is the stored
  // version: an object of another one is converted before this is asked about it.
  virtual bool Concerns(const AdmissionRequest& request, bool mutating) const {
    (void)request;
    (void)mutating;
    return true;
  }
  // Whether it also judges what stands for a part of an object (AdmissionRequest::shown_as).
  virtual bool JudgesParts() const { return false; }
  // Turns what a body says in words of another dialect into those of its kind, in place. `kind` is
  // here the version of the request, `object` the body as it came, `old_object` the object as that
  // version shows it. Field errors of a refusal become those of an invalid object (422).
  virtual Verdict Translate(AdmissionRequest& request) {
    (void)request;
    return Verdict::Allow();
  }
  // Fills in what follows from the rest of the object, right after the defaults. `kind` is the
  // version of the request.
  virtual void Complete(const api::KindInfo& kind, api::Json& object) const {
    (void)kind;
    (void)object;
  }
  // Fills in and changes `request.object`.
  virtual Verdict Mutate(AdmissionRequest& request) {
    (void)request;
    return Verdict::Allow();
  }
  // Judges the final object; does not change it.
  virtual Verdict Validate(const AdmissionRequest& request) {
    (void)request;
    return Verdict::Allow();
  }
};

// An admission that may have to ask somebody else first.
class PatientAdmission : public Admission {
 public:
  // Asks what the session of a pending write wants to know, and calls `then` when everything has
  // been answered: later, on the executor, unless the admission is gone by then. The session must
  // live until then. False: it wants to know nothing.
  virtual bool Ask(WriteSession& session, std::function<void()> then) = 0;
};

}  // namespace kueue::apiserver
