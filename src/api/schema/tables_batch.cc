#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of group batch.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<JobSpec>() {
  using S = JobSpec;
  static const StructDescriptor table = MakeTable<S>("JobSpec", kPartial, [](TableBuilder& t) {
    t.Field<&S::parallelism>("parallelism").Min(0);
    t.Field<&S::completions>("completions").Min(0);
    t.Field<&S::active_deadline_seconds>("activeDeadlineSeconds");
    t.Field<&S::backoff_limit>("backoffLimit").Min(0);
    t.Field<&S::backoff_limit_per_index>("backoffLimitPerIndex");
    t.Field<&S::max_failed_indexes>("maxFailedIndexes");
    t.Field<&S::selector>("selector");
    t.Field<&S::manual_selector>("manualSelector");
    t.Field<&S::pod_template>("template").Required().AlwaysWritten();
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
      MakeTable<S>("UncountedTerminatedPods", kComplete, [](TableBuilder& t) {
        t.Field<&S::succeeded>("succeeded").Set();
        t.Field<&S::failed>("failed").Set();
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<JobStatus>() {
  using S = JobStatus;
  static const StructDescriptor table = MakeTable<S>("JobStatus", kPartial, [](TableBuilder& t) {
    t.Field<&S::conditions>("conditions").Atomic();
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
  static const StructDescriptor table =
      MakeTable<S>("Job", kPartial | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec");
        t.Field<&S::status>("status");
      });
  return table;
}

}  // namespace kueue::api
