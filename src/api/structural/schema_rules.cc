#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

#include "api/structural/definition_schema.h"
#include "api/structural/rule_cost.h"
#include "api/structural/rules.h"
#include "api/structural/schema_json.h"
#include "api/structural/value_text.h"

namespace kueue::api::structural {
namespace {

using Errors = std::vector<FieldError>;

constexpr std::array<std::string_view, 6> kTypes = {"array",  "boolean", "integer",
                                                    "number", "object",  "string"};

bool HasNewlines(std::string_view text) { return text.find_first_of("\r\n") != text.npos; }

std::string Trimmed(std::string_view text) {
  const char* blanks = " \t\n\v\f\r";
  const size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return "";
  return std::string(text.substr(from, text.find_last_not_of(blanks) - from + 1));
}

// A rule as the refusal shows it.
Json ShownRule(const Rule& rule) {
  Json shown = Json::MakeObject();
  shown.Set("Rule", rule.rule);
  shown.Set("Message", rule.message);
  shown.Set("MessageExpression", rule.message_expression);
  shown.Set("Reason", rule.reason.empty() ? Json() : Json(rule.reason));
  shown.Set("FieldPath", rule.field_path);
  shown.Set("OptionalOldSelf", rule.optional_old_self ? Json(*rule.optional_old_self) : Json());
  return shown;
}

// Members of a Go struct in the order they are declared.
std::string ShownRuleText(const Rule& rule) {
  const Json shown = ShownRule(rule);
  std::string text = "{";
  for (const Json::Member& member : shown.AsObject()) {
    if (text.size() > 1) text += ',';
    text += fmt::format("\"{}\":{}", member.key, SortedJson(member.value));
  }
  return text + "}";
}

FieldError InvalidRule(std::string path, const Rule& rule, const std::string& detail) {
  return {FieldErrorType::kInvalid, std::move(path),
          fmt::format("Invalid value: {}: {}", ShownRuleText(rule), detail)};
}

// What is known of the place a schema stands at.
struct Context {
  bool defaults_allowed = true;
  std::string defaults_reason;
  bool inside_metadata = false;
  std::string uncorrelatable;  // the list below which there is no oldSelf; "" if there is none
  bool resource = true;
  bool rules = true;                        // rules are compiled here
  std::optional<uint64_t> cardinality = 1;  // how many values there can be; nothing: no bound
};

class SchemaChecker {
 public:
  SchemaChecker(bool compile, bool forgive_cost) : compile_(compile), forgive_(forgive_cost) {}

  void Schema(const Json& s, const std::string& path, const Context& context, bool root) {
    const size_t before = schema_errors_.size();
    Standard(s, path, context);
    if (TrueAt(s, "uniqueItems")) {
      Add(Forbidden(ChildPath(path, "uniqueItems"),
                    "uniqueItems cannot be set to true since the runtime complexity becomes "
                    "quadratic"));
    }
    Additional(s, path, context);
    Properties(s, path, context, root);
    Logic(s, path, context);
    if (const Json* items = ObjectAt(s, "items")) {
      Context inner = Below(s, context);
      if (TextAt(s, "x-kubernetes-list-type") != "map" && inner.uncorrelatable.empty()) {
        inner.uncorrelatable = path;
      }
      inner.resource = TrueAt(*items, "x-kubernetes-embedded-resource");
      Schema(*items, ChildPath(path, "items"), inner, false);
    }
    if (Has(s, "x-kubernetes-preserve-unknown-fields") &&
        !TrueAt(s, "x-kubernetes-preserve-unknown-fields")) {
      Add(Invalid(ChildPath(path, "x-kubernetes-preserve-unknown-fields"), false,
                  "must be true or undefined"));
    }
    MapType(s, path);
    ListType(s, path);
    ListKeys(s, path);
    KeysAreThere(s, path);
    Rules(s, path, context, schema_errors_.size() == before);
  }

  Errors Take() {
    Errors errors = std::move(schema_errors_);
    errors.insert(errors.end(), rule_errors_.begin(), rule_errors_.end());
    return errors;
  }
  const TotalCost& total() const { return total_; }

 private:
  void Add(FieldError error) { schema_errors_.push_back(std::move(error)); }

