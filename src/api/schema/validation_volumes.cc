#include <set>

#include "api/match/name_rules.h"
#include "api/schema/validation_parts.h"

// Rules of volumes, as the Kubernetes API documents them.
namespace kueue::api {
namespace {

// What a source of that name must have.
struct SourceRule {
  std::string_view source, member;
};
constexpr SourceRule kSourceRules[] = {
    {"secret", "secretName"}, {"configMap", "name"}, {"persistentVolumeClaim", "claimName"},
    {"hostPath", "path"},     {"nfs", "server"},     {"nfs", "path"},
    {"csi", "driver"},
};

void CheckSource(const Json& volume, const std::string& path, FieldErrors& errors) {
  size_t sources = 0;
  for (const Json::Member& member : volume.AsObject()) {
    if (member.key == "name") continue;
    if (++sources > 1) {
      AddError(errors, FieldErrorType::kForbidden, Field(path, member.key),
               "a volume has only one source");
    }
  }
  for (const SourceRule& rule : kSourceRules) {
    const Json* source = volume.Find(rule.source);
    if (source && source->IsObject() && Text(*source, rule.member).empty()) {
      AddRequired(errors, Field(Field(path, rule.source), rule.member));
    }
  }
  const Json* nfs = volume.Find("nfs");
  const std::string_view place = nfs && nfs->IsObject() ? Text(*nfs, "path") : "/";
  if (!place.empty() && place[0] != '/') {
    AddInvalid(errors, Field(path, "nfs.path"), "must start with '/'");
  }
}

void CheckMounts(const Json& container, const std::string& path,
                 const std::set<std::string_view>& volumes, FieldErrors& errors) {
  std::set<std::string_view> places;
  const Json::Array& mounts = Items(container, "volumeMounts");
  for (size_t i = 0; i < mounts.size(); ++i) {
    const std::string at = Field(Field(path, "volumeMounts"), i);
    const std::string_view name = Text(mounts[i], "name");
    const std::string_view place = Text(mounts[i], "mountPath");
    if (name.empty()) AddRequired(errors, Field(at, "name"));
    if (!volumes.count(name)) {
      AddError(errors, FieldErrorType::kNotFound, Field(at, "name"), "there is no such volume");
    }
    if (place.empty()) AddRequired(errors, Field(at, "mountPath"));
    if (!places.insert(place).second) {
      AddInvalid(errors, Field(at, "mountPath"), "is mounted twice");
    }
  }
}

}  // namespace

void CheckVolumes(const Json& spec, const std::string& path, FieldErrors& errors) {
  std::set<std::string_view> names;
  const Json::Array& volumes = Items(spec, "volumes");
  for (size_t i = 0; i < volumes.size(); ++i) {
    if (!volumes[i].IsObject()) continue;
    const std::string at = Field(Field(path, "volumes"), i);
    const std::string_view name = Text(volumes[i], "name");
    if (name.empty()) {
      AddRequired(errors, Field(at, "name"));
    } else {
      AddInvalid(errors, Field(at, "name"), DnsLabelProblems(name));
    }
    if (!name.empty() && !names.insert(name).second) {
      AddError(errors, FieldErrorType::kDuplicate, Field(at, "name"), "is there twice");
    }
    CheckSource(volumes[i], at, errors);
  }
  for (const char* list : {"containers", "initContainers"}) {
    const Json::Array& containers = Items(spec, list);
    for (size_t i = 0; i < containers.size(); ++i) {
      CheckMounts(containers[i], Field(Field(path, list), i), names, errors);
    }
  }
}

}  // namespace kueue::api
