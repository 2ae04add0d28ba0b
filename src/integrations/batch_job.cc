#include "integrations/batch_job.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "api/codec/patch.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "integrations/index_labels.h"
#include "integrations/topology_request.h"

namespace kueue::integrations {
namespace {

constexpr char kJobNameLabel[] = "batch.kubernetes.io/job-name";
// Labels that the Job controller owns on a template: a stop keeps their current values.
constexpr const char* kControllerLabels[] = {"job-name", "controller-uid", kJobNameLabel,
                                             "batch.kubernetes.io/controller-uid"};
// The ones a pod set leaves out (spec/jobs.md §11: job-name with prefix is kept).
constexpr const char* kLabelsLeftOut[] = {"job-name", "controller-uid",
                                          "batch.kubernetes.io/controller-uid"};

std::optional<int32_t> ParseInt(const std::string& text) {
  int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::string> Annotation(const api::ObjectMeta& meta, const char* key) {
  const auto it = meta.annotations.find(key);
  return it == meta.annotations.end() ? std::nullopt : std::optional(it->second);
}

// Adds the indexes of "1,3-5" below `completions`; malformed intervals are left out.
void AddIndexes(const std::string& text, int32_t completions, std::set<int32_t>& into) {
  size_t start = 0;
  while (start <= text.size() && !text.empty()) {
    size_t end = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, end - start);
    const size_t dash = part.find('-');
    const auto first = ParseInt(part.substr(0, dash));
    const auto last = dash == std::string::npos ? first : ParseInt(part.substr(dash + 1));
    if (first && last) {
      for (int32_t i = std::max(*first, 0); i <= *last && i < completions; ++i) into.insert(i);
    }
    start = end + 1;
  }
}

class BatchJob final : public Job {
 public:
  explicit BatchJob(std::shared_ptr<const api::Job> job) : job_(std::move(job)) {}

  const api::ObjectMeta& metadata() const override { return job_->metadata; }
  bool IsSuspended() const override { return job_->spec.suspend.value_or(false) && !IsStopping(); }
  bool IsStopping() const override {
    return Annotation(job_->metadata, api::names::kStoppingAnnotation) == "true";
  }
  bool IsActive() const override { return job_->status.active != 0; }

  std::optional<JobEnd> End() const override {
    for (const api::PodCondition& c : job_->status.conditions) {
      if (c.status == api::ConditionStatus::kTrue && (c.type == "Complete" || c.type == "Failed")) {
        return JobEnd{c.type == "Complete", c.message};
      }
    }
    return std::nullopt;
  }

  base::Result<std::vector<api::PodSet>> PodSets() const override {
    api::PodSet set;
    set.name = "main";
    set.pod_template = job_->spec.pod_template;
    for (const char* label : kLabelsLeftOut) set.pod_template.metadata.labels.erase(label);
    set.count = Count();
    if (const auto text = Annotation(job_->metadata, api::names::kMinParallelism)) {
      set.min_count = ParseInt(*text);
    }
    auto request = TopologyRequestOf(set.pod_template.metadata,
                                     IndexLabelsOf("batch/job", {}));
    if (!request.ok()) return request.error();
    set.topology_request = std::move(*request);
    std::vector<api::PodSet> sets{std::move(set)};
    return sets;
  }

  bool ArePodsReady() const override {
    const auto& uncounted = job_->status.uncounted_terminated_pods;
    const int64_t ending = uncounted ? static_cast<int64_t>(uncounted->succeeded.size()) : 0;
    return job_->status.succeeded + job_->status.ready.value_or(0) + ending >= Count();
  }

  std::vector<api::ReclaimablePod> ReclaimablePods() const override {
    const int32_t parallelism = job_->spec.parallelism.value_or(1);
    const int32_t completions = job_->spec.completions.value_or(parallelism);
    const int32_t done = Done(completions);
    if (parallelism <= 1 || done <= 0) return {};
    const int32_t remaining = std::max(completions - done, 0);
    if (remaining >= parallelism) return {};
    return {{"main", parallelism - remaining, {}}};
  }

