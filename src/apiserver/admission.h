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
  const api::KindInfo* kind = nullptr;
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
  // Refused: field errors become a 422 with causes; otherwise `message` a 403.
  std::vector<api::FieldError> errors;
  std::string message;
  // Sentences sent along as Warning headers, whatever the verdict.
  std::vector<std::string> warnings;

  static Verdict Allow() { return {}; }
  static Verdict Deny(std::string message) { return {false, {}, std::move(message), {}}; }
  static Verdict Invalid(std::vector<api::FieldError> errors) {
    return {errors.empty(), std::move(errors), "", {}};
  }
};

// Called on the server's executor, after defaulting and before validation; must answer at once.
// All mutating calls of all admissions come before the first validating one.
class Admission {
 public:
  virtual ~Admission() = default;
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
