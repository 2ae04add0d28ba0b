#pragma once

#include <string_view>

#include "api/codec/descriptor.h"

// Tables of Kubernetes' own types, made from the facts (facts/facts.h): types without a C++ struct.
namespace kueue::api {

// "core.v1.PodAffinity"; null if there are no facts of that name. The table lives for the whole
// process. Safe from any thread.
const StructDescriptor* DescribedTable(std::string_view name);
// Takes over everything the facts of that name say: completes the fields that are there and adds
// those that are missing. REQUIRES: there are such facts, and what the table has agrees with them.
void CompleteFromFacts(std::string_view name, StructDescriptor& table);

}  // namespace kueue::api