  static Context Below(const Json& s, Context context) {
    context.cardinality = CardinalityBelow(s, context.cardinality);
    return context;
  }

  void Standard(const Json& s, const std::string& path, const Context& context) {
    const std::string type = TextAt(s, "type");
    if (!type.empty() && std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
      Add(NotSupported(ChildPath(path, "type"), Json(type), {kTypes.begin(), kTypes.end()}));
    }
    if (Has(s, "default") && !context.defaults_allowed) {
      Add(Forbidden(ChildPath(path, "default"), "must not be set " + context.defaults_reason));
    }
    const auto unsupported = [&](const char* name, bool set) {
      if (set) Add(Forbidden(ChildPath(path, name), fmt::format("{} is not supported", name)));
    };
    unsupported("id", !TextAt(s, "id").empty());
    unsupported("additionalItems", Has(s, "additionalItems"));
    unsupported("patternProperties", !MembersAt(s, "patternProperties").empty());
    unsupported("definitions", !MembersAt(s, "definitions").empty());
    unsupported("dependencies", Has(s, "dependencies"));
    unsupported("$ref", Has(s, "$ref"));
    if (type == "null") {
      Add(Forbidden(ChildPath(path, "type"),
                    "type cannot be set to null, use nullable as an alternative"));
    }
    if (!ListAt(s, "items").empty()) {
      Add(Forbidden(ChildPath(path, "items"), "items must be a schema object and not an array"));
    }
    if (context.inside_metadata && TrueAt(s, "x-kubernetes-embedded-resource")) {
      Add(Forbidden(ChildPath(path, "x-kubernetes-embedded-resource"),
                    "must not be used inside of resource meta"));
    }
  }

  void Additional(const Json& s, const std::string& path, const Context& context) {
    if (!Has(s, "additionalProperties")) return;
    const Json* inner = ObjectAt(s, "additionalProperties");
    const std::string at = ChildPath(path, "additionalProperties");
    if (!MembersAt(s, "properties").empty() &&
        (inner != nullptr || !TrueAt(s, "additionalProperties"))) {
      Add(Forbidden(at, "additionalProperties and properties are mutual exclusive"));
    }
    if (inner == nullptr) return;
    Context below = Below(s, context);
    if (context.inside_metadata) {
      below.defaults_allowed = false;
      below.defaults_reason = "inside additionalProperties applying to object metadata";
    }
    below.resource = TrueAt(*inner, "x-kubernetes-embedded-resource");
    Schema(*inner, at, below, false);
  }

  void Properties(const Json& s, const std::string& path, const Context& context, bool root) {
    const bool resource = root || TrueAt(s, "x-kubernetes-embedded-resource");
    for (const Json::Member& property : MembersAt(s, "properties")) {
      Context below = Below(s, context);
      const std::string& name = property.key;
      if (resource && (name == "metadata" || name == "kind" || name == "apiVersion")) {
        below.inside_metadata = true;
        if (root) {
          below.defaults_allowed = false;
          below.defaults_reason = "in top-level " + name;
        }
      }
      below.resource = TrueAt(property.value, "x-kubernetes-embedded-resource");
      Schema(property.value, KeyPath(ChildPath(path, "properties"), name), below, false);
    }
  }

  void Logic(const Json& s, const std::string& path, const Context& context) {
    Context below = context;
    below.rules = false;
    if (const Json* negated = ObjectAt(s, "not")) {
      Schema(*negated, ChildPath(path, "not"), below, false);
    }
    for (const char* name : {"allOf", "oneOf", "anyOf"}) {
      size_t index = 0;
      for (const Json& part : ListAt(s, name)) {
        Schema(part, IndexPath(ChildPath(path, name), index++), below, false);
      }
    }
  }

  // Of a type that an extension needs.
  void NeedsType(const Json& s, const std::string& path, const char* type, const char* extension) {
    const std::string found = TextAt(s, "type");
    if (found == type) return;
    const std::string detail = fmt::format("must be {} if {} is specified", type, extension);
    const std::string at = ChildPath(path, "type");
    Add(found.empty() ? Required(at, detail) : Invalid(at, Json(found), detail));
  }

