#include <fmt/format.h>

#include <utility>

#include "api/match/selector.h"
#include "apiserver/field_manager.h"
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

int64_t IntAt(const Json& object, std::initializer_list<std::string_view> path) {
  const Json* value = object.FindPath(path);
  return value != nullptr && value->IsInt() ? value->AsInt() : 0;
}

// Whether a budget's selector means the pod. None means no pod, an empty one all of them.
bool Selects(const Json& budget, const Json& pod) {
  const Json* selector = budget.FindPath({"spec", "selector"});
  if (selector == nullptr || !selector->IsObject()) return false;
  const auto decoded = api::Decode<api::LabelSelector>(*selector);
  if (!decoded.ok()) return false;
  api::StringMap labels;
  if (const Json* map = pod.FindPath({"metadata", "labels"}); map != nullptr && map->IsObject()) {
    for (const Json::Member& label : map->AsObject()) {
      if (label.value.IsString()) labels.emplace(label.key, label.value.AsString());
    }
  }
  const auto matches = api::MatchesLabels(&*decoded, labels);
  return matches.ok() && *matches;
}

bool IsReady(const Json& pod) {
  const Json* conditions = pod.FindPath({"status", "conditions"});
  if (conditions == nullptr || !conditions->IsArray()) return false;
  for (const Json& condition : conditions->AsArray()) {
    if (condition.StringAt({"type"}) == "Ready") return condition.StringAt({"status"}) == "True";
  }
  return false;
}

// Budgets are for pods that do something, or soon will.
bool NeedsNoBudget(const Json& pod) {
  const std::string phase = pod.StringAt({"status", "phase"});
  return phase == "Succeeded" || phase == "Failed" || phase == "Pending" || IsDeleting(pod);
}

// A pod that is not ready may go if that takes nothing from a budget that is met.
bool MayGoUnready(const Json& budget) {
  if (budget.StringAt({"spec", "unhealthyPodEvictionPolicy"}) == "AlwaysAllow") return true;
  const int64_t desired = IntAt(budget, {"status", "desiredHealthy"});
  return desired > 0 && IntAt(budget, {"status", "currentHealthy"}) >= desired;
}

ApiError BudgetError(std::string why, int retry_after_seconds) {
  ApiError error;
  error.code = 429;
  error.reason = "TooManyRequests";
  error.message = "Cannot evict pod as it would violate the pod's disruption budget.";
  error.has_details = true;
  error.causes.push_back({"DisruptionBudget", "", std::move(why)});
  error.retry_after_seconds = retry_after_seconds;
  return error;
}

Refusal CheckBudget(const Json& budget) {
  const std::string name = budget.StringAt({"metadata", "name"});
  constexpr int kRetryAfter = 10;
  if (IntAt(budget, {"status", "observedGeneration"}) < GenerationOf(budget)) {
    return BudgetError(
        fmt::format("The disruption budget {} is still being processed by the server.", name),
        kRetryAfter);
  }
  if (IntAt(budget, {"status", "disruptionsAllowed"}) > 0) return std::nullopt;
  return BudgetError(
      fmt::format("The disruption budget {} needs {} healthy pods and has {} currently", name,
                  IntAt(budget, {"status", "desiredHealthy"}),
                  IntAt(budget, {"status", "currentHealthy"})),
      0);
}

void CountDisruption(const std::string& pod, base::Time now, Json& budget) {
  Json& status = budget["status"];
  const int64_t left = IntAt(budget, {"status", "disruptionsAllowed"}) - 1;
  status.Set("disruptionsAllowed", left);
  Json& disrupted = status["disruptedPods"];
  if (!disrupted.IsObject()) disrupted = Json::MakeObject();
  disrupted.Set(pod, base::FormatTime(now));
  if (left > 0) return;
  Json condition = Json::MakeObject();
  condition.Set("type", "DisruptionAllowed");
  condition.Set("status", "False");
  condition.Set("observedGeneration", IntAt(budget, {"status", "observedGeneration"}));
  condition.Set("lastTransitionTime", base::FormatTime(now));
  condition.Set("reason", "InsufficientPods");
  condition.Set("message", "no further pod may be evicted");
  Json& conditions = status["conditions"];
  if (!conditions.IsArray()) conditions = Json::MakeArray();
  for (Json& old : conditions.AsArray()) {
    if (old.StringAt({"type"}) != "DisruptionAllowed") continue;
    if (old.StringAt({"status"}) == "False") {
      condition.Set("lastTransitionTime", old.StringAt({"lastTransitionTime"}));
    }
    old = std::move(condition);
    return;
  }
  conditions.Append(std::move(condition));
}

}  // namespace

