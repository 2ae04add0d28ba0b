#include "api/schema/kinds_built_in.h"

// Events of events.k8s.io and of the core group are the same objects under two names.
namespace kueue::api {
namespace {

// events.k8s.io, core.
constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"regarding", "involvedObject"},
    {"note", "message"},
    {"reportingController", "reportingComponent"},
    {"deprecatedSource", "source"},
    {"deprecatedFirstTimestamp", "firstTimestamp"},
    {"deprecatedLastTimestamp", "lastTimestamp"},
    {"deprecatedCount", "count"},
};

}  // namespace

std::vector<FieldError> EventToStored(Json& object) {
  for (Json::Member& member : object.AsObject()) {
    for (const auto& [name, core] : kNames) {
      if (member.key == name) {
        member.key = core;
        break;
      }
    }
  }
  return {};
}

std::vector<FieldError> EventFromStored(Json& object) {
  Json::Object kept;
  for (Json::Member& member : object.AsObject()) {
    // The core version writes empty texts, this one does not.
    if (member.value.IsString() && member.value.AsString().empty()) continue;
    for (const auto& [name, core] : kNames) {
      if (member.key == core) {
        member.key = name;
        break;
      }
    }
    kept.push_back(std::move(member));
  }
  object = Json(std::move(kept));
  return {};
}

std::string_view StoredFieldOfEvent(std::string_view field) {
  constexpr std::string_view kRegarding = "regarding.";
  if (field.substr(0, kRegarding.size()) != kRegarding) {
    return field == "reportingController" ? "reportingComponent" : field;
  }
  constexpr std::string_view kFields[] = {
      "involvedObject.kind",     "involvedObject.namespace",  "involvedObject.name",
      "involvedObject.uid",      "involvedObject.apiVersion", "involvedObject.resourceVersion",
      "involvedObject.fieldPath"};
  const std::string_view member = field.substr(kRegarding.size());
  for (const std::string_view core : kFields) {
    if (core.substr(core.find('.') + 1) == member) return core;
  }
  return field;
}

}  // namespace kueue::api
