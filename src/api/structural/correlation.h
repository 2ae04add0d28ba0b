#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "api/structural/schema.h"

namespace kueue::api::structural {

// A value beside the one it replaces. Where the two are equal, what is wrong with both is forgiven
// (ratcheting): nobody can be made to repair what he does not touch.
class Correlation {
 public:
  // All must outlive the correlation; `schema` may be null: nothing below is correlated then.
  Correlation(const Json& now, const Json& before, const Schema* schema)
      : now_(&now), before_(&before), schema_(schema) {}

  // Of a member, or of an entry of a list whose entries have keys; nothing if there was none.
  std::optional<Correlation> Member(std::string_view name) const;
  std::optional<Correlation> Entry(size_t index) const;
  bool Equal() const;

  const Json& before() const { return *before_; }

 private:
  const Json* now_;
  const Json* before_;
  const Schema* schema_;
};

// The entry of `list` that has the keys of `entry`; null if there is none.
const Json* FindByKeys(const Json& list, const Json& entry, const Schema& schema);

}  // namespace kueue::api::structural
