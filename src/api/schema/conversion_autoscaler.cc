#include "api/schema/conversion_autoscaler.h"

#include <utility>

#include "api/codec/json_text.h"

namespace kueue::api {
namespace {

// Where v1 keeps what it has no field for.
struct Kept {
  const char* annotation;
  const char* part;
  const char* field;
};
constexpr Kept kKept[] = {
    {"autoscaling.alpha.kubernetes.io/metrics", "spec", "metrics"},
    {"autoscaling.alpha.kubernetes.io/behavior", "spec", "behavior"},
    {"autoscaling.alpha.kubernetes.io/current-metrics", "status", "currentMetrics"},
    {"autoscaling.alpha.kubernetes.io/conditions", "status", "conditions"},
};

bool IsCpu(const Json& metric, const char* side) {
  const Json* resource = metric.Find("resource");
  return metric.StringAt({"type"}) == "Resource" && resource != nullptr &&
         resource->StringAt({"name"}) == "cpu" &&
         resource->FindPath({side, "averageUtilization"}) != nullptr;
}

// {"type": "Resource", "resource": {"name": "cpu", side: {..., "averageUtilization": n}}}
Json CpuMetric(const char* side, const Json& percent) {
  Json value = Json::MakeObject();
  if (std::string_view(side) == "target") value.Set("type", "Utilization");
  value.Set("averageUtilization", percent);
  Json resource = Json::MakeObject();
  resource.Set("name", "cpu");
  resource.Set(side, std::move(value));
  Json metric = Json::MakeObject();
  metric.Set("type", "Resource");
  metric.Set("resource", std::move(resource));
  return metric;
}

void TakeCpu(Json& part, const char* old_field, const char* list, const char* side) {
  const Json* percent = part.Find(old_field);
  if (percent == nullptr) return;
  Json metrics = Json::MakeArray();
  metrics.Append(CpuMetric(side, *percent));
  if (const Json* others = part.Find(list); others != nullptr && others->IsArray()) {
    for (const Json& other : others->AsArray()) metrics.Append(other);
  }
  part.Erase(old_field);
  part.Set(list, std::move(metrics));
}

void GiveCpu(Json& part, const char* old_field, const char* list, const char* side) {
  const Json* metrics = part.Find(list);
  if (metrics == nullptr || !metrics->IsArray()) return;
  Json others = Json::MakeArray(), percent;
  for (const Json& metric : metrics->AsArray()) {
    if (percent.IsNull() && IsCpu(metric, side)) {
      percent = *metric.FindPath({"resource", side, "averageUtilization"});
    } else {
      others.Append(metric);
    }
  }
  part.Erase(list);
  if (others.size() > 0) part.Set(list, std::move(others));
  if (!percent.IsNull()) part.Set(old_field, std::move(percent));
}

}  // namespace

std::vector<FieldError> AutoscalerToV2(Json& object) {
  Json* metadata = object.Find("metadata");
  Json* annotations = metadata != nullptr ? metadata->Find("annotations") : nullptr;
  for (const Kept& kept : kKept) {
    const Json* text = annotations != nullptr ? annotations->Find(kept.annotation) : nullptr;
    if (text == nullptr || !text->IsString()) continue;
    if (auto value = ParseJson(text->AsString()); value.ok()) {
      object[kept.part].Set(kept.field, std::move(*value));
    }
    annotations->Erase(kept.annotation);
  }
  if (annotations != nullptr && annotations->size() == 0) metadata->Erase("annotations");
  if (Json* spec = object.Find("spec"); spec != nullptr && spec->IsObject()) {
    TakeCpu(*spec, "targetCPUUtilizationPercentage", "metrics", "target");
  }
  if (Json* status = object.Find("status"); status != nullptr && status->IsObject()) {
    TakeCpu(*status, "currentCPUUtilizationPercentage", "currentMetrics", "current");
  }
  return {};
}

std::vector<FieldError> AutoscalerToV1(Json& object) {
  if (Json* spec = object.Find("spec"); spec != nullptr && spec->IsObject()) {
    GiveCpu(*spec, "targetCPUUtilizationPercentage", "metrics", "target");
  }
  if (Json* status = object.Find("status"); status != nullptr && status->IsObject()) {
    GiveCpu(*status, "currentCPUUtilizationPercentage", "currentMetrics", "current");
  }
  for (const Kept& kept : kKept) {
    Json* part = object.Find(kept.part);
    const Json* value = part != nullptr ? part->Find(kept.field) : nullptr;
    if (value == nullptr) continue;
    if (value->size() > 0) {
      object["metadata"]["annotations"].Set(kept.annotation, WriteJson(*value));
    }
    part->Erase(kept.field);
  }
  return {};
}

}  // namespace kueue::api
