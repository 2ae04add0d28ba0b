#pragma once

#include <string>
#include <vector>

#include "api/schema/kind.h"

// OpenAPI documents. They name what clients look for before they write: which kinds there are, and
// that the server itself checks unknown fields (parameter fieldValidation). No schemas.
namespace kueue::apiserver {

std::string OpenApi2Document();
// Of one group and version; `kinds` are those of it.
std::string OpenApi3Document(const std::string& group, const std::string& version,
                             const std::vector<const api::KindInfo*>& kinds);

}  // namespace kueue::apiserver