  void MapType(const Json& s, const std::string& path) {
    if (!Has(s, "x-kubernetes-map-type")) return;
    NeedsType(s, path, "object", "x-kubernetes-map-type");
    const std::string type = TextAt(s, "x-kubernetes-map-type");
    if (type == "atomic" || type == "granular") return;
    Add(NotSupported(ChildPath(path, "x-kubernetes-map-type"), Json(type), {"atomic", "granular"}));
  }

  void ListType(const Json& s, const std::string& path) {
    if (!Has(s, "x-kubernetes-list-type")) return;
    const std::string type = TextAt(s, "x-kubernetes-list-type");
    const Json* items = ObjectAt(s, "items");
    if (TextAt(s, "type") != "array") {
      NeedsType(s, path, "array", "x-kubernetes-list-type");
    } else if (type == "set" && items != nullptr) {
      const std::string item_type = TextAt(*items, "type");
      const std::string list = TextAt(*items, "x-kubernetes-list-type");
      const char* detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
      const Json shown = list.empty() ? Json() : Json(list);
      if (item_type == "array" && !list.empty() && list != "atomic") {
        Add(Invalid(ChildPath(path, "items.x-kubernetes-list-type"), shown, detail));
      } else if (item_type == "object" && TextAt(*items, "x-kubernetes-map-type") != "atomic") {
        Add(Invalid(ChildPath(path, "items.x-kubernetes-map-type"), shown, detail));
      }
    }
    if (type == "atomic" || type == "set" || type == "map") return;
    Add(NotSupported(ChildPath(path, "x-kubernetes-list-type"), Json(type),
                     {"atomic", "set", "map"}));
  }

  void ListKeys(const Json& s, const std::string& path) {
    const Json::Array& keys = ListAt(s, "x-kubernetes-list-map-keys");
    const std::string type = TextAt(s, "x-kubernetes-list-type");
    const std::string type_at = ChildPath(path, "x-kubernetes-list-type");
    if (!keys.empty() && type != "map") {
      const char* detail = "must be map if x-kubernetes-list-map-keys is non-empty";
      Add(Has(s, "x-kubernetes-list-type") ? Invalid(type_at, Json(type), detail)
                                           : Required(type_at, detail));
    }
    if (type != "map") return;
    const std::string keys_at = ChildPath(path, "x-kubernetes-list-map-keys");
    if (keys.empty()) {
      Add(Required(keys_at, "must not be empty if x-kubernetes-list-type is map"));
    }
    const Json* items = ObjectAt(s, "items");
    const std::string items_at = ChildPath(path, "items");
    if (items == nullptr) {
      if (!Has(s, "items")) {
        Add(Required(items_at, "must have a schema if x-kubernetes-list-type is map"));
      }
      return;
    }
    if (TextAt(*items, "type") != "object") {
      Add(Invalid(ChildPath(items_at, "type"), Json(TextAt(*items, "type")),
                  "must be object if parent array's x-kubernetes-list-type is map"));
      return;
    }
    std::set<std::string> seen;
    for (const Json& key : keys) {
      if (!key.IsString()) continue;
      const Json* property = items->FindPath({"properties", key.AsString()});
      if (property == nullptr) {
        Add(Invalid(keys_at, Json(keys), "entries must all be names of item properties"));
      } else if (const std::string t = TextAt(*property, "type"); t == "array" || t == "object") {
        Add(Invalid(ChildPath(KeyPath(ChildPath(items_at, "properties"), key.AsString()), "type"),
                    Json("object"),
                    "must be a scalar type if parent array's x-kubernetes-list-type is map"));
      }
      if (!seen.insert(key.AsString()).second) {
        Add(Invalid(keys_at, Json(keys), "must not contain duplicate entries"));
      }
    }
  }