  base::Result<JobPatch> Start(const std::vector<PodSetInfo>& infos) const override {
    if (infos.size() != 1) {
      return base::Invalid("a Job has one pod set, the admission has " +
                           std::to_string(infos.size()));
    }
    api::Job after = *job_;
    after.spec.suspend = false;
    if (Annotation(job_->metadata, api::names::kMinParallelism)) {
      after.spec.parallelism = infos[0].count;
      if (CompletionsFollow()) after.spec.completions = infos[0].count;
    }
    if (auto merged = MergeInto(after.spec.pod_template, infos[0]); !merged.ok()) {
      return merged.error();
    }
    return JobPatch{"", api::DiffMergePatch(api::Encode(*job_), api::Encode(after))};
  }

  // Three patches, so that a stop that was interrupted goes on where it was (spec/jobs.md §11).
  std::vector<JobPatch> Stop(const std::vector<PodSetInfo>* restore) const override {
    std::vector<JobPatch> patches;
    api::Job now = *job_;
    if (!now.spec.suspend.value_or(false)) {
      now.spec.suspend = true;
      now.metadata.annotations[api::names::kStoppingAnnotation] = "true";
      AddPatch(patches, "", *job_, now);
    }
    if (now.status.start_time) {
      api::Job cleared = now;
      cleared.status.start_time.reset();
      AddPatch(patches, "status", now, cleared);
    }
    api::Job restored = now;
    if (restore != nullptr && restore->size() == 1) Restore((*restore)[0], restored);
    restored.metadata.annotations.erase(api::names::kStoppingAnnotation);
    AddPatch(patches, "", now, restored);
    return patches;
  }

  JobPatch Suspend() const override {
    api::Json patch;
    patch["spec"].Set("suspend", true);
    return {"", std::move(patch)};
  }

 private:
  bool CompletionsFollow() const {
    return Annotation(job_->metadata, api::names::kCompletionsEqualParallelism) == "true";
  }
  int32_t Count() const {
    const int32_t parallelism = job_->spec.parallelism.value_or(1);
    return job_->spec.completions ? std::min(parallelism, *job_->spec.completions) : parallelism;
  }
  int32_t Done(int32_t completions) const {
    if (job_->spec.completion_mode.value_or("") != "Indexed") return job_->status.succeeded;
    std::set<int32_t> indexes;
    AddIndexes(job_->status.completed_indexes, completions, indexes);
    AddIndexes(job_->status.failed_indexes.value_or(""), completions, indexes);
    return static_cast<int32_t>(indexes.size());
  }
  void Restore(const PodSetInfo& info, api::Job& job) const {
    api::PodTemplateSpec& t = job.spec.pod_template;
    api::StringMap labels = info.labels;
    for (const char* label : kControllerLabels) {
      const auto it = t.metadata.labels.find(label);
      if (it != t.metadata.labels.end()) labels[label] = it->second;
    }
    t.metadata.labels = std::move(labels);
    t.metadata.annotations = info.annotations;
    t.spec.node_selector = info.node_selector;
    t.spec.tolerations = info.tolerations;
    t.spec.scheduling_gates = info.scheduling_gates;
    if (Annotation(job.metadata, api::names::kMinParallelism)) {
      job.spec.parallelism = info.count;
      if (CompletionsFollow()) job.spec.completions = info.count;
    }
  }
  static void AddPatch(std::vector<JobPatch>& patches, const std::string& subresource,
                       const api::Job& before, const api::Job& after) {
    api::Json patch = api::DiffMergePatch(api::Encode(before), api::Encode(after));
    if (patch.size() > 0) patches.push_back({subresource, std::move(patch)});
  }

  std::shared_ptr<const api::Job> job_;
};

class BatchJobKind final : public Integration {
 public:
  std::string_view framework() const override { return "batch/job"; }
  const api::KindInfo& kind() const override { return api::KindOf<api::Job>(); }

