#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// HTTP messages as plain data, and the interfaces between those who ask and those who answer.
// Nothing here knows sockets: the same handler serves HTTPS and callers in the same process.
namespace kueue::net {

using Headers = std::vector<std::pair<std::string, std::string>>;
// The first value of a header, compared without case; empty if absent.
std::string_view HeaderOf(const Headers& headers, std::string_view name);

// Who is at the other end, as far as the transport can tell.
struct Peer {
  std::string address;             // "127.0.0.1:4711"; "in-process"
  std::string certificate_name;    // common name of a verified client certificate, or ""
  std::vector<std::string> certificate_groups;  // its organisations
  bool trusted = false;            // in process: the owner itself
};

struct Request {
  std::string method;   // GET, POST, ...
  std::string target;   // path and query: "/api/v1/pods?watch=1"
  Headers headers;
  std::string body;
  Peer peer;
};

// Where an answer is written. Start once, Write any number of times, End once. All calls come from
// one executor at a time; implementations pass them on to their own thread if they have one.
// Destroying it before End breaks the answer off (before Start: it becomes a 500).
// How the length is told over HTTP is the transport's matter: by Content-Length if the answer ends
// before its head is sent, or if `headers` tell it; in chunks otherwise.
class Responder {
 public:
  virtual ~Responder() = default;
  virtual void Start(int status, Headers headers) = 0;
  virtual void Write(std::string chunk) = 0;
  virtual void End() = 0;
  // The client went away: writing is pointless (and ignored) from now on.
  virtual bool Closed() const = 0;
  // Bytes accepted by Write that the client has not taken yet, for dropping slow watchers.
  virtual size_t Backlog() const = 0;
};

// Answers requests. Handle may be called on any thread and must not block; the answer may come
// later, on any thread, as long as the Responder lives.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual void Handle(Request request, std::shared_ptr<Responder> responder) = 0;
};

// The parts of an answer as they arrive, on the executor given to the client.
struct ResponseEvents {
  std::function<void(int status, const Headers& headers)> on_start;
  std::function<void(std::string_view chunk)> on_data;
  // Exactly once, last: success, or why the answer broke off (kUnavailable, kTimeout).
  std::function<void(base::Status)> on_end;
};

// An exchange under way. Destroying or cancelling it ends it: no event arrives afterwards.
// To be used on the executor that the events arrive on.
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void Cancel() = 0;
};

// Sends requests: over HTTPS, or to a Handler in this process.
class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual std::unique_ptr<Exchange> Send(Request request, ResponseEvents events) = 0;
};

// ---- targets

// Percent-decodes; "+" becomes a blank where `plus` is set (query part).
std::string UrlDecode(std::string_view text, bool plus = false);
std::string UrlEncode(std::string_view text);
struct Target {
  std::vector<std::string> path;  // segments, decoded: {"api", "v1", "pods"}
  std::vector<std::pair<std::string, std::string>> query;
  // The last value of a query parameter, or nothing.
  std::optional<std::string> Query(std::string_view name) const;
};
Target ParseTarget(std::string_view target);

}  // namespace kueue::net
