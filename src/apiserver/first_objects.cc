#include "apiserver/first_objects.h"

#include <utility>

#include "api/schema/kind.h"
#include "apiserver/access_defaults.h"
#include "apiserver/object_meta.h"
#include "base/check.h"
#include "base/random.h"

namespace kueue::apiserver {

using api::Json;

namespace {

constexpr char kServerName[] = "kubernetes";

const api::KindInfo& Kind(const KindRegistry& kinds, const char* group, const char* name) {
  const api::KindInfo* kind = kinds.FindKind(group, "v1", name);
  KUEUE_CHECK(kind != nullptr);
  return *kind;
}

class Maker {
 public:
  Maker(base::Time now, Store& store) : now_(now), store_(store) {}

  // Past validation, which keeps these names for the server itself.
  void Make(const api::KindInfo& kind, Json object, bool replace = false) {
    const std::string key =
        StoreKey(object.StringAt({"metadata", "namespace"}), object.StringAt({"metadata", "name"}));
    const StoredPtr present = store_.Get(kind, key);
    if (present != nullptr && !replace) return;
    object.Set("kind", kind.kind);
    object.Set("apiVersion", kind.ApiVersion());
    api::ApplyDefaults(kind, object);
    StampNew(kind, random_.Uuid(), now_, object);
    api::PrepareForCreate(kind, object);
    if (present != nullptr) {
      for (const char* member : {"uid", "creationTimestamp"}) {
        object["metadata"].Set(member, present->object().StringAt({"metadata", member}));
      }
    }
    store_.Put(kind, key, std::move(object));
  }

 private:
  base::Time now_;
  Store& store_;
  // The same identities in every cluster: they identify nothing that differs.
  base::Random random_{0x6b75657565};
};

Json PriorityClass(const char* name, int64_t value, const char* description) {
  Json object = Json::MakeObject();
  object["metadata"].Set("name", name);
  object.Set("value", value);
  if (*description != '\0') object.Set("description", description);
  object.Set("preemptionPolicy", "PreemptLowerPriority");
  return object;
}

Json Named(const char* name) {
  Json object = Json::MakeObject();
  object["metadata"].Set("name", name);
  object["metadata"].Set("namespace", "default");
  return object;
}

Json Port(std::string_view name, int port) {
  Json object = Json::MakeObject();
  object.Set("name", name);
  object.Set("protocol", "TCP");
  object.Set("port", port);
  return object;
}

}  // namespace

void MakeFirstObjects(const KindRegistry& kinds, base::Time now, Store& store) {
  constexpr char kAccess[] = "rbac.authorization.k8s.io";
  Maker maker(now, store);
  for (Json& role : DefaultClusterRoles()) {
    maker.Make(Kind(kinds, kAccess, "ClusterRole"), std::move(role));
  }
  for (Json& binding : DefaultClusterRoleBindings()) {
    maker.Make(Kind(kinds, kAccess, "ClusterRoleBinding"), std::move(binding));
  }
  const api::KindInfo& classes = Kind(kinds, "scheduling.k8s.io", "PriorityClass");
  maker.Make(classes, PriorityClass("system-cluster-critical", 2000000000, ""));
  maker.Make(classes, PriorityClass("system-node-critical", 2000001000, ""));
}

void PublishServer(const KindRegistry& kinds, const std::string& address, uint16_t port,
                   base::Time now, Store& store) {
  Maker maker(now, store);
  Json service = Named(kServerName);
  Json& labels = service["metadata"]["labels"];
  labels.Set("component", "apiserver");
  labels.Set("provider", kServerName);
  Json& spec = service["spec"];
  Json service_port = Port("https", 443);
  service_port.Set("targetPort", static_cast<int64_t>(port));
  spec["ports"].Append(std::move(service_port));
  spec.Set("clusterIP", "10.96.0.1");
  spec["clusterIPs"].Append("10.96.0.1");
  spec.Set("type", "ClusterIP");
  maker.Make(Kind(kinds, "", "Service"), std::move(service), true);

  Json slice = Named(kServerName);
  slice["metadata"]["labels"].Set("kubernetes.io/service-name", kServerName);
  slice.Set("addressType", address.find(':') == std::string::npos ? "IPv4" : "IPv6");
  Json endpoint = Json::MakeObject();
  endpoint["addresses"].Append(address);
  endpoint["conditions"].Set("ready", true);
  slice["endpoints"].Append(std::move(endpoint));
  slice["ports"].Append(Port("https", port));
  maker.Make(Kind(kinds, "discovery.k8s.io", "EndpointSlice"), std::move(slice), true);
}

}  // namespace kueue::apiserver
