#include "apiserver/render.h"

#include <fmt/format.h>

#include "api/codec/json_text.h"

namespace kueue::apiserver {

using api::Json;

namespace {

// Members of the metadata go in as they are; everything else stays out.
Json PartialOf(const View& view, const StoredObject& object) {
  Json partial = Json::MakeObject();
  partial.Set("kind", "PartialObjectMetadata");
  partial.Set("apiVersion", "meta.k8s.io/" + view.form.meta_version);
  partial.Set("metadata", object.Metadata(view.managed_fields));
  return partial;
}

Json ColumnDefinitions(const std::vector<api::TableColumn>& columns) {
  Json out = Json::MakeArray();
  for (const api::TableColumn& column : columns) {
    Json item = Json::MakeObject();
    item.Set("name", column.name);
    item.Set("type", column.type);
    item.Set("format", column.format);
    item.Set("description", "");
    item.Set("priority", column.priority);
    out.Append(std::move(item));
  }
  return out;
}

std::string TableHead(const std::string& meta_version, const Json& metadata, const Json& columns) {
  return fmt::format(
      R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{},"columnDefinitions":{},"rows":[)",
      meta_version, api::WriteJson(metadata), api::WriteJson(columns));
}

// Rows of pods that have ended say so, for whoever hides them.
std::string EndedCondition(const api::KindInfo& kind, const Json& object) {
  if (!kind.group.empty() || kind.kind != "Pod") return "";
  const std::string phase = object.StringAt({"status", "phase"});
  if (phase != "Succeeded" && phase != "Failed") return "";
  return fmt::format(R"(,"conditions":[{{"type":"Completed","status":"True","reason":"{}",)"
                     R"("message":"the pod has ended and will not run again"}}])",
                     phase);
}

void AppendRow(const View& view, const StoredObject& object, std::string& out) {
  Json cells = Json::MakeArray();
  for (Json& cell : api::TableCells(*view.kind, object.object(), view.now)) {
    cells.Append(std::move(cell));
  }
  out += "{\"cells\":";
  out += api::WriteJson(cells);
  out += EndedCondition(*view.kind, object.object());
  out += ",\"object\":";
  switch (view.include) {
    case IncludeObject::kNone:
      out += "null";
      break;
    case IncludeObject::kMetadata:
      out += api::WriteJson(PartialOf(view, object));
      break;
    case IncludeObject::kObject:
      out += object.Text(view.managed_fields);
      break;
  }
  out += '}';
}

Json VersionMeta(uint64_t revision) {
  Json meta = Json::MakeObject();
  if (revision > 0) meta.Set("resourceVersion", std::to_string(revision));
  return meta;
}

Json ListMetaJson(const ListMeta& meta, bool always_continue) {
  Json json = VersionMeta(meta.revision);
  if (!meta.continue_token.empty() || always_continue) json.Set("continue", meta.continue_token);
  if (meta.remaining >= 0) json.Set("remainingItemCount", meta.remaining);
  return json;
}

uint64_t VersionOf(const StoredObject& object) {
  // A dry run's object is not stored and has no version.
  return object.object().FindPath({"metadata", "resourceVersion"}) ? object.revision() : 0;
}

std::string TableOfOne(const View& view, const StoredObject& object, bool with_columns) {
  const Json columns =
      with_columns ? ColumnDefinitions(api::TableColumns(*view.kind)) : Json(nullptr);
  std::string out = TableHead(view.form.meta_version, VersionMeta(VersionOf(object)), columns);
  AppendRow(view, object, out);
  out += "]}";
  return out;
}

std::string TableOfList(const View& view, const std::vector<StoredPtr>& items,
                        const ListMeta& meta) {
  std::string out = TableHead(view.form.meta_version, ListMetaJson(meta, false),
                              ColumnDefinitions(api::TableColumns(*view.kind)));
  bool first = true;
  for (const StoredPtr& item : items) {
    if (!first) out += ',';
    first = false;
    AppendRow(view, *item, out);
  }
  out += "]}";
  return out;
}

std::string Yaml(bool yaml, std::string json_text) {
  if (!yaml) return json_text;
  const auto json = api::ParseJson(json_text);
  return json.ok() ? api::WriteYaml(*json) : json_text;
}

}  // namespace

std::string RenderObject(const View& view, const StoredObject& object) {
  switch (view.form.shape) {
    case Shape::kTable:
      return Yaml(view.form.yaml, TableOfOne(view, object, true));
    case Shape::kPartial:
    case Shape::kPartialList:
      return Yaml(view.form.yaml, api::WriteJson(PartialOf(view, object)));
    case Shape::kObject:
      break;
  }
  return Yaml(view.form.yaml, object.Text(view.managed_fields));
}

std::string RenderList(const View& view, const std::vector<StoredPtr>& items,
                       const ListMeta& meta) {
  if (view.form.shape == Shape::kTable) {
    return Yaml(view.form.yaml, TableOfList(view, items, meta));
  }
  const bool partial = view.form.shape != Shape::kObject;
  std::string out =
      fmt::format(R"({{"kind":"{}List","apiVersion":"{}","metadata":{},"items":[)",
                  partial ? "PartialObjectMetadata" : view.kind->kind,
                  partial ? "meta.k8s.io/" + view.form.meta_version : view.kind->ApiVersion(),
                  api::WriteJson(ListMetaJson(meta, view.kind->custom_resource && !partial)));
  bool first = true;
  for (const StoredPtr& item : items) {
    if (!first) out += ',';
    first = false;
    if (partial) {
      out += api::WriteJson(PartialOf(view, *item));
    } else if (view.kind->custom_resource) {
      out += item->Text(view.managed_fields);
    } else {
      item->AppendTextWithoutKind(out, view.managed_fields);
    }
  }
  out += "]}";
  return Yaml(view.form.yaml, std::move(out));
}

std::string RenderEvent(const View& view, const char* type, const StoredObject& object,
                        bool first_event) {
  std::string out = "{\"type\":\"";
  out += type;
  out += "\",\"object\":";
  switch (view.form.shape) {
    case Shape::kTable:
      out += TableOfOne(view, object, first_event);
      break;
    case Shape::kPartial:
    case Shape::kPartialList:
      out += api::WriteJson(PartialOf(view, object));
      break;
    case Shape::kObject:
      out += object.Text(view.managed_fields);
      break;
  }
  out += "}\n";
  return out;
}

std::string RenderBookmark(const View& view, uint64_t revision, bool initial_end,
                           bool first_event) {
  Json metadata = Json::MakeObject();
  metadata.Set("resourceVersion", std::to_string(revision));
  if (initial_end) {
    Json annotations = Json::MakeObject();
    annotations.Set("k8s.io/initial-events-end", "true");
    metadata.Set("annotations", std::move(annotations));
  }
  Json object = Json::MakeObject();
  object.Set("kind", view.kind->kind);
  object.Set("apiVersion", view.kind->ApiVersion());
  object.Set("metadata", std::move(metadata));
  return RenderEvent(view, "BOOKMARK", StoredObject(std::move(object), revision), first_event);
}

}  // namespace kueue::apiserver
