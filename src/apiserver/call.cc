#include "apiserver/call.h"

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "apiserver/storage/storage.h"
#include "apiserver/store.h"

namespace kueue::apiserver {

using api::Json;

namespace {

// 299 - "text": the text may hold no quotes, backslashes or control characters as they are.
std::string WarningHeader(const std::string& text) {
  std::string out = "299 - \"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  out += '"';
  return out;
}

void SendNow(net::Responder& responder, int code, net::Headers headers, std::string body) {
  headers.emplace_back("Content-Length", std::to_string(body.size()));
  responder.Start(code, std::move(headers));
  if (!body.empty()) responder.Write(std::move(body));
  responder.End();
}

net::Headers ErrorHeaders(net::Headers headers, const ApiError& error) {
  if (error.retry_after_seconds > 0) {
    headers.emplace_back("Retry-After", std::to_string(error.retry_after_seconds));
  }
  return headers;
}

void Send(const Call& call, int code, net::Headers headers, std::string body) {
  if (call.store == nullptr || call.store->all_kept()) {
    return SendNow(*call.responder, code, std::move(headers), std::move(body));
  }
  // A refusal waits too: it may speak of what is not kept yet.
  call.store->OnceKept([responder = call.responder, store = call.store, code,
                        headers = std::move(headers), body = std::move(body)](bool kept) mutable {
    if (kept) return SendNow(*responder, code, std::move(headers), std::move(body));
    const StorageFailure* failure = store->failure();
    const ApiError error =
        InsufficientStorageError(failure != nullptr ? failure->message : "it was not kept");
    SendNow(*responder, error.code, ErrorHeaders({{"Content-Type", "application/json"}}, error),
            api::WriteJson(error.ToJson()));
  });
}

}  // namespace

net::Headers AnswerHeaders(const Call& call, std::string content_type) {
  net::Headers headers;
  headers.emplace_back("Content-Type", std::move(content_type));
  headers.emplace_back("Cache-Control", "no-cache, private");
  // The same remark about several objects is told once.
  for (auto it = call.warnings.begin(); it != call.warnings.end(); ++it) {
    if (std::find(call.warnings.begin(), it, *it) == it) {
      headers.emplace_back("Warning", WarningHeader(*it));
    }
  }
  return headers;
}

void SendText(const Call& call, int code, std::string text) {
  net::Headers headers = AnswerHeaders(call, "text/plain; charset=utf-8");
  headers.emplace_back("X-Content-Type-Options", "nosniff");
  Send(call, code, std::move(headers), std::move(text));
}

// Documents end with a line end, as Kubernetes writes them.
void SendJson(const Call& call, int code, std::string json_text) {
  if (!call.form.yaml) json_text += '\n';
  Send(call, code, AnswerHeaders(call, call.form.yaml ? "application/yaml" : "application/json"),
       std::move(json_text));
}

void SendError(const Call& call, const ApiError& error) {
  if (error.pending) return;
  Send(call, error.code, ErrorHeaders(AnswerHeaders(call, "application/json"), error),
       api::WriteJson(error.ToJson()) + '\n');
}

void SendSuccess(const Call& call, int code, const Json& details) {
  Json status = Json::MakeObject();
  status.Set("kind", "Status");
  status.Set("apiVersion", "v1");
  status.Set("metadata", Json::MakeObject());
  status.Set("status", "Success");
  if (details.IsObject()) {
    status.Set("details", details);
  } else {
    status.Set("code", code);
  }
  std::string text = api::WriteJson(status);
  SendJson(call, code, call.form.yaml ? api::WriteYaml(status) : std::move(text));
}

}  // namespace kueue::apiserver
