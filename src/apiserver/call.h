#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apiserver/api_error.h"
#include "apiserver/authn.h"
#include "apiserver/media_type.h"
#include "apiserver/request_path.h"
#include "apiserver/write_session.h"
#include "net/http.h"

// One request on its way through the server, and the ways to answer it.
namespace kueue::apiserver {

class Store;

// A request header by which clients say that they have no use for a part of objects. Its one value
// is "managedFields": our controllers would only throw them away, and they are half of the text.
inline constexpr char kOmitHeader[] = "kueue-omit";

struct Call {
  net::Request request;
  net::Target target;
  std::vector<std::string> segments;  // of the path, without an empty last one
  User user;
  ResourcePath path;
  Representation form;
  WriteSession session;               // what a write keeps while it waits for webhooks
  std::vector<std::string> warnings;  // each becomes a Warning header
  std::shared_ptr<net::Responder> responder;
  // Set for requests that may write: the answer waits until what it speaks of is kept.
  Store* store = nullptr;

  std::string_view Header(std::string_view name) const {
    return net::HeaderOf(request.headers, name);
  }
};

void SendText(const Call& call, int code, std::string text);
// `json_text` is a JSON document, or YAML if the call's form says so and it was rendered so.
void SendJson(const Call& call, int code, std::string json_text);
void SendError(const Call& call, const ApiError& error);
// {"kind":"Status","status":"Success"} with details of the object, if `details` is an object.
void SendSuccess(const Call& call, int code, const api::Json& details);
// Content type and the headers every JSON answer carries.
net::Headers AnswerHeaders(const Call& call, std::string content_type);

}  // namespace kueue::apiserver
