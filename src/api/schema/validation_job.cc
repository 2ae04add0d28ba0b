#include "api/match/selector.h"
#include "api/schema/descriptors.h"
#include "api/match/name_rules.h"
#include "api/schema/validation_parts.h"

// Rules of batch/v1 Job, as the Kubernetes API documents them.
namespace kueue::api {
namespace {

constexpr int64_t kMostParallelIndexed = 100000;

void CheckNotNegative(const Json& spec, std::string_view member, FieldErrors& errors) {
  if (const auto value = Int(spec, member); value && *value < 0) {
    AddInvalid(errors, Field("spec", member), "must not be negative");
  }
}

void CheckEnum(const Json& spec, std::string_view member,
               const std::vector<std::string_view>& allowed, FieldErrors& errors) {
  const Json* value = spec.Find(member);
  if (!value || !value->IsString()) return;
  for (const std::string_view text : allowed) {
    if (value->AsString() == text) return;
  }
  AddNotSupported(errors, Field("spec", member), value->AsString(), allowed);
}

void CheckIndexes(const Json& spec, FieldErrors& errors) {
  const bool indexed = Text(spec, "completionMode") == "Indexed";
  const auto per_index = Int(spec, "backoffLimitPerIndex");
  const auto max_failed = Int(spec, "maxFailedIndexes");
  const auto completions = Int(spec, "completions");
  if (max_failed && !per_index) {
    AddRequired(errors, "spec.backoffLimitPerIndex", "must be set with maxFailedIndexes");
  }
  if (!indexed) {
    if (per_index) {
      AddInvalid(errors, "spec.backoffLimitPerIndex", "needs the completion mode Indexed");
    }
    if (max_failed) {
      AddInvalid(errors, "spec.maxFailedIndexes", "needs the completion mode Indexed");
    }
    return;
  }
  if (!completions) AddRequired(errors, "spec.completions", "must be set for an indexed job");
  if (Int(spec, "parallelism").value_or(0) > kMostParallelIndexed) {
    AddInvalid(errors, "spec.parallelism", "must be at most 100000 for an indexed job");
  }
  if (max_failed && completions && *max_failed > *completions) {
    AddInvalid(errors, "spec.maxFailedIndexes", "must not exceed completions");
  }
}

StringMap TemplateLabels(const Json& spec) {
  StringMap labels;
  for (const Json::Member& label : Members(spec.FindPath({"template", "metadata", "labels"}))) {
    if (label.value.IsString()) labels[label.key] = label.value.AsString();
  }
  return labels;
}

void CheckSelector(const Json& spec, FieldErrors& errors) {
  const Json* selector = spec.Find("selector");
  bool matches = false;
  if (!selector || selector->IsNull()) {
    AddRequired(errors, "spec.selector");
  } else {
    CheckLabelSelector(selector, "spec.selector", errors);
    const auto decoded = Decode<LabelSelector>(*selector);
    if (decoded.ok()) {
      const auto found = MatchesLabels(&*decoded, TemplateLabels(spec));
      matches = found.ok() && *found;
    }
  }
  if (!matches) {
    AddInvalid(errors, "spec.template.metadata.labels", "must match the job's selector");
  }
}

// The selector and the labels that make the pods of a job its own.
void CheckGenerated(const Json& job, const Json& spec, FieldErrors& errors) {
  const Json* selector = spec.Find("selector");
  if (True(spec, "manualSelector") || !selector || selector->IsNull()) return;
  const std::string uid = job.StringAt({"metadata", "uid"});
  const std::string name = job.StringAt({"metadata", "name"});
  const Json* given = spec.FindPath({"template", "metadata", "labels"});
  const std::pair<const char*, std::string> labels_of_job[] = {
      {"batch.kubernetes.io/controller-uid", uid},
      {"controller-uid", uid},
      {"batch.kubernetes.io/job-name", name},
      {"job-name", name}};
  for (const auto& [key, value] : labels_of_job) {
    const std::string at = Key("spec.template.metadata.labels", key);
    const Json* label = given ? given->Find(key) : nullptr;
    if (!label) {
      AddRequired(errors, at, "must be " + value);
    } else if (!label->IsString() || label->AsString() != value) {
      AddInvalid(errors, at, "must be " + value);
    }
  }
  Json labels = Json::MakeObject();
  labels.Set("batch.kubernetes.io/controller-uid", job.StringAt({"metadata", "uid"}));
  Json generated = Json::MakeObject();
  generated.Set("matchLabels", std::move(labels));
  if (!(*selector == generated)) {
    AddInvalid(errors, "spec.selector", "is generated unless manualSelector is true");
  }
}

void CheckTemplate(const Json& spec, FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  CheckLabels(spec.FindPath({"template", "metadata", "labels"}), "spec.template.labels", errors);
  CheckAnnotations(spec.FindPath({"template", "metadata", "annotations"}),
                   "spec.template.annotations", errors);
  const Json* pod_spec = spec.FindPath({"template", "spec"});
  if (!pod_spec) pod_spec = none;
  CheckPodSpec(*pod_spec, "spec.template.spec", errors);
  const std::string_view policy = Text(*pod_spec, "restartPolicy");
  if (policy == "Always" || policy.empty()) {
    AddRequired(errors, "spec.template.spec.restartPolicy", "must be OnFailure or Never");
  } else if (policy != "OnFailure" && policy != "Never") {
    AddNotSupported(errors, "spec.template.spec.restartPolicy", policy, {"OnFailure", "Never"});
  }
}

void CheckManagedBy(const Json& spec, FieldErrors& errors) {
  const Json* managed_by = spec.Find("managedBy");
  if (!managed_by || !managed_by->IsString()) return;
  const std::string& text = managed_by->AsString();
  if (text.find('/') == std::string::npos || !IsQualifiedName(text)) {
    AddInvalid(errors, "spec.managedBy", "must be a name with a domain: example.com/name");
  }
  if (text.size() > 63) {
    AddError(errors, FieldErrorType::kTooLong, "spec.managedBy",
             "must have at most 63 characters");
  }
}

// What may change in the template of a suspended job that has not started: where its pods may go
// and what they ask for.
void TakeSchedulingDirectives(const Json& from, Json& into) {
  Json& metadata = into["metadata"];
  for (const char* member : {"labels", "annotations"}) {
    metadata.Erase(member);
    if (const Json* value = from.FindPath({"metadata", member})) metadata.Set(member, *value);
  }
  const Json* spec = from.Find("spec");
  if (!spec || !into["spec"].IsObject()) return;
  Json& target = into["spec"];
  for (const char* member : {"nodeSelector", "tolerations", "schedulingGates", "affinity"}) {
    target.Erase(member);
    if (const Json* value = spec->Find(member)) target.Set(member, *value);
  }
  for (const char* list : {"initContainers", "containers"}) {
    const Json::Array& containers = Items(*spec, list);
    Json* own = target.Find(list);
    if (!own || own->size() != containers.size() || !own->IsArray()) continue;
    for (size_t i = 0; i < containers.size(); ++i) {
      Json& container = own->AsArray()[i];
      const Json* resources = containers[i].Find("resources");
      if (container.IsObject() && resources) container.Set("resources", *resources);
    }
  }
}

void CheckTemplateUpdate(const Json& before, const Json& old_spec, const Json& spec,
                         FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* now = spec.Find("template");
  const Json* was = old_spec.Find("template");
  if (!was || (now && *now == *was)) return;
  if (!now) now = none;
  const Json* started = before.FindPath({"status", "startTime"});
  if (!True(old_spec, "suspend") || (started && !started->IsNull())) {
    AddInvalid(errors, "spec.template", "may not be changed");
    return;
  }
  Json allowed = *was;
  TakeSchedulingDirectives(*now, allowed);
  if (!SameOrBothEmpty(allowed.Find("spec"), now->Find("spec"))) {
    AddInvalid(errors, "spec.template.spec",
               "only scheduling directives and resources may be changed while suspended");
  }
}

void CheckUpdate(const Json& before, const Json& old_spec, const Json& spec,
                 FieldErrors& errors) {
  for (const char* member : {"selector", "completionMode", "podFailurePolicy",
                             "backoffLimitPerIndex", "managedBy", "successPolicy"}) {
    if (!SameOrBothEmpty(spec.Find(member), old_spec.Find(member))) {
      AddInvalid(errors, Field("spec", member), "may not be changed");
    }
  }
  if (!SameOrBothEmpty(spec.Find("completions"), old_spec.Find("completions"))) {
    // An indexed job may grow and shrink as long as both counts stay equal.
    const bool elastic = Text(spec, "completionMode") == "Indexed" && spec.Find("completions") &&
                         SameOrBothEmpty(spec.Find("completions"), spec.Find("parallelism"));
    if (!elastic) AddInvalid(errors, "spec.completions", "may not be changed");
  }
  CheckTemplateUpdate(before, old_spec, spec, errors);
}

// What a job and a CronJob's template have in common; paths start at "spec".
void CheckSpec(const Json& spec, FieldErrors& errors) {
  for (const char* member : {"parallelism", "completions", "backoffLimit", "activeDeadlineSeconds",
                             "ttlSecondsAfterFinished", "backoffLimitPerIndex",
                             "maxFailedIndexes"}) {
    CheckNotNegative(spec, member, errors);
  }
  CheckEnum(spec, "completionMode", {"NonIndexed", "Indexed"}, errors);
  CheckEnum(spec, "podReplacementPolicy", {"Failed", "TerminatingOrFailed"}, errors);
  CheckIndexes(spec, errors);
  CheckManagedBy(spec, errors);
  CheckTemplate(spec, errors);
}

}  // namespace

void CheckJobTemplate(const Json& job_template, const std::string& path, FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  FieldErrors inside;
  const Json* found = job_template.Find("spec");
  const Json& spec = found && found->IsObject() ? *found : *none;
  CheckSpec(spec, inside);
  if (True(spec, "manualSelector")) {
    AddNotSupported(inside, "spec.manualSelector", "true", {"false"});
  }
  if (spec.Find("selector")) AddInvalid(inside, "spec.selector", "is generated for each job");
  for (FieldError& error : inside) {
    error.field = Field(path, error.field);
    errors.push_back(std::move(error));
  }
}

void CheckJobRules(const Json& job, const Json* before, FieldErrors& errors) {
  static const Json* const none = new Json(Json::MakeObject());
  const Json* found = job.Find("spec");
  const Json& spec = found && found->IsObject() ? *found : *none;
  const auto first = static_cast<FieldErrors::difference_type>(errors.size());
  CheckSelector(spec, errors);
  CheckSpec(spec, errors);
  // An update is checked as a new job and as a change, and each tells everything.
  if (before) {
    const FieldErrors again(errors.begin() + first, errors.end());
    errors.insert(errors.end(), again.begin(), again.end());
  }
  CheckGenerated(job, spec, errors);
  if (!before) return;
  const Json* old_spec = before->Find("spec");
  if (old_spec) CheckUpdate(*before, *old_spec, spec, errors);
  if (!SameOrBothEmpty(before->Find("status"), job.Find("status"))) {
    CheckJobStatus(job, *before, errors);
  }
}

}  // namespace kueue::api
