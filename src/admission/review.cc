#include "admission/review.h"

#include <algorithm>

#include "admission/job_rules.h"
#include "admission/queue_rules.h"
#include "api/types/names.h"
#include "integrations/job.h"

namespace kueue::admission {
namespace {

const integrations::Integration* IntegrationOf(const api::KindInfo& kind) {
  for (const integrations::Integration* i : integrations::AllIntegrations()) {
    if (&i->kind() == &kind) return i;
  }
  return nullptr;
}

// Created objects that others refer to are held by a finalizer until nobody does.
void AddFinalizer(api::Json& object) {
  api::Json& list = object["metadata"]["finalizers"];
  if (list.IsArray()) {
    for (const api::Json& have : list.AsArray()) {
      if (have.IsString() && have.AsString() == api::names::kResourceInUseFinalizer) return;
    }
  }
  list.Append(api::names::kResourceInUseFinalizer);
}

}  // namespace

bool Concerns(const api::KindInfo& kind) {
  return &kind == &api::KindOf<api::ClusterQueue>() ||
         &kind == &api::KindOf<api::ResourceFlavor>() || &kind == &api::KindOf<api::Cohort>() ||
         IntegrationOf(kind) != nullptr;
}

void Mutate(const Review& review, const Lookup& lookup, const Policy& policy, api::Json& object) {
  if (review.operation != Operation::kCreate) return;
  if (review.kind == &api::KindOf<api::ClusterQueue>() ||
      review.kind == &api::KindOf<api::ResourceFlavor>()) {
    AddFinalizer(object);
  }
  if (const integrations::Integration* integration = IntegrationOf(*review.kind)) {
    DefaultJob(*integration, lookup, policy, object);
  }
}

std::vector<api::FieldError> Validate(const Review& review, const Lookup& lookup,
                                      const api::Json& object) {
  if (const integrations::Integration* integration = IntegrationOf(*review.kind)) {
    return ValidateJob(*integration, review, lookup, object);
  }
  if (review.kind == &api::KindOf<api::ClusterQueue>()) return ValidateClusterQueue(object);
  if (review.kind == &api::KindOf<api::Cohort>()) return ValidateCohort(object);
  return {};
}

}  // namespace kueue::admission
