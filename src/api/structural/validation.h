#pragma once

#include <string>
#include <vector>

#include "api/codec/codec.h"
#include "api/structural/correlation.h"
#include "api/structural/schema.h"

// Whether a value is what its schema says, in the words of the real API server.
namespace kueue::api::structural {

// Types, bounds, formats, required members and the logic of schemas (allOf, not ...). Paths are
// below `path`; what belongs to no single field has `path`, or "<nil>" if that is empty.
// `before` may be null; else mistakes in what did not change are let pass.
std::vector<FieldError> CheckValue(const Schema& schema, const Json& value, const std::string& path,
                                   const Correlation* before = nullptr);

// Entries of sets and keyed lists must differ.
std::vector<FieldError> CheckLists(const Schema& schema, const Json& value,
                                   const std::string& path);

// apiVersion, kind and metadata of embedded resources.
std::vector<FieldError> CheckEmbedded(const Schema& schema, const Json& value,
                                      const std::string& path);

}  // namespace kueue::api::structural
