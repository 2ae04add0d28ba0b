#include "apiserver/aggregated.h"

#include <utility>

#include "api/codec/json_text.h"
#include "apiserver/selector.h"

namespace kueue::apiserver {

using api::Json;

bool AggregatedKinds::Handle(const Call& call, base::Time now) const {
  const auto source = sources_.find(call.path.kind);
  if (source == sources_.end()) return false;
  const api::KindInfo& kind = *call.path.kind;
  const bool watch = call.path.watch || call.target.Query("watch").value_or("") == "true";
  if (call.request.method != "GET" || watch || !call.path.subresource.empty()) {
    SendError(call, MethodNotAllowedError());
    return true;
  }
  const auto selector = Selector::Parse(kind, call.target.Query("labelSelector").value_or(""),
                                        call.target.Query("fieldSelector").value_or(""));
  if (!selector.ok()) {
    SendError(call, selector.error());
    return true;
  }
  Json items = Json::MakeArray();
  for (Json& object : source->second->List(call.path.namespace_name, now)) {
    Json item = Json::MakeObject();
    if (!call.path.name.empty()) {
      if (object.StringAt({"metadata", "name"}) != call.path.name) continue;
      item.Set("kind", kind.kind);
      item.Set("apiVersion", kind.ApiVersion());
    } else if (!selector->Matches(object)) {
      continue;
    }
    for (Json::Member& member : object.AsObject()) item.Set(member.key, std::move(member.value));
    if (!call.path.name.empty()) {
      SendJson(call, 200, api::WriteJson(item));
      return true;
    }
    items.Append(std::move(item));
  }
  if (!call.path.name.empty()) {
    SendError(call, NotFoundError(kind, call.path.name));
    return true;
  }
  Json list = Json::MakeObject();
  list.Set("kind", std::string(kind.kind) + "List");
  list.Set("apiVersion", kind.ApiVersion());
  list.Set("metadata", Json::MakeObject());
  list.Set("items", std::move(items));
  SendJson(call, 200, api::WriteJson(list));
  return true;
}

}  // namespace kueue::apiserver
