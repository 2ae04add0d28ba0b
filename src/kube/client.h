#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "api/schema/kind.h"
#include "base/executor.h"
#include "kube/object_key.h"
#include "net/http.h"

namespace kueue::kube {

enum class PatchType { kMerge, kJson, kStrategic, kApply };

struct ListOptions {
  std::string label_selector, field_selector, resource_version, continue_token;
  int64_t limit = 0;            // objects in a page; 0: all at once
  // Of a watch: the server ends the stream after so long; 0: as it likes.
  int64_t timeout_seconds = 0;
};

struct DeleteOptions {
  std::string precondition_uid, precondition_resource_version;
  std::string propagation_policy;              // Background, Foreground, Orphan, or ""
  std::optional<int64_t> grace_period_seconds;
};

// One event of a watch. `object` of a kBookmark carries only its resourceVersion; of a kError the
// Status.
enum class WatchEventType { kAdded, kModified, kDeleted, kBookmark, kError };
struct WatchEvent {
  WatchEventType type;
  api::Json object;
};

struct ClientSettings {
  // For the whole answer to one attempt (not for watches).
  base::Duration request_timeout = base::seconds(30);
  // A 429 or 503 that says Retry-After is tried again after that delay, so many attempts in all.
  int max_attempts = 5;
  base::Duration longest_retry_wait = base::seconds(30);  // a longer Retry-After is cut to it
  // Goes before every path, for servers behind a proxy: "/k8s/clusters/c-1". No slash at the end.
  std::string path_prefix;
};

// Numbers since the start, for metrics.
struct ClientCounters {
  uint64_t requests = 0;  // attempts sent, watches included
  uint64_t watches = 0;
  uint64_t retried = 0;   // attempts repeated because the server asked to come back later
  uint64_t refused = 0;   // answers with status 400 and above
  uint64_t broken = 0;    // no answer, or one that broke off or took too long
};

// A Kubernetes REST client. Every call returns at once; its callback runs later on the transport's
// executor, exactly once, unless the client is destroyed first. Errors carry the server's reason as
// a base::Code and its message. Knows paths and verbs, not what kinds mean.
class Client {
 public:
  using ObjectCallback = std::function<void(base::Result<api::Json>)>;

  // `transport` must outlive the client. `bearer_token` may be empty. Without an executor there are
  // no time limits and no waiting for a busy server: such answers are errors at once.
  Client(net::Transport& transport, std::string bearer_token, std::string user_agent);
  // `executor` is the one the transport delivers on, and must outlive the client.
  Client(net::Transport& transport, std::string bearer_token, std::string user_agent,
         base::Executor& executor, ClientSettings settings = {});
  ~Client();

  // For tokens that are renewed while the process runs; counts for requests from now on.
  void SetBearerToken(std::string bearer_token);
  const ClientCounters& counters() const;

  // Wherever a key is taken: REQUIRES a name, and a namespace exactly for namespaced kinds.
  void Get(const api::KindInfo& kind, const ObjectKey& key, ObjectCallback done);
  // The whole List object. Namespace "": all namespaces.
  void List(const api::KindInfo& kind, const std::string& namespace_name,
            const ListOptions& options, ObjectCallback done);
  // Name and namespace are the object's own.
  void Create(const api::KindInfo& kind, const api::Json& object, ObjectCallback done);
  // Replaces; the object's resourceVersion, if set, must be the stored one (else kConflict).
  void Update(const api::KindInfo& kind, const api::Json& object, const std::string& subresource,
              ObjectCallback done);
  void Patch(const api::KindInfo& kind, const ObjectKey& key, const std::string& subresource,
             PatchType type, const api::Json& patch, ObjectCallback done);
  // Gives what the server answered: a Status if the object is gone, or the object, which may be
  // still there (finalizers, grace period) or gone; see StillThere in kube/status.h.
  void Delete(const api::KindInfo& kind, const ObjectKey& key, const DeleteOptions& options,
              ObjectCallback done);
  // POST of a subresource such as "binding" or "eviction".
  void CreateSub(const api::KindInfo& kind, const ObjectKey& key, const std::string& subresource,
                 const api::Json& body, ObjectCallback done);
  // Any path (path_prefix is put before it); for discovery, health and tests.
  void Raw(const std::string& method, const std::string& target, const std::string& body,
           std::function<void(base::Result<std::string>)> done);

  // Watches from `options.resource_version`, bookmarks included. `on_end` comes once, when the
  // stream ends by itself. Destroying the handle ends the watch silently, also from a callback.
  [[nodiscard]] std::unique_ptr<net::Exchange> Watch(const api::KindInfo& kind,
                                                     const std::string& namespace_name,
                                                     const ListOptions& options,
                                                     std::function<void(WatchEvent)> on_event,
                                                     std::function<void(base::Status)> on_end);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::kube
