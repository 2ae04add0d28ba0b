#pragma once

#include <vector>

#include "api/schema/kind.h"

namespace kueue::api {

// The kinds of Kubernetes itself that are stored, from the facts: core first, then groups by name.
const std::vector<const KindInfo*>& BuiltInKinds();

// From events.k8s.io to the core Event that is stored, and back. Never fail.
std::vector<FieldError> EventToStored(Json& object);
std::vector<FieldError> EventFromStored(Json& object);
// The core version's name of a field by which events of events.k8s.io are selected.
std::string_view StoredFieldOfEvent(std::string_view field);

}  // namespace kueue::api
