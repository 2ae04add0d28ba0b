#include "apiserver/pod_changes.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace kueue::apiserver {

using api::FieldError;
using api::FieldErrorType;
using api::Json;

namespace {

const Json::Array& ListAt(const Json& pod, const char* member) {
  static const Json::Array none;
  const Json* list = pod.FindPath({"spec", member});
  return list != nullptr && list->IsArray() ? list->AsArray() : none;
}

const Json* Named(const Json::Array& containers, const std::string& name) {
  for (const Json& container : containers) {
    if (container.StringAt({"name"}) == name) return &container;
  }
  return nullptr;
}

// Resources and the policies of changing them, container by container.
void TakeResources(const char* list, const Json& wanted, Json& pod) {
  Json* containers = pod["spec"].Find(list);
  if (containers == nullptr || !containers->IsArray()) return;
  for (Json& container : containers->AsArray()) {
    const Json* now = Named(ListAt(wanted, list), container.StringAt({"name"}));
    if (now == nullptr) continue;
    for (const char* member : {"resources", "resizePolicy"}) {
      if (const Json* value = now->Find(member)) {
        container.Set(member, *value);
      } else {
        container.Erase(member);
      }
    }
  }
}

std::vector<FieldError> EphemeralErrors(const Json& before, const Json& after) {
  std::vector<FieldError> errors;
  const Json::Array& now = ListAt(after, "ephemeralContainers");
  const std::string path = "spec.ephemeralContainers";
  for (const Json& old : ListAt(before, "ephemeralContainers")) {
    const std::string name = old.StringAt({"name"});
    const Json* kept = Named(now, name);
    if (kept != nullptr && *kept == old) continue;
    errors.push_back({FieldErrorType::kForbidden, path,
                      fmt::format("existing ephemeral containers \"{}\" may not be {}", name,
                                  kept == nullptr ? "removed" : "changed")});
  }
  std::set<std::string> names;
  for (const char* list : {"initContainers", "containers"}) {
    for (const Json& container : ListAt(after, list)) names.insert(container.StringAt({"name"}));
  }
  for (size_t i = 0; i < now.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", path, i);
    const std::string name = now[i].StringAt({"name"});
    if (name.empty()) {
      errors.push_back({FieldErrorType::kRequired, at + ".name", "must be set"});
    } else if (!names.insert(name).second) {
      errors.push_back({FieldErrorType::kDuplicate, at + ".name", "is there twice"});
    }
    if (now[i].StringAt({"image"}).empty()) {
      errors.push_back({FieldErrorType::kRequired, at + ".image", "must be set"});
    }
    const std::string target = now[i].StringAt({"targetContainerName"});
    if (!target.empty() && Named(ListAt(after, "containers"), target) == nullptr) {
      errors.push_back(
          {FieldErrorType::kNotFound, at + ".targetContainerName", "is no container of this pod"});
    }
    for (const char* member : {"ports", "livenessProbe", "readinessProbe", "startupProbe",
                               "lifecycle", "resizePolicy"}) {
      const Json* value = now[i].Find(member);
      if (value == nullptr || value->size() == 0) continue;
      errors.push_back({FieldErrorType::kForbidden, fmt::format("{}.{}", at, member),
                        "is not for ephemeral containers"});
    }
  }
  return errors;
}

void CheckResized(const Json& old, const Json& now, const std::string& path,
                  std::vector<FieldError>& errors) {
  for (const char* list : {"limits", "requests"}) {
    const Json* before = old.FindPath({"resources", list});
    const Json* after = now.FindPath({"resources", list});
    std::set<std::string> names;
    for (const Json* map : {before, after}) {
      if (map == nullptr || !map->IsObject()) continue;
      for (const Json::Member& entry : map->AsObject()) names.insert(entry.key);
    }
    for (const std::string& name : names) {
      const Json* was = before != nullptr ? before->Find(name) : nullptr;
      const Json* is = after != nullptr ? after->Find(name) : nullptr;
      if (was != nullptr && is != nullptr && *was == *is) continue;
      if (name != "cpu" && name != "memory") {
        errors.push_back(
            {FieldErrorType::kForbidden, "spec", "only cpu and memory resources are mutable"});
      } else if (is == nullptr) {
        errors.push_back({FieldErrorType::kForbidden, fmt::format("{}.resources.{}", path, list),
                          fmt::format("resource {} cannot be removed", list)});
      }
    }
  }
}

std::vector<FieldError> ResizeErrors(const Json& before, const Json& after) {
  std::vector<FieldError> errors;
  for (const char* list : {"initContainers", "containers"}) {
    const Json::Array& now = ListAt(after, list);
    for (size_t i = 0; i < now.size(); ++i) {
      const Json* old = Named(ListAt(before, list), now[i].StringAt({"name"}));
      if (old != nullptr) CheckResized(*old, now[i], fmt::format("spec.{}[{}]", list, i), errors);
    }
  }
  // As a new pod it must be right as well; only what a new pod may not have is not looked at.
  Json fresh = after;
  fresh["spec"].Erase("ephemeralContainers");
  const auto* kind = &api::KindOf<api::Pod>();
  for (FieldError& error : api::ValidateCreate(*kind, fresh)) errors.push_back(std::move(error));
  Json judged = fresh;
  judged.Erase("status");
  api::PrepareForCreate(*kind, judged);
  const std::string qos = before.StringAt({"status", "qosClass"});
  if (!qos.empty() && judged.StringAt({"status", "qosClass"}) != qos) {
    errors.push_back(
        {FieldErrorType::kInvalid, "spec", "Pod QOS Class may not change as a result of resizing"});
  }
  return errors;
}

}  // namespace

bool IsPodChange(const api::KindInfo& kind, const std::string& subresource) {
  return (subresource == "ephemeralcontainers" || subresource == "resize") &&
         &kind == &api::KindOf<api::Pod>();
}

void KeepButPodChange(const std::string& subresource, const Json& current, Json& desired) {
  Json result = current;
  if (subresource == "resize") {
    for (const char* list : {"initContainers", "containers"}) {
      TakeResources(list, desired, result);
    }
  } else if (const Json* wanted = desired.FindPath({"spec", "ephemeralContainers"})) {
    result["spec"].Set("ephemeralContainers", *wanted);
  } else {
    result["spec"].Erase("ephemeralContainers");
  }
  desired = std::move(result);
}

std::vector<FieldError> PodChangeErrors(const std::string& subresource, const Json& before,
                                        const Json& after) {
  return subresource == "resize" ? ResizeErrors(before, after) : EphemeralErrors(before, after);
}

}  // namespace kueue::apiserver
