#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/match/selector.h"
#include "apiserver/rest_handler.h"

// The subresource scale: replicas of anything that has some, in one form for all.
namespace kueue::apiserver {

using api::FieldErrorType;
using api::Json;

namespace {

const api::KindInfo& ScaleKind() {
  for (const api::KindInfo* kind : api::RequestKinds()) {
    if (kind->group == "autoscaling" && kind->kind == "Scale") return *kind;
  }
  KUEUE_CHECK_MSG(false, "there is no Scale");
  return *api::RequestKinds().front();
}

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
  const auto options = ParseWriteRequest(call.target, patch ? "PatchOptions" : "UpdateOptions");
  if (!options.ok()) return SendError(call, options.error());
  auto wanted = ReadScale(call, current, *options);
  if (!wanted.ok()) return SendError(call, wanted.error());
  if (current == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
  const std::string version = wanted->StringAt({"metadata", "resourceVersion"});
  if (!version.empty() && version != std::to_string(current->revision())) {
    return SendError(call, ConflictError(kind, call.path.name,
                                         "it has been changed since; read it again and try then"));
  }
  const std::string uid = wanted->StringAt({"metadata", "uid"});
  if (!uid.empty() && uid != current->object().StringAt({"metadata", "uid"})) {
    return SendError(call,
                     ConflictError(kind, call.path.name, fmt::format("its uid is not {}", uid)));
  }
  const int64_t replicas = IntAt(*wanted, {"spec", "replicas"});
  if (replicas < 0) {
    return SendError(
        call, InvalidError(ScaleKind(), call.path.name,
                           {{FieldErrorType::kInvalid, "spec.replicas", "must be 0 or more"}}));
  }
  IncomingObject incoming;
  incoming.object = current->object();
  incoming.object["spec"].Set("replicas", replicas);
  const auto result =
      writer_.Update(kind, call.path.namespace_name, call.path.name, "", UpdateSource::kPut,
                     std::move(incoming), ContextOf(call, *options));
  if (!result.ok()) return SendError(call, result.error());
  SendScale(call, *result->object);
}

// The scale that a PUT brings, or that a patch makes of the present one.
Outcome<Json> RestHandler::ReadScale(Call& call, const StoredPtr& current,
                                     const WriteRequest& options) {
  IncomingObject incoming;
  UpdateSource source = UpdateSource::kPut;
  if (call.request.method == "PUT") {
    auto body = ReadBody(call);
    if (!body.ok()) return body.error();
    incoming = std::move(*body);
  } else {
    source = UpdateSource::kPatch;
    auto patched = ApplyPatch(call, ScaleKind(),
                              current ? ScaleOf(current->object()) : Json::MakeObject(), incoming);
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
  return std::move(incoming.object);
}

}  // namespace kueue::apiserver
