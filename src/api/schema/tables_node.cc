#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of nodes.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<Taint>() {
  using S = Taint;
  static const StructDescriptor table = MakeTable<S>("Taint", kComplete, [](TableBuilder& t) {
    t.Field<&S::key>("key").Required().AlwaysWritten().Doc("The taint's key.");
    t.Field<&S::value>("value").Doc("The taint's value.");
    t.Field<&S::effect>("effect").Required().AlwaysWritten()
        .Doc("NoSchedule, PreferNoSchedule or NoExecute.");
    t.Field<&S::time_added>("timeAdded").Doc("When a NoExecute taint was put on.");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeSpec>() {
  using S = NodeSpec;
  static const StructDescriptor table = MakeTable<S>("NodeSpec", kPartial, [](TableBuilder& t) {
    t.Field<&S::pod_cidr>("podCIDR");
    t.Field<&S::provider_id>("providerID");
    t.Field<&S::unschedulable>("unschedulable");
    t.Field<&S::taints>("taints").Atomic();
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeCondition>() {
  using S = NodeCondition;
  static const StructDescriptor table =
      MakeTable<S>("NodeCondition", kComplete, [](TableBuilder& t) {
        t.Field<&S::type>("type").Required().AlwaysWritten();
        t.Field<&S::status>("status").Required().AlwaysWritten();
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
  static const StructDescriptor table = MakeTable<S>("NodeAddress", kComplete, [](TableBuilder& t) {
    t.Field<&S::type>("type").Required().AlwaysWritten();
    t.Field<&S::address>("address").Required().AlwaysWritten();
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeSystemInfo>() {
  using S = NodeSystemInfo;
  static const StructDescriptor table =
      MakeTable<S>("NodeSystemInfo", kPartial, [](TableBuilder& t) {
        t.Field<&S::machine_id>("machineID").AlwaysWritten();
        t.Field<&S::system_uuid>("systemUUID").AlwaysWritten();
        t.Field<&S::boot_id>("bootID").AlwaysWritten();
        t.Field<&S::kernel_version>("kernelVersion").AlwaysWritten();
        t.Field<&S::os_image>("osImage").AlwaysWritten();
        t.Field<&S::container_runtime_version>("containerRuntimeVersion").AlwaysWritten();
        t.Field<&S::kubelet_version>("kubeletVersion").AlwaysWritten();
        t.Field<&S::kube_proxy_version>("kubeProxyVersion").AlwaysWritten();
        t.Field<&S::operating_system>("operatingSystem").AlwaysWritten();
        t.Field<&S::architecture>("architecture").AlwaysWritten();
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeStatus>() {
  using S = NodeStatus;
  static const StructDescriptor table = MakeTable<S>("NodeStatus", kPartial, [](TableBuilder& t) {
    t.Field<&S::capacity>("capacity");
    t.Field<&S::allocatable>("allocatable");
    t.Field<&S::conditions>("conditions").MapBy("type");
    t.Field<&S::addresses>("addresses").MapBy("type");
    t.Field<&S::node_info>("nodeInfo");
  });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Node>() {
  using S = Node;
  static const StructDescriptor table =
      MakeTable<S>("Node", kPartial | kTopLevel, [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec");
        t.Field<&S::status>("status");
      });
  return table;
}

}  // namespace kueue::api
