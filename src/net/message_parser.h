#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"

// HTTP/1.1 messages out of bytes, whatever pieces they come in. No sockets, no threads.
// Private to net.
namespace kueue::net {

class RequestParser {
 public:
  // Sizes in bytes.
  RequestParser(size_t max_header_bytes, size_t max_body_bytes);
  ~RequestParser();

  void Append(std::string_view bytes);
  // Bytes appended that no message has used yet.
  size_t buffered() const;

  enum class Event {
    kNeedMore,  // call Append
    kHeader,    // the header is complete; once per request
    kRequest,   // TakeRequest, then Next
    kError,     // error_status, error_message; nothing more can be read
  };
  Event Advance();

  // After kHeader: whether the client waits for "100 Continue" before it sends the body.
  bool expects_continue() const;
  // After kRequest. The peer is left empty.
  Request TakeRequest();
  bool keep_alive() const;   // as the client wishes
  bool understands_chunks() const;  // HTTP/1.1
  // Goes on with the bytes after this request.
  void Next();

  // The HTTP status to refuse with: 400, 413 (body too large) or 431 (header too large).
  int error_status() const;
  const std::string& error_message() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

class ResponseParser {
 public:
  struct Callbacks {
    // Not called for interim responses (1xx but 101).
    std::function<void(int status, Headers headers)> on_header;
    std::function<void(std::string_view data)> on_body;
  };
  explicit ResponseParser(Callbacks callbacks);
  ~ResponseParser();

  // Gets ready for the next response. `no_body`: it answers a HEAD request.
  void Next(bool no_body);

  enum class State { kNeedMore, kDone, kError };
  // Bytes after the end of the response are an error (nothing was asked).
  State Feed(std::string_view bytes);
  // The connection was closed, which ends a body that has no length. kDone or kError.
  State FeedEnd();

  bool started() const;     // bytes have arrived since Next
  bool keep_alive() const;  // after kDone: the connection may be used again
  const std::string& error_message() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace kueue::net
