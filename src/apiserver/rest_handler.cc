#include "apiserver/rest_handler.h"

#include <fmt/format.h>

#include <utility>

#include "api/codec/json_text.h"
#include "apiserver/field_manager.h"
#include "apiserver/protobuf.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr size_t kMaxBodyBytes = 3u << 20;

// Custom resources are told what they are.
ApiError MethodNotAllowed(const Call& call) {
  ApiError error = MethodNotAllowedError();
  if (call.path.kind == nullptr || !call.path.kind->custom_resource) return error;
  error.group = call.path.kind->group;
  error.kind = call.path.kind->plural;
  return error;
}

}  // namespace

std::string RestHandler::VerbOf(const Call& call) {
  const std::string& method = call.request.method;
  const bool collection = call.path.name.empty();
  if (method == "GET" || method == "HEAD") {
    if (call.path.watch) return "watch";
    if (!collection) return "get";
    const std::string watch = call.target.Query("watch").value_or("false");
    return watch == "false" || watch == "0" ? "list" : "watch";
  }
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return collection ? "deletecollection" : "delete";
  return "";
}

void RestHandler::Handle(const std::shared_ptr<Call>& call) {
  if (call->request.body.size() > kMaxBodyBytes) {
    return SendError(*call, TooLargeError(fmt::format("limit is {}", kMaxBodyBytes)));
  }
  if (call->request.method == "HEAD") {
    // Only custom resources are read this way.
    if (call->path.kind == nullptr || !call->path.kind->custom_resource) {
      return SendError(*call, MethodNotAllowed(*call));
    }
    call->request.method = "GET";
  }
  if (call->path.name.find('/') != std::string::npos) return SendError(*call, NoSuchPathError());
  if (!IsPathSegmentName(call->path.name)) {
    return SendError(*call,
                     BadRequestError(fmt::format("\"{}\" cannot be a name", call->path.name)));
  }
  if (call->path.virtual_resource != nullptr) return HandleVirtual(*call);
  if (const api::KindInfo& kind = *call->path.kind; !kind.deprecation.empty()) {
    call->warnings.push_back(
        kind.defined ? std::string(kind.deprecation)
                     : fmt::format("{} {}: {}", kind.ApiVersion(), kind.kind, kind.deprecation));
  }
  if (!call->path.subresource.empty()) return HandleSubresource(*call);
  if (call->path.watch || call->path.name.empty()) return HandleCollection(call);
  HandleObject(*call);
}

void RestHandler::HandleCollection(const std::shared_ptr<Call>& call) {
  const std::string& method = call->request.method;
  const bool one_scope = !call->path.kind->namespaced || !call->path.namespace_name.empty();
  if (method == "GET") return ListOrWatch(call);
  if (method == "POST" && one_scope && !call->path.watch) return Create(*call);
  if (method == "DELETE" && one_scope && !call->path.watch &&
      TraitsOf(*call->path.kind).delete_collection) {
    return DeleteCollection(*call);
  }
  if (call->path.kind->custom_resource && (method == "PUT" || method == "PATCH")) {
    return SendError(*call, BadRequestError("name must be provided"));
  }
  SendError(*call, MethodNotAllowed(*call));
}

void RestHandler::HandleObject(Call& call) {
  const std::string& method = call.request.method;
  if (method == "GET") return Get(call);
  if (method == "PUT") return Update(call);
  if (method == "PATCH") return Patch(call);
  if (method == "DELETE") return Delete(call);
  SendError(call, MethodNotAllowed(call));
}

void RestHandler::HandleSubresource(Call& call) {
  const std::string& method = call.request.method;
  const std::string& sub = call.path.subresource;
  if (sub == "exec" || sub == "attach" || sub == "portforward" || sub == "proxy") {
    return RefuseConnection(call);
  }
  if (sub == "status" || sub == "ephemeralcontainers" || sub == "resize") {
    return HandleChange(call);
  }
  if (sub == "scale") return call.path.kind->custom_resource ? Scale(call) : HandleScale(call);
  if (sub == "token" && method == "POST") return CreateToken(call);
  if (sub == "finalize" && method == "PUT") return Update(call);
  if (sub == "binding" && method == "POST") return Bind(call);
  if (sub == "eviction" && method == "POST") return Evict(call);
  if (sub == "log" && method == "GET") return ReadLog(call);
  SendError(call, MethodNotAllowed(call));
}

