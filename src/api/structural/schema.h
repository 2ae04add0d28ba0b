#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/types/json.h"

// The schema of a custom resource's version as CustomResourceDefinitions carry it
// (openAPIV3Schema): read once, then used for defaults, pruning, validation and rules.
namespace kueue::api::structural {

// A regular expression, compiled once. Matches somewhere in the text unless it is anchored.
class Pattern {
 public:
  explicit Pattern(const std::string& text);
  // Of what cannot be compiled: why, and nothing matches.
  const std::string& problem() const { return problem_; }
  bool Matches(std::string_view text) const;

 private:
  std::shared_ptr<const void> compiled_;
  std::string problem_;
};

// x-kubernetes-validations
struct Rule {
  std::string rule, message, message_expression, reason, field_path;
  std::optional<bool> optional_old_self;
};

struct Property;

// Nothing about `description` and the like: they decide nothing.
struct Schema {
  std::string type;    // "" if none is given
  std::string format;  // "" too if Kubernetes knows no such format for the type
  std::string pattern, list_type, map_type;
  std::optional<Pattern> compiled_pattern;
  bool nullable = false, int_or_string = false, preserve_unknown = false, embedded = false;
  bool exclusive_maximum = false, exclusive_minimum = false;
  std::optional<double> maximum, minimum, multiple_of;
  std::optional<int64_t> max_length, min_length, max_items, min_items, max_properties,
      min_properties;
  std::vector<Json> enum_values;
  std::optional<Json> default_value;  // never null
  std::vector<std::string> required, list_map_keys;
  std::vector<Property> properties;  // by name
  std::unique_ptr<Schema> items, additional_properties, negated;
  bool has_additional_properties = false;      // true, or a schema
  bool forbids_additional_properties = false;  // false
  std::vector<Schema> all_of, any_of, one_of;
  std::vector<Rule> rules;

  Schema();
  ~Schema();
  Schema(Schema&&) noexcept;
  Schema& operator=(Schema&&) noexcept;

  const Schema* FindProperty(std::string_view name) const;
  // The schema of a member: its property's, else that of additionalProperties, else null.
  const Schema* MemberSchema(std::string_view name) const;
};

struct Property {
  std::string name;
  Schema schema;
};

// Reads JSONSchemaProps. What is of a wrong type is as if absent: the API server has seen to it.
Schema ReadSchema(const Json& json);

// Whether Kubernetes checks texts (type "" and "string") or numbers against this format.
bool IsKnownFormat(std::string_view type, std::string_view format);

}  // namespace kueue::api::structural
