#include "admission/review.h"

#include <algorithm>

#include "admission/flavor_rules.h"
#include "admission/job_rules.h"
#include "admission/queue_rules.h"
#include "admission/rewrite.h"
#include "admission/workload_rules.h"
#include "api/match/policy_annotations.h"
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

template <class T>
bool Is(const Review& review) {
  return review.kind == &api::KindOf<T>();
}

// Created objects that others refer to are held by a finalizer until nobody does. False: it was
// there already.
bool AddFinalizer(api::ObjectMeta& metadata) {
  auto& list = metadata.finalizers;
  if (std::find(list.begin(), list.end(), api::names::kResourceInUseFinalizer) != list.end()) {
    return false;
  }
  list.emplace_back(api::names::kResourceInUseFinalizer);
  return true;
}

// Reads the object as a T; `change` fills it in and says whether it did. What was changed is
// written in the form of the encoder.
template <class T, class Change>
Ruling MutateAs(api::Json& object, const Change& change) {
  T value{};
  auto errors = api::DecodeStruct(api::DescriptorOf<T>(), &value, object, "");
  if (!errors.empty()) return {false, std::move(errors)};
  const api::StructDescriptor& table = api::DescriptorOf<T>();
  const T before = value;
  if (change(value)) {
    Rewrite(table, api::EncodeStruct(table, &before), api::EncodeStruct(table, &value), object);
  }
  return {};
}

// Reads both states as a T and judges them.
template <class T, class Rules>
Ruling ValidateAs(const Review& review, const api::Json& object, const Rules& rules) {
  T after{}, before{};
  auto errors = api::DecodeStruct(api::DescriptorOf<T>(), &after, object, "");
  if (errors.empty() && review.before != nullptr) {
    errors = api::DecodeStruct(api::DescriptorOf<T>(), &before, *review.before, "");
  }
  if (!errors.empty()) return {false, std::move(errors)};
  return {true, rules(review.before != nullptr ? &before : nullptr, after)};
}

bool DropMinCounts(api::Workload& workload) {
  bool changed = false;
  for (api::PodSet& pod_set : workload.spec.pod_sets) {
    changed = changed || pod_set.min_count.has_value();
    pod_set.min_count.reset();
  }
  return changed;
}

}  // namespace

bool Concerns(const Review& review, bool mutating) {
  const bool rules =
      Is<api::ClusterQueue>(review) || Is<api::ResourceFlavor>(review) || Is<api::Workload>(review);
  if (!review.subresource.empty()) {
    return !mutating && Is<api::Workload>(review) && review.subresource == "status";
  }
  if (mutating && review.operation != Operation::kCreate) return false;
  return rules || ((Is<api::Cohort>(review) || Is<api::LocalQueue>(review)) && !mutating) ||
         IntegrationOf(*review.kind) != nullptr;
}

Ruling Mutate(const Review& review, const Lookup& lookup, const Policy& policy, api::Json& object) {
  if (Is<api::ClusterQueue>(review)) {
    return MutateAs<api::ClusterQueue>(object, [](auto& q) { return AddFinalizer(q.metadata); });
  }
  if (Is<api::ResourceFlavor>(review)) {
    return MutateAs<api::ResourceFlavor>(object, [](auto& f) { return AddFinalizer(f.metadata); });
  }
  if (Is<api::Workload>(review)) {
    const bool partial = policy.gates.Enabled(api::Feature::kPartialAdmission);
    return MutateAs<api::Workload>(object, [&](auto& w) { return !partial && DropMinCounts(w); });
  }
  if (const integrations::Integration* integration = IntegrationOf(*review.kind)) {
    DefaultJob(*integration, lookup, policy, object);
  }
  return {};
}

Ruling Validate(const Review& review, const Lookup& lookup, const Policy& policy,
                const api::Json& object) {
  if (const integrations::Integration* integration = IntegrationOf(*review.kind)) {
    return {true, ValidateJob(*integration, review, lookup, policy, object)};
  }
  if (Is<api::ClusterQueue>(review)) {
    return ValidateAs<api::ClusterQueue>(review, object, [&](const auto* before, const auto& now) {
      auto errors = ValidateClusterQueue(policy.gates, before, now);
      const auto more = api::CheckPolicyAnnotations(now.metadata.annotations);
      errors.insert(errors.end(), more.begin(), more.end());
      return errors;
    });
  }
  if (Is<api::LocalQueue>(review)) {
    return ValidateAs<api::LocalQueue>(review, object, [](const auto*, const auto& now) {
      return api::CheckPolicyAnnotations(now.metadata.annotations);
    });
  }
  if (Is<api::Cohort>(review)) {
    return ValidateAs<api::Cohort>(
        review, object, [](const auto*, const auto& now) { return ValidateCohort(now); });
  }
  if (Is<api::ResourceFlavor>(review)) {
    return ValidateAs<api::ResourceFlavor>(
        review, object, [](const auto*, const auto& now) { return ValidateFlavor(now); });
  }
  if (Is<api::Workload>(review)) {
    return ValidateAs<api::Workload>(review, object, [&](const auto* before, const auto& now) {
      return ValidateWorkload(policy.gates, before, now);
    });
  }
  return {};
}

}  // namespace kueue::admission
