#pragma once

#include <string>
#include <utility>

namespace kueue::base {

// A code exists only where some caller reacts to it. The Kubernetes reasons map onto these.
enum class Code {
  kNotFound,
  kAlreadyExists,
  kConflict,    // somebody else wrote first: read again
  kGone,        // a resource version that was compacted away: list again
  kInvalid,     // understood and refused (422)
  kBadRequest,  // not understood (400)
  kForbidden,
  kUnauthorized,
  kMethodNotAllowed,
  kNotAcceptable,
  kUnsupportedMediaType,
  kTooLarge,
  kTooManyRequests,
  kUnavailable,  // nobody answered, or the answer broke off: try again later
  kTimeout,
  kInternal,
};

// The code's name for logs, for example "NotFound".
const char* CodeName(Code code);

// What went wrong, in a sentence for people: what, where, and what to do.
struct Error {
  Code code = Code::kInternal;
  std::string message;
};

inline Error MakeError(Code code, std::string message) { return Error{code, std::move(message)}; }
inline Error NotFound(std::string m) { return Error{Code::kNotFound, std::move(m)}; }
inline Error Invalid(std::string m) { return Error{Code::kInvalid, std::move(m)}; }
inline Error BadRequest(std::string m) { return Error{Code::kBadRequest, std::move(m)}; }
inline Error Unavailable(std::string m) { return Error{Code::kUnavailable, std::move(m)}; }
inline Error Internal(std::string m) { return Error{Code::kInternal, std::move(m)}; }

}  // namespace kueue::base
