#include "localcluster/job_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "localcluster/job_pods.h"

namespace kueue::localcluster {
namespace {

using api::Json;

const Json* Policy(const api::Job& job, const char* name) {
  const Json* extra = job.spec.extra.get();
  return extra == nullptr ? nullptr : extra->Find(name);
}

const Json* RulesOf(const Json* policy) {
  const Json* rules = policy == nullptr ? nullptr : policy->Find("rules");
  return rules != nullptr && rules->IsArray() ? rules : nullptr;
}

const Json* List(const Json& object, const char* name) {
  const Json* list = object.Find(name);
  return list != nullptr && list->IsArray() ? list : nullptr;
}

// Ends with code 0 match nothing.
bool CodeMatches(const Json& requirement, int32_t code) {
  if (code == 0) return false;
  const Json* values = List(requirement, "values");
  const bool named = values != nullptr &&
                     std::any_of(values->AsArray().begin(), values->AsArray().end(),
                                 [&](const Json& v) { return v.IsInt() && v.AsInt() == code; });
  return requirement.StringAt({"operator"}) == "NotIn" ? !named : named;
}

// Why the rule matches, or nothing.
std::optional<std::string> MatchCodes(const Json& rule, const api::Pod& pod, size_t number) {
  const Json* requirement = rule.Find("onExitCodes");
  if (requirement == nullptr || !requirement->IsObject()) return std::nullopt;
  const std::string wanted = requirement->StringAt({"containerName"});
  for (const auto* statuses :
       {&pod.status.container_statuses, &pod.status.init_container_statuses}) {
    for (const api::ContainerStatus& container : *statuses) {
      if (!wanted.empty() && container.name != wanted) continue;
      const auto& end = container.state.terminated;
      if (!end || !CodeMatches(*requirement, end->exit_code)) continue;
      return fmt::format(
          "Container {} for pod {}/{} failed with exit code {} matching {} rule at "
          "index {}",
          container.name, pod.metadata.namespace_name, pod.metadata.name, end->exit_code,
          rule.StringAt({"action"}), number);
    }
  }
  return std::nullopt;
}

std::string_view StatusText(api::ConditionStatus status) {
  if (status == api::ConditionStatus::kTrue) return "True";
  return status == api::ConditionStatus::kFalse ? "False" : "Unknown";
}

std::optional<std::string> MatchConditions(const Json& rule, const api::Pod& pod, size_t number) {
  const Json* patterns = List(rule, "onPodConditions");
  if (patterns == nullptr) return std::nullopt;
  for (const api::PodCondition& condition : pod.status.conditions) {
    for (const Json& pattern : patterns->AsArray()) {
      if (pattern.StringAt({"type"}) != condition.type) continue;
      if (pattern.StringAt({"status"}, "True") != StatusText(condition.status)) continue;
      return fmt::format("Pod {}/{} has condition {} matching {} rule at index {}",
                         pod.metadata.namespace_name, pod.metadata.name, condition.type,
                         rule.StringAt({"action"}), number);
    }
  }
  return std::nullopt;
}

int64_t CountOf(const IndexSet& set, const IndexSet& among) {
  int64_t count = 0;
  for (const auto& [first, last] : among.intervals()) {
    count += set.CountBelow(int64_t{last} + 1) - set.CountBelow(first);
  }
  return count;
}

}  // namespace

FailureRuling RuleOnFailure(const api::Job& job, const api::Pod& pod) {
  FailureRuling ruling;
  const Json* rules = RulesOf(Policy(job, "podFailurePolicy"));
  if (rules == nullptr) return ruling;
  for (size_t i = 0; i < rules->AsArray().size(); ++i) {
    const Json& rule = rules->AsArray()[i];
    auto why = MatchCodes(rule, pod, i);
    if (!why) why = MatchConditions(rule, pod, i);
    if (!why) continue;
    const std::string action = rule.StringAt({"action"});
    if (action == "FailIndex" && !HasLimitPerIndex(job)) continue;
    ruling.counts = action != "Ignore";
    ruling.fails_index = action == "FailIndex";
    if (action == "FailJob") ruling.fails_job = std::move(why);
    return ruling;
  }
  return ruling;
}

bool HasLimitPerIndex(const api::Job& job) {
  return IsIndexed(job) && job.spec.backoff_limit_per_index.has_value();
}

bool ReplacesOnlyFailed(const api::Job& job) {
  if (job.spec.pod_replacement_policy) return *job.spec.pod_replacement_policy == "Failed";
  return Policy(job, "podFailurePolicy") != nullptr;
}

std::optional<int64_t> MetSuccessRule(const api::Job& job, const IndexSet& completed) {
  const Json* rules = RulesOf(Policy(job, "successPolicy"));
  if (rules == nullptr || !IsIndexed(job)) return std::nullopt;
  const int64_t completions = job.spec.completions.value_or(0);
  for (size_t i = 0; i < rules->AsArray().size(); ++i) {
    const Json& rule = rules->AsArray()[i];
    const Json* count = rule.Find("succeededCount");
    const std::string text = rule.StringAt({"succeededIndexes"});
    const IndexSet among = IndexSet::Parse(text);
    const int64_t have =
        text.empty() ? completed.CountBelow(completions) : CountOf(completed, among);
    const int64_t want =
        count != nullptr && count->IsInt() ? count->AsInt() : among.CountBelow(completions);
    if ((count != nullptr || !text.empty()) && have >= want) return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

int32_t EarlierFailures(const api::Pod& pod, const char* annotation) {
  const auto it = pod.metadata.annotations.find(annotation);
  if (it == pod.metadata.annotations.end()) return 0;
  int32_t count = 0;
  const char* const end = it->second.data() + it->second.size();
  const auto [at, error] = std::from_chars(it->second.data(), end, count);
  return error == std::errc() && at == end && count >= 0 ? count : 0;
}

}  // namespace kueue::localcluster
