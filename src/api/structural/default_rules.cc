#include "api/structural/defaulting.h"
#include "api/structural/definition_schema.h"
#include "api/structural/rules.h"
#include "api/structural/schema_json.h"
#include "api/structural/validation.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

class DefaultChecker {
 public:
  explicit DefaultChecker(std::vector<FieldError>& errors) : errors_(errors) {}

  void Schema(const structural::Schema& schema, const std::string& path, bool root) {
    if (schema.default_value) Default(schema, ChildPath(path, "default"), root);
    if (schema.items != nullptr) Schema(*schema.items, ChildPath(path, "items"), false);
    for (const Property& property : schema.properties) {
      Schema(property.schema, KeyPath(ChildPath(path, "properties"), property.name), false);
    }
    if (schema.additional_properties != nullptr) {
      Schema(*schema.additional_properties, ChildPath(path, "additionalProperties"), false);
    }
  }

 private:
  void Default(const structural::Schema& schema, const std::string& path, bool root) {
    const Json& value = *schema.default_value;
    Json pruned = value;
    if (!PruneValue(schema, pruned).empty()) {
      errors_.push_back(Invalid(path, value, "must not have unknown fields"));
    }
    auto found = CheckEmbedded(schema, value, path);
    if (found.empty()) found = CheckValue(schema, value, path);
    if (found.empty()) {
      const auto rules = RuleSet::Of(schema, root);
      if (rules != nullptr) {
        found = rules->Check(value, &value, nullptr, path).errors;
        if (found.empty()) found = rules->Check(value, nullptr, nullptr, path).errors;
      }
    }
    errors_.insert(errors_.end(), found.begin(), found.end());
  }

  std::vector<FieldError>& errors_;
};

void CollectFormats(const Json& schema, std::vector<std::string>& formats) {
  const std::string format = TextAt(schema, "format");
  if (!format.empty() && !IsKnownFormat(TextAt(schema, "type"), format)) {
    formats.push_back(format);
  }
  for (const char* name : {"items", "additionalProperties", "not"}) {
    if (const Json* inner = ObjectAt(schema, name)) CollectFormats(*inner, formats);
  }
  for (const char* name : {"allOf", "anyOf", "oneOf"}) {
    for (const Json& part : ListAt(schema, name)) CollectFormats(part, formats);
  }
  for (const Json::Member& property : MembersAt(schema, "properties")) {
    CollectFormats(property.value, formats);
  }
}

}  // namespace

std::vector<FieldError> CheckDefaults(const Json& schema, const std::string& path) {
  std::vector<FieldError> errors;
  const Schema read = ReadSchema(schema);
  DefaultChecker(errors).Schema(read, path, true);
  return errors;
}

std::vector<std::string> UnknownFormats(const Json& schema) {
  std::vector<std::string> formats;
  CollectFormats(schema, formats);
  return formats;
}

}  // namespace kueue::api::structural
