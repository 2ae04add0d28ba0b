#include <algorithm>
#include <cctype>

#include "apiserver/openapi_paths.h"

namespace kueue::apiserver {

namespace {

struct Published {
  std::string_view kind;  // of the core group
  Subresource sub;
};

const std::vector<Published>& CoreSubresources() {
  static const std::vector<Published> all = [] {
    const std::vector<std::string_view> change = {"get", "patch", "update"};
    const std::vector<std::string_view> connect = {"create", "get"};
    const std::vector<std::string_view> proxy = {"create", "delete", "get", "patch", "update"};
    return std::vector<Published>{
        {"Namespace", {"finalize", "", "v1", "Namespace", {"update"}}},
        {"Node", {"proxy", "", "v1", "NodeProxyOptions", proxy}},
        {"Pod", {"attach", "", "v1", "PodAttachOptions", connect}},
        {"Pod", {"binding", "", "v1", "Binding", {"create"}}},
        {"Pod", {"ephemeralcontainers", "", "v1", "Pod", change}},
        {"Pod", {"eviction", "policy", "v1", "Eviction", {"create"}}},
        {"Pod", {"exec", "", "v1", "PodExecOptions", connect}},
        {"Pod", {"log", "", "v1", "Pod", {"get"}}},
        {"Pod", {"portforward", "", "v1", "PodPortForwardOptions", connect}},
        {"Pod", {"proxy", "", "v1", "PodProxyOptions", proxy}},
        {"Pod", {"resize", "", "v1", "Pod", change}},
        {"Service", {"proxy", "", "v1", "ServiceProxyOptions", proxy}},
        {"ServiceAccount", {"token", "authentication.k8s.io", "v1", "TokenRequest", {"create"}}},
    };
  }();
  return all;
}

}  // namespace

std::vector<const api::KindInfo*> ResourcesOf(const KindRegistry& kinds, std::string_view group,
                                              std::string_view version) {
  std::vector<const api::KindInfo*> out;
  for (const api::KindInfo* kind : kinds.kinds()) {
    if (kind->group == group && kind->version == version) out.push_back(kind);
  }
  std::sort(out.begin(), out.end(),
            [](const api::KindInfo* a, const api::KindInfo* b) { return a->plural < b->plural; });
  return out;
}

std::vector<Subresource> PublishedSubresources(const api::KindInfo& kind) {
  std::vector<Subresource> all = SubresourcesOf(kind);
  const auto add = [&all](const Subresource& sub) {
    const bool known = std::any_of(all.begin(), all.end(),
                                   [&](const Subresource& s) { return s.name == sub.name; });
    if (!known) all.push_back(sub);
  };
  if (kind.group.empty()) {
    for (const Published& each : CoreSubresources()) {
      if (each.kind == kind.kind) add(each.sub);
    }
  }
  const std::vector<std::string_view> change = {"get", "patch", "update"};
  if (kind.has_scale) add({"scale", "autoscaling", "v1", "Scale", change});
  if (kind.kind == "CertificateSigningRequest") {
    add({"approval", kind.group, kind.version, kind.kind, change});
  }
  std::sort(all.begin(), all.end(),
            [](const Subresource& a, const Subresource& b) { return a.name < b.name; });
  return all;
}

std::vector<const api::KindInfo*> PublishedRequests(std::string_view group,
                                                    std::string_view version) {
  std::vector<const api::KindInfo*> out;
  for (const api::KindInfo* kind : api::RequestKinds()) {
    if (kind->group == group && kind->version == version && !kind->plural.empty()) {
      out.push_back(kind);
    }
  }
  std::sort(out.begin(), out.end(),
            [](const api::KindInfo* a, const api::KindInfo* b) { return a->plural < b->plural; });
  return out;
}

std::string SingularOf(const api::KindInfo& kind) {
  if (!kind.singular.empty()) return std::string(kind.singular);
  std::string name(kind.kind);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

}  // namespace kueue::apiserver
