#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/types/json.h"
#include "net/http.h"

namespace kueue::kube {

// As much of an API server as tests of clients need: objects in memory under their paths, versions
// from one counter, lists in pages, watches with history, merge patches, preconditions. Knows no
// kinds and checks nothing. For one thread.
class FakeServer final : public net::Handler {
 public:
  struct Answer {
    int status = 200;
    std::string body;
    net::Headers headers;
  };
  // Looks at every request first; an answer of its own takes the place of the server's.
  using Interceptor = std::function<std::optional<Answer>(const net::Request&)>;

  void Handle(net::Request request, std::shared_ptr<net::Responder> responder) override;

  void Intercept(Interceptor interceptor) { interceptor_ = std::move(interceptor); }
  // A Status answer with that reason.
  static Answer Refuse(int status, const std::string& reason, const std::string& message = "no");

  // What another client does: by object path ("/api/v1/namespaces/a/configmaps/x").
  void Put(const std::string& path, api::Json object);
  void Remove(const std::string& path);
  const api::Json* Find(const std::string& path) const;
  // Objects under a collection path ("/api/v1/namespaces/a/events").
  std::vector<api::Json> Under(const std::string& collection) const;

  // Forgets history: older watches and page tokens get 410.
  void Compact() { compacted_ = version_; }
  // Ends all watches as a server that restarts does.
  void EndWatches();
  // While held, watchers hear nothing; what happened meanwhile comes on release.
  void HoldWatches(bool hold);
  // Sends every watcher a bookmark.
  void Bookmark();
  // The store is lost and numbers begin anew, as after a restore from an old backup.
  void StartOver(uint64_t version);
  // Watch events are cut into chunks of that many bytes; 0: one chunk an event.
  void SetChunkSize(size_t bytes) { chunk_size_ = bytes; }

  // "GET /api/v1/pods" in order of arrival, queries left out.
  const std::vector<std::string>& requests() const { return requests_; }
  size_t CountRequests(const std::string& request) const;
  const net::Request& last_request() const { return last_request_; }
  size_t open_watches() const;

 private:
  struct Place {
    std::string object_path, subresource;  // of a request to an object
    std::string collection;                // with its namespace, if it has one
    std::string name;
    std::string group_prefix, namespace_name, resource;
  };
  struct Event {
    uint64_t version = 0;
    std::string type, path;
    api::Json object;
  };
  struct Watcher {
    Place place;
    uint64_t next = 0;  // the first version it has not been told
    std::shared_ptr<net::Responder> responder;
  };

  static Place PlaceOf(const net::Target& target);
  static bool IsIn(const std::string& object_path, const Place& place);
  Answer Respond(const net::Request& request, const net::Target& target, const Place& place);
  Answer List(const net::Target& target, const Place& place);
  Answer Create(const Place& place, api::Json object);
  Answer Update(const Place& place, const net::Request& request);
  Answer Delete(const Place& place, const std::string& body);
  void Watch(const net::Target& target, const Place& place, std::shared_ptr<net::Responder> to);
  api::Json Store(const std::string& type, const std::string& path, api::Json object);
  void Feed();
  void Say(Watcher& watcher, const std::string& type, const api::Json& object);

  std::map<std::string, api::Json> objects_;
  std::vector<Event> history_;
  std::vector<Watcher> watchers_;
  std::vector<std::string> requests_;
  net::Request last_request_;
  Interceptor interceptor_;
  uint64_t version_ = 100, compacted_ = 0, last_uid_ = 0;
  size_t chunk_size_ = 0;
  bool held_ = false;
};

}  // namespace kueue::kube
