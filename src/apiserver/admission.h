#pragma once

#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/schema/kind.h"
#include "api/types/json.h"
#include "apiserver/authn.h"

// What is asked before a write is carried out. The server declares this interface; who knows the
// rules of a kind implements it.
namespace kueue::apiserver {

enum class Operation { kCreate, kUpdate, kDelete };

struct AdmissionRequest {
  Operation operation = Operation::kCreate;
  const api::KindInfo* kind = nullptr;  // the stored version
  const api::KindInfo* requested = nullptr;  // the version of the request; null: the stored one
  std::string namespace_name, name;
  std::string subresource;            // "" or "status"
  const User* user = nullptr;
  bool dry_run = false;
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

  static Verdict Allow() { return {}; }
  static Verdict Deny(std::string message) { return {false, 403, {}, std::move(message), "", {}}; }
  // Allowed if there are no errors.
  static Verdict Deny(std::vector<api::FieldError> errors) {
    return {errors.empty(), 403, std::move(errors), "", "", {}};
  }
  // The object could not be read; allowed if there are no errors.
  static Verdict Unreadable(std::vector<api::FieldError> errors) {
    return {errors.empty(), 400, std::move(errors), "", "", {}};
  }
};

// Called on the server's executor, after defaulting and before validation; must answer at once.
// All mutating calls of all admissions come before the first validating one.
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

}  // namespace kueue::apiserver
