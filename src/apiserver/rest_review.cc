#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "apiserver/account_tokens.h"
#include "apiserver/rest_handler.h"

// Questions about users and access, which are answered and not stored; and tokens.
namespace kueue::apiserver {

using api::FieldError;
using api::FieldErrorType;
using api::Json;

namespace {

Json TextList(const std::vector<std::string>& texts) {
  Json list = Json::MakeArray();
  for (const std::string& text : texts) list.Append(text);
  return list;
}

std::vector<std::string> TextsAt(const Json& object, std::initializer_list<std::string_view> path) {
  std::vector<std::string> texts;
  const Json* list = object.FindPath(path);
  if (list == nullptr || !list->IsArray()) return texts;
  for (const Json& item : list->AsArray()) {
    if (item.IsString()) texts.push_back(item.AsString());
  }
  return texts;
}

Json Answer(const api::KindInfo& kind, Json metadata, Json spec, Json status) {
  Json answer = Json::MakeObject();
  answer.Set("kind", kind.kind);
  answer.Set("apiVersion", kind.ApiVersion());
  answer.Set("metadata", std::move(metadata));
  if (spec.IsObject()) answer.Set("spec", std::move(spec));
  answer.Set("status", std::move(status));
  return answer;
}

Json UserInfo(const User& user) {
  Json info = Json::MakeObject();
  info.Set("username", user.name);
  if (!user.uid.empty()) info.Set("uid", user.uid);
  if (!user.groups.empty()) info.Set("groups", TextList(user.groups));
  if (user.extra.empty()) return info;
  Json extra = Json::MakeObject();
  for (const auto& [key, values] : user.extra) extra.Set(key, TextList(values));
  info.Set("extra", std::move(extra));
  return info;
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

User SubjectOf(const Json& spec) {
  User user;
  user.name = spec.StringAt({"user"});
  user.uid = spec.StringAt({"uid"});
  user.groups = TextsAt(spec, {"groups"});
  return user;
}

// A review asks about a resource or about a path, not both and not neither; about somebody else
// it says about whom.
Refusal CheckReview(const VirtualResource& resource, const std::string& namespace_name,
                    const Json& spec) {
  const bool self = resource.kind == "SelfSubjectAccessReview";
  const bool local = resource.kind == "LocalSubjectAccessReview";
  const bool about_resource = spec.Find("resourceAttributes") != nullptr;
  const bool about_path = spec.Find("nonResourceAttributes") != nullptr;
  std::vector<FieldError> errors;
  const auto invalid = [&](const char* field, std::string message) {
    errors.push_back({FieldErrorType::kInvalid, field, std::move(message)});
  };
  if (about_resource == about_path) {
    invalid(about_path ? "spec.nonResourceAttributes" : "spec.resourceAttributes",
            "exactly one of resourceAttributes and nonResourceAttributes must be given");
  }
  if (!self && spec.StringAt({"user"}).empty() && TextsAt(spec, {"groups"}).empty()) {
    invalid("spec.user", "at least one of user and groups must be given");
  }
  if (local && about_resource &&
      spec.StringAt({"resourceAttributes", "namespace"}) != namespace_name) {
    invalid("spec.resourceAttributes.namespace", "must be the namespace of the review");
  }
  if (local && about_path) {
    invalid("spec.nonResourceAttributes", "paths belong to no namespace");
  }
  if (errors.empty()) return std::nullopt;
  ApiError error;
  error.code = 422;
  error.reason = "Invalid";
  error.message = fmt::format("{} is invalid: {}", resource.kind, api::JoinFieldErrors(errors));
  error.has_details = true;
  error.group = resource.group;
  for (const FieldError& e : errors) {
    error.causes.push_back({api::CauseReason(e.type), e.field, e.message});
  }
  return error;
}

Json ResourceRule(const AccessRule& rule) {
  Json json = Json::MakeObject();
  json.Set("verbs", TextList(rule.verbs));
  json.Set("apiGroups", TextList(rule.groups));
  json.Set("resources", TextList(rule.resources));
  if (!rule.names.empty()) json.Set("resourceNames", TextList(rule.names));
  return json;
}

Json PathRule(const AccessRule& rule) {
  Json json = Json::MakeObject();
  json.Set("verbs", TextList(rule.verbs));
  json.Set("nonResourceURLs", TextList(rule.paths));
  return json;
}

}  // namespace

// The body of a request that is not stored, read as `kind` (422 and 400 as for stored kinds). A
// body may leave its kind and version out.
Outcome<Json> RestHandler::ReadRequest(Call& call, const api::KindInfo& kind) {
  const auto options = ParseWriteRequest(call.target, "CreateOptions");
  if (!options.ok()) return options.error();
  auto body = ReadBody(call);
  if (!body.ok()) return body.error();
  if (Refusal refusal = writer_.CheckReadable(kind, *body, ContextOf(call, *options))) {
    return *refusal;
  }
  return std::move(body->object);
}

void RestHandler::HandleVirtual(Call& call) {
  if (call.request.method != "POST" || !call.path.name.empty()) {
    return SendError(call, MethodNotAllowedError());
  }
  if (!Agree(call, AnswerKind::kPlain)) return;
  const VirtualResource& resource = *call.path.virtual_resource;
  const api::KindInfo& kind = RequestKind(resource.group, resource.kind);
  auto body = ReadRequest(call, kind);
  if (!body.ok()) return SendError(call, body.error());
  const Json* given = body->Find("spec");
  Json spec = given != nullptr && given->IsObject() ? *given : Json::MakeObject();
  if (resource.kind == "SelfSubjectReview") return ReviewSelf(call, kind);
  if (resource.kind == "TokenReview") return ReviewToken(call, kind, std::move(spec));
  if (resource.kind == "SelfSubjectRulesReview") return ReviewRules(call, kind, spec);
  if (Refusal refusal = CheckReview(resource, call.path.namespace_name, spec)) {
    return SendError(call, *refusal);
  }
  const User subject = resource.kind == "SelfSubjectAccessReview" ? call.user : SubjectOf(spec);
  const Decision decision = authorizer_.Decide(subject, AccessOf(spec));
  Json status = Json::MakeObject();
  status.Set("allowed", decision.allowed);
  if (!decision.reason.empty()) status.Set("reason", decision.reason);
  Json metadata = Json::MakeObject();
  if (resource.namespaced) metadata.Set("namespace", call.path.namespace_name);
  SendJson(call, 201,
           api::WriteJson(Answer(kind, std::move(metadata), std::move(spec), std::move(status))));
}

void RestHandler::ReviewSelf(Call& call, const api::KindInfo& kind) {
  Json metadata = Json::MakeObject();
  metadata.Set("creationTimestamp", base::FormatTime(executor_.clock().Now()));
  Json status = Json::MakeObject();
  status.Set("userInfo", UserInfo(call.user));
  SendJson(call, 201, api::WriteJson(Answer(kind, std::move(metadata), Json(), std::move(status))));
}

void RestHandler::ReviewRules(Call& call, const api::KindInfo& kind, const Json& spec) {
  const std::string namespace_name = spec.StringAt({"namespace"});
  if (namespace_name.empty()) return SendError(call, BadRequestError("no namespace on request"));
  Json resources = Json::MakeArray(), paths = Json::MakeArray();
  for (const AccessRule& rule : authorizer_.RulesFor(call.user, namespace_name)) {
    if (!rule.resources.empty()) resources.Append(ResourceRule(rule));
    if (!rule.paths.empty()) paths.Append(PathRule(rule));
  }
  Json status = Json::MakeObject();
  status.Set("resourceRules", std::move(resources));
  status.Set("nonResourceRules", std::move(paths));
  status.Set("incomplete", false);
  SendJson(call, 201,
           api::WriteJson(Answer(kind, Json::MakeObject(), Json::MakeObject(), std::move(status))));
}

void RestHandler::ReviewToken(Call& call, const api::KindInfo& kind, Json spec) {
  const std::string token = spec.StringAt({"token"});
  if (token.empty()) {
    return SendError(call, BadRequestError("token is required for TokenReview in authentication"));
  }
  std::vector<std::string> audiences = TextsAt(spec, {"audiences"});
  if (audiences.empty()) audiences = {kApiAudience};
  std::vector<std::string> matched;
  std::optional<User> user = tokens_.VerifyFor(token, audiences, matched);
  if (!user && std::find(audiences.begin(), audiences.end(), kApiAudience) != audiences.end()) {
    // Tokens of this server's own users are for this server.
    matched = {kApiAudience};
    user = authenticator_.UserOfToken(token);
  }
  Json status = Json::MakeObject();
  if (user) {
    status.Set("authenticated", true);
    status.Set("user", UserInfo(*user));
    status.Set("audiences", TextList(matched));
  } else {
    status.Set("user", Json::MakeObject());
    status.Set("error", "the token is not known here, has run out, or is for others");
  }
  SendJson(call, 201,
           api::WriteJson(Answer(kind, Json::MakeObject(), std::move(spec), std::move(status))));
}

// What a token is bound to must be there, and be the one that is meant.
Refusal RestHandler::FindBound(const Call& call, const Json& reference,
                               AccountTokens::Request& request) const {
  const std::string name = reference.StringAt({"kind"});
  const bool known = name == "Pod" || name == "Secret" || name == "Node";
  if (!known) {
    return BadRequestError(
        fmt::format("a token can be bound to a Pod, a Secret or a Node, not to "
                    "\"{}\"",
                    name));
  }
  const api::KindInfo& kind = *api::FindKind("", "v1", name);
  const std::string object_name = reference.StringAt({"name"});
  const std::string space = kind.namespaced ? call.path.namespace_name : std::string();
  const StoredPtr object = store_.Get(kind, StoreKey(space, object_name));
  if (object == nullptr) return NotFoundError(kind, object_name);
  const std::string uid = object->object().StringAt({"metadata", "uid"});
  const std::string wanted = reference.StringAt({"uid"});
  if (!wanted.empty() && wanted != uid) {
    return ConflictError(kind, object_name, fmt::format("its uid is not {}", wanted));
  }
  request.bound_kind = name == "Pod" ? "pod" : name == "Secret" ? "secret" : "node";
  request.bound_name = object_name;
  request.bound_uid = uid;
  if (name != "Pod") return std::nullopt;
  const Json& pod = object->object();
  if (pod.StringAt({"spec", "serviceAccountName"}) != call.path.name) {
    return BadRequestError(fmt::format("pod \"{}\" does not run as service account \"{}\"",
                                       object_name, call.path.name));
  }
  request.node_name = pod.StringAt({"spec", "nodeName"});
  if (request.node_name.empty()) return std::nullopt;
  const StoredPtr node = store_.Get(api::KindOf<api::Node>(), request.node_name);
  if (node != nullptr) request.node_uid = node->object().StringAt({"metadata", "uid"});
  return std::nullopt;
}

void RestHandler::CreateToken(Call& call) {
  if (!Agree(call, AnswerKind::kPlain)) return;
  const api::KindInfo& kind = RequestKind("authentication.k8s.io", "TokenRequest");
  auto body = ReadRequest(call, kind);
  if (!body.ok()) return SendError(call, body.error());
  for (const auto& [member, path] : {std::make_pair("name", call.path.name),
                                     std::make_pair("namespace", call.path.namespace_name)}) {
    const std::string given = body->StringAt({"metadata", member});
    if (!given.empty() && given != path) {
      return SendError(call, BadRequestError(fmt::format(
                                 "the {} of the token request is \"{}\", that of the path \"{}\"",
                                 member, given, path)));
    }
  }
  const StoredPtr account =
      store_.Get(*call.path.kind, StoreKey(call.path.namespace_name, call.path.name));
  if (account == nullptr) {
    return SendError(call, NotFoundError(*call.path.kind, call.path.name));
  }
  constexpr int64_t kShortest = 600, kLongest = int64_t{1} << 32, kUsual = 3600;
  const Json* wanted = body->FindPath({"spec", "expirationSeconds"});
  const int64_t seconds = wanted != nullptr && wanted->IsInt() ? wanted->AsInt() : kUsual;
  if (seconds < kShortest || seconds > kLongest) {
    return SendError(call, InvalidError(kind, "",
                                        {{FieldErrorType::kInvalid, "spec.expirationSeconds",
                                          seconds < kShortest ? "must be at least 10 minutes"
                                                              : "must be at most 2^32 seconds"}}));
  }
  AccountTokens::Request request;
  request.account = &account->object();
  request.audiences = TextsAt(*body, {"spec", "audiences"});
  if (request.audiences.empty()) request.audiences = {kApiAudience};
  request.valid_for = base::seconds(seconds);
  const Json* bound = body->FindPath({"spec", "boundObjectRef"});
  if (bound != nullptr && bound->IsObject()) {
    if (Refusal refusal = FindBound(call, *bound, request)) return SendError(call, *refusal);
  }
  const base::Time now = executor_.clock().Now();
  Json metadata = Json::MakeObject();
  metadata.Set("name", call.path.name);
  metadata.Set("namespace", call.path.namespace_name);
  metadata.Set("uid", account->object().StringAt({"metadata", "uid"}));
  metadata.Set("creationTimestamp", base::FormatTime(now));
  Json spec = Json::MakeObject();
  spec.Set("audiences", TextList(request.audiences));
  spec.Set("expirationSeconds", seconds);
  spec.Set("boundObjectRef", bound != nullptr && bound->IsObject() ? *bound : Json());
  Json status = Json::MakeObject();
  status.Set("token", tokens_.Issue(request));
  status.Set("expirationTimestamp", base::FormatTime(now + request.valid_for));
  SendJson(call, 201,
           api::WriteJson(Answer(kind, std::move(metadata), std::move(spec), std::move(status))));
}

}  // namespace kueue::apiserver
