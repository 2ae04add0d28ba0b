#pragma once

#include <string>

#include "api/types/kueue.h"
#include "scheduling/explanation.h"

namespace kueue::cli {

// Why a workload waits, for people: where it stands, who is ahead, every flavor that was tried with
// the numbers, where its pods would not fit, who would have to stop for it, and the least change
// that would let it in. For one that holds quota: what it holds and what it still waits for.
std::string ExplanationText(const api::Workload& workload, const scheduling::Explanation& why);

}  // namespace kueue::cli
