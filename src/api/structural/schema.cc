#include "api/structural/schema.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

constexpr std::array<std::string_view, 23> kTextFormats = {
    "bsonobjectid", "uri",    "email",    "hostname",   "ipv4",    "ipv6",
    "cidr",         "mac",    "uuid",     "uuid3",      "uuid4",   "uuid5",
    "isbn",         "isbn10", "isbn13",   "creditcard", "ssn",     "hexcolor",
    "rgbcolor",     "byte",   "password", "date",       "duration"};

std::string TextOf(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  return value != nullptr && value->IsString() ? value->AsString() : std::string();
}
bool True(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  return value != nullptr && value->IsBool() && value->AsBool();
}
std::optional<int64_t> Int(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  if (value == nullptr || !value->IsInt()) return std::nullopt;
  return value->AsInt();
}
std::optional<double> Number(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  if (value == nullptr || !value->IsNumber()) return std::nullopt;
  return DoubleOf(*value);
}
std::vector<std::string> Texts(const Json& json, std::string_view member) {
  std::vector<std::string> texts;
  const Json* list = json.Find(member);
  if (list == nullptr || !list->IsArray()) return texts;
  for (const Json& item : list->AsArray()) {
    if (item.IsString()) texts.push_back(item.AsString());
  }
  return texts;
}
std::vector<Schema> Schemas(const Json& json, std::string_view member) {
  std::vector<Schema> schemas;
  const Json* list = json.Find(member);
  if (list == nullptr || !list->IsArray()) return schemas;
  for (const Json& item : list->AsArray()) schemas.push_back(ReadSchema(item));
  return schemas;
}
std::unique_ptr<Schema> Child(const Json& json, std::string_view member) {
  const Json* value = json.Find(member);
  if (value == nullptr || !value->IsObject()) return nullptr;
  return std::make_unique<Schema>(ReadSchema(*value));
}

std::vector<Rule> Rules(const Json& json) {
  std::vector<Rule> rules;
  const Json* list = json.Find("x-kubernetes-validations");
  if (list == nullptr || !list->IsArray()) return rules;
  for (const Json& item : list->AsArray()) {
    Rule rule;
    rule.rule = TextOf(item, "rule");
    rule.message = TextOf(item, "message");
    rule.message_expression = TextOf(item, "messageExpression");
    rule.reason = TextOf(item, "reason");
    rule.field_path = TextOf(item, "fieldPath");
    const Json* optional = item.Find("optionalOldSelf");
    if (optional != nullptr && optional->IsBool()) rule.optional_old_self = optional->AsBool();
    rules.push_back(std::move(rule));
  }
  return rules;
}

void ReadBounds(const Json& json, Schema& schema) {
  schema.maximum = Number(json, "maximum");
  schema.minimum = Number(json, "minimum");
  schema.multiple_of = Number(json, "multipleOf");
  schema.exclusive_maximum = True(json, "exclusiveMaximum");
  schema.exclusive_minimum = True(json, "exclusiveMinimum");
  schema.max_length = Int(json, "maxLength");
  schema.min_length = Int(json, "minLength");
  schema.max_items = Int(json, "maxItems");
  schema.min_items = Int(json, "minItems");
  schema.max_properties = Int(json, "maxProperties");
  schema.min_properties = Int(json, "minProperties");
}

// As Go's regexp, which Kubernetes uses, words it.
std::string GoProblem(const std::string& problem, const std::string& text) {
  const size_t colon = problem.find(": ");
  const std::string what = problem.substr(0, colon);
  std::string where = colon == std::string::npos ? text : problem.substr(colon + 2);
  std::string words = what;
  if (what == "missing )") {
    words = "missing closing )";
    where = text;
  }
  if (what == "missing ]") words = "missing closing ]";
  if (what == "no argument for repetition operator")
    words = "missing argument to repetition operator";
  if (what == "bad repetition operator") words = "invalid nested repetition operator";
  if (what == "invalid repetition size") words = "invalid repeat count";
  return words + ": `" + where + "`";
}

}  // namespace

