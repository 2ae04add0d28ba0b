#include "embedded/admission_bridge.h"

#include "admission/dialect.h"
#include "api/schema/simple_queue.h"
#include "api/schema/tables_kueue_dialect.h"
#include "api/types/batch.h"

namespace kueue::embedded {
namespace {

admission::Review ReviewOf(const apiserver::AdmissionRequest& request) {
  admission::Review review;
  review.kind = request.kind;
  review.before = request.old_object;
  review.subresource = request.subresource;
  review.operation = request.operation == apiserver::Operation::kCreate
                         ? admission::Operation::kCreate
                         : admission::Operation::kUpdate;
  return review;
}

apiserver::Verdict VerdictOf(admission::Ruling ruling) {
  if (!ruling.readable) return apiserver::Verdict::Unreadable(std::move(ruling.errors));
  return apiserver::Verdict::Deny(std::move(ruling.errors));
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

bool AdmissionBridge::Concerns(const apiserver::AdmissionRequest& request, bool mutating) const {
  // Deletions are never judged.
  return request.operation != apiserver::Operation::kDelete &&
         admission::Concerns(ReviewOf(request), mutating);
}

apiserver::Verdict AdmissionBridge::Translate(apiserver::AdmissionRequest& request) {
  if (policy_.simple_dialect) {
    return apiserver::Verdict::Deny(
        admission::ReadSimpleDialect(*request.kind, request.old_object, *request.object));
  }
  if (request.kind == &api::KindOf<api::SimpleQueue>() &&
      request.operation == apiserver::Operation::kCreate) {
    return apiserver::Verdict::Deny(
        "kind Queue belongs to the simple dialect, which is off: nothing would come of it; write "
        "a LocalQueue, or turn the dialect on (kueue up --dialect simple)");
  }
  return apiserver::Verdict::Allow();
}

void AdmissionBridge::Complete(const api::KindInfo& kind, api::Json& object) const {
  if (policy_.simple_dialect) api::FollowState(kind, object);
}

apiserver::Verdict AdmissionBridge::Mutate(apiserver::AdmissionRequest& request) {
  return VerdictOf(admission::Mutate(ReviewOf(request), lookup_, policy_, *request.object));
}

apiserver::Verdict AdmissionBridge::Validate(const apiserver::AdmissionRequest& request) {
  return VerdictOf(admission::Validate(ReviewOf(request), lookup_, policy_, *request.object));
}

}  // namespace kueue::embedded
