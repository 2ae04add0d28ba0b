#include "admission/dialect.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/codec/json_text.h"
#include "api/types/dialect.h"

namespace kueue::admission {
namespace {

using api::FieldErrorType;
using api::Json;
using Errors = std::vector<api::FieldError>;
namespace names = api::names;

constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kMetrics = {
    {{"workload_scheduled", "counter"}, {"resource_utilization", "gauge"}}};
constexpr char kFifo[] = "FIFO";
constexpr char kFairSharing[] = "FairSharing";
constexpr char kByUsage[] = "UsageBasedAdmissionFairSharing";

Json* ObjectIn(Json* parent, std::string_view member) {
  Json* value = parent != nullptr ? parent->Find(member) : nullptr;
  return value != nullptr && value->IsObject() ? value : nullptr;
}

std::string AnnotationOf(const Json* object, std::string_view name) {
  return object != nullptr ? object->StringAt({"metadata", "annotations", name}) : "";
}

// False: the body's metadata has no place for it; its own checks say so.
bool Annotate(Json& object, std::string_view name, std::string_view value) {
  Json* metadata = ObjectIn(&object, "metadata");
  if (metadata == nullptr) return false;
  Json* annotations = metadata->Find("annotations");
  if (annotations == nullptr || annotations->IsNull()) {
    annotations = &metadata->Set("annotations", Json::MakeObject());
  }
  if (!annotations->IsObject()) return false;
  annotations->Set(name, value);
  return true;
}

// ---- Workload

// A pod spec directly instead of a template, and one pod where no count is given.
bool ReadPodSets(Json& spec, Errors& errors) {
  Json* sets = spec.Find("podSets");
  if (sets == nullptr || !sets->IsArray()) return false;
  bool found = false;
  size_t index = 0;
  for (Json& set : sets->AsArray()) {
    const std::string path = "spec.podSets[" + std::to_string(index++) + "]";
    if (!set.IsObject()) continue;
    if (ObjectIn(&set, "spec") != nullptr) {
      found = true;
      if (set.Find("template") != nullptr) {
        errors.push_back({FieldErrorType::kInvalid, path + ".spec",
                          "stands for template.spec, which is there too: write one of them"});
        continue;
      }
      Json pod_template = Json::MakeObject();
      pod_template.Set("spec", std::move(*set.Find("spec")));
      set.Erase("spec");
      set.Set("template", std::move(pod_template));
    }
    const Json* count = set.Find("count");
    if (count == nullptr || count->IsNull()) set.Set("count", 1);
  }
  return found;
}

// ---- ClusterQueue

// What the object had before is no contradiction: a change of strategy replaces it.
bool Contradicts(const Json& spec, const Json* before, std::string_view member,
                 std::string_view wanted) {
  const std::string said = spec.StringAt({member});
  if (said.empty() || said == wanted) return false;
  return before == nullptr || before->StringAt({"spec", member}) != said;
}

std::string ModeOf(const Json* spec) {
  return spec != nullptr ? spec->StringAt({"admissionScope", "admissionMode"}) : "";
}

void ReadFifo(Json& spec, const Json* before, Errors& errors) {
  if (Contradicts(spec, before, "queueingStrategy", "StrictFIFO")) {
    errors.push_back({FieldErrorType::kInvalid, "spec.queueingStrategy",
                      "contradicts spec.scheduling.strategy FIFO, which is StrictFIFO: leave it "
                      "out"});
  }
  const std::string mode = ModeOf(&spec);
  if (mode == kByUsage && (before == nullptr || ModeOf(before->Find("spec")) != mode)) {
    errors.push_back({FieldErrorType::kInvalid, "spec.admissionScope.admissionMode",
                      "contradicts spec.scheduling.strategy FIFO: leave it out"});
  }
  spec.Erase("admissionScope");
  spec.Set("queueingStrategy", "StrictFIFO");
}

void ReadFairSharing(Json& spec, const Json* before, Errors& errors) {
  if (Contradicts(spec, before, "queueingStrategy", "BestEffortFIFO")) {
    errors.push_back({FieldErrorType::kInvalid, "spec.queueingStrategy",
                      "contradicts spec.scheduling.strategy FairSharing, where past use decides: "
                      "leave it out, or say BestEffortFIFO"});
  }
  const std::string mode = ModeOf(&spec);
  if (!mode.empty() && mode != kByUsage) {
    errors.push_back({FieldErrorType::kInvalid, "spec.admissionScope.admissionMode",
                      "contradicts spec.scheduling.strategy FairSharing: leave it out"});
  }
  spec.Set("queueingStrategy", "BestEffortFIFO");
  Json scope = Json::MakeObject();
  scope.Set("admissionMode", kByUsage);
  spec.Set("admissionScope", std::move(scope));
}

bool ReadStrategy(Json& object, Json& spec, const Json* before, Errors& errors) {
  Json* scheduling = ObjectIn(&spec, "scheduling");
  const Json* strategy = scheduling != nullptr ? scheduling->Find("strategy") : nullptr;
  if (strategy == nullptr) return false;
  const std::string said = strategy->IsString() ? strategy->AsString() : "";
  if (said != kFifo && said != kFairSharing) {
    errors.push_back(
        {FieldErrorType::kNotSupported, "spec.scheduling.strategy", "must be FIFO or FairSharing"});
    return true;
  }
  scheduling->Erase("strategy");
  // What else stands there is unknown, and told as such.
  if (scheduling->size() == 0) spec.Erase("scheduling");
  said == kFifo ? ReadFifo(spec, before, errors) : ReadFairSharing(spec, before, errors);
  Annotate(object, names::kStrategy, said);
  return true;
}

std::string ValidMetrics() {
  std::string text;
  for (const auto& [name, type] : kMetrics) {
    text += (text.empty() ? "" : ", ") + std::string(name) + " (" + std::string(type) + ")";
  }
  return text;
}

bool ReadMetrics(Json& object, Json& spec, Errors& errors) {
  const Json* metrics = spec.Find("metrics");
  if (metrics == nullptr) return false;
  if (!metrics->IsArray()) {
    errors.push_back({FieldErrorType::kInvalid, "spec.metrics",
                      "must be a list of {name, type}; there are " + ValidMetrics()});
    return true;
  }
  Json kept = Json::MakeArray();
  size_t index = 0;
  for (const Json& metric : metrics->AsArray()) {
    const std::string path = "spec.metrics[" + std::to_string(index++) + "]";
    const std::string name = metric.StringAt({"name"}), type = metric.StringAt({"type"});
    const auto known = std::find_if(kMetrics.begin(), kMetrics.end(),
                                    [&](const auto& valid) { return valid.first == name; });
    if (known == kMetrics.end()) {
      errors.push_back({FieldErrorType::kNotSupported, path + ".name",
                        "there is no metric \"" + name + "\"; there are " + ValidMetrics()});
    } else if (type != known->second) {
      errors.push_back({FieldErrorType::kNotSupported, path + ".type",
                        "\"" + type + "\" is not the type of it; there are " + ValidMetrics()});
    }
    Json entry = Json::MakeObject();
    entry.Set("name", name);
    entry.Set("type", type);
    kept.Append(std::move(entry));
  }
  Annotate(object, names::kQueueMetrics, api::WriteJson(kept));
  spec.Erase("metrics");
  return true;
}

}  // namespace

Errors ReadSimpleDialect(const api::KindInfo& kind, const Json* before, Json& object) {
  Errors errors;
  if (kind.group != "kueue.x-k8s.io" || kind.version != "v1beta1") return errors;
  const bool queue = kind.kind == "ClusterQueue";
  if (!queue && kind.kind != "Workload") return errors;
  Json* spec = ObjectIn(&object, "spec");
  if (spec == nullptr) return errors;
  bool in_dialect =
      before == nullptr || AnnotationOf(before, names::kDialect) == names::kSimpleDialect;
  if (queue) {
    in_dialect |= ReadStrategy(object, *spec, before, errors);
    in_dialect |= ReadMetrics(object, *spec, errors);
  } else {
    in_dialect |= ReadPodSets(*spec, errors);
  }
  if (!errors.empty() || !in_dialect) return errors;
  if (!Annotate(object, names::kDialect, names::kSimpleDialect) || !queue) return errors;
  const Json* selector = spec->Find("namespaceSelector");
  if (selector == nullptr || selector->IsNull()) {
    spec->Set("namespaceSelector", Json::MakeObject());
  }
  return errors;
}

}  // namespace kueue::admission
