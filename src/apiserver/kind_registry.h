#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/kind.h"

// The kinds a server serves, and how their resources behave.
namespace kueue::apiserver {

// What differs between kinds beyond their tables.
struct KindTraits {
  bool generation = false;          // metadata.generation counts changes of the spec
  bool returns_deleted = false;     // DELETE answers with the object instead of a Status
  bool create_on_update = false;    // PUT of a missing object creates it
  bool orphans_by_default = false;  // DELETE without a policy leaves dependents alone
  bool delete_collection = true;
  bool graceful_deletion = false;  // pods
  bool read_only = false;          // get and list only: the server itself says what there is
};
KindTraits TraitsOf(const api::KindInfo& kind);

// A subresource as discovery names it. Group and version are those of the body's kind.
struct Subresource {
  std::string_view name, group, version, kind;
  std::vector<std::string_view> verbs;
};
// In the order of their names.
std::vector<Subresource> SubresourcesOf(const api::KindInfo& kind);

// One of api::RequestKinds(), which is only ever the body of a request. REQUIRES: there is one.
const api::KindInfo& RequestKind(std::string_view group, std::string_view kind);

// Resources without stored objects: a POST computes an answer.
struct VirtualResource {
  std::string_view group, version, plural, singular, kind;
  bool namespaced = false;
};
const std::vector<VirtualResource>& VirtualResources();

// Single-threaded. Kinds are never destroyed while a server lives.
class KindRegistry {
 public:
  // Starts with api::AllKinds().
  KindRegistry();

  // At run time (definitions of custom resources). `kind` must outlive the registry.
  void Add(const api::KindInfo& kind);
  void Remove(const api::KindInfo& kind);
  // What is told about a kind has changed.
  void Changed() { Rebuild(); }

  const std::vector<const api::KindInfo*>& kinds() const { return kinds_; }
  const api::KindInfo* FindResource(std::string_view group, std::string_view version,
                                    std::string_view plural) const;
  const api::KindInfo* FindKind(std::string_view group, std::string_view version,
                                std::string_view kind) const;

  // Under which objects of a defined kind are stored; null if none of its versions is served.
  const api::KindInfo* FindStored(std::string_view group, std::string_view kind) const;

  struct Group {
    std::string name;
    std::vector<std::string> versions;  // best first
    bool custom = false;                // of custom resources: unknown paths get plain text
  };
  // Groups in the order discovery lists them; the core group is the first, with name "".
  std::vector<Group> Groups() const;
  const Group* FindGroup(std::string_view name) const;
  bool HasVersion(std::string_view group, std::string_view version) const;

  // Changes whenever a kind comes or goes.
  uint64_t generation() const { return generation_; }

 private:
  void Rebuild();
  std::vector<const api::KindInfo*> kinds_;
  std::vector<Group> groups_;
  uint64_t generation_ = 0;
};

}  // namespace kueue::apiserver
