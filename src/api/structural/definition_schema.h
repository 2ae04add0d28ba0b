#pragma once

#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/types/json.h"

// What an openAPIV3Schema of a definition must be like. All take the schema as JSON and the path it
// stands at, and use the real API server's words.
namespace kueue::api::structural {

struct SchemaCheckOptions {
  // Of an update: rules whose cost is not looked at again, because the schema did not change.
  bool forgive_rule_cost = false;
  bool status_subresource = false;
};

// Everything: structure, defaults, extensions, rules and what they may cost.
std::vector<FieldError> CheckDefinitionSchema(const Json& schema, const std::string& path,
                                              const SchemaCheckOptions& options);

// ---- parts

// Whether the schema is structural: types everywhere, logic only about values.
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
std::vector<FieldError> CheckStructure(const Json& schema, const std::string& path);
// Whether defaults are what their schemas say. REQUIRES: CheckStructure finds nothing.
std::vector<FieldError> CheckDefaults(const Json& schema, const std::string& path);
// Formats that nobody will check, in the order they stand in the schema.
std::vector<std::string> UnknownFormats(const Json& schema);

}  // namespace kueue::api::structural
