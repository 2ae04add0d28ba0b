#include "base/error.h"

namespace kueue::base {

const char* CodeName(Code code) {
  switch (code) {
    case Code::kNotFound:
      return "NotFound";
    case Code::kAlreadyExists:
      return "AlreadyExists";
    case Code::kConflict:
      return "Conflict";
    case Code::kGone:
      return "Gone";
    case Code::kInvalid:
      return "Invalid";
    case Code::kBadRequest:
      return "BadRequest";
    case Code::kForbidden:
      return "Forbidden";
    case Code::kUnauthorized:
      return "Unauthorized";
    case Code::kMethodNotAllowed:
      return "MethodNotAllowed";
    case Code::kNotAcceptable:
      return "NotAcceptable";
    case Code::kUnsupportedMediaType:
      return "UnsupportedMediaType";
    case Code::kTooLarge:
      return "TooLarge";
    case Code::kTooManyRequests:
      return "TooManyRequests";
    case Code::kUnavailable:
      return "Unavailable";
    case Code::kTimeout:
      return "Timeout";
    case Code::kInternal:
      return "Internal";
  }
  return "Internal";
}

}  // namespace kueue::base
