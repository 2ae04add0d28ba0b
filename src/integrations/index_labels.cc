#include "integrations/index_labels.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

#include "api/types/names.h"

namespace kueue::integrations {
namespace {

struct Row {
  std::string_view framework, pod_index, sub_group;
};

constexpr std::string_view kJobIndex = "jobset.sigs.k8s.io/job-index";
constexpr std::string_view kReplicaIndex = "training.kubeflow.org/replica-index";

constexpr Row kRows[] = {
    {"batch/job", api::names::kJobCompletionIndex, ""},
    {"jobset.x-k8s.io/jobset", api::names::kJobCompletionIndex, kJobIndex},
    {"trainer.kubeflow.org/trainjob", api::names::kJobCompletionIndex, kJobIndex},
    {"kubeflow.org/mpijob", kReplicaIndex, ""},
    {"kubeflow.org/pytorchjob", kReplicaIndex, ""},
    {"kubeflow.org/tfjob", kReplicaIndex, ""},
    {"kubeflow.org/xgboostjob", kReplicaIndex, ""},
    {"kubeflow.org/paddlejob", kReplicaIndex, ""},
    {"kubeflow.org/jaxjob", kReplicaIndex, ""},
    {"pod", api::names::kPodGroupPodIndex, ""},
    {"statefulset", "apps.kubernetes.io/pod-index", ""},
    {"leaderworkerset.x-k8s.io/leaderworkerset", "leaderworkerset.sigs.k8s.io/worker-index", ""},
};

constexpr std::string_view kAppWrapper = "workload.codeflare.dev/appwrapper";

// An AppWrapper says of each pod set itself how its pods are numbered.
IndexLabels SaidBy(const api::StringMap& annotations) {
  const auto text = [&](const char* key) {
    const auto found = annotations.find(std::string("workload.codeflare.dev.appwrapper/") + key);
    return found == annotations.end() ? std::string() : found->second;
  };
  IndexLabels labels{text("tas-pod-index-label"), text("tas-sub-group-index-label"), {}};
  const std::string count = text("tas-sub-group-count");
  int32_t value = 0;
  const char* const end = count.data() + count.size();
  const auto parsed = std::from_chars(count.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end) labels.sub_group_count = value;
  return labels;
}

}  // namespace

IndexLabels IndexLabelsOf(std::string_view framework, const NumberedPodSet& pod_set) {
  if (framework == kAppWrapper) {
    return pod_set.annotations == nullptr ? IndexLabels() : SaidBy(*pod_set.annotations);
  }
  const auto* const row = std::find_if(std::begin(kRows), std::end(kRows),
                                       [&](const Row& r) { return r.framework == framework; });
  if (row == std::end(kRows) || pod_set.leader) return {};
  IndexLabels labels{std::string(row->pod_index), std::string(row->sub_group), {}};
  if (!row->sub_group.empty()) labels.sub_group_count = pod_set.replicas;
  return labels;
}

}  // namespace kueue::integrations
