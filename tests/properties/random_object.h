#pragma once

#include "api/schema/kind.h"
#include "api/types/json.h"
#include "base/random.h"

// Random objects of any kind, made from its table.
namespace kueue::api::properties {

struct ObjectStyle {
  // One in so many optional members is there.
  uint64_t sparseness = 4;
  // Texts of every sort where no bound forbids them; otherwise only names.
  bool odd_texts = false;
  // Members that no table knows, where a struct would keep them.
  bool unknown_members = false;
  // Members that are null, zero or empty although they were given.
  bool zeros = false;
};

// An object of the kind whose values have the right types and keep to the table's own bounds
// (patterns and enums included). Rules that need several fields are left to chance, but for those
// without which no version can show the object: see the end of random_object.cc. The same state
// of `random` gives the same object.
Json RandomObject(const KindInfo& kind, const ObjectStyle& style, base::Random& random);

}  // namespace kueue::api::properties
