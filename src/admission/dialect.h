#pragma once

#include "admission/review.h"

namespace kueue::admission {

// Turns a body of v1beta1 that is written in the simple dialect into the form of `kind`, and stamps
// it (docs/using/dialect.md). `kind` is the version of the request, `before` the object as that
// version shows it, null on create. Bodies that say nothing in the dialect keep their form; a
// ClusterQueue then still gets a namespaceSelector. On update the stamp stays where it is; an
// object written through v1beta2 gets it only from a body that uses a word of the dialect.
//
// Errors name what contradicts or is unknown; `object` is then unusable. Anything malformed is left
// for the checks of the kind itself.
std::vector<api::FieldError> ReadSimpleDialect(const api::KindInfo& kind, const api::Json* before,
                                               api::Json& object);

}  // namespace kueue::admission
