#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/schema/kind.h"
#include "api/types/kueue.h"
#include "api/types/kueue_features.h"

// The webhooks' rules: what is put into objects when they are written, and what is refused
// (spec/api.md §2-§9, spec/jobs.md §4). Pure: the world is seen through Lookup.
namespace kueue::admission {

class Lookup {
 public:
  virtual ~Lookup() = default;
  virtual std::shared_ptr<const api::Namespace> Namespace(const std::string& name) const = 0;
  virtual std::shared_ptr<const api::LocalQueue> LocalQueue(const std::string& namespace_name,
                                                            const std::string& name) const = 0;
  virtual std::shared_ptr<const api::WorkloadPriorityClass> PriorityClass(
      const std::string& name) const = 0;
};

struct Policy {
  bool manage_jobs_without_queue_name = false;
  std::optional<api::LabelSelector> managed_jobs_namespace_selector;
  api::FeatureGates gates;
  bool simple_dialect = false;  // bodies of v1beta1 may be written in it (admission/dialect.h)
};

enum class Operation { kCreate, kUpdate };

// One write, in the stored version of its kind.
struct Review {
  const api::KindInfo* kind = nullptr;
  Operation operation = Operation::kCreate;
  std::string subresource;            // "" or "status"
  const api::Json* before = nullptr;  // null on create
};

// What the rules say. Field errors name path, value and what is allowed.
struct Ruling {
  bool readable = true;                 // false: the object cannot be read at all (400, not 403)
  std::vector<api::FieldError> errors;  // empty: the write may pass
};

// The mutating half: changes `object` in place.
Ruling Mutate(const Review& review, const Lookup& lookup, const Policy& policy, api::Json& object);
// The validating half.
Ruling Validate(const Review& review, const Lookup& lookup, const Policy& policy,
                const api::Json& object);
// Whether Mutate (or else Validate) has a say in such a write; others need no call (spec/api.md
// §1.3).
bool Concerns(const Review& review, bool mutating);

}  // namespace kueue::admission
