#include "apiserver/kind_registry.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"

namespace kueue::apiserver {

namespace {

template <size_t N>
bool OneOf(std::string_view value, const std::array<std::string_view, N>& values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Built-in groups as discovery lists them.
constexpr std::array<std::string_view, 20> kGroupOrder = {"apiregistration.k8s.io",
                                                          "apps",
                                                          "events.k8s.io",
                                                          "authentication.k8s.io",
                                                          "authorization.k8s.io",
                                                          "autoscaling",
                                                          "batch",
                                                          "certificates.k8s.io",
                                                          "networking.k8s.io",
                                                          "policy",
                                                          "rbac.authorization.k8s.io",
                                                          "storage.k8s.io",
                                                          "admissionregistration.k8s.io",
                                                          "apiextensions.k8s.io",
                                                          "scheduling.k8s.io",
                                                          "coordination.k8s.io",
                                                          "node.k8s.io",
                                                          "discovery.k8s.io",
                                                          "resource.k8s.io",
                                                          "flowcontrol.apiserver.k8s.io"};

size_t GroupRank(const std::string& name) {
  return static_cast<size_t>(std::find(kGroupOrder.begin(), kGroupOrder.end(), name) -
                             kGroupOrder.begin());
}

// v2 > v1 > v2beta1 > v1beta2 > v1beta1 > v1alpha1, anything else last.
std::array<int, 3> VersionRank(std::string_view version) {
  if (version.size() < 2 || version[0] != 'v') return {0, 0, 0};
  size_t at = 1;
  const auto number = [&] {
    int n = 0;
    while (at < version.size() && version[at] >= '0' && version[at] <= '9' && n < 100000) {
      n = n * 10 + (version[at++] - '0');
    }
    return n;
  };
  const int major = number();
  if (at == version.size()) return {3, major, 0};
  int stability = 0;
  if (version.substr(at, 4) == "beta") {
    stability = 2;
    at += 4;
  } else if (version.substr(at, 5) == "alpha") {
    stability = 1;
    at += 5;
  } else {
    return {0, 0, 0};
  }
  return {stability, major, number()};
}

}  // namespace

KindTraits TraitsOf(const api::KindInfo& kind) {
  constexpr std::array<std::string_view, 7> kReturned = {"Pod",
                                                         "Service",
                                                         "ResourceQuota",
                                                         "PodTemplate",
                                                         "ServiceAccount",
                                                         "PersistentVolumeClaim",
                                                         "PersistentVolume"};
  const bool storage = kind.group == "storage.k8s.io" && kind.kind != "CSIStorageCapacity";
  KindTraits traits;
  if (kind.custom_resource) {
    traits.generation = true;
    return traits;
  }
  traits.generation = kind.has_generation;
  traits.returns_deleted = (kind.group.empty() && OneOf(kind.kind, kReturned)) || storage ||
                           kind.group == "resource.k8s.io";
  traits.create_on_update =
      kind.kind == "Lease" || kind.kind == "Event" || kind.kind == "LimitRange";
  traits.orphans_by_default = kind.group == "batch" && kind.kind == "Job";
  traits.delete_collection = kind.kind != "Namespace";
  traits.graceful_deletion = kind.group.empty() && kind.kind == "Pod";
  traits.read_only = (kind.group.empty() && kind.kind == "ComponentStatus") ||
                     kind.group == "metrics.k8s.io";
  return traits;
}

std::vector<Subresource> SubresourcesOf(const api::KindInfo& kind) {
  std::vector<Subresource> out;
  const std::vector<std::string_view> change = {"get", "patch", "update"};
  const std::vector<std::string_view> connect = {"create", "get"};
  const std::vector<std::string_view> proxy = {"create", "delete", "get", "patch", "update"};
  const bool core = kind.group.empty();
  if (core && kind.kind == "Pod") {
    out.push_back({"attach", "", "v1", "PodAttachOptions", connect});
    out.push_back({"binding", "", "v1", "Binding", {"create"}});
    out.push_back({"ephemeralcontainers", "", "v1", "Pod", change});
    out.push_back({"eviction", "policy", "v1", "Eviction", {"create"}});
    out.push_back({"exec", "", "v1", "PodExecOptions", connect});
    out.push_back({"log", "", "v1", "Pod", {"get"}});
    out.push_back({"portforward", "", "v1", "PodPortForwardOptions", connect});
    out.push_back({"proxy", "", "v1", "PodProxyOptions", proxy});
    out.push_back({"resize", "", "v1", "Pod", change});
  }
  if (core && kind.kind == "Namespace") {
    out.push_back({"finalize", "", "v1", "Namespace", {"update"}});
  }
  if (core && kind.kind == "Node") out.push_back({"proxy", "", "v1", "NodeProxyOptions", proxy});
  if (core && kind.kind == "Service") {
    out.push_back({"proxy", "", "v1", "ServiceProxyOptions", proxy});
  }
  if (core && kind.kind == "ServiceAccount") {
    out.push_back({"token", "authentication.k8s.io", "v1", "TokenRequest", {"create"}});
  }
  if (kind.has_scale) out.push_back({"scale", "autoscaling", "v1", "Scale", change});
  if (kind.has_status) out.push_back({"status", kind.group, kind.version, kind.kind, change});
  return out;
}

const api::KindInfo& RequestKind(std::string_view group, std::string_view kind) {
  for (const api::KindInfo* info : api::RequestKinds()) {
    if (info->group == group && info->kind == kind) return *info;
  }
  KUEUE_CHECK_MSG(false, std::string(kind));
  return *api::RequestKinds().front();
}

const std::vector<VirtualResource>& VirtualResources() {
  static const std::vector<VirtualResource> kResources = {
      {"authentication.k8s.io", "v1", "selfsubjectreviews", "selfsubjectreview",
       "SelfSubjectReview"},
      {"authentication.k8s.io", "v1", "tokenreviews", "tokenreview", "TokenReview"},
      {"authorization.k8s.io", "v1", "localsubjectaccessreviews", "localsubjectaccessreview",
       "LocalSubjectAccessReview", true},
      {"authorization.k8s.io", "v1", "selfsubjectaccessreviews", "selfsubjectaccessreview",
       "SelfSubjectAccessReview"},
      {"authorization.k8s.io", "v1", "selfsubjectrulesreviews", "selfsubjectrulesreview",
       "SelfSubjectRulesReview"},
      {"authorization.k8s.io", "v1", "subjectaccessreviews", "subjectaccessreview",
       "SubjectAccessReview"},
  };
  return kResources;
}

KindRegistry::KindRegistry() : kinds_(api::AllKinds()) { Rebuild(); }

void KindRegistry::Add(const api::KindInfo& kind) {
  kinds_.push_back(&kind);
  Rebuild();
}

void KindRegistry::Remove(const api::KindInfo& kind) {
  kinds_.erase(std::remove(kinds_.begin(), kinds_.end(), &kind), kinds_.end());
  Rebuild();
}

void KindRegistry::Rebuild() {
  ++generation_;
  groups_.clear();
  groups_.push_back({"", {"v1"}, false});
  const auto add = [this](std::string_view name, std::string_view version, bool custom) {
    auto group = std::find_if(groups_.begin(), groups_.end(),
                              [&](const Group& g) { return g.name == name; });
    if (group == groups_.end()) {
      groups_.push_back({std::string(name), {}, custom});
      group = groups_.end() - 1;
    }
    auto& versions = group->versions;
    if (std::find(versions.begin(), versions.end(), version) == versions.end()) {
      versions.emplace_back(version);
    }
  };
  for (const api::KindInfo* kind : kinds_) add(kind->group, kind->version, kind->custom_resource);
  for (const VirtualResource& resource : VirtualResources()) {
    add(resource.group, resource.version, false);
  }
  for (Group& group : groups_) {
    std::sort(group.versions.begin(), group.versions.end(),
              [](const std::string& a, const std::string& b) {
                return std::make_pair(VersionRank(b), a) < std::make_pair(VersionRank(a), b);
              });
  }
  std::sort(groups_.begin() + 1, groups_.end(), [](const Group& a, const Group& b) {
    return std::make_pair(GroupRank(a.name), a.name) < std::make_pair(GroupRank(b.name), b.name);
  });
}

const api::KindInfo* KindRegistry::FindResource(std::string_view group, std::string_view version,
                                                std::string_view plural) const {
  for (const api::KindInfo* kind : kinds_) {
    if (kind->plural == plural && kind->group == group && kind->version == version) return kind;
  }
  return nullptr;
}

const api::KindInfo* KindRegistry::FindKind(std::string_view group, std::string_view version,
                                            std::string_view name) const {
  for (const api::KindInfo* kind : kinds_) {
    if (kind->kind == name && kind->group == group && kind->version == version) return kind;
  }
  return nullptr;
}

const api::KindInfo* KindRegistry::FindStored(std::string_view group,
                                              std::string_view name) const {
  for (const api::KindInfo* kind : kinds_) {
    if (kind->defined && kind->kind == name && kind->group == group) return kind->stored;
  }
  return nullptr;
}

std::vector<KindRegistry::Group> KindRegistry::Groups() const { return groups_; }

const KindRegistry::Group* KindRegistry::FindGroup(std::string_view name) const {
  for (const Group& group : groups_) {
    if (group.name == name) return &group;
  }
  return nullptr;
}

bool KindRegistry::HasVersion(std::string_view group, std::string_view version) const {
  const Group* found = FindGroup(group);
  return found != nullptr && std::find(found->versions.begin(), found->versions.end(), version) !=
                                 found->versions.end();
}

}  // namespace kueue::apiserver
