// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kAppsV1ControllerRevision[] = {
    {"data", "json", kWritten},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"revision", "int64", kRequired | kWritten},
};
constexpr FieldFacts kAppsV1DaemonSet[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "apps.v1.DaemonSetSpec", kWritten},
    {"status", "apps.v1.DaemonSetStatus", kWritten},
};
constexpr FieldFacts kAppsV1DaemonSetCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kAppsV1DaemonSetSpec[] = {
    {"minReadySeconds", "int32"},
    {"revisionHistoryLimit", "int32", kPointer},
    {"selector", "meta.v1.LabelSelector", kRequired | kPointer | kWritten},
    {"template", "core.v1.PodTemplateSpec", kRequired | kWritten},
    {"updateStrategy", "apps.v1.DaemonSetUpdateStrategy", kWritten},
};
constexpr FieldFacts kAppsV1DaemonSetStatus[] = {
    {"collisionCount", "int32", kPointer},
    {"conditions", "[]apps.v1.DaemonSetCondition", kMap | kMerge, "type", "type"},
    {"currentNumberScheduled", "int32", kRequired | kWritten},
    {"desiredNumberScheduled", "int32", kRequired | kWritten},
    {"numberAvailable", "int32"},
    {"numberMisscheduled", "int32", kRequired | kWritten},
    {"numberReady", "int32", kRequired | kWritten},
    {"numberUnavailable", "int32"},
    {"observedGeneration", "int64"},
    {"updatedNumberScheduled", "int32"},
};
constexpr FieldFacts kAppsV1DaemonSetUpdateStrategy[] = {
    {"rollingUpdate", "apps.v1.RollingUpdateDaemonSet", kPointer},
    {"type", "string", 0, "", "", "", "OnDelete|RollingUpdate"},
};
constexpr FieldFacts kAppsV1Deployment[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "apps.v1.DeploymentSpec", kWritten},
    {"status", "apps.v1.DeploymentStatus", kWritten},
};
constexpr FieldFacts kAppsV1DeploymentCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"lastUpdateTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kAppsV1DeploymentSpec[] = {
    {"minReadySeconds", "int32"},
    {"paused", "bool"},
    {"progressDeadlineSeconds", "int32", kPointer},
    {"replicas", "int32", kPointer},
    {"revisionHistoryLimit", "int32", kPointer},
    {"selector", "meta.v1.LabelSelector", kRequired | kPointer | kWritten},
    {"strategy", "apps.v1.DeploymentStrategy", kWritten | kRetainKeys},
    {"template", "core.v1.PodTemplateSpec", kRequired | kWritten},
};
constexpr FieldFacts kAppsV1DeploymentStatus[] = {
    {"availableReplicas", "int32"},
    {"collisionCount", "int32", kPointer},
    {"conditions", "[]apps.v1.DeploymentCondition", kMap | kMerge, "type", "type"},
    {"observedGeneration", "int64"},
    {"readyReplicas", "int32"},
    {"replicas", "int32"},
    {"terminatingReplicas", "int32", kPointer},
    {"unavailableReplicas", "int32"},
    {"updatedReplicas", "int32"},
};
constexpr FieldFacts kAppsV1DeploymentStrategy[] = {
    {"rollingUpdate", "apps.v1.RollingUpdateDeployment", kPointer},
    {"type", "string", 0, "", "", "", "Recreate|RollingUpdate"},
};
constexpr FieldFacts kAppsV1ReplicaSet[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "apps.v1.ReplicaSetSpec", kWritten},
    {"status", "apps.v1.ReplicaSetStatus", kWritten},
};
constexpr FieldFacts kAppsV1ReplicaSetCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kAppsV1ReplicaSetSpec[] = {
    {"minReadySeconds", "int32"},
    {"replicas", "int32", kPointer},
    {"selector", "meta.v1.LabelSelector", kRequired | kPointer | kWritten},
    {"template", "core.v1.PodTemplateSpec", kWritten},
};
constexpr FieldFacts kAppsV1ReplicaSetStatus[] = {
    {"availableReplicas", "int32"},
    {"conditions", "[]apps.v1.ReplicaSetCondition", kMap | kMerge, "type", "type"},
    {"fullyLabeledReplicas", "int32"},
    {"observedGeneration", "int64"},
    {"readyReplicas", "int32"},
    {"replicas", "int32", kRequired | kWritten},
    {"terminatingReplicas", "int32", kPointer},
};
constexpr FieldFacts kAppsV1RollingUpdateDaemonSet[] = {
    {"maxSurge", "intorstring", kPointer},
    {"maxUnavailable", "intorstring", kPointer},
};
constexpr FieldFacts kAppsV1RollingUpdateDeployment[] = {
    {"maxSurge", "intorstring", kPointer},
    {"maxUnavailable", "intorstring", kPointer},
};
constexpr FieldFacts kAppsV1RollingUpdateStatefulSetStrategy[] = {
    {"maxUnavailable", "intorstring", kPointer},
    {"partition", "int32", kPointer},
};
constexpr FieldFacts kAppsV1StatefulSet[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "apps.v1.StatefulSetSpec", kWritten},
    {"status", "apps.v1.StatefulSetStatus", kWritten},
};
constexpr FieldFacts kAppsV1StatefulSetCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kAppsV1StatefulSetOrdinals[] = {
    {"start", "int32", kWritten},
};
constexpr FieldFacts kAppsV1StatefulSetPersistentVolumeClaimRetentionPolicy[] = {
    {"whenDeleted", "string"},
    {"whenScaled", "string"},
};
constexpr FieldFacts kAppsV1StatefulSetSpec[] = {
    {"minReadySeconds", "int32"},
    {"ordinals", "apps.v1.StatefulSetOrdinals", kPointer},
    {"persistentVolumeClaimRetentionPolicy",
     "apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy", kPointer},
    {"podManagementPolicy", "string", 0, "", "", "", "OrderedReady|Parallel"},
    {"replicas", "int32", kPointer},
    {"revisionHistoryLimit", "int32", kPointer},
    {"selector", "meta.v1.LabelSelector", kRequired | kPointer | kWritten},
    {"serviceName", "string", kWritten},
    {"template", "core.v1.PodTemplateSpec", kRequired | kWritten},
    {"updateStrategy", "apps.v1.StatefulSetUpdateStrategy", kWritten},
    {"volumeClaimTemplates", "[]core.v1.PersistentVolumeClaim", kAtomic},
};
constexpr FieldFacts kAppsV1StatefulSetStatus[] = {
    {"availableReplicas", "int32", kWritten},
    {"collisionCount", "int32", kPointer},
    {"conditions", "[]apps.v1.StatefulSetCondition", kMap | kMerge, "type", "type"},
    {"currentReplicas", "int32"},
    {"currentRevision", "string"},
    {"observedGeneration", "int64"},
    {"readyReplicas", "int32"},
    {"replicas", "int32", kRequired | kWritten},
    {"updateRevision", "string"},
    {"updatedReplicas", "int32"},
};
constexpr FieldFacts kAppsV1StatefulSetUpdateStrategy[] = {
    {"rollingUpdate", "apps.v1.RollingUpdateStatefulSetStrategy", kPointer},
    {"type", "string", 0, "", "", "", "OnDelete|RollingUpdate"},
};
constexpr FieldFacts kBatchV1CronJob[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "batch.v1.CronJobSpec", kRequired | kWritten},
    {"status", "batch.v1.CronJobStatus", kWritten},
};
constexpr FieldFacts kBatchV1CronJobSpec[] = {
    {"concurrencyPolicy", "string", 0, "", "", "", "Allow|Forbid|Replace"},
    {"failedJobsHistoryLimit", "int32", kPointer},
    {"jobTemplate", "batch.v1.JobTemplateSpec", kRequired | kWritten},
    {"schedule", "string", kRequired | kWritten},
    {"startingDeadlineSeconds", "int64", kPointer},
    {"successfulJobsHistoryLimit", "int32", kPointer},
    {"suspend", "bool", kPointer},
    {"timeZone", "string", kPointer},
};
constexpr FieldFacts kBatchV1CronJobStatus[] = {
    {"active", "[]core.v1.ObjectReference", kAtomic},
    {"lastScheduleTime", "time", kPointer},
    {"lastSuccessfulTime", "time", kPointer},
};
constexpr FieldFacts kBatchV1Job[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "batch.v1.JobSpec", kWritten},
    {"status", "batch.v1.JobStatus", kWritten},
};
constexpr FieldFacts kBatchV1JobCondition[] = {
    {"lastProbeTime", "time", kWritten},
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kBatchV1JobSpec[] = {
    {"activeDeadlineSeconds", "int64", kPointer},
    {"backoffLimit", "int32", kPointer},
    {"backoffLimitPerIndex", "int32", kPointer},
    {"completionMode", "string", kPointer, "", "", "", "Indexed|NonIndexed"},
    {"completions", "int32", kPointer},
    {"managedBy", "string", kPointer},
    {"manualSelector", "bool", kPointer},
    {"maxFailedIndexes", "int32", kPointer},
    {"parallelism", "int32", kPointer},
    {"podFailurePolicy", "batch.v1.PodFailurePolicy", kPointer},
    {"podReplacementPolicy", "string", kPointer, "", "", "", "Failed|TerminatingOrFailed"},
    {"selector", "meta.v1.LabelSelector", kPointer},
    {"successPolicy", "batch.v1.SuccessPolicy", kPointer},
    {"suspend", "bool", kPointer},
    {"template", "core.v1.PodTemplateSpec", kRequired | kWritten},
    {"ttlSecondsAfterFinished", "int32", kPointer},
};
constexpr FieldFacts kBatchV1JobStatus[] = {
    {"active", "int32"},
    {"completedIndexes", "string"},
    {"completionTime", "time", kPointer},
    {"conditions", "[]batch.v1.JobCondition", kAtomic | kMerge, "", "type"},
    {"failed", "int32"},
    {"failedIndexes", "string", kPointer},
    {"ready", "int32", kPointer},
    {"startTime", "time", kPointer},
    {"succeeded", "int32"},
    {"terminating", "int32", kPointer},
    {"uncountedTerminatedPods", "batch.v1.UncountedTerminatedPods", kPointer},
};
constexpr FieldFacts kBatchV1JobTemplateSpec[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "batch.v1.JobSpec", kWritten},
};
constexpr FieldFacts kBatchV1PodFailurePolicy[] = {
    {"rules", "[]batch.v1.PodFailurePolicyRule", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kBatchV1PodFailurePolicyOnExitCodesRequirement[] = {
    {"containerName", "string", kPointer},
    {"operator", "string", kRequired | kWritten, "", "", "", "In|NotIn"},
    {"values", "[]int32", kRequired | kWritten | kSet},
};
constexpr FieldFacts kBatchV1PodFailurePolicyOnPodConditionsPattern[] = {
    {"status", "string", kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kBatchV1PodFailurePolicyRule[] = {
    {"action", "string", kRequired | kWritten, "", "", "", "Count|FailIndex|FailJob|Ignore"},
    {"onExitCodes", "batch.v1.PodFailurePolicyOnExitCodesRequirement", kPointer},
    {"onPodConditions", "[]batch.v1.PodFailurePolicyOnPodConditionsPattern", kAtomic},
};
constexpr FieldFacts kBatchV1SuccessPolicy[] = {
    {"rules", "[]batch.v1.SuccessPolicyRule", kRequired | kWritten | kAtomic},
};
constexpr FieldFacts kBatchV1SuccessPolicyRule[] = {
    {"succeededCount", "int32", kPointer},
    {"succeededIndexes", "string", kPointer},
};
constexpr FieldFacts kBatchV1UncountedTerminatedPods[] = {
    {"failed", "[]string", kSet},
    {"succeeded", "[]string", kSet},
};
constexpr FieldFacts kPolicyV1Eviction[] = {
    {"deleteOptions", "meta.v1.DeleteOptions", kPointer},
    {"metadata", "meta.v1.ObjectMeta", kWritten},
};
constexpr FieldFacts kPolicyV1PodDisruptionBudget[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "policy.v1.PodDisruptionBudgetSpec", kWritten},
    {"status", "policy.v1.PodDisruptionBudgetStatus", kWritten},
};
constexpr FieldFacts kPolicyV1PodDisruptionBudgetSpec[] = {
    {"maxUnavailable", "intorstring", kPointer},
    {"minAvailable", "intorstring", kPointer},
    {"selector", "meta.v1.LabelSelector", kPointer | kReplace},
    {"unhealthyPodEvictionPolicy", "string", kPointer, "", "", "", "AlwaysAllow|IfHealthyBudget"},
};
constexpr FieldFacts kPolicyV1PodDisruptionBudgetStatus[] = {
    {"conditions", "[]meta.v1.Condition", kMap | kMerge, "type", "type"},
    {"currentHealthy", "int32", kWritten},
    {"desiredHealthy", "int32", kWritten},
    {"disruptedPods", "{}time"},
    {"disruptionsAllowed", "int32", kWritten},
    {"expectedPods", "int32", kWritten},
    {"observedGeneration", "int64"},
};

constexpr StructFacts kStructs[] = {
    {"apps.v1.ControllerRevision", kAppsV1ControllerRevision, kTopLevel},
    {"apps.v1.DaemonSet", kAppsV1DaemonSet, kTopLevel},
    {"apps.v1.DaemonSetCondition", kAppsV1DaemonSetCondition, 0, "type,status"},
    {"apps.v1.DaemonSetSpec", kAppsV1DaemonSetSpec},
    {"apps.v1.DaemonSetStatus", kAppsV1DaemonSetStatus, 0,
     "currentNumberScheduled,numberMisscheduled,desiredNumberScheduled,numberReady"},
    {"apps.v1.DaemonSetUpdateStrategy", kAppsV1DaemonSetUpdateStrategy},
    {"apps.v1.Deployment", kAppsV1Deployment, kTopLevel},
    {"apps.v1.DeploymentCondition", kAppsV1DeploymentCondition, 0, "type,status"},
    {"apps.v1.DeploymentSpec", kAppsV1DeploymentSpec},
    {"apps.v1.DeploymentStatus", kAppsV1DeploymentStatus},
    {"apps.v1.DeploymentStrategy", kAppsV1DeploymentStrategy},
    {"apps.v1.ReplicaSet", kAppsV1ReplicaSet, kTopLevel},
    {"apps.v1.ReplicaSetCondition", kAppsV1ReplicaSetCondition, 0, "type,status"},
    {"apps.v1.ReplicaSetSpec", kAppsV1ReplicaSetSpec},
    {"apps.v1.ReplicaSetStatus", kAppsV1ReplicaSetStatus},
    {"apps.v1.RollingUpdateDaemonSet", kAppsV1RollingUpdateDaemonSet},
    {"apps.v1.RollingUpdateDeployment", kAppsV1RollingUpdateDeployment},
    {"apps.v1.RollingUpdateStatefulSetStrategy", kAppsV1RollingUpdateStatefulSetStrategy},
    {"apps.v1.StatefulSet", kAppsV1StatefulSet, kTopLevel},
    {"apps.v1.StatefulSetCondition", kAppsV1StatefulSetCondition, 0, "type,status"},
    {"apps.v1.StatefulSetOrdinals", kAppsV1StatefulSetOrdinals},
    {"apps.v1.StatefulSetPersistentVolumeClaimRetentionPolicy",
     kAppsV1StatefulSetPersistentVolumeClaimRetentionPolicy},
    {"apps.v1.StatefulSetSpec", kAppsV1StatefulSetSpec},
    {"apps.v1.StatefulSetStatus", kAppsV1StatefulSetStatus},
    {"apps.v1.StatefulSetUpdateStrategy", kAppsV1StatefulSetUpdateStrategy},
    {"batch.v1.CronJob", kBatchV1CronJob, kTopLevel},
    {"batch.v1.CronJobSpec", kBatchV1CronJobSpec, 0, "schedule,jobTemplate"},
    {"batch.v1.CronJobStatus", kBatchV1CronJobStatus},
    {"batch.v1.Job", kBatchV1Job, kTopLevel},
    {"batch.v1.JobCondition", kBatchV1JobCondition, 0, "type,status"},
    {"batch.v1.JobSpec", kBatchV1JobSpec},
    {"batch.v1.JobStatus", kBatchV1JobStatus},
    {"batch.v1.JobTemplateSpec", kBatchV1JobTemplateSpec},
    {"batch.v1.PodFailurePolicy", kBatchV1PodFailurePolicy},
    {"batch.v1.PodFailurePolicyOnExitCodesRequirement",
     kBatchV1PodFailurePolicyOnExitCodesRequirement},
    {"batch.v1.PodFailurePolicyOnPodConditionsPattern",
     kBatchV1PodFailurePolicyOnPodConditionsPattern},
    {"batch.v1.PodFailurePolicyRule", kBatchV1PodFailurePolicyRule},
    {"batch.v1.SuccessPolicy", kBatchV1SuccessPolicy},
    {"batch.v1.SuccessPolicyRule", kBatchV1SuccessPolicyRule},
    {"batch.v1.UncountedTerminatedPods", kBatchV1UncountedTerminatedPods},
    {"policy.v1.Eviction", kPolicyV1Eviction, kTopLevel},
    {"policy.v1.PodDisruptionBudget", kPolicyV1PodDisruptionBudget, kTopLevel},
    {"policy.v1.PodDisruptionBudgetSpec", kPolicyV1PodDisruptionBudgetSpec},
    {"policy.v1.PodDisruptionBudgetStatus", kPolicyV1PodDisruptionBudgetStatus},
};

}  // namespace

std::span<const StructFacts> WorkloadsFacts() { return kStructs; }

}  // namespace kueue::api::facts
