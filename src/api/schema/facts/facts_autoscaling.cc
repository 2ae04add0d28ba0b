// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kAutoscalingV1CrossVersionObjectReference[] = {
    {"apiVersion", "string"},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV1HorizontalPodAutoscaler[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "autoscaling.v1.HorizontalPodAutoscalerSpec", kRequired | kWritten},
    {"status", "autoscaling.v1.HorizontalPodAutoscalerStatus", kWritten},
};
constexpr FieldFacts kAutoscalingV1HorizontalPodAutoscalerSpec[] = {
    {"maxReplicas", "int32", kRequired | kWritten},
    {"minReplicas", "int32", kPointer},
    {"scaleTargetRef", "autoscaling.v1.CrossVersionObjectReference", kRequired | kWritten},
    {"targetCPUUtilizationPercentage", "int32", kPointer},
};
constexpr FieldFacts kAutoscalingV1HorizontalPodAutoscalerStatus[] = {
    {"currentCPUUtilizationPercentage", "int32", kPointer},
    {"currentReplicas", "int32", kRequired | kWritten},
    {"desiredReplicas", "int32", kRequired | kWritten},
    {"lastScaleTime", "time", kPointer},
    {"observedGeneration", "int64", kPointer},
};
constexpr FieldFacts kAutoscalingV1Scale[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "autoscaling.v1.ScaleSpec", kWritten},
    {"status", "autoscaling.v1.ScaleStatus", kWritten},
};
constexpr FieldFacts kAutoscalingV1ScaleSpec[] = {
    {"replicas", "int32", 0, "", "", "0"},
};
constexpr FieldFacts kAutoscalingV1ScaleStatus[] = {
    {"replicas", "int32", kRequired | kWritten},
    {"selector", "string"},
};
constexpr FieldFacts kAutoscalingV2ContainerResourceMetricSource[] = {
    {"container", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"target", "autoscaling.v2.MetricTarget", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2ContainerResourceMetricStatus[] = {
    {"container", "string", kRequired | kWritten},
    {"current", "autoscaling.v2.MetricValueStatus", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2CrossVersionObjectReference[] = {
    {"apiVersion", "string"},
    {"kind", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2ExternalMetricSource[] = {
    {"metric", "autoscaling.v2.MetricIdentifier", kRequired | kWritten},
    {"target", "autoscaling.v2.MetricTarget", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2ExternalMetricStatus[] = {
    {"current", "autoscaling.v2.MetricValueStatus", kRequired | kWritten},
    {"metric", "autoscaling.v2.MetricIdentifier", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2HPAScalingPolicy[] = {
    {"periodSeconds", "int32", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
    {"value", "int32", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2HPAScalingRules[] = {
    {"policies", "[]autoscaling.v2.HPAScalingPolicy", kAtomic},
    {"selectPolicy", "string", kPointer},
    {"stabilizationWindowSeconds", "int32", kPointer},
    {"tolerance", "quantity", kPointer},
};
constexpr FieldFacts kAutoscalingV2HorizontalPodAutoscaler[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "autoscaling.v2.HorizontalPodAutoscalerSpec", kRequired | kWritten},
    {"status", "autoscaling.v2.HorizontalPodAutoscalerStatus", kWritten},
};
constexpr FieldFacts kAutoscalingV2HorizontalPodAutoscalerBehavior[] = {
    {"scaleDown", "autoscaling.v2.HPAScalingRules", kPointer},
    {"scaleUp", "autoscaling.v2.HPAScalingRules", kPointer},
};
constexpr FieldFacts kAutoscalingV2HorizontalPodAutoscalerCondition[] = {
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2HorizontalPodAutoscalerSpec[] = {
    {"behavior", "autoscaling.v2.HorizontalPodAutoscalerBehavior", kPointer},
    {"maxReplicas", "int32", kRequired | kWritten},
    {"metrics", "[]autoscaling.v2.MetricSpec", kAtomic},
    {"minReplicas", "int32", kPointer},
    {"scaleTargetRef", "autoscaling.v2.CrossVersionObjectReference", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2HorizontalPodAutoscalerStatus[] = {
    {"conditions", "[]autoscaling.v2.HorizontalPodAutoscalerCondition", kMap | kMerge, "type",
     "type"},
    {"currentMetrics", "[]autoscaling.v2.MetricStatus", kWritten | kAtomic},
    {"currentReplicas", "int32"},
    {"desiredReplicas", "int32", kRequired | kWritten},
    {"lastScaleTime", "time", kPointer},
    {"observedGeneration", "int64", kPointer},
};
constexpr FieldFacts kAutoscalingV2MetricIdentifier[] = {
    {"name", "string", kRequired | kWritten},
    {"selector", "meta.v1.LabelSelector", kPointer},
};
constexpr FieldFacts kAutoscalingV2MetricSpec[] = {
    {"containerResource", "autoscaling.v2.ContainerResourceMetricSource", kPointer},
    {"external", "autoscaling.v2.ExternalMetricSource", kPointer},
    {"object", "autoscaling.v2.ObjectMetricSource", kPointer},
    {"pods", "autoscaling.v2.PodsMetricSource", kPointer},
    {"resource", "autoscaling.v2.ResourceMetricSource", kPointer},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2MetricStatus[] = {
    {"containerResource", "autoscaling.v2.ContainerResourceMetricStatus", kPointer},
    {"external", "autoscaling.v2.ExternalMetricStatus", kPointer},
    {"object", "autoscaling.v2.ObjectMetricStatus", kPointer},
    {"pods", "autoscaling.v2.PodsMetricStatus", kPointer},
    {"resource", "autoscaling.v2.ResourceMetricStatus", kPointer},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2MetricTarget[] = {
    {"averageUtilization", "int32", kPointer},
    {"averageValue", "quantity", kPointer},
    {"type", "string", kRequired | kWritten},
    {"value", "quantity", kPointer},
};
constexpr FieldFacts kAutoscalingV2MetricValueStatus[] = {
    {"averageUtilization", "int32", kPointer},
    {"averageValue", "quantity", kPointer},
    {"value", "quantity", kPointer},
};
constexpr FieldFacts kAutoscalingV2ObjectMetricSource[] = {
    {"describedObject", "autoscaling.v2.CrossVersionObjectReference", kRequired | kWritten},
    {"metric", "autoscaling.v2.MetricIdentifier", kRequired | kWritten},
    {"target", "autoscaling.v2.MetricTarget", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2ObjectMetricStatus[] = {
    {"current", "autoscaling.v2.MetricValueStatus", kRequired | kWritten},
    {"describedObject", "autoscaling.v2.CrossVersionObjectReference", kRequired | kWritten},
    {"metric", "autoscaling.v2.MetricIdentifier", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2PodsMetricSource[] = {
    {"metric", "autoscaling.v2.MetricIdentifier", kRequired | kWritten},
    {"target", "autoscaling.v2.MetricTarget", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2PodsMetricStatus[] = {
    {"current", "autoscaling.v2.MetricValueStatus", kRequired | kWritten},
    {"metric", "autoscaling.v2.MetricIdentifier", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2ResourceMetricSource[] = {
    {"name", "string", kRequired | kWritten},
    {"target", "autoscaling.v2.MetricTarget", kRequired | kWritten},
};
constexpr FieldFacts kAutoscalingV2ResourceMetricStatus[] = {
    {"current", "autoscaling.v2.MetricValueStatus", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};

constexpr StructFacts kStructs[] = {
    {"autoscaling.v1.CrossVersionObjectReference", kAutoscalingV1CrossVersionObjectReference,
     kAtomicStruct},
    {"autoscaling.v1.HorizontalPodAutoscaler", kAutoscalingV1HorizontalPodAutoscaler, kTopLevel},
    {"autoscaling.v1.HorizontalPodAutoscalerSpec", kAutoscalingV1HorizontalPodAutoscalerSpec, 0,
     "scaleTargetRef,maxReplicas"},
    {"autoscaling.v1.HorizontalPodAutoscalerStatus", kAutoscalingV1HorizontalPodAutoscalerStatus},
    {"autoscaling.v1.Scale", kAutoscalingV1Scale, kTopLevel},
    {"autoscaling.v1.ScaleSpec", kAutoscalingV1ScaleSpec},
    {"autoscaling.v1.ScaleStatus", kAutoscalingV1ScaleStatus},
    {"autoscaling.v2.ContainerResourceMetricSource", kAutoscalingV2ContainerResourceMetricSource, 0,
     "name,target,container"},
    {"autoscaling.v2.ContainerResourceMetricStatus", kAutoscalingV2ContainerResourceMetricStatus, 0,
     "name,current,container"},
    {"autoscaling.v2.CrossVersionObjectReference", kAutoscalingV2CrossVersionObjectReference},
    {"autoscaling.v2.ExternalMetricSource", kAutoscalingV2ExternalMetricSource},
    {"autoscaling.v2.ExternalMetricStatus", kAutoscalingV2ExternalMetricStatus, 0,
     "metric,current"},
    {"autoscaling.v2.HPAScalingPolicy", kAutoscalingV2HPAScalingPolicy, 0,
     "type,value,periodSeconds"},
    {"autoscaling.v2.HPAScalingRules", kAutoscalingV2HPAScalingRules},
    {"autoscaling.v2.HorizontalPodAutoscaler", kAutoscalingV2HorizontalPodAutoscaler, kTopLevel},
    {"autoscaling.v2.HorizontalPodAutoscalerBehavior",
     kAutoscalingV2HorizontalPodAutoscalerBehavior},
    {"autoscaling.v2.HorizontalPodAutoscalerCondition",
     kAutoscalingV2HorizontalPodAutoscalerCondition, 0, "type,status"},
    {"autoscaling.v2.HorizontalPodAutoscalerSpec", kAutoscalingV2HorizontalPodAutoscalerSpec, 0,
     "scaleTargetRef,maxReplicas"},
    {"autoscaling.v2.HorizontalPodAutoscalerStatus", kAutoscalingV2HorizontalPodAutoscalerStatus},
    {"autoscaling.v2.MetricIdentifier", kAutoscalingV2MetricIdentifier},
    {"autoscaling.v2.MetricSpec", kAutoscalingV2MetricSpec},
    {"autoscaling.v2.MetricStatus", kAutoscalingV2MetricStatus},
    {"autoscaling.v2.MetricTarget", kAutoscalingV2MetricTarget},
    {"autoscaling.v2.MetricValueStatus", kAutoscalingV2MetricValueStatus},
    {"autoscaling.v2.ObjectMetricSource", kAutoscalingV2ObjectMetricSource, 0,
     "describedObject,target,metric"},
    {"autoscaling.v2.ObjectMetricStatus", kAutoscalingV2ObjectMetricStatus, 0,
     "metric,current,describedObject"},
    {"autoscaling.v2.PodsMetricSource", kAutoscalingV2PodsMetricSource},
    {"autoscaling.v2.PodsMetricStatus", kAutoscalingV2PodsMetricStatus, 0, "metric,current"},
    {"autoscaling.v2.ResourceMetricSource", kAutoscalingV2ResourceMetricSource},
    {"autoscaling.v2.ResourceMetricStatus", kAutoscalingV2ResourceMetricStatus, 0, "name,current"},
};

}  // namespace

std::span<const StructFacts> AutoscalingFacts() { return kStructs; }

}  // namespace kueue::api::facts
