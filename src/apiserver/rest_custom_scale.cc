#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "apiserver/rest_handler.h"
#include "apiserver/versions.h"

// The scale subresource of custom resources: their replicas in the form every autoscaler knows.
namespace kueue::apiserver {

using api::Json;

namespace {

const Json* Follow(const Json& object, std::string_view path) {
  const Json* at = &object;
  while (at != nullptr && !path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    const size_t dot = path.find('.');
    at = at->Find(path.substr(0, dot));
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot);
  }
  return at;
}

void SetAt(Json& object, std::string_view path, Json value) {
  Json* at = &object;
  while (true) {
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    const size_t dot = path.find('.');
    if (dot == std::string_view::npos) break;
    at = &(*at)[path.substr(0, dot)];
    if (!at->IsObject()) *at = Json::MakeObject();
    path.remove_prefix(dot);
  }
  at->Set(path, std::move(value));
}

Outcome<Json> ScaleOf(const api::KindDefinition::ScalePaths& paths, const Json& object) {
  const Json* replicas = Follow(object, paths.spec_replicas);
  if (replicas == nullptr || !replicas->IsInt()) {
    ApiError error = InternalError(
        fmt::format("Internal error occurred: the spec replicas field \"{}\" does not exist",
                    paths.spec_replicas));
    error.reason = "InternalError";
    error.has_details = true;
    error.causes.push_back(
        {"", "",
         fmt::format("the spec replicas field \"{}\" does not exist", paths.spec_replicas)});
    return error;
  }
  Json metadata = Json::MakeObject();
  for (const char* member : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    const std::string text = object.StringAt({"metadata", member});
    if (!text.empty()) metadata.Set(member, text);
  }
  Json spec = Json::MakeObject();
  if (replicas->AsInt() != 0) spec.Set("replicas", *replicas);
  Json status = Json::MakeObject();
  const Json* current = Follow(object, paths.status_replicas);
  status.Set("replicas", current != nullptr && current->IsInt() ? current->AsInt() : int64_t{0});
  const Json* selector =
      paths.label_selector.empty() ? nullptr : Follow(object, paths.label_selector);
  if (selector != nullptr && selector->IsString() && !selector->AsString().empty()) {
    status.Set("selector", *selector);
  }
  Json scale = Json::MakeObject();
  scale.Set("kind", "Scale");
  scale.Set("apiVersion", "autoscaling/v1");
  scale.Set("metadata", std::move(metadata));
  scale.Set("spec", std::move(spec));
  scale.Set("status", std::move(status));
  return scale;
}

api::FieldPath PathOf(std::string_view text) {
  api::FieldPath path;
  while (!text.empty()) {
    if (text.front() == '.') text.remove_prefix(1);
    const size_t dot = std::min(text.find('.'), text.size());
    path.push_back(api::PathElement::Field(text.substr(0, dot)));
    text.remove_prefix(dot);
  }
  return path;
}

// `context` is the path in the version of the request. Other versions have it where they like: they
// are told apart by nothing here, as the paths of a definition seldom differ.
const api::FieldPath* DefinedReplicas(const void* context, const std::string&) {
  return static_cast<const api::FieldPath*>(context);
}

// How many there may be is the custom resource's own rule.
Refusal CheckScale(const Json& scale) {
  const Json* replicas = scale.FindPath({"spec", "replicas"});
  if (replicas == nullptr || replicas->IsNull() || replicas->IsInt()) return std::nullopt;
  return BadRequestError("spec.replicas of a Scale must be an integer");
}

}  // namespace

void RestHandler::SendScale(Call& call, const Json& object) {
  const auto scale = ScaleOf(*call.path.kind->definition->scale(), object);
  if (!scale.ok()) return SendError(call, scale.error());
  SendJson(call, 200, call.form.yaml ? api::WriteYaml(*scale) : api::WriteJson(*scale));
}

void RestHandler::Scale(Call& call) {
  const api::KindInfo& kind = *call.path.kind;
  const std::string& method = call.request.method;
  if (kind.definition == nullptr || (method != "GET" && method != "PUT" && method != "PATCH")) {
    return SendError(call, MethodNotAllowedError());
  }
  if (!Agree(call, AnswerKind::kPlain)) return;
  const auto read = ReadAs(kind, store_, StoreKey(call.path.namespace_name, call.path.name));
  if (!read.ok()) return SendError(call, read.error());
  if (*read == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
  const Json& object = (*read)->object();
  if (method == "GET") return SendScale(call, object);

  const auto options = ParseWriteRequest(
      call.target, method == "PUT" ? "UpdateOptions" : "PatchOptions", IsApply(call));
  if (!options.ok()) return SendError(call, options.error());
  const auto before = ScaleOf(*kind.definition->scale(), object);
  if (!before.ok()) return SendError(call, before.error());
  IncomingObject incoming;
  auto scale = Outcome<Json>(Json());
  if (method == "PUT") {
    auto body = ReadBody(call);
    if (!body.ok()) return SendError(call, body.error());
    scale = std::move(body->object);
  } else if (IsApply(call)) {
    const api::FieldPath path = PathOf(kind.definition->scale()->spec_replicas);
    auto applied = ApplyScale(call, *options, {DefinedReplicas, &path, kind.ApiVersion()}, **read,
                              *before);
    if (!applied.ok()) return SendError(call, applied.error());
    scale = std::move(applied->object);
    incoming.managed = std::move(applied->managed);
  } else {
    scale = ApplyPatch(call, *call.path.kind, *before, incoming);
    if (!scale.ok()) return SendError(call, scale.error());
  }
  if (Refusal refusal = CheckScale(*scale)) return SendError(call, *refusal);
  WriteContext context = ContextOf(call, *options);
  if (Refusal refusal = AdmitScale(call, *before, *scale, context)) {
    return SendError(call, *refusal);
  }
  const Json* replicas = scale->FindPath({"spec", "replicas"});
  incoming.object = object;
  SetAt(incoming.object, kind.definition->scale()->spec_replicas,
        replicas != nullptr && replicas->IsInt() ? *replicas : Json(0));
  const std::string version = scale->StringAt({"metadata", "resourceVersion"});
  if (!version.empty()) incoming.object["metadata"].Set("resourceVersion", version);
  context.settled = true;
  context.through_scale = true;
  const auto result =
      writer_.Update(kind, call.path.namespace_name, call.path.name, "", UpdateSource::kPatch,
                     std::move(incoming), context);
  if (!result.ok()) return SendError(call, result.error());
  SendScale(call, result->object->object());
}

}  // namespace kueue::apiserver
