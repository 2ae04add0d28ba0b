#include "localcluster/job_pods.h"

#include <algorithm>
#include <charconv>

#include "resources/resource_vector.h"

namespace kueue::localcluster {
namespace {

// No vowels and nothing that looks alike: no words come out by accident.
constexpr char kAlphabet[] = "bcdfghjklmnpqrstvwxz2456789";
constexpr uint64_t kLetters = sizeof(kAlphabet) - 1;
constexpr int kSuffixLength = 5;
constexpr uint64_t kSuffixes = kLetters * kLetters * kLetters * kLetters * kLetters;
// Coprime to kSuffixes = 3^15, so that number -> suffix is one to one; large, so that neighbours
// look different.
constexpr uint64_t kStride = 8867249;
static_assert(kStride % 3 != 0 && kLetters == 27);

std::string Suffix(const std::string& job_uid, int64_t number) {
  uint64_t value = (resources::Fnv1a64(job_uid) % kSuffixes +
                    static_cast<uint64_t>(number) % kSuffixes * kStride) %
                   kSuffixes;
  std::string text;
  for (int i = 0; i < kSuffixLength; ++i, value /= kLetters) text += kAlphabet[value % kLetters];
  return text;
}

void SetIndexVariable(std::vector<api::Container>& containers, const std::string& index) {
  for (api::Container& container : containers) {
    const bool own = std::any_of(container.env.begin(), container.env.end(),
                                 [](const auto& e) { return e.name == "JOB_COMPLETION_INDEX"; });
    if (own) continue;
    api::EnvVar variable;
    variable.name = "JOB_COMPLETION_INDEX";
    variable.value = index;
    container.env.push_back(std::move(variable));
  }
}

}  // namespace

std::string JobPodName(const api::Job& job, std::optional<int32_t> index, int64_t number) {
  std::string tail = "-";
  if (index) tail += std::to_string(*index) + "-";
  tail += Suffix(job.metadata.uid, number);
  return job.metadata.name.substr(0, 63 - tail.size()) + tail;
}

std::string PodName(const std::string& owner, const std::string& owner_uid, int64_t number) {
  const std::string tail = "-" + Suffix(owner_uid, number);
  return owner.substr(0, 63 - tail.size()) + tail;
}

api::Pod BuildJobPod(const api::Job& job, std::optional<int32_t> index, const std::string& name) {
  api::Pod pod;
  const api::ObjectMeta& from = job.spec.pod_template.metadata;
  pod.metadata.name = name;
  pod.metadata.namespace_name = job.metadata.namespace_name;
  pod.metadata.labels = from.labels;
  pod.metadata.annotations = from.annotations;
  pod.metadata.finalizers = from.finalizers;
  if (!IsTracked(pod)) pod.metadata.finalizers.emplace_back(kTrackingFinalizer);
  pod.spec = job.spec.pod_template.spec;
  for (const char* prefix : {"", "batch.kubernetes.io/"}) {
    pod.metadata.labels[std::string(prefix) + "job-name"] = job.metadata.name;
    pod.metadata.labels[std::string(prefix) + "controller-uid"] = job.metadata.uid;
  }
  api::OwnerReference owner;
  owner.api_version = "batch/v1";
  owner.kind = "Job";
  owner.name = job.metadata.name;
  owner.uid = job.metadata.uid;
  owner.controller = true;
  owner.block_owner_deletion = true;
  pod.metadata.owner_references = {std::move(owner)};
  if (index) {
    const std::string text = std::to_string(*index);
    pod.metadata.annotations[kCompletionIndex] = text;
    pod.metadata.labels[kCompletionIndex] = text;
    if (pod.spec.hostname.empty()) {
      pod.spec.hostname = job.metadata.name.substr(0, 62 - text.size()) + "-" + text;
    }
    SetIndexVariable(pod.spec.init_containers, text);
    SetIndexVariable(pod.spec.containers, text);
  }
  return pod;
}

bool IsIndexed(const api::Job& job) { return job.spec.completion_mode == "Indexed"; }

std::optional<int32_t> CompletionIndexOf(const api::Pod& pod) {
  const auto it = pod.metadata.annotations.find(kCompletionIndex);
  if (it == pod.metadata.annotations.end()) return std::nullopt;
  int32_t index = 0;
  const char* const end = it->second.data() + it->second.size();
  const auto [at, error] = std::from_chars(it->second.data(), end, index);
  if (error != std::errc() || at != end || index < 0) return std::nullopt;
  return index;
}

bool IsTracked(const api::Pod& pod) {
  const auto& finalizers = pod.metadata.finalizers;
  return std::find(finalizers.begin(), finalizers.end(), kTrackingFinalizer) != finalizers.end();
}

std::optional<base::Time> EndTimeOf(const api::Pod& pod) {
  std::optional<base::Time> end;
  for (const api::ContainerStatus& container : pod.status.container_statuses) {
    if (!container.state.terminated || !container.state.terminated->finished_at) continue;
    end = std::max(end.value_or(base::Time::min()), *container.state.terminated->finished_at);
  }
  return end ? end : pod.metadata.deletion_timestamp;
}

std::string JobUidOf(const api::Pod& pod) {
  const api::OwnerReference* owner = api::ControllerOf(pod.metadata);
  const bool job =
      owner != nullptr && owner->kind == "Job" && owner->api_version.substr(0, 6) == "batch/";
  return job ? owner->uid : "";
}

}  // namespace kueue::localcluster