Pattern::Pattern(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_shared<RE2>(text, options);
  if (!compiled->ok()) {
    problem_ = GoProblem(compiled->error(), text);
  } else {
    compiled_ = std::move(compiled);
  }
}

bool Pattern::Matches(std::string_view text) const {
  if (compiled_ == nullptr) return false;
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()),
                           *static_cast<const RE2*>(compiled_.get()));
}

Schema::Schema() = default;
Schema::~Schema() = default;
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;

const Schema* Schema::FindProperty(std::string_view name) const {
  const auto at =
      std::lower_bound(properties.begin(), properties.end(), name,
                       [](const Property& p, std::string_view n) { return p.name < n; });
  return at != properties.end() && at->name == name ? &at->schema : nullptr;
}

const Schema* Schema::MemberSchema(std::string_view name) const {
  const Schema* property = FindProperty(name);
  return property != nullptr ? property : additional_properties.get();
}

bool IsKnownFormat(std::string_view type, std::string_view format) {
  if (type == "integer") return format == "int32" || format == "int64";
  if (type == "number") return format == "float" || format == "double";
  if (!type.empty() && type != "string") return false;
  std::string plain(format);
  plain.erase(std::remove(plain.begin(), plain.end(), '-'), plain.end());
  return plain == "datetime" || plain == "k8sshortname" || plain == "k8slongname" ||
         std::find(kTextFormats.begin(), kTextFormats.end(), plain) != kTextFormats.end();
}

Schema ReadSchema(const Json& json) {
  Schema schema;
  schema.type = TextOf(json, "type");
  schema.int_or_string = True(json, "x-kubernetes-int-or-string");
  schema.format = TextOf(json, "format");
  // Two types are none that a format could belong to.
  if (schema.int_or_string || !IsKnownFormat(schema.type, schema.format)) schema.format.clear();
  schema.pattern = TextOf(json, "pattern");
  if (!schema.pattern.empty()) schema.compiled_pattern.emplace(schema.pattern);
  schema.list_type = TextOf(json, "x-kubernetes-list-type");
  schema.map_type = TextOf(json, "x-kubernetes-map-type");
  schema.nullable = True(json, "nullable");
  schema.preserve_unknown = True(json, "x-kubernetes-preserve-unknown-fields");
  schema.embedded = True(json, "x-kubernetes-embedded-resource");
  ReadBounds(json, schema);
  if (const Json* values = json.Find("enum"); values != nullptr && values->IsArray()) {
    schema.enum_values = values->AsArray();
  }
  if (const Json* value = json.Find("default"); value != nullptr && !value->IsNull()) {
    schema.default_value = *value;
  }
  schema.required = Texts(json, "required");
  schema.list_map_keys = Texts(json, "x-kubernetes-list-map-keys");
  if (const Json* properties = json.Find("properties");
      properties != nullptr && properties->IsObject()) {
    for (const Json::Member& member : properties->AsObject()) {
      schema.properties.push_back({member.key, ReadSchema(member.value)});
    }
    std::sort(schema.properties.begin(), schema.properties.end(),
              [](const Property& a, const Property& b) { return a.name < b.name; });
  }
  schema.items = Child(json, "items");
  schema.negated = Child(json, "not");
  schema.additional_properties = Child(json, "additionalProperties");
  const Json* additional = json.Find("additionalProperties");
  schema.has_additional_properties =
      schema.additional_properties != nullptr || True(json, "additionalProperties");
  schema.forbids_additional_properties =
      additional != nullptr && additional->IsBool() && !additional->AsBool();
  schema.all_of = Schemas(json, "allOf");
  schema.any_of = Schemas(json, "anyOf");
  schema.one_of = Schemas(json, "oneOf");
  schema.rules = Rules(json);
  return schema;
}

}  // namespace kueue::api::structural
