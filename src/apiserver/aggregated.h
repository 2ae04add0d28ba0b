#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/schema/kind.h"
#include "apiserver/call.h"
#include "base/time.h"

// Kinds whose objects are computed when they are asked for, as behind an APIService.
namespace kueue::apiserver {

class ComputedObjects {
 public:
  virtual ~ComputedObjects() = default;
  // All objects of the kind, in the order of their keys; namespace "": of all namespaces. Without
  // apiVersion and kind.
  virtual std::vector<api::Json> List(const std::string& namespace_name, base::Time now) = 0;
};

class AggregatedKinds {
 public:
  // Both must outlive this.
  void Add(const api::KindInfo& kind, ComputedObjects& objects) { sources_[&kind] = &objects; }
  // Answers a call for one of the kinds: get and list, with a labelSelector. False: another kind.
  bool Handle(const Call& call, base::Time now) const;

 private:
  std::map<const api::KindInfo*, ComputedObjects*> sources_;
};

}  // namespace kueue::apiserver
