#pragma once

#include <cstdint>
#include <string>

#include "apiserver/kind_registry.h"
#include "apiserver/store.h"
#include "base/executor.h"

// What every cluster has from its first moment, apart from its namespaces. Only what is missing is
// made, so that whoever finds a store with objects loses none of them.
namespace kueue::apiserver {

// Cluster roles and bindings, and the two system priority classes.
void MakeFirstObjects(const KindRegistry& kinds, base::Time now, Store& store);

// The Service "kubernetes" of namespace default and the EndpointSlice behind it: where the API
// server is reached. Replaces an address told before.
void PublishServer(const KindRegistry& kinds, const std::string& address, uint16_t port,
                   base::Time now, Store& store);

}  // namespace kueue::apiserver
