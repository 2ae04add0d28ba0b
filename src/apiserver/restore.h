#pragma once

#include <functional>

#include "apiserver/kind_registry.h"
#include "apiserver/storage/storage.h"
#include "apiserver/store.h"

namespace kueue::apiserver {

// Fills the empty store with what was kept. Definitions of custom resources come first, then
// `after_definitions` (may be null) is called, which may add the kinds they define to `kinds`; then
// all else. Objects of a version that is not stored any more are converted. Those of a kind that
// nobody serves stay where they are kept, with a warning.
void RestoreObjects(StoredState state, const KindRegistry& kinds,
                    const std::function<void()>& after_definitions, Store& store);

}  // namespace kueue::apiserver
