#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/schema/kind.h"
#include "apiserver/media_type.h"
#include "apiserver/store.h"
#include "base/time.h"

// Objects, lists and watch events as texts in the shape that was asked for. Objects in their own
// shape are spliced in as the text kept with them, never encoded again.
namespace kueue::apiserver {

enum class IncludeObject { kNone, kMetadata, kObject };

// How answers about one kind are written.
struct View {
  const api::KindInfo* kind = nullptr;
  Representation form;
  IncludeObject include = IncludeObject::kMetadata;  // of table rows
  base::Time now;                                    // for ages
  bool managed_fields = true;                        // with metadata.managedFields
};

struct ListMeta {
  uint64_t revision = 0;
  std::string continue_token;   // empty: the last page
  int64_t remaining = -1;       // -1: not known
};

std::string RenderObject(const View& view, const StoredObject& object);
std::string RenderList(const View& view, const std::vector<StoredPtr>& items,
                       const ListMeta& meta);
// One line of a watch: {"type":"ADDED","object":...} and a line feed. The columns of a table are
// only told in the first event.
std::string RenderEvent(const View& view, const char* type, const StoredObject& object,
                        bool first_event);
// A BOOKMARK event: an object of the kind with nothing but its version. `initial_end`: it ends the
// events of the initial state.
std::string RenderBookmark(const View& view, uint64_t revision, bool initial_end,
                           bool first_event);

}  // namespace kueue::apiserver
