#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "api/schema/conversion.h"
#include "apiserver/options.h"
#include "apiserver/rest_handler.h"
#include "apiserver/selector.h"
#include "apiserver/versions.h"

// get, list, watch and the log of a pod.
namespace kueue::apiserver {

namespace {

struct ListPosition {
  uint64_t revision = 0;  // list the state at this revision
  std::string start;      // from this key on
};

// Which state of the store a list shows, and from where on.
Outcome<ListPosition> PositionOf(const ListRequest& list, const Store& store,
                                 const std::string& prefix) {
  ListPosition position;
  position.revision = store.kept_revision();
  if (!list.VersionIsNumber()) {
    return BadRequestError(
        fmt::format("resourceVersion \"{}\" is no version", list.resource_version));
  }
  const auto version = list.Version();
  if (!list.continue_token.empty()) {
    if (version) return BadRequestError("resourceVersion does not go together with continue");
    const auto token = DecodeContinue(list.continue_token);
    if (!token) return BadRequestError("the continue token is not one of this server's");
    position.start = prefix + token->start;
    if (token->revision < 0) return position;
    position.revision = static_cast<uint64_t>(token->revision);
  } else if (version) {
    if (*version > store.kept_revision())
      return VersionTooLargeError(*version, store.kept_revision());
    if (list.version_match != "Exact") return position;
    position.revision = *version;
  }
  if (position.revision > store.kept_revision()) {
    return VersionTooLargeError(position.revision, store.kept_revision());
  }
  if (position.revision < store.compacted_revision()) {
    ApiError error = ExpiredError(fmt::format("version {} is too old: the oldest remembered is {}",
                                              position.revision, store.compacted_revision()));
    if (!list.continue_token.empty()) {
      error.continue_token = EncodeContinue({-1, position.start.substr(prefix.size())});
    }
    return error;
  }
  return position;
}

struct Page {
  std::vector<StoredPtr> items;
  ListMeta meta;
};

Page CollectPage(const Store& store, const api::KindInfo& kind, const std::string& prefix,
                 const ListPosition& position, const Selector& selector, int64_t limit) {
  Page page;
  page.meta.revision = position.revision;
  std::string last;
  int64_t remaining = 0;
  const auto visit = [&](const std::string& key, const StoredPtr& object) {
    const bool full = limit > 0 && static_cast<int64_t>(page.items.size()) >= limit;
    if (full && selector.empty()) {
      ++remaining;
      return true;
    }
    if (!selector.Matches(object->object())) return true;
    if (full) {
      remaining = 1;
      return false;
    }
    page.items.push_back(object);
    last = key;
    return true;
  };
  const std::string name = selector.OnlyName();
  if (!name.empty() && position.revision == store.kept_revision() && position.start.empty() &&
      (!kind.namespaced || !prefix.empty())) {
    // The common way to ask for one object: no need to walk over all.
    const std::string key = prefix + name;
    if (const StoredPtr object = store.GetKept(kind, key)) visit(key, object);
  } else {
    store.ScanAt(position.revision, kind, prefix, position.start, visit);
  }
  if (remaining > 0) {
    std::string start = last.substr(prefix.size());
    start += '\0';
    page.meta.continue_token =
        EncodeContinue({static_cast<int64_t>(position.revision), std::move(start)});
    if (selector.empty()) page.meta.remaining = remaining;
  }
  return page;
}

// A query parameter that is a number; refused if it is none.
Refusal ReadNumber(const net::Target& target, std::string_view name,
                   std::optional<int64_t>& number) {
  const auto text = target.Query(name);
  if (!text || text->empty()) return std::nullopt;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) {
    return BadRequestError(fmt::format("{} must be a whole number, it is \"{}\"", name, *text));
  }
  number = value;
  return std::nullopt;
}

Refusal ReadLogNumbers(const net::Target& target, LogQuery& query) {
  if (Refusal r = ReadNumber(target, "tailLines", query.tail_lines)) return r;
  if (Refusal r = ReadNumber(target, "sinceSeconds", query.since_seconds)) return r;
  if (Refusal r = ReadNumber(target, "limitBytes", query.limit_bytes)) return r;
  const std::string since = target.Query("sinceTime").value_or("");
  if (since.empty()) return std::nullopt;
  const auto time = base::ParseTime(since);
  if (!time.ok()) {
    return BadRequestError(fmt::format("sinceTime must be a time, it is \"{}\"", since));
  }
  query.since_time = *time;
  return std::nullopt;
}

Refusal CheckLogQuery(const std::string& pod, const LogQuery& query) {
  std::vector<api::FieldError> errors;
  const auto invalid = [&](const char* field, const char* message) {
    errors.push_back({api::FieldErrorType::kInvalid, field, message});
  };
  if (query.tail_lines.value_or(0) < 0) invalid("tailLines", "must not be negative");
  if (query.limit_bytes.value_or(1) < 1) invalid("limitBytes", "must be greater than 0");
  if (query.since_seconds && query.since_time) {
    errors.push_back({api::FieldErrorType::kForbidden, "",
                      "at most one of sinceTime and sinceSeconds may be given"});
  } else if (query.since_seconds.value_or(1) < 1) {
    invalid("sinceSeconds", "must be greater than 0");
  }
  if (errors.empty()) return std::nullopt;
  ApiError error;
  error.code = 422;
  error.reason = "Invalid";
  error.message = fmt::format("PodLogOptions \"{}\" is invalid: {}", pod,
                              api::JoinFieldErrors(errors));
  error.has_details = true;
  error.name = pod;
  error.kind = "PodLogOptions";
  for (const api::FieldError& e : errors) {
    error.causes.push_back({api::CauseReason(e.type), e.field, e.message});
  }
  return error;
}

// Settles whose log it is: the only container, or the one that is asked for.
Refusal ChooseContainer(const std::string& name, const api::Json& pod, LogQuery& query) {
  std::vector<std::string> names, first;
  for (const char* list : {"containers", "initContainers", "ephemeralContainers"}) {
    const api::Json* containers = pod.FindPath({"spec", list});
    if (containers == nullptr || !containers->IsArray()) continue;
    for (const api::Json& container : containers->AsArray()) {
      names.push_back(container.StringAt({"name"}));
    }
    if (first.empty()) first = names;
  }
  if (query.container.empty() && first.size() == 1 && names.size() == 1) {
    query.container = first[0];
  }
  if (query.container.empty()) {
    return BadRequestError(fmt::format(
        "a container name must be specified for pod {}, choose one of: [{}]", name,
        fmt::join(names, " ")));
  }
  if (std::find(names.begin(), names.end(), query.container) == names.end()) {
    return BadRequestError(
        fmt::format("container {} is not valid for pod {}", query.container, name));
  }
  return std::nullopt;
}

bool FlagOf(const net::Target& target, std::string_view name) {
  const std::string text = target.Query(name).value_or("false");
  return text != "false" && text != "0";
}

}  // namespace

