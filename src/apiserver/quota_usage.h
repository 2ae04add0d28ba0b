#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/schema/kind.h"
#include "resources/quantity.h"

// What objects count against a ResourceQuota.
namespace kueue::apiserver {

using Usage = std::map<std::string, resources::Quantity>;

// All that an object uses, by the names quotas know: "pods", "requests.cpu", "count/jobs.batch".
// Pods that have ended count as objects only.
Usage UsageOf(const api::KindInfo& kind, const api::Json& object);
// Whether the quota's scopes take the object. Only pods have scopes.
bool InScope(const api::Json& quota, const api::KindInfo& kind, const api::Json& object);
// A quota's map of amounts: {"spec", "hard"}.
Usage UsageAt(const api::Json& quota, std::initializer_list<std::string_view> path);
api::Json UsageJson(const Usage& usage);
// "cpu=1,pods=2", by name.
std::string Describe(const Usage& usage);
// Resources that every container of a pod has to ask for because the quota limits them, as
// "cpu for: a,b"; empty: nothing is missing.
std::vector<std::string> Unspecified(const Usage& hard, const api::KindInfo& kind,
                                     const api::Json& object);

}  // namespace kueue::apiserver