void RestHandler::HandleChange(Call& call) {
  const std::string& method = call.request.method;
  if (method == "GET") return Get(call);
  if (method == "PUT") return Update(call);
  if (method == "PATCH") return Patch(call);
  SendError(call, MethodNotAllowed(call));
}

// Nothing runs behind the objects of this server that one could talk to.
void RestHandler::RefuseConnection(Call& call) {
  const api::KindInfo& kind = *call.path.kind;
  const std::string& method = call.request.method;
  if (call.path.subresource != "proxy" && method != "GET" && method != "POST") {
    return SendError(call, MethodNotAllowed(call));
  }
  const std::string name = call.path.name.substr(0, call.path.name.find(':'));
  if (store_.Get(kind, StoreKey(call.path.namespace_name, name)) == nullptr &&
      store_.Get(kind, StoreKey(call.path.namespace_name, call.path.name)) == nullptr) {
    return SendError(call, NotFoundError(kind, call.path.name));
  }
  ApiError error = BadRequestError(
      fmt::format("{} of {} \"{}\" is not served: pods and nodes of this cluster are simulated, no "
                  "process runs that could be connected to",
                  call.path.subresource, kind.plural, call.path.name));
  SendError(call, error);
}

bool RestHandler::Agree(Call& call, AnswerKind answer) {
  const auto form = Negotiate(call.Header("accept"), answer);
  if (!form) {
    ApiError error = NotAcceptableError();
    // A built-in kind whose media types are all unknown is told with (empty) details.
    const bool custom = call.path.kind != nullptr && call.path.kind->custom_resource;
    error.has_details = !custom && !NamesKnownType(call.Header("accept"));
    SendError(call, error);
    return false;
  }
  call.form = *form;
  const std::string include = call.target.Query("includeObject").value_or("");
  if (call.form.shape == Shape::kTable && !include.empty() && include != "None" &&
      include != "Metadata" && include != "Object") {
    SendError(call, BadRequestError("includeObject must be None, Metadata or Object"));
    return false;
  }
  return true;
}

View RestHandler::ViewOf(const Call& call) const {
  View view;
  view.kind = call.path.kind;
  view.form = call.form;
  view.now = executor_.clock().Now();
  view.managed_fields = call.Header(kOmitHeader) != "managedFields";
  const std::string include = call.target.Query("includeObject").value_or("");
  if (include == "None") view.include = IncludeObject::kNone;
  if (include == "Object") view.include = IncludeObject::kObject;
  return view;
}

base::Time RestHandler::Began(Call& call) const {
  if (!call.session.began) call.session.began = executor_.clock().Now();
  return *call.session.began;
}

WriteContext RestHandler::ContextOf(Call& call, const WriteRequest& options) const {
  const std::string manager = options.field_manager.empty()
                                  ? ManagerOfUserAgent(call.Header("user-agent"))
                                  : options.field_manager;
  WriteContext context{&call.user, options, &call.warnings, manager};
  context.session = &call.session;
  return context;
}

Outcome<IncomingObject> RestHandler::ReadBody(const Call& call) const {
  IncomingObject incoming;
  std::vector<api::DuplicateKey> duplicates;
  switch (BodyFormatOf(call.Header("content-type"))) {
    case BodyFormat::kUnsupported:
      return UnsupportedMediaTypeError("bodies are read as application/json or application/yaml");
    case BodyFormat::kProtobuf: {
      auto object = DecodeProtobuf(call.request.body);
      if (!object.ok()) return object.error();
      incoming.object = std::move(*object);
      break;
    }
    case BodyFormat::kJson: {
      auto json = api::ParseJson(call.request.body, {}, &duplicates);
      if (!json.ok()) return BadRequestError("the body is not JSON: " + json.error().message);
      incoming.object = std::move(*json);
      break;
    }
    case BodyFormat::kYaml: {
      auto documents = api::ParseYaml(call.request.body, &duplicates);
      if (!documents.ok()) {
        return BadRequestError("the body is not YAML: " + documents.error().message);
      }
      if (documents->size() != 1) {
        return BadRequestError("the body must be exactly one YAML document");
      }
      incoming.object = std::move((*documents)[0]);
      break;
    }
  }
  for (api::DuplicateKey& duplicate : duplicates) {
    incoming.duplicate_keys.push_back(std::move(duplicate.path));
  }
  incoming.bytes = call.request.body.size();
  return incoming;
}

}  // namespace kueue::apiserver
