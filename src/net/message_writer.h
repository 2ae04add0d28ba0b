#pragma once

#include <string>
#include <string_view>

#include "net/http.h"

// HTTP/1.1 messages as bytes. Private to net.
namespace kueue::net {

// How the end of a body is told.
enum class Framing {
  kAsGiven,  // by what `headers` say, or no body
  kLength,   // Content-Length
  kChunked,  // Transfer-Encoding: chunked
  kClose,    // the connection ends with the body
};

// Status line and headers, with the empty line. Headers that are the connection's own matter
// (Connection, Transfer-Encoding, Keep-Alive) are left out of `headers`; an answer of 101 keeps its
// Connection. Control characters become blanks. `length` counts for kLength only.
std::string FormatResponseHead(int status, const Headers& headers, Framing framing, size_t length,
                               bool close);

// Request line and headers, with Host and (where there is a body or the method usually has one)
// Content-Length. Those two and the connection's own are left out of the request's headers.
std::string FormatRequestHead(const Request& request, const std::string& host);

// Whether method and target can stand in a request line.
bool IsWellFormed(const Request& request);

// One chunk of a chunked body: before and after its bytes; and the end.
std::string ChunkHead(size_t size);
inline constexpr std::string_view kChunkTail = "\r\n";
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

// The body of an error of the transport's own, in the form of Kubernetes' Status (JSON).
std::string StatusBody(int code, std::string_view message);

}  // namespace kueue::net
