#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/types/json.h"
#include "apiserver/api_error.h"
#include "base/time.h"
#include "net/http.h"

// The options of a request: query parameters and DeleteOptions, checked.
namespace kueue::apiserver {

struct ListRequest {
  std::string label_selector, field_selector;
  bool watch = false;
  bool allow_bookmarks = false;
  std::string resource_version;        // as written; see ParsedVersion
  std::string version_match;           // "", Exact, NotOlderThan
  std::optional<bool> send_initial_events;
  int64_t limit = 0;                   // 0: all
  std::string continue_token;
  std::optional<base::Duration> timeout;  // of a watch

  // The number in resource_version; nothing if it is absent or "0" (any version).
  // REQUIRES: VersionIsNumber().
  std::optional<uint64_t> Version() const;
  bool VersionIsNumber() const;
};
Outcome<ListRequest> ParseListRequest(const net::Target& target);

enum class FieldValidation { kIgnore, kWarn, kStrict };

struct WriteRequest {
  bool dry_run = false;
  FieldValidation field_validation = FieldValidation::kWarn;
  std::string field_manager;          // "" if it is not given
  bool force = false;                 // server-side apply only
};
// `options_kind`: "CreateOptions", "UpdateOptions", "PatchOptions"; named in refusals. `apply`: the
// request is one of server-side apply, which must name its manager.
Outcome<WriteRequest> ParseWriteRequest(const net::Target& target, const char* options_kind,
                                        bool apply = false);

enum class Propagation { kDefault, kBackground, kForeground, kOrphan };

struct DeleteRequest {
  bool dry_run = false;
  std::string precondition_uid, precondition_resource_version;
  Propagation propagation = Propagation::kDefault;
  std::optional<int64_t> grace_period_seconds;
};
// `body` is a DeleteOptions object, or null without a body; it wins over the query.
Outcome<DeleteRequest> ParseDeleteRequest(const net::Target& target, const api::Json& body);

// A page's end: where and at which revision the list goes on. Opaque for clients.
struct ContinueToken {
  int64_t revision = 0;  // -1: the newest
  std::string start;     // key, relative to the listed prefix
};
std::string EncodeContinue(const ContinueToken& token);
// Nothing: not one of ours.
std::optional<ContinueToken> DecodeContinue(const std::string& text);

}  // namespace kueue::apiserver
