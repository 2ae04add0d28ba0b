#pragma once

#include <algorithm>

#include "api/types/names.h"
#include "runtime/intents.h"

// The finalizer that keeps an object while others use it.
namespace kueue::controllers {

inline bool HasFinalizer(const api::ObjectMeta& meta) {
  return std::find(meta.finalizers.begin(), meta.finalizers.end(),
                   api::names::kResourceInUseFinalizer) != meta.finalizers.end();
}

// The change of finalizers that the object's life asks for: there while it lives, gone once it is
// being deleted and unused. Nothing to do gives no write.
template <class T>
std::optional<runtime::Write> KeepFinalizer(const T& object, bool in_use) {
  T after = object;
  const bool leaving = object.metadata.deletion_timestamp.has_value();
  if (!leaving && !HasFinalizer(object.metadata)) {
    after.metadata.finalizers.push_back(api::names::kResourceInUseFinalizer);
  } else if (leaving && !in_use) {
    auto& list = after.metadata.finalizers;
    list.erase(std::remove(list.begin(), list.end(), api::names::kResourceInUseFinalizer),
               list.end());
  }
  return runtime::PatchObject(object, after);
}

}  // namespace kueue::controllers
