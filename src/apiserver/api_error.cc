#include "apiserver/api_error.h"

#include <fmt/format.h>

#include "api/schema/conversion.h"
#include "api/structural/value_text.h"

namespace kueue::apiserver {

using api::Json;

namespace {

ApiError Plain(int code, std::string reason, std::string message) {
  ApiError error;
  error.code = code;
  error.reason = std::move(reason);
  error.message = std::move(message);
  return error;
}

ApiError About(int code, std::string reason, const api::KindInfo& kind, std::string_view name,
               std::string message) {
  ApiError error = Plain(code, std::move(reason), std::move(message));
  error.has_details = true;
  error.name = name;
  error.group = kind.group;
  error.kind = kind.plural;
  return error;
}

std::vector<StatusCause> CausesOf(const std::vector<api::FieldError>& errors) {
  std::vector<StatusCause> causes;
  causes.reserve(errors.size());
  for (const api::FieldError& e : errors) {
    causes.push_back({api::CauseReason(e.type), e.field, e.message});
  }
  return causes;
}

Json DetailsOf(const ApiError& error) {
  Json details = Json::MakeObject();
  if (!error.name.empty()) details.Set("name", error.name);
  if (!error.group.empty()) details.Set("group", error.group);
  if (!error.kind.empty()) details.Set("kind", error.kind);
  if (!error.causes.empty()) {
    Json causes = Json::MakeArray();
    for (const StatusCause& cause : error.causes) {
      Json item = Json::MakeObject();
      if (!cause.reason.empty()) item.Set("reason", cause.reason);
      if (!cause.message.empty()) item.Set("message", cause.message);
      if (!cause.field.empty()) item.Set("field", cause.field);
      causes.Append(std::move(item));
    }
    details.Set("causes", std::move(causes));
  }
  if (error.retry_after_seconds > 0) details.Set("retryAfterSeconds", error.retry_after_seconds);
  return details;
}

}  // namespace

Json ApiError::ToJson() const {
  Json status = Json::MakeObject();
  status.Set("kind", "Status");
  status.Set("apiVersion", "v1");
  Json metadata = Json::MakeObject();
  if (!continue_token.empty()) metadata.Set("continue", continue_token);
  status.Set("metadata", std::move(metadata));
  status.Set("status", "Failure");
  status.Set("message", message);
  if (!reason.empty()) status.Set("reason", reason);
  if (has_details) status.Set("details", DetailsOf(*this));
  status.Set("code", code);
  return status;
}

ApiError NotFoundError(const api::KindInfo& kind, std::string_view name) {
  return About(404, "NotFound", kind, name,
               fmt::format("{} \"{}\" not found", kind.GroupResource(), name));
}

ApiError AlreadyExistsError(const api::KindInfo& kind, std::string_view name) {
  return About(409, "AlreadyExists", kind, name,
               fmt::format("{} \"{}\" already exists", kind.GroupResource(), name));
}

ApiError ConflictError(const api::KindInfo& kind, std::string_view name, std::string message) {
  return About(409, "Conflict", kind, name,
               fmt::format("{} \"{}\" was not changed: {}", kind.GroupResource(), name, message));
}

ApiError ForbiddenError(const api::KindInfo& kind, std::string_view name, std::string message) {
  return About(403, "Forbidden", kind, name,
               name.empty()
                   ? fmt::format("{} is forbidden: {}", kind.GroupResource(), message)
                   : fmt::format("{} \"{}\" is forbidden: {}", kind.GroupResource(), name,
                                 message));
}

ApiError InvalidError(const api::KindInfo& served, std::string_view name,
                      const std::vector<api::FieldError>& errors) {
  // A built-in kind of several groups is called by the one it is stored under.
  const api::KindInfo& kind = served.custom_resource ? served : api::StoredKind(served);
  const bool defined = kind.defined || kind.kind == "CustomResourceDefinition";
  ApiError error = About(
      422, "Invalid", kind, name,
      defined ? fmt::format("{}.{} \"{}\" is invalid: {}", kind.kind, kind.group, name,
                            api::structural::AggregateText(errors))
              : fmt::format("{} \"{}\" is invalid: {}", kind.kind, name,
                            api::JoinFieldErrors(errors)));
  error.kind = kind.kind;
  error.causes = CausesOf(errors);
  return error;
}

ApiError DeniedError(const api::KindInfo& kind, std::string_view name, int code,
                     const std::vector<api::FieldError>& errors, const std::string& message) {
  const std::string text = errors.empty() ? message : api::JoinFieldErrors(errors);
  if (code != 403) {
    return Plain(code, "", fmt::format("{} \"{}\" cannot be read: {}", kind.kind, name, text));
  }
  ApiError error = ForbiddenError(kind, name, text);
  error.causes = CausesOf(errors);
  return error;
}

ApiError PolicyError(const api::KindInfo& kind, std::string_view name, int code, std::string reason,
                     const std::string& message) {
  ApiError error = ForbiddenError(kind, name, message);
  error.code = code;
  error.reason = std::move(reason);
  error.causes.push_back({"", "", message});
  return error;
}

ApiError InvalidOptionsError(std::string_view options_kind,
                             const std::vector<api::FieldError>& errors) {
  ApiError error = Plain(422, "Invalid", fmt::format("{} are invalid: {}", options_kind,
                                                     api::JoinFieldErrors(errors)));
  error.has_details = true;
  error.group = "meta.k8s.io";
  error.kind = options_kind;
  error.causes = CausesOf(errors);
  return error;
}

ApiError BadRequestError(std::string message) {
  return Plain(400, "BadRequest", std::move(message));
}

ApiError UnauthorizedError(std::string message) {
  return Plain(401, "Unauthorized", std::move(message));
}

ApiError NoSuchPathError() {
  ApiError error = Plain(404, "NotFound", "the server has no such resource");
  error.has_details = true;
  return error;
}

ApiError MethodNotAllowedError() {
  ApiError error =
      Plain(405, "MethodNotAllowed", "the server does not allow this method on that resource");
  error.has_details = true;
  return error;
}

ApiError NotAcceptableError() {
  return Plain(406, "NotAcceptable",
               "none of the accepted media types is served here: application/json, "
               "application/yaml, and as=Table or as=PartialObjectMetadata of meta.k8s.io");
}

ApiError UnsupportedMediaTypeError(std::string message) {
  return Plain(415, "UnsupportedMediaType", std::move(message));
}

ApiError ExpiredError(std::string message) { return Plain(410, "Expired", std::move(message)); }

ApiError VersionTooLargeError(uint64_t asked, uint64_t current) {
  ApiError error = Plain(504, "Timeout", fmt::format("resource version {} is newer than {}, the "
                                                     "newest there is", asked, current));
  error.has_details = true;
  error.causes.push_back({"ResourceVersionTooLarge", "", "too large resource version"});
  error.retry_after_seconds = 1;
  return error;
}

ApiError InsufficientStorageError(std::string message) {
  ApiError error = Plain(507, "InsufficientStorage", std::move(message));
  error.retry_after_seconds = 1;
  return error;
}

ApiError TooLargeError(std::string message) {
  return Plain(413, "RequestEntityTooLarge", "Request entity too large: " + message);
}

ApiError PendingError() {
  ApiError error = Plain(503, "ServiceUnavailable", "waits for webhooks");
  error.pending = true;
  return error;
}

ApiError InternalErrorWithCause(const std::string& message) {
  ApiError error = Plain(500, "InternalError", "Internal error occurred: " + message);
  error.has_details = true;
  error.causes.push_back({"", "", message});
  return error;
}

ApiError InternalError(std::string message) { return Plain(500, "", std::move(message)); }

}  // namespace kueue::apiserver