void RestHandler::Get(Call& call) {
  if (!Agree(call, AnswerKind::kSingle)) return;
  ListRequest version;
  version.resource_version = call.target.Query("resourceVersion").value_or("");
  if (!version.VersionIsNumber()) {
    return SendError(call, InternalError(fmt::format("resourceVersion \"{}\" is no version",
                                                     version.resource_version)));
  }
  if (version.Version().value_or(0) > store_.kept_revision()) {
    return SendError(call, VersionTooLargeError(*version.Version(), store_.kept_revision()));
  }
  const api::KindInfo& kind = *call.path.kind;
  const StoredPtr stored =
      store_.GetKept(api::StoredKind(kind), StoreKey(call.path.namespace_name, call.path.name));
  if (stored == nullptr) return SendError(call, NotFoundError(kind, call.path.name));
  const auto object = ShowAs(kind, stored);
  if (!object.ok()) return SendError(call, object.error());
  SendJson(call, 200, RenderObject(ViewOf(call), **object));
}

void RestHandler::ListOrWatch(const std::shared_ptr<Call>& call) {
  auto list = ParseListRequest(call->target);
  if (!list.ok()) return SendError(*call, list.error());
  const api::KindInfo& kind = *call->path.kind;
  const bool watch = call->path.watch || list->watch;
  // The events of a watch are single objects.
  if (watch) {
    const auto form = Negotiate(call->Header("accept"), AnswerKind::kSingle);
    const auto list_form = Negotiate(call->Header("accept"), AnswerKind::kList);
    if (!form && !list_form) return SendError(*call, NotAcceptableError());
    call->form = form ? *form : *list_form;
    call->form.yaml = false;
  } else if (!Agree(*call, AnswerKind::kList)) {
    return;
  }
  auto selector = Selector::Parse(kind, list->label_selector, list->field_selector);
  if (!selector.ok()) return SendError(*call, selector.error());
  const std::string prefix =
      call->path.namespace_name.empty() ? "" : call->path.namespace_name + "/";
  if (watch) {
    if (!list->VersionIsNumber()) {
      return SendError(*call, InternalError(fmt::format("resourceVersion \"{}\" is no version",
                                                        list->resource_version)));
    }
    if (!call->path.name.empty()) selector->RequireName(call->path.name);
    return watches_.Open(call, *list, *selector, prefix, ViewOf(*call));
  }
  const auto position = PositionOf(*list, store_, prefix);
  if (!position.ok()) return SendError(*call, position.error());
  // Whoever takes any version gets all of it at once.
  const int64_t limit = list->resource_version == "0" ? 0 : list->limit;
  Page page = CollectPage(store_, api::StoredKind(kind), prefix, *position, *selector, limit);
  for (StoredPtr& item : page.items) {
    const auto shown = ShowAs(kind, item);
    if (!shown.ok()) return SendError(*call, shown.error());
    item = *shown;
  }
  SendJson(*call, 200, RenderList(ViewOf(*call), page.items, page.meta));
}

void RestHandler::ReadLog(Call& call) {
  const StoredPtr pod =
      store_.Get(*call.path.kind, StoreKey(call.path.namespace_name, call.path.name));
  if (pod == nullptr) return SendError(call, NotFoundError(*call.path.kind, call.path.name));
  LogQuery query;
  query.container = call.target.Query("container").value_or("");
  query.follow = FlagOf(call.target, "follow");
  query.previous = FlagOf(call.target, "previous");
  query.timestamps = FlagOf(call.target, "timestamps");
  if (Refusal refusal = ReadLogNumbers(call.target, query)) return SendError(call, *refusal);
  if (Refusal refusal = CheckLogQuery(call.path.name, query)) return SendError(call, *refusal);
  if (Refusal refusal = ChooseContainer(call.path.name, pod->object(), query)) {
    return SendError(call, *refusal);
  }
  const std::string node = pod->object().StringAt({"spec", "nodeName"});
  if (node.empty()) {
    // Nothing runs yet, and so nothing has been said.
    call.responder->Start(204, {});
    return call.responder->End();
  }
  const api::KindInfo& nodes = api::KindOf<api::Node>();
  if (logs_ == nullptr && store_.Get(nodes, node) == nullptr) {
    return SendError(call, NotFoundError(nodes, node));
  }
  if (logs_ == nullptr) {
    return SendError(call, BadRequestError(fmt::format("no log of pod \"{}\" is kept here",
                                                       call.path.name)));
  }
  logs_->Read(pod->object(), query, call.responder);
}

}  // namespace kueue::apiserver
