#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/match/selector.h"
#include "apiserver/field_manager.h"
#include "apiserver/rest_handler.h"

// The subresource scale: replicas of anything that has some, in one form for all.
namespace kueue::apiserver {

using api::FieldErrorType;
using api::Json;

namespace {

const api::KindInfo& ScaleKind() { return RequestKind("autoscaling", "Scale"); }

int64_t IntAt(const Json& object, std::initializer_list<std::string_view> path);

// Cells of a scale: name, wanted, there, age.
std::vector<Json> ScaleRow(const Json& scale, base::Time now) {
  const auto created = base::ParseTime(scale.StringAt({"metadata", "creationTimestamp"}));
  return {scale.StringAt({"metadata", "name"}), IntAt(scale, {"spec", "replicas"}),
          IntAt(scale, {"status", "replicas"}),
          created.ok() ? base::FormatAge(now - *created) : std::string("<unknown>")};
}

// With what a table of it shows.
const api::KindInfo& ShownScale() {
  static const api::KindInfo kind = [] {
    api::KindInfo shown = ScaleKind();
    shown.columns = {{"Name", "string", ""},
                     {"Desired", "integer", ""},
                     {"Available", "integer", ""},
                     {"Age", "string", ""}};
    shown.row = ScaleRow;
    return shown;
  }();
  return kind;
}

int64_t IntAt(const Json& object, std::initializer_list<std::string_view> path) {
  const Json* value = object.FindPath(path);
  return value != nullptr && value->IsInt() ? value->AsInt() : 0;
}

std::string ListOf(const Json& values) {
  std::string out;
  for (const Json& value : values.AsArray()) {
    if (!out.empty()) out += ',';
    if (value.IsString()) out += value.AsString();
  }
  return out;
}

// A label selector as text; a plain map is one, too.
std::string SelectorText(const Json* selector) {
  std::vector<std::string> terms;
  if (selector == nullptr || !selector->IsObject()) return "";
  const Json* labels = selector->Find("matchLabels");
  const Json* expressions = selector->Find("matchExpressions");
  const bool plain = labels == nullptr && expressions == nullptr;
  if (plain) labels = selector;
  if (labels != nullptr && labels->IsObject()) {
    for (const Json::Member& label : labels->AsObject()) {
      if (label.value.IsString()) terms.push_back(label.key + "=" + label.value.AsString());
    }
  }
  if (expressions != nullptr && expressions->IsArray()) {
    for (const Json& e : expressions->AsArray()) {
      const std::string key = e.StringAt({"key"}), op = e.StringAt({"operator"});
      const Json* values = e.Find("values");
      const std::string list = values != nullptr && values->IsArray() ? ListOf(*values) : "";
      if (op == "Exists") terms.push_back(key);
      if (op == "DoesNotExist") terms.push_back("!" + key);
      if (op == "In") terms.push_back(fmt::format("{} in ({})", key, list));
      if (op == "NotIn") terms.push_back(fmt::format("{} notin ({})", key, list));
    }
  }
  std::sort(terms.begin(), terms.end());
  return fmt::format("{}", fmt::join(terms, ","));
}

// Where all versions of the kinds that this server has built in keep their replicas.
const api::FieldPath* BuiltInReplicas(const void*, const std::string&) {
  static const api::FieldPath* const path =
      new api::FieldPath{api::PathElement::Field("spec"), api::PathElement::Field("replicas")};
  return path;
}

Json ScaleOf(const Json& object) {
  Json metadata = Json::MakeObject();
  for (const char* member : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const Json* value = object.FindPath({"metadata", member})) metadata.Set(member, *value);
  }
  Json spec = Json::MakeObject();
  const int64_t replicas = IntAt(object, {"spec", "replicas"});
  if (replicas != 0) spec.Set("replicas", replicas);
  Json status = Json::MakeObject();
  status.Set("replicas", IntAt(object, {"status", "replicas"}));
  const std::string selector = SelectorText(object.FindPath({"spec", "selector"}));
  if (!selector.empty()) status.Set("selector", selector);
  Json scale = Json::MakeObject();
  scale.Set("kind", "Scale");
  scale.Set("apiVersion", "autoscaling/v1");
  scale.Set("metadata", std::move(metadata));
  scale.Set("spec", std::move(spec));
  scale.Set("status", std::move(status));
  return scale;
}

}  // namespace

