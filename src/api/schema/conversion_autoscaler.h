#pragma once

#include "api/schema/kind.h"

// HorizontalPodAutoscaler between autoscaling/v1 and the stored autoscaling/v2. What v1 cannot say
// (metrics other than the CPU's use, conditions, behaviour) is kept in the annotations
// autoscaling.alpha.kubernetes.io/..., in the form of v2.
namespace kueue::api {

std::vector<FieldError> AutoscalerToV2(Json& object);
std::vector<FieldError> AutoscalerToV1(Json& object);

}  // namespace kueue::api
