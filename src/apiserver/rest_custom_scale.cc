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

ApiError NoReplicas(const api::KindDefinition::ScalePaths& paths) {
  return InternalErrorWithCause(
      fmt::format("the spec replicas field \"{}\" does not exist", paths.spec_replicas));
}

// Without replicas there are none.
Json ScaleOf(const api::KindDefinition::ScalePaths& paths, const Json& object) {
  const Json* replicas = Follow(object, paths.spec_replicas);
  Json metadata = Json::MakeObject();
  for (const char* member : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    const std::string text = object.StringAt({"metadata", member});
    if (!text.empty()) metadata.Set(member, text);
  }
  Json spec = Json::MakeObject();
  if (replicas != nullptr && replicas->IsInt() && replicas->AsInt() != 0) {
    spec.Set("replicas", *replicas);
  }
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

}  // namespace

void RestHandler::SendScale(Call& call, const Json& object) {
  const api::KindDefinition::ScalePaths& paths = *call.path.kind->definition->scale();
  const Json* replicas = Follow(object, paths.spec_replicas);
  if (replicas == nullptr || !replicas->IsInt()) return SendError(call, NoReplicas(paths));
  const Json scale = ScaleOf(paths, object);
  SendJson(call, 200, call.form.yaml ? api::WriteYaml(scale) : api::WriteJson(scale));
}

// How many replicas there may be is the custom resource's own rule.
void RestHandler::Scale(Call& call) {
  const api::KindInfo& kind = *call.path.kind;
  const std::string& method = call.request.method;
  if (kind.definition == nullptr || (method != "GET" && method != "PUT" && method != "PATCH")) {
    return SendError(call, MethodNotAllowedError());
  }
  if (!Agree(call, AnswerKind::kPlain)) return;
  const auto read = ReadAs(kind, store_, StoreKey(call.path.namespace_name, call.path.name));
  if (!read.ok()) return SendError(call, read.error());
  const StoredPtr& current = *read;
  if (current == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
  if (method == "GET") return SendScale(call, current->object());

  const auto options = ParseWriteRequest(
      call.target, method == "PUT" ? "UpdateOptions" : "PatchOptions", IsApply(call));
  if (!options.ok()) return SendError(call, options.error());
  const api::KindDefinition::ScalePaths& paths = *kind.definition->scale();
  const Json before = ScaleOf(paths, current->object());
  const api::FieldPath path = PathOf(paths.spec_replicas);
  const api::ScaleMapping mapping{DefinedReplicas, &path, kind.ApiVersion()};
  auto scale = ReadScale(call, current, *options, mapping, before);
  if (!scale.ok()) return SendError(call, scale.error());
  WriteContext context = ContextOf(call, *options);
  auto owners = SettleScale(call, mapping, *current, before, *scale, context);
  if (!owners.ok()) return SendError(call, owners.error());
  const Json* replicas = scale->object.FindPath({"spec", "replicas"});
  IncomingObject incoming;
  incoming.object = current->object();
  SetAt(incoming.object, paths.spec_replicas, replicas != nullptr ? *replicas : Json(0));
  incoming.managed = *std::move(owners);
  const std::string version = scale->object.StringAt({"metadata", "resourceVersion"});
  if (!version.empty()) incoming.object["metadata"].Set("resourceVersion", version);
  context.settled = true;
  const auto result = writer_.Update(kind, call.path.namespace_name, call.path.name, "",
                                     UpdateSource::kPatch, std::move(incoming), context);
  if (!result.ok()) return SendError(call, result.error());
  SendScale(call, result->object->object());
}

}  // namespace kueue::apiserver