void RestHandler::Bind(Call& call) {
  if (!Agree(call, AnswerKind::kPlain)) return;
  const auto options = ParseWriteRequest(call.target, "CreateOptions");
  if (!options.ok()) return SendError(call, options.error());
  auto body = ReadBody(call);
  if (!body.ok()) return SendError(call, body.error());
  const api::KindInfo& kind = *call.path.kind;
  const StoredPtr current = store_.Get(kind, StoreKey(call.path.namespace_name, call.path.name));
  if (current == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
  Json& binding = body->object;
  if (!binding.IsObject()) binding = Json::MakeObject();
  binding.Set("kind", "Binding");
  binding.Set("apiVersion", "v1");
  WriteContext context = ContextOf(call, *options);
  if (Refusal refusal = AdmitOnPod(call, RequestKind("", "Binding"), binding, context)) {
    return SendError(call, *refusal);
  }
  context.settled = true;
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
                                     UpdateSource::kPut, std::move(pod), context);
  if (!result.ok()) return SendError(call, result.error());
  SendSuccess(call, 201, Json());
}

// Policies and webhooks judge what is to be done with a pod, once it is known that there is one.
Refusal RestHandler::AdmitOnPod(Call& call, const api::KindInfo& shown_as, Json& object,
                                const WriteContext& context) {
  if (object.Find("metadata") == nullptr || object.Find("metadata")->IsObject()) {
    object["metadata"].Set("namespace", call.path.namespace_name);
  }
  const api::ManagedFields managed = TrackWrite({&shown_as, call.path.subresource}, context.manager,
                                                Began(call), nullptr, object, {});
  return writer_.AdmitPart({*call.path.kind,
                            shown_as,
                            call.path.namespace_name,
                            call.path.name,
                            call.path.subresource,
                            Operation::kCreate,
                            managed,
                            {}},
                           object, nullptr, context);
}

// A running pod learns why it goes. Answers the call and returns false if it cannot be told.
bool RestHandler::MarkDisrupted(Call& call, const DeleteRequest& request) {
  const api::KindInfo& kind = *call.path.kind;
  const StoredPtr current = store_.Get(kind, StoreKey(call.path.namespace_name, call.path.name));
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
  context.settled = true;
  const auto result = writer_.Update(kind, call.path.namespace_name, call.path.name, "status",
                                     UpdateSource::kPut, std::move(marked), context);
  if (!result.ok()) SendError(call, result.error());
  return result.ok();
}

// Takes one disruption from the pod's budget, if it has one. Answers the call and returns false if
// the budget does not allow it.
bool RestHandler::TakeFromBudget(Call& call, const DeleteRequest& request) {
  const StoredPtr pod =
      store_.Get(*call.path.kind, StoreKey(call.path.namespace_name, call.path.name));
  const api::KindInfo* kind = api::FindKind("policy", "v1", "PodDisruptionBudget");
  if (pod == nullptr || kind == nullptr || NeedsNoBudget(pod->object())) return true;
  std::vector<StoredPtr> budgets;
  store_.Scan(*kind, call.path.namespace_name + "/", "",
              [&](const std::string&, const StoredPtr& budget) {
                if (Selects(budget->object(), pod->object())) budgets.push_back(budget);
                return true;
              });
  if (budgets.empty()) return true;
  if (budgets.size() > 1) {
    ApiError error = InternalError(
        "This pod has more than one PodDisruptionBudget, which the "
        "eviction subresource does not support.");
    error.reason = "InternalError";
    error.has_details = true;
    error.causes.push_back({"", "", error.message});
    error.message = "Internal error occurred: " + error.message;
    SendError(call, error);
    return false;
  }
  const Json& budget = budgets[0]->object();
  if (!IsReady(pod->object()) && MayGoUnready(budget)) return true;
  if (Refusal refusal = CheckBudget(budget)) {
    SendError(call, *refusal);
    return false;
  }
  if (request.dry_run) return true;
  IncomingObject counted;
  counted.object = budget;
  CountDisruption(call.path.name, executor_.clock().Now(), counted.object);
  WriteContext context = ContextOf(call, {});
  context.settled = true;
  const auto result =
      writer_.Update(*kind, call.path.namespace_name, budget.StringAt({"metadata", "name"}),
                     "status", UpdateSource::kPut, std::move(counted), context);
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
                                                       "\"{}\"",
                                                       name, call.path.name)));
  }
  Json& eviction = body->object;
  if (!eviction.IsObject()) eviction = Json::MakeObject();
  eviction.Set("kind", "Eviction");
  eviction.Set("apiVersion", "policy/v1");
  WriteContext context = ContextOf(call, {});
  context.options.dry_run = call.target.Query("dryRun").has_value();
  if (Refusal refusal = AdmitOnPod(call, RequestKind("policy", "Eviction"), eviction, context)) {
    return SendError(call, *refusal);
  }
  context.settled = true;
  const Json* options = eviction.Find("deleteOptions");
  auto request = ParseDeleteRequest(
      call.target, options != nullptr && options->IsObject() ? *options : Json::MakeObject());
  if (!request.ok()) return SendError(call, request.error());
  if (call.target.Query("dryRun")) request->dry_run = true;
  if (!TakeFromBudget(call, *request) || !MarkDisrupted(call, *request)) return;
  const auto result =
      writer_.Delete(*call.path.kind, call.path.namespace_name, call.path.name, *request, context);
  if (!result.ok()) return SendError(call, result.error());
  SendSuccess(call, 201, Json());
}

}  // namespace kueue::apiserver
