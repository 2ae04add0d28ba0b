#include "api/schema/kind.h"
#include "api/schema/validation_parts.h"

namespace kueue::api {
namespace {

// After these a rule could not rely on the shape of what it reads.
bool BlocksRules(FieldErrorType type) {
  return type == FieldErrorType::kRequired || type == FieldErrorType::kNotSupported ||
         type == FieldErrorType::kTooLong || type == FieldErrorType::kTooMany ||
         type == FieldErrorType::kTypeInvalid;
}

void CheckCustomResource(const KindInfo& kind, const Json& object, const Json* before,
                         FieldErrors& errors) {
  CheckSchema(*kind.table, object, before, errors);
  for (const FieldError& error : errors) {
    if (!BlocksRules(error.type)) continue;
    AddInvalid(errors, "<nil>", "some rules were not looked at, because of the other mistakes");
    return;
  }
  CheckKueueRules(kind, object, before, errors);
}

FieldErrors Validate(const KindInfo& kind, const Json& object, const Json* before) {
  FieldErrors errors = TypeErrors(kind, object);
  if (!errors.empty()) return errors;
  CheckMetadata(kind, object, before != nullptr, errors);
  if (before) CheckMetadataUpdate(*before, object, errors);
  if (kind.custom_resource) {
    CheckCustomResource(kind, object, before, errors);
  } else {
    CheckBuiltInRules(kind, object, before, errors);
  }
  return errors;
}

}  // namespace

FieldErrors TypeErrors(const KindInfo& kind, const Json& object) {
  FieldErrors errors;
  if (!object.IsObject()) {
    AddError(errors, FieldErrorType::kTypeInvalid, "", "must be an object");
    return errors;
  }
  if (kind.custom_resource) {
    CheckMetadataTypes(*kind.table, object, errors);
  } else {
    CheckTypes(*kind.table, object, errors);
  }
  return errors;
}

FieldErrors UnreadableValues(const KindInfo& kind, const Json& object) {
  FieldErrors errors;
  if (kind.custom_resource) CheckTypes(*kind.table, object, errors);
  return errors;
}

FieldErrors ValidateCreate(const KindInfo& kind, const Json& object) {
  return Validate(kind, object, nullptr);
}

FieldErrors ValidateUpdate(const KindInfo& kind, const Json& before, const Json& after) {
  return Validate(kind, after, &before);
}

}  // namespace kueue::api
