#include "apiserver/selector.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/schema/conversion.h"

namespace kueue::apiserver {

using api::Json;

namespace {

// What an absent field counts as where that is not the empty text.
std::string_view AbsentValue(const api::KindInfo& kind, std::string_view field) {
  if (kind.kind == "Node" && field == "spec.unschedulable") return "false";
  if (kind.kind == "Pod" && field == "spec.hostNetwork") return "false";
  if (kind.kind == "Job" && field == "status.successful") return "0";
  return "";
}

std::string FieldText(const api::KindInfo& kind, const Json& object, std::string_view field) {
  const Json* at = &object;
  for (size_t from = 0; at != nullptr && from <= field.size();) {
    const size_t end = std::min(field.find('.', from), field.size());
    at = at->Find(field.substr(from, end - from));
    from = end + 1;
  }
  if (at == nullptr || at->IsNull()) return std::string(AbsentValue(kind, field));
  if (at->IsString()) return at->AsString();
  if (at->IsBool()) return at->AsBool() ? "true" : "false";
  if (at->IsNumber()) return at->NumberText();
  return "";
}

bool IsSelectable(const api::KindInfo& kind, std::string_view field) {
  if (field == "metadata.name") return true;
  if (field == "metadata.namespace") return kind.namespaced;
  return std::find(kind.selectable_fields.begin(), kind.selectable_fields.end(), field) !=
         kind.selectable_fields.end();
}

}  // namespace

Outcome<Selector> Selector::Parse(const api::KindInfo& kind, const std::string& labels,
                                  const std::string& fields) {
  Selector selector;
  selector.kind_ = &kind;
  if (!labels.empty()) {
    auto query = api::LabelQuery::Parse(labels);
    if (!query.ok()) return BadRequestError("labelSelector: " + query.error().message);
    selector.labels_ = std::move(*query);
  }
  if (!fields.empty()) {
    auto requirements = api::ParseFieldSelector(fields);
    if (!requirements.ok()) {
      return BadRequestError("fieldSelector: " + requirements.error().message);
    }
    for (const api::FieldRequirement& requirement : *requirements) {
      if (!IsSelectable(kind, requirement.field)) {
        return BadRequestError(fmt::format("fieldSelector: {} cannot be selected by \"{}\"",
                                           kind.GroupResource(), requirement.field));
      }
    }
    // Objects are looked at as they are stored.
    for (api::FieldRequirement& requirement : *requirements) {
      requirement.field = api::StoredFieldName(kind, requirement.field);
    }
    selector.fields_ = std::move(*requirements);
  }
  return selector;
}

bool Selector::Matches(const Json& object) const {
  for (const api::FieldRequirement& requirement : fields_) {
    const bool same = FieldText(*kind_, object, requirement.field) == requirement.value;
    if (same != requirement.equal) return false;
  }
  if (labels_.empty()) return true;
  api::StringMap labels;
  const Json* map = object.FindPath({"metadata", "labels"});
  if (map != nullptr && map->IsObject()) {
    for (const Json::Member& member : map->AsObject()) {
      if (member.value.IsString()) labels.emplace(member.key, member.value.AsString());
    }
  }
  return labels_.Matches(labels);
}

void Selector::RequireName(const std::string& name) {
  fields_.push_back({"metadata.name", name, true});
}

std::string Selector::OnlyName() const {
  for (const api::FieldRequirement& requirement : fields_) {
    if (requirement.equal && requirement.field == "metadata.name") return requirement.value;
  }
  return "";
}

}  // namespace kueue::apiserver
