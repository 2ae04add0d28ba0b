#pragma once

#include <vector>

#include "api/codec/codec.h"
#include "api/codec/descriptor.h"
#include "api/types/json.h"

namespace kueue::api {

// The rules in CEL that the table's definition carries (x-kubernetes-validations), on a whole
// object that its schema lets pass. `before` null: a create. As a Kubernetes API server does it:
//   - a rule that reads oldSelf is looked at where there was a comparable value: members of a
//     struct by name, entries of a map by key, of a map-like list by its keys, of no other list;
//     with optional_old_self always, and oldSelf is then optional;
//   - any other rule does not count on a part that an update leaves as it was;
//   - one evaluation may cost 1,000,000, all of an object together 10,000,000; beyond that nothing
//     more is evaluated.
// A broken rule is an error at its value (or at its field_path below that), "<nil>" for the whole
// object, with its reason and its message or what its message_expression says.
// https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/
// section "Validation rules"
void CheckTableRules(const StructDescriptor& table, const Json& object, const Json* before,
                     std::vector<FieldError>& errors);

}  // namespace kueue::api