void RestHandler::SendScale(Call& call, const StoredObject& object) {
  View view = ViewOf(call);
  view.kind = &ShownScale();
  SendJson(call, 200,
           RenderObject(view, StoredObject(ScaleOf(object.object()), object.revision())));
}

void RestHandler::HandleScale(Call& call) {
  const std::string& method = call.request.method;
  if (method != "GET" && method != "PUT" && method != "PATCH") {
    return SendError(call, MethodNotAllowedError());
  }
  if (!Agree(call, AnswerKind::kSingle)) return;
  const api::KindInfo& kind = *call.path.kind;
  const StoredPtr current = store_.Get(kind, StoreKey(call.path.namespace_name, call.path.name));
  if (method == "GET") {
    if (current == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
    return SendScale(call, *current);
  }
  const bool patch = method == "PATCH";
  const auto options =
      ParseWriteRequest(call.target, patch ? "PatchOptions" : "UpdateOptions", IsApply(call));
  if (!options.ok()) return SendError(call, options.error());
  const api::ScaleMapping mapping{BuiltInReplicas, nullptr, kind.ApiVersion()};
  const Json before = current ? ScaleOf(current->object()) : Json::MakeObject();
  auto read = ReadScale(call, current, *options, mapping, before);
  if (!read.ok()) return SendError(call, read.error());
  if (current == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
  Json& scale = read->object;
  WriteContext context = ContextOf(call, *options);
  auto owners = SettleScale(call, mapping, *current, before, *read, context);
  if (!owners.ok()) return SendError(call, owners.error());
  const std::string version = scale.StringAt({"metadata", "resourceVersion"});
  if (!version.empty() && version != std::to_string(current->revision())) {
    return SendError(call, ConflictError(kind, call.path.name,
                                         "it has been changed since; read it again and try then"));
  }
  const std::string uid = scale.StringAt({"metadata", "uid"});
  if (!uid.empty() && uid != current->object().StringAt({"metadata", "uid"})) {
    return SendError(call,
                     ConflictError(kind, call.path.name, fmt::format("its uid is not {}", uid)));
  }
  const int64_t replicas = IntAt(scale, {"spec", "replicas"});
  if (replicas < 0) {
    return SendError(
        call, InvalidError(ScaleKind(), call.path.name,
                           {{FieldErrorType::kInvalid, "spec.replicas", "must be 0 or more"}}));
  }
  IncomingObject incoming;
  incoming.object = current->object();
  incoming.object["spec"].Set("replicas", replicas);
  incoming.managed = *std::move(owners);
  context.settled = true;
  const auto result = writer_.Update(kind, call.path.namespace_name, call.path.name, "",
                                     UpdateSource::kPut, std::move(incoming), context);
  if (!result.ok()) return SendError(call, result.error());
  SendScale(call, *result->object);
}

// What comes of a scale that is to be written, but for its being carried out: policies and webhooks
// judge it, and not the object whose replicas it is, and may change it. Returns who owns the fields
// of that object then: owners of its replicas are those of the scale, there and back.
Outcome<api::ManagedFields> RestHandler::SettleScale(Call& call, const api::ScaleMapping& mapping,
                                                     const StoredObject& current, Json before,
                                                     IncomingObject& wanted,
                                                     const WriteContext& context) {
  Json& scale = wanted.object;
  scale.Set("kind", "Scale");
  scale.Set("apiVersion", "autoscaling/v1");
  if (scale.Find("status") == nullptr) scale["status"].Set("replicas", 0);
  api::ApplyDefaults(ScaleKind(), scale);
  const std::string& subresource = call.path.subresource;
  const api::ManagedFields had = api::ToScale(mapping, current.managed());
  const api::ManagedFields has = wanted.managed
                                     ? std::move(*wanted.managed)
                                     : TrackWrite({&ScaleKind(), subresource}, context.manager,
                                                  Began(call), &before, scale, had);
  const bool same =
      !wanted.managed && IntAt(before, {"spec", "replicas"}) == IntAt(scale, {"spec", "replicas"});
  if (Refusal refusal =
          writer_.AdmitPart({*call.path.kind, ScaleKind(), call.path.namespace_name, call.path.name,
                             subresource, Operation::kUpdate, has, had},
                            scale, &before, context)) {
    return *refusal;
  }
  if (same) return current.managed();
  api::ManagedFields owners = api::FromScale(mapping, current.managed(), has);
  // A scale has no times: its entries come to the object without.
  for (api::ManagedEntry& entry : owners) {
    if (entry.subresource == subresource) entry.time.reset();
  }
  api::SortManagedFields(owners);
  return owners;
}

// Server-side apply to a scale. `managed` of what is returned are the owners of the scale's fields.
Outcome<IncomingObject> RestHandler::ApplyScale(Call& call, const WriteRequest& options,
                                                const api::ScaleMapping& mapping,
                                                const StoredObject& current, const Json& before) {
  IncomingObject incoming;
  std::vector<api::DuplicateKey> duplicates;
  const auto documents = api::ParseYaml(call.request.body, &duplicates);
  if (!documents.ok()) {
    return BadRequestError("what is applied is not YAML: " + documents.error().message);
  }
  if (documents->size() != 1) return BadRequestError("exactly one object must be applied");
  auto applied =
      ApplyTo({&ScaleKind(), call.path.subresource}, {options.field_manager, options.force},
              Began(call), &before, api::ToScale(mapping, current.managed()), documents->front());
  if (!applied.ok()) return applied.error();
  for (api::DuplicateKey& duplicate : duplicates) {
    incoming.duplicate_keys.push_back(std::move(duplicate.path));
  }
  incoming.object = applied->object ? std::move(*applied->object) : before;
  incoming.managed = std::move(applied->managed);
  return incoming;
}

// The scale that a PUT brings, or that a patch makes of the present one (null: there is none).
Outcome<IncomingObject> RestHandler::ReadScale(Call& call, const StoredPtr& current,
                                               const WriteRequest& options,
                                               const api::ScaleMapping& mapping,
                                               const Json& before) {
  const api::KindInfo& kind = *call.path.kind;
  IncomingObject incoming;
  UpdateSource source = UpdateSource::kPut;
  if (call.request.method == "PUT") {
    auto body = ReadBody(call);
    if (!body.ok()) return body.error();
    incoming = std::move(*body);
  } else if (IsApply(call)) {
    if (current == nullptr) return NotFoundError(kind, call.path.name);
    source = UpdateSource::kApply;
    auto applied = ApplyScale(call, options, mapping, *current, before);
    if (!applied.ok()) return applied.error();
    incoming = std::move(*applied);
  } else {
    source = UpdateSource::kPatch;
    // Scales of custom resources are patched by what custom resources are patched by.
    auto patched = ApplyPatch(call, kind.custom_resource ? kind : ScaleKind(), before, incoming);
    if (!patched.ok()) return patched.error();
    incoming.object = std::move(*patched);
  }
  if (Refusal refusal =
          writer_.CheckReadable(ScaleKind(), incoming, ContextOf(call, options), source)) {
    return *refusal;
  }
  const std::string name = incoming.object.StringAt({"metadata", "name"});
  if (!name.empty() && name != call.path.name) {
    return BadRequestError(fmt::format("the scale's name \"{}\" is not \"{}\", the one of the path",
                                       name, call.path.name));
  }
  return incoming;
}

}  // namespace kueue::apiserver
