#include "net/message_writer.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace kueue::net {
namespace {

std::string_view ReasonPhrase(int status) {
  static constexpr std::array<std::pair<int, std::string_view>, 29> kPhrases = {{
      {100, "Continue"}, {101, "Switching Protocols"}, {200, "OK"}, {201, "Created"},
      {202, "Accepted"}, {204, "No Content"}, {301, "Moved Permanently"}, {302, "Found"},
      {304, "Not Modified"}, {307, "Temporary Redirect"}, {400, "Bad Request"},
      {401, "Unauthorized"}, {403, "Forbidden"}, {404, "Not Found"}, {405, "Method Not Allowed"},
      {406, "Not Acceptable"}, {408, "Request Timeout"}, {409, "Conflict"}, {410, "Gone"},
      {413, "Request Entity Too Large"}, {415, "Unsupported Media Type"},
      {422, "Unprocessable Entity"}, {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"}, {500, "Internal Server Error"},
      {501, "Not Implemented"}, {502, "Bad Gateway"}, {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
  }};
  const auto it = std::find_if(kPhrases.begin(), kPhrases.end(),
                               [status](const auto& entry) { return entry.first == status; });
  return it == kPhrases.end() ? std::string_view() : it->second;
}

bool SameName(std::string_view a, std::string_view lower) {
  return a.size() == lower.size() &&
         std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y;
         });
}

bool IsConnectionMatter(std::string_view name) {
  return SameName(name, "connection") || SameName(name, "transfer-encoding") ||
         SameName(name, "keep-alive");
}

bool IsControl(char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  const auto append = [&out](std::string_view text) {
    for (const char c : text) out.push_back(IsControl(c) ? ' ' : c);
  };
  append(name);
  out += ": ";
  append(value);
  out += "\r\n";
}

bool IsTokenCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

}  // namespace

std::string FormatResponseHead(int status, const Headers& headers, Framing framing, size_t length,
                               bool close) {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " ";
  out += ReasonPhrase(status);
  out += "\r\n";
  for (const auto& [name, value] : headers) {
    if (IsConnectionMatter(name) && !(status == 101 && SameName(name, "connection"))) continue;
    if (framing != Framing::kAsGiven && SameName(name, "content-length")) continue;
    AppendHeader(out, name, value);
  }
  if (framing == Framing::kLength) AppendHeader(out, "Content-Length", std::to_string(length));
  if (framing == Framing::kChunked) AppendHeader(out, "Transfer-Encoding", "chunked");
  if (close) AppendHeader(out, "Connection", "close");
  out += "\r\n";
  return out;
}

std::string FormatRequestHead(const Request& request, const std::string& host) {
  std::string out = request.method + " " + request.target + " HTTP/1.1\r\n";
  AppendHeader(out, "Host", host);
  for (const auto& [name, value] : request.headers) {
    if (SameName(name, "host") || SameName(name, "content-length")) continue;
    if (IsConnectionMatter(name)) continue;
    AppendHeader(out, name, value);
  }
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT" ||
      request.method == "PATCH") {
    AppendHeader(out, "Content-Length", std::to_string(request.body.size()));
  }
  out += "\r\n";
  return out;
}

bool IsWellFormed(const Request& request) {
  return !request.method.empty() && !request.target.empty() &&
         std::all_of(request.method.begin(), request.method.end(), IsTokenCharacter) &&
         std::none_of(request.target.begin(), request.target.end(),
                      [](char c) { return c == ' ' || IsControl(c); });
}

std::string ChunkHead(size_t size) {
  char text[24];
  snprintf(text, sizeof text, "%zx\r\n", size);
  return text;
}

std::string StatusBody(int code, std::string_view message) {
  std::string text;
  for (const char c : message) {
    if (c == '"' || c == '\\') text.push_back('\\');
    text.push_back(IsControl(c) ? ' ' : c);
  }
  const std::string reason = code == 400   ? R"("reason":"BadRequest",)"
                             : code == 413 ? R"("reason":"RequestEntityTooLarge",)"
                             : code == 500 ? R"("reason":"InternalError",)"
                                           : "";
  return R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":")" +
         text + R"(",)" + reason + R"("code":)" + std::to_string(code) + "}\n";
}

}  // namespace kueue::net
