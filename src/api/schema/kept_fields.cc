#include "api/schema/kept_fields.h"

#include <functional>
#include <map>

#include "api/codec/json_text.h"
#include "api/types/names.h"

namespace kueue::api {
namespace {

// A parent found in an object: its path by names of list entries, which survive a change of the
// list, and by indices, as errors are told.
struct Found {
  Json& parent;
  std::string by_name, by_index;
};

void Visit(Json& at, std::string_view path, const std::string& by_name, const std::string& by_index,
           const std::function<void(const Found&)>& visit) {
  if (path.empty()) {
    if (at.IsObject()) visit({at, by_name, by_index});
    return;
  }
  const size_t dot = path.find('.');
  std::string_view segment = path.substr(0, dot);
  const std::string_view rest =
      dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  const bool list = segment.size() > 2 && segment.substr(segment.size() - 2) == "[]";
  if (list) segment.remove_suffix(2);
  Json* next = at.Find(segment);
  if (next == nullptr) return;
  if (!list) {
    return Visit(*next, rest, Field(by_name, segment), Field(by_index, segment), visit);
  }
  if (!next->IsArray()) return;
  // Entries of one name are told apart by their order: conversion comes before anybody refuses
  // them.
  std::map<std::string, int> seen;
  for (size_t i = 0; i < next->size(); ++i) {
    Json& entry = next->AsArray()[i];
    std::string name(Text(entry, "name"));
    if (const int before = seen[name]++; before > 0) name += "#" + std::to_string(before);
    Visit(entry, rest, Key(Field(by_name, segment), name), Field(Field(by_index, segment), i),
          visit);
  }
}

std::string AnnotationPath() { return Key("metadata.annotations", names::kNewerFields); }

// The annotation's content, taken away from the object. Null: there is none.
Json TakeAnnotation(Json& object, FieldErrors& errors) {
  Json* metadata = object.Find("metadata");
  Json* annotations = metadata ? metadata->Find("annotations") : nullptr;
  const Json* found = annotations ? annotations->Find(names::kNewerFields) : nullptr;
  if (found == nullptr) return {};
  auto kept = ParseJson(found->IsString() ? found->AsString() : "");
  annotations->Erase(names::kNewerFields);
  if (annotations->size() == 0) metadata->Erase("annotations");
  if (kept.ok() && kept->IsObject()) return std::move(*kept);
  AddInvalid(
      errors, AnnotationPath(),
      "must be the JSON object this server wrote, or be removed together with what it keeps");
  return {};
}

}  // namespace

void Keep(const KeptFields& fields, Json& object) {
  Json kept = Json::MakeObject();
  for (const KeptField& field : fields) {
    Visit(object, field.parent, "", "", [&](const Found& found) {
      Json* value = found.parent.Find(field.member);
      if (value == nullptr) return;
      kept.Set(Field(found.by_name, field.member), std::move(*value));
      found.parent.Erase(field.member);
    });
  }
  if (kept.size() == 0) return;
  object["metadata"]["annotations"].Set(names::kNewerFields, WriteJson(kept));
}

FieldErrors PutBackKept(const KindInfo& kind, const KeptFields& fields, Json& object) {
  FieldErrors errors;
  const Json kept = TakeAnnotation(object, errors);
  if (!kept.IsObject()) return errors;
  std::vector<std::string> restored;
  for (const KeptField& field : fields) {
    Visit(object, field.parent, "", "", [&](const Found& found) {
      const Json* value = kept.Find(Field(found.by_name, field.member));
      if (value == nullptr || found.parent.Find(field.member) != nullptr) return;
      found.parent.Set(field.member, *value);
      restored.push_back(Field(found.by_index, field.member));
    });
  }
  if (restored.empty()) return errors;
  // The rest of the object is judged in the version it was written in.
  FieldErrors found;
  CheckSchema(*kind.table, object, nullptr, found);
  for (const FieldError& error : found) {
    for (const std::string& path : restored) {
      if (error.field.compare(0, path.size(), path) != 0) continue;
      AddInvalid(errors, AnnotationPath(), error.field + ": " + error.message);
    }
  }
  return errors;
}

}  // namespace kueue::api
