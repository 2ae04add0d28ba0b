#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/codec/codec.h"
#include "api/schema/kind.h"
#include "api/types/json.h"
#include "base/check.h"

// Refusals as Kubernetes words them: a code, a reason that programs compare, and details.
namespace kueue::apiserver {

struct StatusCause {
  std::string reason, field, message;
};

struct ApiError {
  int code = 500;
  std::string reason;         // "NotFound"; empty where Kubernetes leaves it out
  std::string message;        // a sentence for people
  bool has_details = false;   // write `details` even if it is empty
  std::string name, group, kind;  // details: the kind is the plural, or the Kind when invalid
  std::vector<StatusCause> causes;
  int retry_after_seconds = 0;
  // No refusal: the request goes on when its webhooks have answered, and nothing is sent yet.
  bool pending = false;
  std::string continue_token;     // a token that goes on at the newest version (410 of a list)

  // The Status object.
  api::Json ToJson() const;
};

// A value, or why there is none.
template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : state_(std::in_place_index<0>, std::move(value)) {}         // NOLINT
  Outcome(ApiError error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT
  bool ok() const { return state_.index() == 0; }
  // REQUIRES: ok().
  T& operator*() { KUEUE_CHECK(ok()); return *std::get_if<0>(&state_); }
  T* operator->() { return &**this; }
  const T& operator*() const { KUEUE_CHECK(ok()); return *std::get_if<0>(&state_); }
  const T* operator->() const { return &**this; }
  // REQUIRES: !ok().
  const ApiError& error() const { KUEUE_CHECK(!ok()); return *std::get_if<1>(&state_); }

 private:
  std::variant<T, ApiError> state_;
};

using Refusal = std::optional<ApiError>;  // nothing: go on

// ---- the refusals there are. `kind` and `name` fill the details.
ApiError NotFoundError(const api::KindInfo& kind, std::string_view name);
ApiError AlreadyExistsError(const api::KindInfo& kind, std::string_view name);
ApiError ConflictError(const api::KindInfo& kind, std::string_view name, std::string message);
ApiError ForbiddenError(const api::KindInfo& kind, std::string_view name, std::string message);
ApiError InvalidError(const api::KindInfo& kind, std::string_view name,
                      const std::vector<api::FieldError>& errors);
// What an admission answers: 403 with the errors as causes, or 400 without a reason, for objects it
// could not read.
ApiError DeniedError(const api::KindInfo& kind, std::string_view name, int code,
                     const std::vector<api::FieldError>& errors, const std::string& message);
// What a policy answers, with the reason it chose.
ApiError PolicyError(const api::KindInfo& kind, std::string_view name, int code, std::string reason,
                     const std::string& message);
// Options of the request itself; `options_kind` is "ListOptions", "CreateOptions", ...
ApiError InvalidOptionsError(std::string_view options_kind,
                             const std::vector<api::FieldError>& errors);
ApiError BadRequestError(std::string message);
ApiError UnauthorizedError(std::string message);
// No such resource or subresource: details without content.
ApiError NoSuchPathError();
ApiError MethodNotAllowedError();
ApiError NotAcceptableError();
ApiError UnsupportedMediaTypeError(std::string message);
ApiError ExpiredError(std::string message);
ApiError VersionTooLargeError(uint64_t asked, uint64_t current);
// Nothing can be kept at the moment: 507. `message` says why.
ApiError InsufficientStorageError(std::string message);
ApiError TooLargeError(std::string message);
// A request that waits for webhooks: see ApiError::pending.
ApiError PendingError();
// With the reason InternalError and its text as the one cause.
ApiError InternalErrorWithCause(const std::string& message);
// Without a reason, as Kubernetes answers mistakes it did not foresee.
ApiError InternalError(std::string message);

}  // namespace kueue::apiserver
