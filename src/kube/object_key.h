#pragma once

#include <compare>
#include <string>

#include "api/types/meta.h"

namespace kueue::kube {

// Namespace ("" for cluster-scoped kinds) and name.
struct ObjectKey {
  std::string namespace_name, name;
  std::string ToString() const {
    return namespace_name.empty() ? name : namespace_name + "/" + name;
  }
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

inline ObjectKey KeyOf(const api::ObjectMeta& meta) { return {meta.namespace_name, meta.name}; }

}  // namespace kueue::kube
