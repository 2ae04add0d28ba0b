#pragma once

#include <string_view>

#include "apiserver/api_error.h"
#include "apiserver/store.h"

// Kinds served in several versions: one is stored, the others are shown by conversion
// (api/schema/conversion.h).
namespace kueue::apiserver {

// `stored` (not null, of StoredKind(kind)) as `kind` shows it, with the same revision. An object
// that cannot be shown so is a 500 that names it.
Outcome<StoredPtr> ShowAs(const api::KindInfo& kind, const StoredPtr& stored);
// The object as `kind` shows it; a null pointer if there is none.
Outcome<StoredPtr> ReadAs(const api::KindInfo& kind, const Store& store, std::string_view key);

}  // namespace kueue::apiserver
