#pragma once

#include <string>
#include <vector>

#include "api/schema/kind.h"

// What is told about objects that are taken as they are but hardly meant so.
namespace kueue::apiserver {

// `warnings` may be null: nobody listens.
void WarnAbout(const api::KindInfo& kind, const api::Json& object,
               std::vector<std::string>* warnings);
// Owners that are named twice (by uid) are kept once, and that is told.
void WarnOfRepeatedOwners(api::Json& object, std::vector<std::string>* warnings);

}  // namespace kueue::apiserver