  base::Result<std::shared_ptr<const void>> Decode(const api::Json& json) const override {
    auto job = api::Decode<api::Job>(json);
    if (!job.ok()) return job.error();
    return std::shared_ptr<const void>(std::make_shared<const api::Job>(std::move(*job)));
  }
  std::unique_ptr<Job> View(std::shared_ptr<const void> object) const override {
    return std::make_unique<BatchJob>(std::static_pointer_cast<const api::Job>(object));
  }
  void ApplyDefaults(api::Json& object, bool suspend_by_default) const override {
    if (suspend_by_default) object["spec"].Set("suspend", true);
  }
  std::vector<api::FieldError> Validate(const api::Json* before,
                                        const api::Json& after) const override;
  std::vector<TemplateAt> Templates(const void* object) const override {
    const auto& job = *static_cast<const api::Job*>(object);
    const int32_t parallelism = job.spec.parallelism.value_or(1);
    return {{&job.spec.pod_template.metadata, "spec.template.metadata",
             std::min(parallelism, job.spec.completions.value_or(parallelism))}};
  }
};

const std::string kMinPath = "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]";
const std::string kEqualPath =
    "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]";

// min-parallelism is an integer in 1..count-1 (spec/jobs.md §11, webhook).
void CheckMinParallelism(const api::Job& job, std::vector<api::FieldError>& errors) {
  const auto text = Annotation(job.metadata, api::names::kMinParallelism);
  if (!text) return;
  const auto value = ParseInt(*text);
  const int32_t parallelism = job.spec.parallelism.value_or(1);
  const int32_t count =
      job.spec.completions ? std::min(parallelism, *job.spec.completions) : parallelism;
  if (!value || *value < 1 || *value >= count) {
    errors.push_back({api::FieldErrorType::kInvalid, kMinPath,
                      "'" + *text + "' must be an integer from 1 to " + std::to_string(count - 1) +
                          " (one less than the pods that run at once)"});
  }
}

void CheckCompletionsFollow(const api::Job& job, std::vector<api::FieldError>& errors) {
  const auto text = Annotation(job.metadata, api::names::kCompletionsEqualParallelism);
  if (!text) return;
  if (*text != "true" && *text != "false") {
    errors.push_back(
        {api::FieldErrorType::kInvalid, kEqualPath, "'" + *text + "' must be true or false"});
    return;
  }
  if (*text == "false") return;
  if (job.spec.completion_mode.value_or("") != "Indexed") {
    errors.push_back(
        {api::FieldErrorType::kInvalid, kEqualPath,
         "only a Job with completionMode Indexed can keep completions at parallelism"});
  }
  if (job.spec.completions.value_or(1) != job.spec.parallelism.value_or(1)) {
    errors.push_back({api::FieldErrorType::kInvalid, "spec.completions",
                      "must equal spec.parallelism while the annotation asks for it"});
  }
}

std::vector<api::FieldError> BatchJobKind::Validate(const api::Json* before,
                                                    const api::Json& after) const {
  const auto job = api::Decode<api::Job>(after);
  if (!job.ok()) return {};  // the API server has refused it already
  std::vector<api::FieldError> errors;
  const auto old = before ? api::Decode<api::Job>(*before) : job;
  const bool same_min = before && old.ok() &&
                        Annotation(old->metadata, api::names::kMinParallelism) ==
                            Annotation(job->metadata, api::names::kMinParallelism);
  if (!same_min) CheckMinParallelism(*job, errors);
  CheckCompletionsFollow(*job, errors);
  // The start of a partially admitted Job changes both at once, and may.
  if (before && old.ok() && !old->spec.suspend.value_or(false) &&
      Annotation(old->metadata, api::names::kMinParallelism) &&
      old->spec.parallelism != job->spec.parallelism) {
    errors.push_back({api::FieldErrorType::kForbidden, "spec.parallelism",
                      "cannot change while a partially admitted Job runs; suspend it first"});
  }
  return errors;
}

}  // namespace

const Integration& BatchJobIntegration() {
  static const BatchJobKind integration;
  return integration;
}

const std::vector<const Integration*>& AllIntegrations() {
  static const std::vector<const Integration*> all{&BatchJobIntegration()};
  return all;
}

}  // namespace kueue::integrations
