#include "controllers/surroundings.h"

#include <memory>
#include <utility>

#include "api/match/device_objects.h"
#include "api/match/limit_range.h"
#include "base/check.h"

namespace kueue::controllers {
namespace {

// Objects of a kind that has no struct of its own, read by `read`, told by `tell(before, after)`.
template <class T, class Read, class Tell>
void Watch(kube::Cache& cache, const char* group, const char* version, const char* kind, Read read,
           Tell tell) {
  const api::KindInfo* const info = api::FindKind(group, version, kind);
  KUEUE_CHECK(info != nullptr);
  kube::Informer& informer = cache.InformerOf(*info, [read](const api::Json& json) {
    return base::Result<kube::ObjectPtr>(std::make_shared<const T>(read(json)));
  });
  informer.AddHandler([tell](const kube::Change& change) {
    const auto before = std::static_pointer_cast<const T>(change.before);
    const auto after = std::static_pointer_cast<const T>(change.after);
    if (before == nullptr || after == nullptr || !(*before == *after)) tell(before, after);
  });
}

void WatchDevices(kube::Cache& cache, scheduling::State& state, const base::Clock& clock,
                  const std::function<void()>& changed) {
  constexpr char kGroup[] = "resource.k8s.io";
  Watch<api::DeviceClass>(cache, kGroup, "v1", "DeviceClass", api::ReadDeviceClass,
                          [&state, &clock, changed](const auto& before, const auto& after) {
                            after ? state.SetDeviceClass(after, clock.Now())
                                  : state.DeleteDeviceClass(before->name, clock.Now());
                            changed();
                          });
  Watch<api::ResourceSlice>(cache, kGroup, "v1", "ResourceSlice", api::ReadResourceSlice,
                            [&state, &clock, changed](const auto& before, const auto& after) {
                              after ? state.SetResourceSlice(after, clock.Now())
                                    : state.DeleteResourceSlice(before->name, before->driver,
                                                                clock.Now());
                              changed();
                            });
  Watch<api::ResourceClaimTemplate>(
      cache, kGroup, "v1", "ResourceClaimTemplate", api::ReadResourceClaimTemplate,
      [&state, &clock, changed](const auto& before, const auto& after) {
        after ? state.SetClaimTemplate(after, clock.Now())
              : state.DeleteClaimTemplate(before->namespace_name, before->name, clock.Now());
        changed();
      });
}

}  // namespace

void FeedSurroundings(kube::Cache& cache, scheduling::State& state, const base::Clock& clock,
                      const std::function<void()>& changed) {
  Watch<api::LimitRange>(cache, "", "v1", "LimitRange", api::ReadLimitRange,
                         [&state, &clock, changed](const auto& before, const auto& after) {
                           after ? state.SetLimitRange(after, clock.Now())
                                 : state.DeleteLimitRange(before->namespace_name, before->name,
                                                          clock.Now());
                           changed();
                         });
  Watch<api::RuntimeClass>(cache, "node.k8s.io", "v1", "RuntimeClass", api::ReadRuntimeClass,
                           [&state, &clock, changed](const auto& before, const auto& after) {
                             after ? state.SetRuntimeClass(after, clock.Now())
                                   : state.DeleteRuntimeClass(before->name, clock.Now());
                             changed();
                           });
  if (state.config().gates.dra_integration) WatchDevices(cache, state, clock, changed);
}

}  // namespace kueue::controllers
