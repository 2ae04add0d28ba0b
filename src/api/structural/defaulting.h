#pragma once

#include <string>
#include <vector>

#include "api/structural/schema.h"

// What the server does to an object before it looks whether it is valid.
namespace kueue::api::structural {

// Numbers without a fraction become integers, as the server's reader keeps them.
void NormalizeNumbers(Json& value);
// Takes out nulls where none is allowed and no default steps in.
void DropNulls(const Schema& schema, Json& value);
// Puts defaults where members are absent, or null although they must not be.
void FillDefaults(const Schema& schema, Json& value);
// Takes out what the schema does not know; returns the paths, sorted. The root keeps apiVersion,
// kind and metadata; so do embedded resources, whose metadata keeps what Kubernetes knows.
std::vector<std::string> Prune(const Schema& root, Json& object);
// The same for a value that is no object of its own, such as a default.
std::vector<std::string> PruneValue(const Schema& schema, Json& value);

}  // namespace kueue::api::structural
