#include <fmt/format.h>

#include <utility>

#include "apiserver/object_meta.h"
#include "apiserver/rest_handler.h"

// What only pods have: being bound to a node and being evicted from it.
namespace kueue::apiserver {

using api::Json;

namespace {

void MergeStrings(const Json* from, const char* field, Json& metadata) {
  if (from == nullptr || !from->IsObject() || from->size() == 0) return;
  Json& into = metadata[field];
  if (!into.IsObject()) into = Json::MakeObject();
  for (const Json::Member& member : from->AsObject()) into.Set(member.key, member.value);
}

void SetTrue(const char* type, base::Time now, const char* reason, const char* message, Json& pod) {
  Json condition = Json::MakeObject();
  condition.Set("type", type);
  condition.Set("status", "True");
  condition.Set("lastProbeTime", nullptr);
  condition.Set("lastTransitionTime", base::FormatTime(now));
  if (*reason != '\0') condition.Set("reason", reason);
  if (*message != '\0') condition.Set("message", message);
  Json& conditions = pod["status"]["conditions"];
  if (!conditions.IsArray()) conditions = Json::MakeArray();
  for (Json& old : conditions.AsArray()) {
    if (old.StringAt({"type"}) != type) continue;
    old = std::move(condition);
    return;
  }
  conditions.Append(std::move(condition));
}

Refusal CheckBinding(const api::KindInfo& kind, const std::string& name, const Json& pod,
                     const Json& binding) {
  const std::string uid = binding.StringAt({"metadata", "uid"});
  if (!uid.empty() && uid != pod.StringAt({"metadata", "uid"})) {
    return ConflictError(kind, name, fmt::format("its uid is not {}", uid));
  }
  if (binding.StringAt({"target", "kind"}, "Node") != "Node" ||
      binding.StringAt({"target", "name"}).empty()) {
    return InternalError("a pod is bound to a node that must be named");
  }
  const auto conflict = [&](std::string why) {
    ApiError error = ConflictError(kind, name, std::move(why));
    error.kind = "pods/binding";
    return error;
  };
  if (IsDeleting(pod)) return conflict("it is being deleted");
  const std::string node = pod.StringAt({"spec", "nodeName"});
  if (!node.empty()) return conflict(fmt::format("it is bound to node {} already", node));
  const Json* gates = pod.FindPath({"spec", "schedulingGates"});
  if (gates != nullptr && gates->size() > 0) return conflict("scheduling gates hold it");
  return std::nullopt;
}

}  // namespace

void RestHandler::Bind(Call& call) {
  if (!Agree(call, AnswerKind::kPlain)) return;
  const auto options = ParseWriteRequest(call.target, "CreateOptions");
  if (!options.ok()) return SendError(call, options.error());
  auto body = ReadBody(call);
  if (!body.ok()) return SendError(call, body.error());
  const api::KindInfo& kind = *call.path.kind;
  const StoredPtr current =
      store_.Get(kind, StoreKey(call.path.namespace_name, call.path.name));
  if (current == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
  const Json& binding = body->object;
  if (Refusal refusal = CheckBinding(kind, call.path.name, current->object(), binding)) {
    return SendError(call, *refusal);
  }
  IncomingObject pod;
  pod.object = current->object();
  pod.object["spec"].Set("nodeName", binding.StringAt({"target", "name"}));
  Json& metadata = pod.object["metadata"];
  MergeStrings(binding.FindPath({"metadata", "annotations"}), "annotations", metadata);
  MergeStrings(binding.FindPath({"metadata", "labels"}), "labels", metadata);
  SetTrue("PodScheduled", executor_.clock().Now(), "", "", pod.object);
  const auto result = writer_.Update(kind, call.path.namespace_name, call.path.name, "binding",
                                     UpdateSource::kPut, std::move(pod),
                                     ContextOf(call, *options));
  if (!result.ok()) return SendError(call, result.error());
  SendSuccess(call, 201, Json());
}

// A running pod learns why it goes. Answers the call and returns false if it cannot be told.
bool RestHandler::MarkDisrupted(Call& call, const DeleteRequest& request) {
  const api::KindInfo& kind = *call.path.kind;
  const StoredPtr current =
      store_.Get(kind, StoreKey(call.path.namespace_name, call.path.name));
  if (current == nullptr || request.dry_run || IsDeleting(current->object())) return true;
  const Json& pod = current->object();
  const bool other = !request.precondition_uid.empty() &&
                     request.precondition_uid != pod.StringAt({"metadata", "uid"});
  if (other || pod.StringAt({"status", "phase"}) != "Running") return true;
  IncomingObject marked;
  marked.object = pod;
  SetTrue("DisruptionTarget", executor_.clock().Now(), "EvictionByEvictionAPI",
          "an eviction was asked for", marked.object);
  WriteContext context = ContextOf(call, {});
  context.untracked = true;
  const auto result = writer_.Update(kind, call.path.namespace_name, call.path.name, "status",
                                     UpdateSource::kPut, std::move(marked), context);
  if (!result.ok()) SendError(call, result.error());
  return result.ok();
}

void RestHandler::Evict(Call& call) {
  if (!Agree(call, AnswerKind::kPlain)) return;
  auto body = ReadBody(call);
  if (!body.ok()) return SendError(call, body.error());
  const std::string name = body->object.StringAt({"metadata", "name"});
  if (!name.empty() && name != call.path.name) {
    return SendError(call, BadRequestError(fmt::format("the eviction names pod \"{}\", the path "
                                                       "\"{}\"", name, call.path.name)));
  }
  const Json* options = body->object.Find("deleteOptions");
  auto request = ParseDeleteRequest(
      call.target, options != nullptr && options->IsObject() ? *options : Json::MakeObject());
  if (!request.ok()) return SendError(call, request.error());
  if (call.target.Query("dryRun")) request->dry_run = true;
  if (!MarkDisrupted(call, *request)) return;
  const auto result = writer_.Delete(*call.path.kind, call.path.namespace_name, call.path.name,
                                     *request, ContextOf(call, {}));
  if (!result.ok()) return SendError(call, result.error());
  SendSuccess(call, 201, Json());
}

}  // namespace kueue::apiserver
