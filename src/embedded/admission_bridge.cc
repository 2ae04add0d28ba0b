#include "embedded/admission_bridge.h"

#include "api/types/batch.h"

namespace kueue::embedded {
namespace {

std::optional<admission::Review> ReviewOf(const apiserver::AdmissionRequest& request) {
  if (!request.subresource.empty() || request.object == nullptr ||
      !admission::Concerns(*request.kind)) {
    return std::nullopt;
  }
  admission::Review review;
  review.kind = request.kind;
  review.before = request.old_object;
  review.operation = request.operation == apiserver::Operation::kCreate
                         ? admission::Operation::kCreate
                         : admission::Operation::kUpdate;
  return review;
}

}  // namespace

template <class T>
std::shared_ptr<const T> AdmissionBridge::StoreLookup::Get(const std::string& namespace_name,
                                                           const std::string& name) const {
  const auto stored = store_.Get(api::KindOf<T>(), apiserver::StoreKey(namespace_name, name));
  if (!stored) return nullptr;
  auto object = api::Decode<T>(stored->object());
  return object.ok() ? std::make_shared<const T>(std::move(*object)) : nullptr;
}

std::shared_ptr<const api::Namespace> AdmissionBridge::StoreLookup::Namespace(
    const std::string& name) const {
  return Get<api::Namespace>("", name);
}
std::shared_ptr<const api::LocalQueue> AdmissionBridge::StoreLookup::LocalQueue(
    const std::string& namespace_name, const std::string& name) const {
  return Get<api::LocalQueue>(namespace_name, name);
}
std::shared_ptr<const api::WorkloadPriorityClass> AdmissionBridge::StoreLookup::PriorityClass(
    const std::string& name) const {
  return Get<api::WorkloadPriorityClass>("", name);
}

AdmissionBridge::AdmissionBridge(const apiserver::Store& store, admission::Policy policy)
    : lookup_(store), policy_(std::move(policy)) {}

apiserver::Verdict AdmissionBridge::Mutate(apiserver::AdmissionRequest& request) {
  if (const auto review = ReviewOf(request)) {
    admission::Mutate(*review, lookup_, policy_, *request.object);
  }
  return apiserver::Verdict::Allow();
}

apiserver::Verdict AdmissionBridge::Validate(const apiserver::AdmissionRequest& request) {
  const auto review = ReviewOf(request);
  if (!review) return apiserver::Verdict::Allow();
  return apiserver::Verdict::Invalid(admission::Validate(*review, lookup_, *request.object));
}

}  // namespace kueue::embedded
