#include "kube/status.h"

#include <fmt/format.h>

#include "api/codec/json_text.h"

namespace kueue::kube {
namespace {

using base::Code;

struct ReasonCode {
  std::string_view reason;
  Code code;
};
constexpr ReasonCode kReasons[] = {
    {"NotFound", Code::kNotFound},
    {"AlreadyExists", Code::kAlreadyExists},
    {"Conflict", Code::kConflict},
    {"Gone", Code::kGone},
    {"Expired", Code::kGone},
    {"Invalid", Code::kInvalid},
    {"BadRequest", Code::kBadRequest},
    {"Forbidden", Code::kForbidden},
    {"Unauthorized", Code::kUnauthorized},
    {"MethodNotAllowed", Code::kMethodNotAllowed},
    {"NotAcceptable", Code::kNotAcceptable},
    {"UnsupportedMediaType", Code::kUnsupportedMediaType},
    {"RequestEntityTooLarge", Code::kTooLarge},
    {"TooManyRequests", Code::kTooManyRequests},
    {"ServiceUnavailable", Code::kUnavailable},
    {"Timeout", Code::kTimeout},
    {"ServerTimeout", Code::kTimeout},
    {"InternalError", Code::kInternal},
};

Code CodeOfHttpStatus(int status) {
  switch (status) {
    case 400: return Code::kBadRequest;
    case 401: return Code::kUnauthorized;
    case 403: return Code::kForbidden;
    case 404: return Code::kNotFound;
    case 405: return Code::kMethodNotAllowed;
    case 406: return Code::kNotAcceptable;
    case 409: return Code::kConflict;
    case 410: return Code::kGone;
    case 413: return Code::kTooLarge;
    case 415: return Code::kUnsupportedMediaType;
    case 422: return Code::kInvalid;
    case 429: return Code::kTooManyRequests;
    case 502:
    case 503: return Code::kUnavailable;
    case 408:
    case 504: return Code::kTimeout;
    default: return Code::kInternal;
  }
}

}  // namespace

Code CodeOfReason(std::string_view reason, int http_status) {
  for (const ReasonCode& entry : kReasons) {
    if (entry.reason == reason) return entry.code;
  }
  return CodeOfHttpStatus(http_status);
}

base::Error ErrorOfStatus(const api::Json& status, int http_status) {
  const api::Json* code = status.Find("code");
  if (code != nullptr && code->IsInt()) http_status = static_cast<int>(code->AsInt());
  const std::string reason = status.StringAt({"reason"});
  std::string message = status.StringAt({"message"});
  if (message.empty()) message = fmt::format("status {} {}", http_status, reason);
  return base::MakeError(CodeOfReason(reason, http_status), std::move(message));
}

base::Error ErrorOfAnswer(int http_status, std::string_view body, const std::string& what) {
  const auto json = api::ParseJson(body);
  if (json.ok() && json->StringAt({"kind"}) == "Status") return ErrorOfStatus(*json, http_status);
  constexpr size_t kQuoted = 200;
  std::string quote(body.substr(0, kQuoted));
  if (body.size() > kQuoted) quote += "...";
  return base::MakeError(
      CodeOfHttpStatus(http_status),
      fmt::format("{}: the server answered {}{}{}", what, http_status, quote.empty() ? "" : ": ",
                  quote));
}

bool StillThere(const api::Json& delete_answer) {
  if (delete_answer.StringAt({"kind"}) == "Status") return false;
  if (delete_answer.StringAt({"metadata", "deletionTimestamp"}).empty()) return false;
  const api::Json* finalizers = delete_answer.FindPath({"metadata", "finalizers"});
  if (finalizers != nullptr && finalizers->size() > 0) return true;
  const api::Json* grace = delete_answer.FindPath({"metadata", "deletionGracePeriodSeconds"});
  return grace != nullptr && grace->IsInt() && grace->AsInt() > 0;
}

}  // namespace kueue::kube
