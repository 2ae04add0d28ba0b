#pragma once

#include <string>

#include "api/schema/validation_parts.h"
#include "api/types/kueue_features.h"

namespace kueue::api {

// Rules of the configuration file that need more than one field, or more than a bound
// (spec/controllers.md §14.2). `object` is a v1beta2 Configuration whose types were checked, with
// the table's defaults; `namespace_name` is where the manager runs. Each error has the path, the
// value and what is allowed.
void CheckConfiguration(const Json& object, const std::string& namespace_name, FieldErrors& errors);

// Its parts about devices, TLS and metrics, in configuration_servers.cc.
void CheckConfigurationOfServers(const Json& object, FieldErrors& errors);
void CheckDeviceClassMappings(const Json& resources, const FeatureGates& gates,
                              FieldErrors& errors);

// ---- reading: what is absent or of another type is empty

const Json& PartOf(const Json& object, std::string_view member);  // an object
std::string_view TextIn(const Json& value);
std::string InQuotes(std::string_view text);

}  // namespace kueue::api
