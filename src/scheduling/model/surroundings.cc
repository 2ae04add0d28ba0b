#include "scheduling/model/surroundings.h"

#include <vector>

namespace kueue::scheduling {

bool Surroundings::SetLimitRange(const api::LimitRange& range) {
  api::LimitRange& known = ranges_[range.namespace_name][range.name];
  if (known == range) return false;
  known = range;
  Summarize(range.namespace_name);
  return true;
}

bool Surroundings::DeleteLimitRange(const std::string& namespace_name, const std::string& name) {
  const auto ranges = ranges_.find(namespace_name);
  if (ranges == ranges_.end() || ranges->second.erase(name) == 0) return false;
  if (ranges->second.empty()) ranges_.erase(ranges);
  Summarize(namespace_name);
  return true;
}

bool Surroundings::SetRuntimeClass(const api::RuntimeClass& runtime) {
  const auto [entry, added] = overheads_.try_emplace(runtime.name);
  if (!added && entry->second == runtime.overhead) return false;
  entry->second = runtime.overhead;
  return true;
}

bool Surroundings::DeleteRuntimeClass(const std::string& name) {
  return overheads_.erase(name) != 0;
}

void Surroundings::Summarize(const std::string& namespace_name) {
  std::vector<const api::LimitRange*> all;
  const auto ranges = ranges_.find(namespace_name);
  if (ranges != ranges_.end()) {
    for (const auto& [name, range] : ranges->second) all.push_back(&range);
  }
  api::LimitSummary summary = api::Summarize(all);
  if (summary.empty()) {
    limits_.erase(namespace_name);
  } else {
    limits_[namespace_name] = std::move(summary);
  }
}

const api::LimitSummary* Surroundings::LimitsOf(const std::string& namespace_name) const {
  if (limits_.empty()) return nullptr;
  const auto found = limits_.find(namespace_name);
  return found == limits_.end() ? nullptr : &found->second;
}

const api::ResourceList* Surroundings::OverheadOf(const std::string& runtime_class) const {
  const auto found = overheads_.find(runtime_class);
  return found == overheads_.end() ? nullptr : &found->second;
}

}  // namespace kueue::scheduling
