#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/codec/patch.h"
#include "api/schema/kind.h"
#include "kube/client.h"

// What a reconciler wants done, as data. The driver carries it out.
namespace kueue::runtime {

enum class WriteVerb { kCreate, kMergePatch, kDelete, kCreateSub };

struct Write {
  WriteVerb verb = WriteVerb::kMergePatch;
  const api::KindInfo* kind = nullptr;
  kube::ObjectKey key;         // of a create with generateName: the name is empty
  std::string subresource;     // "", "status", "binding", ...
  api::Json body;              // object or patch
  kube::DeleteOptions remove;  // of a delete
};

// An Event about an object. The driver adds times, source and name, merges repeats into counts,
// and sheds events first when it is under pressure.
struct EventRecord {
  api::ObjectReference regarding;
  std::string type = "Normal";  // or Warning
  std::string reason, message;
  // Source component; "": that of the reconciler, or else of the driver.
  std::string source = "";
};

struct Intents {
  // Carried out in this order; the first failure drops the rest and the key is tried again with
  // back-off (a conflict at once). NotFound on a delete counts as done.
  std::vector<Write> writes;
  std::vector<EventRecord> events;           // sent after the writes succeeded
  std::optional<base::Duration> look_again;  // reconcile again after so long

  void Add(std::optional<Write> write) {
    if (write) writes.push_back(std::move(*write));
  }
};

// A merge patch from `before` to `after` with before's resourceVersion as precondition; nothing if
// the two say the same. Fields our structs do not know are never touched.
template <class T>
std::optional<Write> PatchObject(const T& before, const T& after,
                                 const std::string& subresource = "") {
  api::Json patch = api::DiffMergePatch(api::Encode(before), api::Encode(after));
  if (patch.size() == 0) return std::nullopt;
  patch["metadata"].Set("resourceVersion", before.metadata.resource_version);
  return Write{WriteVerb::kMergePatch,
               &api::KindOf<T>(),
               kube::KeyOf(before.metadata),
               subresource,
               std::move(patch),
               {}};
}
template <class T>
std::optional<Write> PatchStatus(const T& before, const T& after) {
  return PatchObject(before, after, "status");
}
template <class T>
Write CreateObject(const T& object) {
  return Write{WriteVerb::kCreate,           &api::KindOf<T>(),
               kube::KeyOf(object.metadata), "",
               api::EncodeObject(object),    {}};
}
// Deletes exactly this object (its uid is the precondition).
template <class T>
Write DeleteObject(const T& object, const std::string& propagation = "Background") {
  Write write{WriteVerb::kDelete, &api::KindOf<T>(), kube::KeyOf(object.metadata), "", {}, {}};
  write.remove.precondition_uid = object.metadata.uid;
  write.remove.propagation_policy = propagation;
  return write;
}
// A reference to the object, for events and owner references.
template <class T>
api::ObjectReference ReferenceTo(const T& object) {
  const api::KindInfo& kind = api::KindOf<T>();
  api::ObjectReference ref;
  ref.kind = kind.kind;
  ref.api_version = kind.ApiVersion();
  ref.namespace_name = object.metadata.namespace_name;
  ref.name = object.metadata.name;
  ref.uid = object.metadata.uid;
  ref.resource_version = object.metadata.resource_version;
  return ref;
}

}  // namespace kueue::runtime
