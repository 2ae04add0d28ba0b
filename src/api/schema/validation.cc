#include "api/rules/rule_check.h"
#include "api/schema/defined_kind.h"
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
  CheckTableRules(*kind.table, object, before, errors);
}

FieldErrors Validate(const KindInfo& kind, const Json& object, const Json* before,
                     std::string_view subresource, std::vector<std::string>* warnings) {
  FieldErrors errors = TypeErrors(kind, object);
  if (!errors.empty()) return errors;
  CheckMetadata(kind, object, before != nullptr, errors);
  if (before) CheckMetadataUpdate(*before, object, errors);
  if (kind.definition != nullptr) {
    auto findings = kind.definition->Check(object, before, subresource == "status");
    errors.insert(errors.end(), findings.errors.begin(), findings.errors.end());
    if (warnings != nullptr) {
      warnings->insert(warnings->end(), findings.warnings.begin(), findings.warnings.end());
    }
  } else if (kind.custom_resource) {
    CheckCustomResource(kind, object, before, errors);
  } else {
    CheckBuiltInRules(kind, object, before, errors);
    if (warnings != nullptr && kind.kind == "CustomResourceDefinition") {
      for (std::string& warning : DefinitionWarnings(object, before)) {
        warnings->push_back(std::move(warning));
      }
    }
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

FieldErrors ValidateCreate(const KindInfo& kind, const Json& object,
                           std::vector<std::string>* warnings) {
  return Validate(kind, object, nullptr, {}, warnings);
}

FieldErrors ValidateUpdate(const KindInfo& kind, const Json& before, const Json& after,
                           std::string_view subresource, std::vector<std::string>* warnings) {
  return Validate(kind, after, &before, subresource, warnings);
}

}  // namespace kueue::api
