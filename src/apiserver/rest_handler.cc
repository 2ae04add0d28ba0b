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

Json ReviewAnswer(const VirtualResource& resource, Json spec, Json status) {
  Json answer = Json::MakeObject();
  answer.Set("kind", resource.kind);
  answer.Set("apiVersion", fmt::format("{}/{}", resource.group, resource.version));
  answer.Set("metadata", Json::MakeObject());
  if (spec.IsObject()) answer.Set("spec", std::move(spec));
  answer.Set("status", std::move(status));
  return answer;
}

AccessAttributes AccessOf(const Json& spec) {
  AccessAttributes access;
  const auto text = [&](const char* part, const char* field) {
    return spec.StringAt({part, field});
  };
  if (spec.Find("nonResourceAttributes") != nullptr) {
    access.verb = text("nonResourceAttributes", "verb");
    access.path = text("nonResourceAttributes", "path");
    if (access.path.empty()) access.path = "/";
    return access;
  }
  access.verb = text("resourceAttributes", "verb");
  access.group = text("resourceAttributes", "group");
  access.resource = text("resourceAttributes", "resource");
  access.subresource = text("resourceAttributes", "subresource");
  access.namespace_name = text("resourceAttributes", "namespace");
  access.name = text("resourceAttributes", "name");
  return access;
}

// A review asks about a resource or about a path, not both and not neither.
Refusal CheckReview(const VirtualResource& resource, const Json& spec) {
  const bool about_resource = spec.Find("resourceAttributes") != nullptr;
  const bool about_path = spec.Find("nonResourceAttributes") != nullptr;
  if (about_resource != about_path) return std::nullopt;
  ApiError error;
  error.code = 422;
  error.reason = "Invalid";
  error.message = "exactly one of resourceAttributes and nonResourceAttributes must be given";
  error.has_details = true;
  error.group = resource.group;
  error.causes.push_back({"FieldValueInvalid",
                          about_path ? "spec.nonResourceAttributes" : "spec.resourceAttributes",
                          error.message});
  return error;
}

}  // namespace

std::string RestHandler::VerbOf(const Call& call) {
  const std::string& method = call.request.method;
  const bool collection = call.path.name.empty();
  if (method == "GET") {
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
    return SendError(*call, TooLargeError(fmt::format("the body has {} bytes, at most {} are read",
                                                      call->request.body.size(), kMaxBodyBytes)));
  }
  if (call->path.name.find('/') != std::string::npos) return SendError(*call, NoSuchPathError());
  if (!IsPathSegmentName(call->path.name)) {
    return SendError(*call, BadRequestError(fmt::format("\"{}\" cannot be a name",
                                                        call->path.name)));
  }
  if (call->path.virtual_resource != nullptr) return HandleVirtual(*call);
  if (const api::KindInfo& kind = *call->path.kind; !kind.deprecation.empty()) {
    call->warnings.push_back(kind.defined ? std::string(kind.deprecation)
                                          : fmt::format("{} {}: {}", kind.ApiVersion(), kind.kind,
                                                        kind.deprecation));
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
  SendError(*call, MethodNotAllowedError());
}

void RestHandler::HandleObject(Call& call) {
  const std::string& method = call.request.method;
  if (method == "GET") return Get(call);
  if (method == "PUT") return Update(call);
  if (method == "PATCH") return Patch(call);
  if (method == "DELETE") return Delete(call);
  SendError(call, MethodNotAllowedError());
}

void RestHandler::HandleSubresource(Call& call) {
  const std::string& method = call.request.method;
  const std::string& sub = call.path.subresource;
  if (sub == "status") {
    if (method == "GET") return Get(call);
    if (method == "PUT") return Update(call);
    if (method == "PATCH") return Patch(call);
  }
  if (sub == "scale") return Scale(call);
  if (sub == "finalize" && method == "PUT") return Update(call);
  if (sub == "binding" && method == "POST") return Bind(call);
  if (sub == "eviction" && method == "POST") return Evict(call);
  if (sub == "log" && method == "GET") return ReadLog(call);
  SendError(call, MethodNotAllowedError());
}

void RestHandler::HandleVirtual(Call& call) {
  if (call.request.method != "POST" || !call.path.name.empty()) {
    return SendError(call, MethodNotAllowedError());
  }
  if (!Agree(call, AnswerKind::kPlain)) return;
  auto body = ReadBody(call);
  if (!body.ok()) return SendError(call, body.error());
  const VirtualResource& resource = *call.path.virtual_resource;
  Json status = Json::MakeObject();
  if (resource.kind == "SelfSubjectReview") {
    Json groups = Json::MakeArray();
    for (const std::string& group : call.user.groups) groups.Append(group);
    Json info = Json::MakeObject();
    info.Set("username", call.user.name);
    if (!call.user.uid.empty()) info.Set("uid", call.user.uid);
    info.Set("groups", std::move(groups));
    status.Set("userInfo", std::move(info));
    return SendJson(call, 201, api::WriteJson(ReviewAnswer(resource, Json(), std::move(status))));
  }
  const Json* given = body->object.Find("spec");
  Json spec = given != nullptr && given->IsObject() ? *given : Json::MakeObject();
  if (Refusal refusal = CheckReview(resource, spec)) return SendError(call, *refusal);
  status.Set("allowed", authorizer_.Allows(call.user, AccessOf(spec)));
  SendJson(call, 201, api::WriteJson(ReviewAnswer(resource, std::move(spec), std::move(status))));
}

bool RestHandler::Agree(Call& call, AnswerKind answer) {
  const auto form = Negotiate(call.Header("accept"), answer);
  if (!form) {
    SendError(call, NotAcceptableError());
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

WriteContext RestHandler::ContextOf(Call& call, const WriteRequest& options) const {
  const std::string manager = options.field_manager.empty()
                                  ? ManagerOfUserAgent(call.Header("user-agent"))
                                  : options.field_manager;
  return {&call.user, options, &call.warnings, manager};
}

Outcome<IncomingObject> RestHandler::ReadBody(const Call& call) const {
  IncomingObject incoming;
  std::vector<api::DuplicateKey> duplicates;
  switch (BodyFormatOf(call.Header("content-type"))) {
    case BodyFormat::kUnsupported:
      return UnsupportedMediaTypeError(
          "bodies are read as application/json or application/yaml");
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
  return incoming;
}

}  // namespace kueue::apiserver
