#include "api/match/limit_range.h"

#include <fmt/format.h>

#include "api/match/pod_requests.h"

namespace kueue::api {
namespace {

using resources::RequestUnits;

void KeepFirst(ResourceList& to, const ResourceList& from) {
  to.insert(from.begin(), from.end());  // does not touch what is there
}

void KeepSmaller(ResourceList& to, const ResourceList& from) {
  for (const auto& [name, quantity] : from) {
    const auto [entry, added] = to.emplace(name, quantity);
    if (!added && quantity < entry->second) entry->second = quantity;
  }
}

void KeepLarger(ResourceList& to, const ResourceList& from) {
  for (const auto& [name, quantity] : from) {
    const auto [entry, added] = to.emplace(name, quantity);
    if (!added && entry->second < quantity) entry->second = quantity;
  }
}

// The first resource, by name, of which `asked` has more than `max`, or less than `min`.
std::string Compare(const std::string& who, const ResourceList& most, const ResourceList& least,
                    const LimitRangeItem& bounds) {
  for (const auto& [name, bound] : bounds.max) {
    const auto asked = most.find(name);
    if (asked == most.end() || RequestUnits(name, asked->second) <= RequestUnits(name, bound)) {
      continue;
    }
    return fmt::format("{} asks for {} of {}, and a LimitRange allows at most {}", who,
                       asked->second.ToString(), name, bound.ToString());
  }
  for (const auto& [name, bound] : bounds.min) {
    const auto asked = least.find(name);
    if (asked == least.end() || RequestUnits(name, asked->second) >= RequestUnits(name, bound)) {
      continue;
    }
    return fmt::format("{} asks for {} of {}, and a LimitRange wants at least {}", who,
                       asked->second.ToString(), name, bound.ToString());
  }
  return {};
}

void FillDefaults(const LimitRangeItem& item, ResourceRequirements& needs) {
  KeepFirst(needs.limits, item.default_limits);
  KeepFirst(needs.requests, item.default_requests);
}

}  // namespace

ResourceList ReadResourceList(const Json* map) {
  ResourceList list;
  if (map == nullptr || !map->IsObject()) return list;
  for (const Json::Member& entry : map->AsObject()) {
    const std::string text = entry.value.IsString()   ? entry.value.AsString()
                             : entry.value.IsNumber() ? entry.value.NumberText()
                                                      : std::string();
    const auto quantity = Quantity::Parse(text);
    if (quantity.ok()) list.emplace(entry.key, *quantity);
  }
  return list;
}

LimitRange ReadLimitRange(const Json& object) {
  LimitRange range{
      object.StringAt({"metadata", "namespace"}), object.StringAt({"metadata", "name"}), {}};
  const Json* limits = object.FindPath({"spec", "limits"});
  if (limits == nullptr || !limits->IsArray()) return range;
  for (const Json& limit : limits->AsArray()) {
    range.items.push_back({limit.StringAt({"type"}), ReadResourceList(limit.Find("max")),
                           ReadResourceList(limit.Find("min")),
                           ReadResourceList(limit.Find("default")),
                           ReadResourceList(limit.Find("defaultRequest"))});
  }
  return range;
}

RuntimeClass ReadRuntimeClass(const Json& object) {
  return {object.StringAt({"metadata", "name"}),
          ReadResourceList(object.FindPath({"overhead", "podFixed"}))};
}

LimitSummary Summarize(const std::vector<const LimitRange*>& ranges) {
  LimitSummary summary;
  for (const LimitRange* range : ranges) {
    for (const LimitRangeItem& item : range->items) {
      if (item.type != "Container" && item.type != "Pod") continue;
      auto& to = item.type == "Pod" ? summary.pod : summary.container;
      if (!to) to.emplace().type = item.type;
      KeepSmaller(to->max, item.max);
      KeepLarger(to->min, item.min);
      KeepFirst(to->default_limits, item.default_limits);
      KeepFirst(to->default_requests, item.default_requests);
    }
  }
  return summary;
}

void FillLimitDefaults(const LimitSummary& summary, PodSpec& pod) {
  if (summary.container) {
    for (Container& c : pod.init_containers) FillDefaults(*summary.container, c.resources);
    for (Container& c : pod.containers) FillDefaults(*summary.container, c.resources);
  }
  if (summary.pod && pod.resources) FillDefaults(*summary.pod, *pod.resources);
}

std::string FindOutOfBounds(const LimitSummary& summary, const PodSpec& pod) {
  if (summary.container) {
    for (const auto* list : {&pod.init_containers, &pod.containers}) {
      for (const Container& container : *list) {
        ResourceList most = container.resources.requests, least = most;
        KeepLarger(most, container.resources.limits);
        KeepSmaller(least, container.resources.limits);
        std::string found = Compare("container " + container.name, most, least, *summary.container);
        if (!found.empty()) return found;
      }
    }
  }
  if (!summary.pod) return {};
  const ResourceList total = PodRequestQuantities(pod);
  return Compare("the pod as a whole", total, total, *summary.pod);
}

}  // namespace kueue::api
