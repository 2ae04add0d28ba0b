#include "apiserver/restore.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "api/codec/json_text.h"
#include "api/schema/conversion.h"
#include "base/check.h"
#include "base/log.h"

namespace kueue::apiserver {
namespace {

bool IsDefinition(const StoredRecord& record) {
  return record.group == "apiextensions.k8s.io" && record.kind == "CustomResourceDefinition";
}

void Warn(const StoredRecord& record, const std::string& what) {
  base::LogWarn("apiserver", fmt::format("{} {} is kept, but {}", record.kind, record.key, what));
}

void Restore(const StoredRecord& record, const KindRegistry& kinds,
             std::map<std::string, int>& unknown, Store& store) {
  auto object = api::ParseJson(record.text);
  KUEUE_CHECK_MSG(object.ok(), record.kind + " " + record.key + " was kept, but is no JSON");
  const std::string api_version = object->StringAt({"apiVersion"});
  const std::string version = api_version.substr(api_version.find('/') + 1);
  const api::KindInfo* kind = kinds.FindKind(record.group, version, record.kind);
  // Of a definition that serves other versions only: they show it.
  if (kind == nullptr) kind = kinds.FindStored(record.group, record.kind);
  if (kind == nullptr) {
    ++unknown[api_version + " " + record.kind];
    return;
  }
  if (kind->stored != nullptr) {
    const auto errors = api::ToStored(*kind, *object);
    if (!errors.empty()) {
      return Warn(record, "cannot be brought to " + kind->stored->ApiVersion() +
                              " and is not shown: " + api::JoinFieldErrors(errors));
    }
    kind = kind->stored;
  }
  OrderMembers(*kind, *object);
  store.Load(*kind, record.key,
             std::make_shared<const StoredObject>(std::move(*object), record.revision));
}

}  // namespace

void RestoreObjects(StoredState state, const KindRegistry& kinds,
                    const std::function<void()>& after_definitions, Store& store) {
  store.LoadRevision(state.revision);
  const auto others =
      std::stable_partition(state.records.begin(), state.records.end(), IsDefinition);
  std::map<std::string, int> unknown;
  const auto restore = [&](auto from, auto to) {
    for (auto record = from; record != to; ++record) {
      Restore(*record, kinds, unknown, store);
      // Both forms of all objects at once would be twice the memory.
      record->text = std::string();
    }
  };
  restore(state.records.begin(), others);
  if (after_definitions) after_definitions();
  restore(others, state.records.end());
  for (const auto& [kind, count] : unknown) {
    base::LogWarn("apiserver", fmt::format("{} objects of {} are kept, but nothing here serves "
                                           "them; they are not shown",
                                           count, kind));
  }
}

}  // namespace kueue::apiserver
