#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/types/core.h"
#include "localcluster/job_plan.h"
#include "runtime/intents.h"

// Objects of group apps and CronJobs, as JSON with what all controllers of them need.
namespace kueue::localcluster {

struct WorkloadObject {
  const api::KindInfo* kind = nullptr;
  api::ObjectMeta metadata;
  api::Json object;  // whole
};
using WorkloadPtr = std::shared_ptr<const WorkloadObject>;
using Workloads = std::vector<WorkloadPtr>;

// REQUIRES: a served kind of apps/v1 or batch/v1.
const api::KindInfo& WorkloadKind(const char* group, const char* kind);
base::Result<WorkloadObject> DecodeWorkload(const api::KindInfo& kind, const api::Json& json);

// Numbers and texts at a path, or what is taken without them.
int64_t IntAt(const api::Json& json, std::initializer_list<std::string_view> path,
              int64_t otherwise = 0);
bool BoolAt(const api::Json& json, std::initializer_list<std::string_view> path);
// 3 or "25%" of `whole`; a share is rounded up or down.
int64_t CountOrShare(const api::Json* value, int64_t whole, bool up, int64_t otherwise);

// The owner reference that makes `owner` the controller.
api::OwnerReference ControlledBy(const WorkloadObject& owner);
// The uid of the controller if it is of that kind, else "".
std::string ControllerUid(const api::ObjectMeta& meta, std::string_view kind);

// A pod of the template at spec.template, owned by `owner`; the name is the caller's.
api::Pod PodOfTemplate(const WorkloadObject& owner, const api::Json& pod_template);
// A merge patch between the JSON of one object, with the resourceVersion as precondition.
std::optional<runtime::Write> PatchWorkload(const WorkloadObject& before, const api::Json& after,
                                            const std::string& subresource = "");
runtime::Write CreateWorkload(const api::KindInfo& kind, api::Json object);
runtime::Write DeleteWorkload(const WorkloadObject& object);
api::ObjectReference ReferenceTo(const WorkloadObject& object);

// A short text out of letters and digits that follows from the JSON's meaning (member order does
// not matter).
std::string TemplateHash(const api::Json& pod_template, int64_t collisions = 0);

// Whether the pod is Ready, and has been for `min_ready` or longer.
bool IsPodReady(const api::Pod& pod);
bool IsPodAvailable(const api::Pod& pod, base::Duration min_ready, base::Time now);
// When a ready pod becomes available; nothing if it is or is not ready.
std::optional<base::Duration> UntilAvailable(const api::Pod& pod, base::Duration min_ready,
                                             base::Time now);
bool IsPodActive(const api::Pod& pod);
// Pods that can go first stand first: without a node, not running, not ready, young.
void SortForDeletion(Pods& pods);

// Sets a condition in status.conditions of `object`; lastTransitionTime moves when the status does.
// `times_update`: the condition has a lastUpdateTime (Deployment), which moves with the reason too.
void SetWorkloadCondition(api::Json& status, const std::string& type, bool on,
                          const std::string& reason, const std::string& message, base::Time now,
                          bool times_update);
const api::Json* FindWorkloadCondition(const api::Json& status, std::string_view type);

void LookAgainIn(runtime::Intents& intents, base::Duration delay);

// Controllers keep a number for names of pods, so that a name does not come back at once.
struct NameMemory {
  std::string uid;
  int64_t next_number = 0;
};

}  // namespace kueue::localcluster
