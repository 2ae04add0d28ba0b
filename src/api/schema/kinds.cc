#include "api/schema/descriptors.h"
#include "api/schema/kind.h"
#include "api/schema/kinds_built_in.h"
#include "api/schema/kinds_kueue.h"

namespace kueue::api {
// The cluster autoscaler defines it; here it is served without a definition, as those of Kueue.
template <>
const KindInfo& KindOf<ProvisioningRequest>() {
  static const KindInfo info = [] {
    KindInfo made;
    made.group = "autoscaling.x-k8s.io";
    made.version = "v1";
    made.kind = "ProvisioningRequest";
    made.plural = "provisioningrequests";
    made.singular = "provisioningrequest";
    made.short_names = {"provreq", "provreqs"};
    made.namespaced = true;
    made.has_status = true;
    made.custom_resource = true;
    made.table = &DescriptorOf<ProvisioningRequest>();
    return made;
  }();
  return info;
}

std::string KindInfo::ApiVersion() const {
  if (group.empty()) return std::string(version);
  return std::string(group) + "/" + std::string(version);
}

std::string KindInfo::GroupResource() const {
  if (group.empty()) return std::string(plural);
  return std::string(plural) + "." + std::string(group);
}

const std::vector<const KindInfo*>& AllKinds() {
  static const std::vector<const KindInfo*> all = [] {
    std::vector<const KindInfo*> kinds = BuiltInKinds();
    kinds.push_back(&KindOf<ProvisioningRequest>());
    const auto& kueue = KueueKinds();
    kinds.insert(kinds.end(), kueue.begin(), kueue.end());
    return kinds;
  }();
  return all;
}

const KindInfo* FindKind(std::string_view group, std::string_view version, std::string_view kind) {
  for (const KindInfo* info : AllKinds()) {
    if (info->kind == kind && info->group == group && info->version == version) return info;
  }
  return nullptr;
}

const KindInfo* FindResource(std::string_view group, std::string_view version,
                             std::string_view plural) {
  for (const KindInfo* info : AllKinds()) {
    if (info->plural == plural && info->group == group && info->version == version) return info;
  }
  return nullptr;
}

const KindInfo* FindKindOf(const Json& object) {
  const std::string api_version = object.StringAt({"apiVersion"});
  const size_t slash = api_version.find('/');
  const std::string_view text = api_version;
  const bool core = slash == std::string::npos;
  return FindKind(core ? "" : text.substr(0, slash), core ? text : text.substr(slash + 1),
                  object.StringAt({"kind"}));
}

Json EncodeWithKind(const KindInfo& kind, const void* object) {
  Json body = EncodeStruct(*kind.table, object);
  Json result = Json::MakeObject();
  result.Set("apiVersion", kind.ApiVersion());
  result.Set("kind", kind.kind);
  if (!body.IsObject()) return result;
  for (Json::Member& member : body.AsObject()) {
    if (member.key == "apiVersion" || member.key == "kind") continue;
    result.AsObject().push_back(std::move(member));
  }
  return result;
}

}  // namespace kueue::api
