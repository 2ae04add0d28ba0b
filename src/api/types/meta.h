#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/types/json.h"
#include "base/time.h"
#include "resources/quantity.h"

// Shared parts of all kinds. Members follow the API's fields; std::optional where the API tells
// "absent" from "zero" (pointers in Go), plain values where it does not.
namespace kueue::api {

using base::Duration;
using base::Time;
using resources::Quantity;
using StringMap = std::map<std::string, std::string>;
// Resource name -> quantity, sorted by name.
using ResourceList = std::map<std::string, Quantity>;

struct OwnerReference {
  std::string api_version, kind, name, uid;
  std::optional<bool> controller, block_owner_deletion;
  Extra extra;
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

struct ObjectMeta {
  std::string name, generate_name, namespace_name, uid, resource_version;
  int64_t generation = 0;
  std::optional<Time> creation_timestamp, deletion_timestamp;
  std::optional<int64_t> deletion_grace_period_seconds;
  StringMap labels, annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string> finalizers;
  Extra extra;  // managedFields among others
  friend bool operator==(const ObjectMeta&, const ObjectMeta&) = default;
};

// The owner that manages the object (ownerReferences with controller=true), or null.
const OwnerReference* ControllerOf(const ObjectMeta& meta);
// "namespace/name", or "name" for cluster-scoped objects.
std::string KeyOf(const ObjectMeta& meta);

enum class ConditionStatus : uint8_t { kTrue, kFalse, kUnknown };

// metav1.Condition.
struct Condition {
  std::string type;
  ConditionStatus status = ConditionStatus::kUnknown;
  int64_t observed_generation = 0;
  std::optional<Time> last_transition_time;
  std::string reason, message;
  Extra extra;
  friend bool operator==(const Condition&, const Condition&) = default;
};

const Condition* FindCondition(const std::vector<Condition>& conditions, std::string_view type);
// Present with status True.
bool IsConditionTrue(const std::vector<Condition>& conditions, std::string_view type);
// Sets the condition of that type; lastTransitionTime moves to `now` (whole seconds) only when the
// status changes. True if anything changed.
bool SetCondition(std::vector<Condition>& conditions, Condition condition, Time now);

struct LabelSelectorRequirement {
  std::string key, op;  // JSON name: operator
  std::vector<std::string> values;
  Extra extra;
  friend bool operator==(const LabelSelectorRequirement&,
                         const LabelSelectorRequirement&) = default;
};

struct LabelSelector {
  StringMap match_labels;
  std::vector<LabelSelectorRequirement> match_expressions;
  Extra extra;
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};

}  // namespace kueue::api
