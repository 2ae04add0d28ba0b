#pragma once

#include <map>
#include <memory>
#include <string>

#include "api/match/limit_range.h"
#include "scheduling/model/device_table.h"

namespace kueue::scheduling {

// Objects beside a workload that its requests depend on (spec/scheduling.md §1.5, §1.9):
// LimitRanges of its namespace, RuntimeClasses, and what is known of devices.
class Surroundings {
 public:
  DeviceTable devices;

  // True if anything changed.
  bool SetLimitRange(const api::LimitRange& range);
  bool DeleteLimitRange(const std::string& namespace_name, const std::string& name);
  bool SetRuntimeClass(const api::RuntimeClass& runtime);
  bool DeleteRuntimeClass(const std::string& name);

  // All ranges of a namespace as one, defaults in the order of their names (§15). Null: there are
  // none.
  const api::LimitSummary* LimitsOf(const std::string& namespace_name) const;
  // What pods of a RuntimeClass need on top; null if it does not exist.
  const api::ResourceList* OverheadOf(const std::string& runtime_class) const;

 private:
  void Summarize(const std::string& namespace_name);

  std::map<std::string, std::map<std::string, api::LimitRange>> ranges_;  // by namespace and name
  std::map<std::string, api::LimitSummary> limits_;                       // by namespace
  std::map<std::string, api::ResourceList> overheads_;
};

}  // namespace kueue::scheduling
