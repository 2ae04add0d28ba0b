#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of nodes.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<Taint>() {
  using S = Taint;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.Taint", [](TableBuilder& t) {
        t.Field<&S::key>("key").Doc("The taint's key.");
        t.Field<&S::value>("value").Doc("The taint's value.");
        t.Field<&S::effect>("effect").Doc("NoSchedule, PreferNoSchedule or NoExecute.");
        t.Field<&S::time_added>("timeAdded").Doc("When a NoExecute taint was put on.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeSpec>() {
  using S = NodeSpec;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeSpec", [](TableBuilder& t) {
        t.Field<&S::pod_cidr>("podCIDR");
        t.Field<&S::provider_id>("providerID");
        t.Field<&S::unschedulable>("unschedulable");
        t.Field<&S::taints>("taints");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeCondition>() {
  using S = NodeCondition;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeCondition", [](TableBuilder& t) {
        t.Field<&S::type>("type");
        t.Field<&S::status>("status");
        t.Field<&S::last_heartbeat_time>("lastHeartbeatTime");
        t.Field<&S::last_transition_time>("lastTransitionTime");
        t.Field<&S::reason>("reason");
        t.Field<&S::message>("message");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeAddress>() {
  using S = NodeAddress;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeAddress", [](TableBuilder& t) {
        t.Field<&S::type>("type");
        t.Field<&S::address>("address");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeSystemInfo>() {
  using S = NodeSystemInfo;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeSystemInfo", [](TableBuilder& t) {
        t.Field<&S::machine_id>("machineID");
        t.Field<&S::system_uuid>("systemUUID");
        t.Field<&S::boot_id>("bootID");
        t.Field<&S::kernel_version>("kernelVersion");
        t.Field<&S::os_image>("osImage");
        t.Field<&S::container_runtime_version>("containerRuntimeVersion");
        t.Field<&S::kubelet_version>("kubeletVersion");
        t.Field<&S::kube_proxy_version>("kubeProxyVersion");
        t.Field<&S::operating_system>("operatingSystem");
        t.Field<&S::architecture>("architecture");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeStatus>() {
  using S = NodeStatus;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeStatus", [](TableBuilder& t) {
        t.Field<&S::capacity>("capacity");
        t.Field<&S::allocatable>("allocatable");
        t.Field<&S::conditions>("conditions");
        t.Field<&S::addresses>("addresses");
        t.Field<&S::node_info>("nodeInfo");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Node>() {
  using S = Node;
  static const StructDescriptor table = MakeKubernetesTable<S>("core.v1.Node", [](TableBuilder& t) {
    t.Field<&S::metadata>("metadata");
    t.Field<&S::spec>("spec");
    t.Field<&S::status>("status");
  });
  return table;
}

}  // namespace kueue::api
