#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of group batch.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<JobSpec>() {
  using S = JobSpec;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("batch.v1.JobSpec", [](TableBuilder& t) {
        t.Field<&S::parallelism>("parallelism").Min(0);
        t.Field<&S::completions>("completions").Min(0);
        t.Field<&S::active_deadline_seconds>("activeDeadlineSeconds");
        t.Field<&S::backoff_limit>("backoffLimit").Min(0);
        t.Field<&S::backoff_limit_per_index>("backoffLimitPerIndex");
        t.Field<&S::max_failed_indexes>("maxFailedIndexes");
        t.Field<&S::selector>("selector");
        t.Field<&S::manual_selector>("manualSelector");
        t.Field<&S::pod_template>("template");
        t.Field<&S::ttl_seconds_after_finished>("ttlSecondsAfterFinished");
        t.Field<&S::completion_mode>("completionMode");
        t.Field<&S::suspend>("suspend");
        t.Field<&S::pod_replacement_policy>("podReplacementPolicy");
        t.Field<&S::managed_by>("managedBy");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<UncountedTerminatedPods>() {
  using S = UncountedTerminatedPods;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("batch.v1.UncountedTerminatedPods", [](TableBuilder& t) {
        t.Field<&S::succeeded>("succeeded");
        t.Field<&S::failed>("failed");
      });
  return table;
}

namespace {

// A job's conditions are as a pod's, without observedGeneration.
const StructDescriptor* JobConditionTable() {
  using S = PodCondition;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("batch.v1.JobCondition", [](TableBuilder& t) {
        t.Field<&S::type>("type");
        t.Field<&S::status>("status");
        t.Field<&S::last_probe_time>("lastProbeTime");
        t.Field<&S::last_transition_time>("lastTransitionTime");
        t.Field<&S::reason>("reason");
        t.Field<&S::message>("message");
      });
  return &table;
}

constexpr ValueOps kJobConditionOps{.kind = FieldKind::kStruct, .element = &JobConditionTable};
constexpr ValueOps kJobConditionsOps = [] {
  ValueOps ops = table_detail::OpsOf<std::vector<PodCondition>>::kOps;
  ops.item = &kJobConditionOps;
  return ops;
}();

}  // namespace

template <>
const StructDescriptor& DescriptorOf<JobStatus>() {
  using S = JobStatus;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("batch.v1.JobStatus", [](TableBuilder& t) {
        t.Add("conditions", &kJobConditionsOps, &table_detail::Address<&S::conditions>);
        t.Field<&S::start_time>("startTime");
        t.Field<&S::completion_time>("completionTime");
        t.Field<&S::active>("active");
        t.Field<&S::succeeded>("succeeded");
        t.Field<&S::failed>("failed");
        t.Field<&S::terminating>("terminating");
        t.Field<&S::completed_indexes>("completedIndexes");
        t.Field<&S::failed_indexes>("failedIndexes");
        t.Field<&S::uncounted_terminated_pods>("uncountedTerminatedPods");
        t.Field<&S::ready>("ready");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Job>() {
  using S = Job;
  static const StructDescriptor table = MakeKubernetesTable<S>("batch.v1.Job", [](TableBuilder& t) {
    t.Field<&S::metadata>("metadata");
    t.Field<&S::spec>("spec");
    t.Field<&S::status>("status");
  });
  return table;
}

}  // namespace kueue::api
