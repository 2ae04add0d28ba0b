#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/codec/codec.h"
#include "api/schema/kind.h"
#include "api/types/kueue_configuration.h"
#include "base/result.h"

// Reading the configuration file (spec/controllers.md §14).
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<Configuration>();

// Reads YAML or JSON of config.kueue.x-k8s.io v1beta2 or v1beta1 and fills the defaults in. Strict:
// unknown and repeated fields, wrong types and values outside of the table's bounds are errors
// (kInvalid), and so is what breaks a rule across fields (schema/configuration_rules.h); all are
// told at once, each with its path. An older file is converted; what it turns on with a switch of
// its own becomes a part that is there.
// `namespace_name`: where the manager runs, if the file does not say.
base::Result<Configuration> LoadConfiguration(std::string_view text,
                                              const std::string& namespace_name);
// Its versions, v1beta2 first. They are not among AllKinds(): nothing serves them.
const std::vector<const KindInfo*>& ConfigurationKinds();
// Without a file: the defaults.
Configuration DefaultConfiguration(const std::string& namespace_name);

}  // namespace kueue::api
