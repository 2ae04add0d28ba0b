#include "apiserver/versions.h"

#include <fmt/format.h>

#include "api/schema/conversion.h"

namespace kueue::apiserver {

Outcome<StoredPtr> ShowAs(const api::KindInfo& kind, const StoredPtr& stored) {
  if (kind.stored == nullptr) return stored;
  // Written in this version, and since the schema is what it is: nothing to convert or fill in.
  if (kind.definition != nullptr && stored->revision() > kind.definition->since() &&
      stored->object().StringAt({"apiVersion"}) == kind.ApiVersion()) {
    return stored;
  }
  api::Json object = stored->object();
  const auto errors = api::FromStored(kind, object);
  if (!errors.empty()) {
    return InternalError(fmt::format("{} \"{}\" cannot be shown as {}: {}", kind.kind,
                                     object.StringAt({"metadata", "name"}), kind.ApiVersion(),
                                     api::JoinFieldErrors(errors)));
  }
  OrderMembers(kind, object);
  return StoredPtr(std::make_shared<const StoredObject>(std::move(object), stored->revision()));
}

Outcome<StoredPtr> ReadAs(const api::KindInfo& kind, const Store& store, std::string_view key) {
  const StoredPtr stored = store.Get(api::StoredKind(kind), key);
  if (stored == nullptr) return stored;
  return ShowAs(kind, stored);
}

}  // namespace kueue::apiserver
