#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/schema/kind.h"
#include "api/types/kueue.h"

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
};

enum class Operation { kCreate, kUpdate };

// One write of a main resource (subresources have their own rules).
struct Review {
  const api::KindInfo* kind = nullptr;
  Operation operation = Operation::kCreate;
  const api::Json* before = nullptr;  // null on create
};

// The mutating half: changes `object` in place.
void Mutate(const Review& review, const Lookup& lookup, const Policy& policy, api::Json& object);
// The validating half: field errors, empty if the write may pass.
std::vector<api::FieldError> Validate(const Review& review, const Lookup& lookup,
                                      const api::Json& object);
// Kinds that any rule here concerns; others need no call.
bool Concerns(const api::KindInfo& kind);

}  // namespace kueue::admission
