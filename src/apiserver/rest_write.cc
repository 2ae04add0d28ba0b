#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/codec/json_text.h"
#include "api/codec/patch.h"
#include "api/schema/conversion.h"
#include "apiserver/field_manager.h"
#include "apiserver/rest_handler.h"
#include "apiserver/selector.h"
#include "apiserver/strategic_patch.h"
#include "apiserver/versions.h"

// create, update, patch, delete and deletecollection.
namespace kueue::apiserver {

using api::Json;

namespace {

using Patcher = Outcome<Json> (*)(const api::KindInfo& kind, const Json& target, const Json& patch);

Outcome<Json> MergePatch(const api::KindInfo&, const Json& target, const Json& patch) {
  if (!patch.IsObject()) return BadRequestError("a merge patch must be an object");
  return api::ApplyMergePatch(target, patch);
}

Outcome<Json> JsonPatch(const api::KindInfo&, const Json& target, const Json& patch) {
  if (patch.IsNull()) return target;
  if (!patch.IsArray()) return BadRequestError("a JSON patch must be a list of operations");
  for (size_t i = 0; i < patch.size(); ++i) {
    if (patch.AsArray()[i].IsObject()) continue;
    return BadRequestError(fmt::format("operation {} of the JSON patch is no object", i));
  }
  auto patched = api::ApplyJsonPatch(target, patch);
  if (patched.ok()) return std::move(*patched);
  ApiError error;
  error.code = 422;
  error.reason = "Invalid";
  error.message = patched.error().message;
  error.has_details = true;
  return error;
}

Outcome<Json> StrategicPatch(const api::KindInfo& kind, const Json& target, const Json& patch) {
  if (kind.custom_resource) {
    return UnsupportedMediaTypeError(
        "the body of the request was in an unknown format - accepted media types include: "
        "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
  }
  return ApplyStrategicPatch(kind, target, patch);
}

struct PatchType {
  std::string_view media_type;
  Patcher apply;
};
constexpr PatchType kPatchTypes[] = {
    {"application/json-patch+json", JsonPatch},
    {"application/merge-patch+json", MergePatch},
    {"application/strategic-merge-patch+json", StrategicPatch},
};

constexpr std::string_view kApplyType = "application/apply-patch+yaml";

Json DetailsOf(const api::KindInfo& kind, const StoredObject& object) {
  Json details = Json::MakeObject();
  details.Set("name", object.object().StringAt({"metadata", "name"}));
  if (!kind.group.empty()) details.Set("group", kind.group);
  details.Set("kind", kind.plural);
  details.Set("uid", object.object().StringAt({"metadata", "uid"}));
  return details;
}

}  // namespace

bool RestHandler::IsApply(const Call& call) {
  return call.request.method == "PATCH" && BareMediaType(call.Header("content-type")) == kApplyType;
}

void RestHandler::SendWritten(Call& call, const Outcome<WriteResult>& result) {
  if (!result.ok()) return SendError(call, result.error());
  SendJson(call, result->created ? 201 : 200, RenderObject(ViewOf(call), *result->object));
}

void RestHandler::Create(Call& call) {
  if (!Agree(call, AnswerKind::kSingle)) return;
  const auto options = ParseWriteRequest(call.target, "CreateOptions");
  if (!options.ok()) return SendError(call, options.error());
  auto body = ReadBody(call);
  if (!body.ok()) return SendError(call, body.error());
  SendWritten(call, writer_.Create(*call.path.kind, call.path.namespace_name, std::move(*body),
                                   ContextOf(call, *options)));
}

void RestHandler::Update(Call& call) {
  if (!Agree(call, AnswerKind::kSingle)) return;
  const auto options = ParseWriteRequest(call.target, "UpdateOptions");
  if (!options.ok()) return SendError(call, options.error());
  auto body = ReadBody(call);
  if (!body.ok()) return SendError(call, body.error());
  SendWritten(call, writer_.Update(*call.path.kind, call.path.namespace_name, call.path.name,
                                   call.path.subresource, UpdateSource::kPut, std::move(*body),
                                   ContextOf(call, *options)));
}

// The object after the patch; notes keys that the patch names twice.
Outcome<Json> RestHandler::ApplyPatch(const Call& call, const api::KindInfo& kind,
                                      const Json& target, IncomingObject& incoming) const {
  const std::string type = BareMediaType(call.Header("content-type"));
  const auto* known = std::find_if(std::begin(kPatchTypes), std::end(kPatchTypes),
                                   [&](const PatchType& t) { return t.media_type == type; });
  if (known == std::end(kPatchTypes)) {
    ApiError error =
        UnsupportedMediaTypeError(fmt::format("\"{}\" is no patch type of this server", type));
    error.has_details = true;
    return error;
  }
  std::vector<api::DuplicateKey> duplicates;
  const auto patch = api::ParseJson(call.request.body, {}, &duplicates);
  if (!patch.ok()) return BadRequestError("the patch is not JSON: " + patch.error().message);
  for (api::DuplicateKey& duplicate : duplicates) {
    incoming.duplicate_keys.push_back(std::move(duplicate.path));
  }
  return known->apply(kind, target, *patch);
}

void RestHandler::Patch(Call& call) {
  if (!Agree(call, AnswerKind::kSingle)) return;
  const bool apply = IsApply(call);
  const auto options = ParseWriteRequest(call.target, "PatchOptions", apply);
  if (!options.ok()) return SendError(call, options.error());
  if (apply) return Apply(call, *options);
  const api::KindInfo& kind = *call.path.kind;
  const auto read = ReadAs(kind, store_, StoreKey(call.path.namespace_name, call.path.name));
  if (!read.ok()) return SendError(call, read.error());
  const StoredPtr current = *read;
  const StoredPtr target =
      current != nullptr ? current : std::make_shared<const StoredObject>(Json::MakeObject(), 0);
  IncomingObject incoming;
  // Most patches do not look at who owns what.
  const bool owners = call.request.body.find("managedFields") != std::string::npos ||
                      call.request.body.find("\"/metadata\"") != std::string::npos ||
                      call.request.body.find("\"\"") != std::string::npos;
  Json whole;
  if (owners) {
    whole = target->object();
    if (current != nullptr) whole.Set("metadata", target->Metadata());
  }
  auto patched = ApplyPatch(call, kind, owners ? whole : target->object(), incoming);
  incoming.bytes = call.request.body.size() + (current != nullptr ? current->Text().size() : 0);
  if (current == nullptr && (patched.ok() || patched.error().code != 415)) {
    return SendError(call, NotFoundError(kind, call.path.name));
  }
  if (!patched.ok()) return SendError(call, patched.error());
  incoming.object = std::move(*patched);
  SendWritten(call,
              writer_.Update(kind, call.path.namespace_name, call.path.name, call.path.subresource,
                             UpdateSource::kPatch, std::move(incoming), ContextOf(call, *options)));
}

void RestHandler::Apply(Call& call, const WriteRequest& options) {
  const api::KindInfo& kind = *call.path.kind;
  const std::string& name = call.path.name;
  const auto read = ReadAs(kind, store_, StoreKey(call.path.namespace_name, name));
  if (!read.ok()) return SendError(call, read.error());
  const StoredPtr current = *read;
  if (current == nullptr && !call.path.subresource.empty()) {
    return SendError(call, NotFoundError(kind, name));
  }
  IncomingObject incoming;
  std::vector<api::DuplicateKey> duplicates;
  auto documents = api::ParseYaml(call.request.body, &duplicates);
  if (!documents.ok()) {
    return SendError(call,
                     BadRequestError("what is applied is not YAML: " + documents.error().message));
  }
  if (documents->size() != 1) {
    return SendError(call, BadRequestError("exactly one object must be applied"));
  }
  const Json& config = documents->front();
  static const api::ManagedFields kNobody;
  auto applied = ApplyTo({&kind, call.path.subresource}, {options.field_manager, options.force},
                         Began(call), current != nullptr ? &current->object() : nullptr,
                         current != nullptr ? current->managed() : kNobody, config);
  if (!applied.ok()) return SendError(call, applied.error());
  for (api::DuplicateKey& duplicate : duplicates) {
    incoming.duplicate_keys.push_back(std::move(duplicate.path));
  }
  incoming.managed = std::move(applied->managed);
  if (applied->object) {
    incoming.object = std::move(*applied->object);
  } else {
    KUEUE_CHECK(current != nullptr);
    incoming.object = current->object();
  }
  const WriteContext context = ContextOf(call, options);
  if (current != nullptr) {
    return SendWritten(call,
                       writer_.Update(kind, call.path.namespace_name, name, call.path.subresource,
                                      UpdateSource::kApply, std::move(incoming), context));
  }
  if (!incoming.object.StringAt({"metadata", "uid"}).empty()) {
    return SendError(call, ConflictError(kind, name, "it has a uid, but there is no object yet"));
  }
  if (incoming.object.StringAt({"metadata", "name"}) != name) {
    return SendError(call, BadRequestError(fmt::format(
                               "what is applied must have the name of the path, \"{}\"", name)));
  }
  incoming.object["metadata"].Erase("resourceVersion");
  SendWritten(call, writer_.Create(kind, call.path.namespace_name, std::move(incoming), context));
}

Outcome<DeleteRequest> RestHandler::ReadDeleteOptions(const Call& call) const {
  if (call.request.body.empty()) return ParseDeleteRequest(call.target, Json());
  auto body = ReadBody(call);
  if (!body.ok()) return body.error();
  return ParseDeleteRequest(call.target, body->object);
}

void RestHandler::Delete(Call& call) {
  if (!Agree(call, AnswerKind::kSingle)) return;
  const auto request = ReadDeleteOptions(call);
  if (!request.ok()) return SendError(call, request.error());
  const api::KindInfo& kind = *call.path.kind;
  const auto result =
      writer_.Delete(kind, call.path.namespace_name, call.path.name, *request, ContextOf(call, {}));
  if (!result.ok()) return SendError(call, result.error());
  if (result->gone && !TraitsOf(kind).returns_deleted) {
    return SendSuccess(call, 200, DetailsOf(kind, *result->object));
  }
  const auto shown = ShowAs(kind, result->object);
  if (!shown.ok()) return SendError(call, shown.error());
  SendJson(call, 200, RenderObject(ViewOf(call), **shown));
}

void RestHandler::DeleteCollection(Call& call) {
  if (!Agree(call, AnswerKind::kList)) return;
  const auto list = ParseListRequest(call.target);
  if (!list.ok()) return SendError(call, list.error());
  const auto request = ReadDeleteOptions(call);
  if (!request.ok()) return SendError(call, request.error());
  const api::KindInfo& kind = *call.path.kind;
  const auto selector = Selector::Parse(kind, list->label_selector, list->field_selector);
  if (!selector.ok()) return SendError(call, selector.error());
  const std::string prefix = call.path.namespace_name.empty() ? "" : call.path.namespace_name + "/";
  ListMeta meta;
  meta.revision = store_.revision();
  // What a pass that waited for webhooks has deleted already is part of the answer, too.
  WriteSession& session = call.session;
  if (!session.collection_found) {
    session.collection_found = true;
    store_.Scan(api::StoredKind(kind), prefix, "",
                [&](const std::string&, const StoredPtr& object) {
                  if (selector->Matches(object->object())) session.collection.push_back(object);
                  return true;
                });
  }
  std::vector<StoredPtr> items = session.collection;
  WriteContext context = ContextOf(call, {});
  context.nameless = true;
  while (session.collection_done < items.size()) {
    const Json& item = items[session.collection_done]->object();
    const auto result = writer_.Delete(kind, call.path.namespace_name,
                                       item.StringAt({"metadata", "name"}), *request, context);
    if (!result.ok() && result.error().code != 404) return SendError(call, result.error());
    ++session.collection_done;
    session.answers.clear();
  }
  for (StoredPtr& item : items) {
    const auto shown = ShowAs(kind, item);
    if (!shown.ok()) return SendError(call, shown.error());
    item = *shown;
  }
  SendJson(call, 200, RenderList(ViewOf(call), items, meta));
}

}  // namespace kueue::apiserver