  void KeysAreThere(const Json& s, const std::string& path) {
    const std::string type = TextAt(s, "x-kubernetes-list-type");
    const Json* items = ObjectAt(s, "items");
    if (items == nullptr || (type != "set" && type != "map")) return;
    const std::string at = ChildPath(path, "items");
    if (TrueAt(*items, "nullable")) {
      Add(Forbidden(ChildPath(at, "nullable"),
                    "cannot be nullable when x-kubernetes-list-type is " + type));
    }
    if (type != "map") return;
    const Json::Array& required = ListAt(*items, "required");
    for (const Json& key : ListAt(s, "x-kubernetes-list-map-keys")) {
      if (!key.IsString()) continue;
      const Json* property = items->FindPath({"properties", key.AsString()});
      if (property == nullptr) continue;
      const std::string in = KeyPath(ChildPath(at, "properties"), key.AsString());
      if (std::find(required.begin(), required.end(), key) == required.end() &&
          !Has(*property, "default")) {
        Add(Required(ChildPath(in, "default"),
                     "this property is in x-kubernetes-list-map-keys, so it must have a default "
                     "or be a required property"));
      }
      if (TrueAt(*property, "nullable")) {
        Add(Forbidden(ChildPath(in, "nullable"),
                      "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
      }
    }
  }

  void RuleTexts(const Rule& rule, const structural::Schema& schema, const std::string& at) {
    const std::string text = Trimmed(rule.rule), message = Trimmed(rule.message);
    if (text.empty()) {
      Add(Required(ChildPath(at, "rule"), "rule is not specified"));
    } else if (!rule.message.empty() && message.empty()) {
      Add(Invalid(ChildPath(at, "message"), Json(rule.message), "must be non-empty if specified"));
    } else if (HasNewlines(message)) {
      Add(Invalid(ChildPath(at, "message"), Json(rule.message), "must not contain line breaks"));
    } else if (HasNewlines(text) && message.empty()) {
      Add(Required(ChildPath(at, "message"),
                   "message must be specified if rule contains line breaks"));
    }
    if (!rule.message_expression.empty() && Trimmed(rule.message_expression).empty()) {
      Add(Required(ChildPath(at, "messageExpression"),
                   "messageExpression must be non-empty if specified"));
    }
    const std::vector<std::string> reasons = {"FieldValueDuplicate", "FieldValueForbidden",
                                              "FieldValueInvalid", "FieldValueRequired"};
    if (!rule.reason.empty() &&
        std::find(reasons.begin(), reasons.end(), rule.reason) == reasons.end()) {
      Add(NotSupported(ChildPath(at, "reason"), Json(rule.reason), reasons));
    }
    const std::string& field = rule.field_path;
    const std::string field_at = ChildPath(at, "fieldPath");
    if (field.empty()) return;
    if (Trimmed(field).empty()) {
      Add(Invalid(field_at, Json(field), "must be non-empty if specified"));
    }
    if (HasNewlines(field)) {
      Add(Invalid(field_at, Json(field), "must not contain line breaks"));
    }
    std::string problem;
    if (!FindField(schema, field, true, problem)) {
      Add(Invalid(field_at, Json(field), "must be a valid path"));
    }
  }

  void Rules(const Json& s, const std::string& path, const Context& context, bool clean) {
    if (ListAt(s, "x-kubernetes-validations").empty()) return;
    const structural::Schema schema = ReadSchema(s);
    const std::string at = ChildPath(path, "x-kubernetes-validations");
    const size_t before = schema_errors_.size();
    for (size_t i = 0; i < schema.rules.size(); ++i) {
      RuleTexts(schema.rules[i], schema, IndexPath(at, i));
    }
    if (!clean || schema_errors_.size() != before || !context.rules || !compile_) return;
    const cel::TypeRef self = ExpressionType(schema, context.resource);
    if (self == nullptr) return;
    const ValueSize size = SizeOf(schema, context.resource);
    for (size_t i = 0; i < schema.rules.size(); ++i) {
      Compiled(schema.rules[i], CompileRule(schema.rules[i], self), size, IndexPath(at, i),
               context);
    }
  }

  void Compiled(const Rule& rule, const CompiledRule& compiled, const ValueSize& size,
                const std::string& at, const Context& context) {
    const auto add = [&](FieldError error) { rule_errors_.push_back(std::move(error)); };
    const std::string rule_at = ChildPath(at, "rule");
    if (compiled.program) {
      const uint64_t cost =
          TimesSaturated(EstimateCost(*compiled.program, size),
                         context.cardinality ? *context.cardinality : MostValues(size));
      if (!forgive_ && cost > kRuleCostLimit) {
        add(Forbidden(rule_at, TooExpensive("estimated rule cost", cost, kRuleCostLimit)));
      }
      total_.Add(rule_at, cost);
    }
    if (!compiled.error.empty()) add(InvalidRule(rule_at, rule, compiled.error));
    const std::string message_at = ChildPath(at, "messageExpression");
    if (!compiled.message_error.empty()) {
      add(InvalidRule(message_at, rule, compiled.message_error));
    } else if (compiled.message) {
      const uint64_t cost = EstimateCost(*compiled.message, size);
      if (!forgive_ && cost > kRuleCostLimit) {
        add(Forbidden(message_at,
                      TooExpensive("estimated messageExpression cost", cost, kRuleCostLimit)));
      }
      total_.Add(message_at, cost);
    }
    if (compiled.uses_old_self) {
      if (context.uncorrelatable.empty()) return;
      add(Invalid(rule_at, Json(rule.rule),
                  "oldSelf cannot be used on the uncorrelatable portion of the schema within " +
                      context.uncorrelatable));
    } else if (rule.optional_old_self && compiled.error.empty()) {
      add(Invalid(ChildPath(at, "optionalOldSelf"), Json(*rule.optional_old_self),
                  "may not be set if oldSelf is not used in rule"));
    }
  }

  const bool compile_, forgive_;
  Errors schema_errors_, rule_errors_;
  TotalCost total_;
};

constexpr std::array<std::string_view, 20> kRootMembers = {
    "description",      "type",     "format",           "title",        "maximum",
    "exclusiveMaximum", "minimum",  "exclusiveMinimum", "maxLength",    "minLength",
    "pattern",          "maxItems", "minItems",         "uniqueItems",  "multipleOf",
    "required",         "items",    "properties",       "externalDocs", "example"};

void CheckRootWithStatus(const Json& schema, const std::string& path, Errors& errors) {
  const std::string type = TextAt(schema, "type");
  if (!type.empty() && type != "object") {
    errors.push_back(Invalid(ChildPath(path, "type"), Json(type),
                             "only \"object\" is allowed as the type at the root of the schema "
                             "if the status subresource is enabled"));
    return;
  }
  for (const Json::Member& member : schema.AsObject()) {
    const bool allowed =
        std::find(kRootMembers.begin(), kRootMembers.end(), member.key) != kRootMembers.end() ||
        member.key == "x-kubernetes-preserve-unknown-fields" ||
        member.key == "x-kubernetes-validations" || member.value.IsNull();
    if (allowed) continue;
    errors.push_back(InvalidWithoutValue(
        path,
        "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum "
        "MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items "
        "Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed "
        "at the root of the schema if the status subresource is enabled"));
    return;
  }
}

}  // namespace

Errors CheckDefinitionSchema(const Json& schema, const std::string& path,
                             const SchemaCheckOptions& options) {
  Errors errors;
  if (!schema.IsObject()) return errors;
  if (options.status_subresource) CheckRootWithStatus(schema, path, errors);
  if (TrueAt(schema, "nullable")) {
    errors.push_back(Forbidden(ChildPath(path, "nullable"), "nullable cannot be true at the root"));
  }
  Errors structure = CheckStructure(schema, path);
  if (structure.empty()) structure = CheckDefaults(schema, path);
  const bool compile = structure.empty();
  errors.insert(errors.end(), structure.begin(), structure.end());
  SchemaChecker checker(compile, options.forgive_rule_cost);
  checker.Schema(schema, path, Context(), true);
  const Errors found = checker.Take();
  errors.insert(errors.end(), found.begin(), found.end());
  if (errors.empty() && !TextAt(schema, "$schema").empty()) {
    errors.push_back(Invalid(path, Json(""), "OpenAPIV3Schema 'schema' is not supported"));
  }
  const TotalCost& total = checker.total();
  if (total.total > kSchemaCostLimit) {
    for (const TotalCost::Part& part : total.most_expensive) {
      errors.push_back(Forbidden(part.path,
                                 "contributed to estimated rule cost total exceeding cost limit "
                                 "for entire OpenAPIv3 schema"));
    }
    errors.push_back(Forbidden(
        path, TooExpensive("x-kubernetes-validations estimated rule cost total for entire "
                           "OpenAPIv3 schema",
                           total.total, kSchemaCostLimit)));
  }
  return errors;
}

}  // namespace kueue::api::structural
