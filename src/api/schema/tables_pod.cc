#include "api/schema/descriptors.h"
#include "api/schema/table_builder.h"

// Tables of pods and their parts. Pods carry far more than scheduling needs: what is not named here
// is kept as it came.
namespace kueue::api {

template <>
const StructDescriptor& DescriptorOf<Toleration>() {
  using S = Toleration;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.Toleration", [](TableBuilder& t) {
        t.Field<&S::key>("key").Doc(
            "The taint's key; empty with operator Exists tolerates every taint.");
        t.Field<&S::op>("operator").Doc("Equal (as if absent) or Exists.");
        t.Field<&S::value>("value").Doc("The taint's value, with operator Equal.");
        t.Field<&S::effect>("effect").Doc("The taint's effect; empty tolerates all effects.");
        t.Field<&S::toleration_seconds>("tolerationSeconds")
            .Doc("How long a NoExecute taint is tolerated; absent means for ever.");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeSelectorRequirement>() {
  using S = NodeSelectorRequirement;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeSelectorRequirement", [](TableBuilder& t) {
        t.Field<&S::key>("key");
        t.Field<&S::op>("operator");
        t.Field<&S::values>("values");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeSelectorTerm>() {
  using S = NodeSelectorTerm;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeSelectorTerm", [](TableBuilder& t) {
        t.Field<&S::match_expressions>("matchExpressions");
        t.Field<&S::match_fields>("matchFields");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeSelector>() {
  using S = NodeSelector;
  static const StructDescriptor table = MakeKubernetesTable<S>(
      "core.v1.NodeSelector",
      [](TableBuilder& t) { t.Field<&S::node_selector_terms>("nodeSelectorTerms"); });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PreferredSchedulingTerm>() {
  using S = PreferredSchedulingTerm;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.PreferredSchedulingTerm", [](TableBuilder& t) {
        t.Field<&S::weight>("weight");
        t.Field<&S::preference>("preference");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<NodeAffinity>() {
  using S = NodeAffinity;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.NodeAffinity", [](TableBuilder& t) {
        t.Field<&S::required_during_scheduling_ignored_during_execution>(
            "requiredDuringSchedulingIgnoredDuringExecution");
        t.Field<&S::preferred_during_scheduling_ignored_during_execution>(
            "preferredDuringSchedulingIgnoredDuringExecution");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Affinity>() {
  using S = Affinity;
  static const StructDescriptor table = MakeKubernetesTable<S>(
      "core.v1.Affinity", [](TableBuilder& t) { t.Field<&S::node_affinity>("nodeAffinity"); });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ResourceRequirements>() {
  using S = ResourceRequirements;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ResourceRequirements", [](TableBuilder& t) {
        t.Field<&S::limits>("limits");
        t.Field<&S::requests>("requests");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ContainerPort>() {
  using S = ContainerPort;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ContainerPort", [](TableBuilder& t) {
        t.Field<&S::name>("name");
        t.Field<&S::host_port>("hostPort");
        t.Field<&S::container_port>("containerPort");
        t.Field<&S::protocol>("protocol");
        t.Field<&S::host_ip>("hostIP");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<EnvVar>() {
  using S = EnvVar;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.EnvVar", [](TableBuilder& t) {
        t.Field<&S::name>("name");
        t.Field<&S::value>("value");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Container>() {
  using S = Container;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.Container", [](TableBuilder& t) {
        t.Field<&S::name>("name");
        t.Field<&S::image>("image");
        t.Field<&S::command>("command");
        t.Field<&S::args>("args");
        t.Field<&S::working_dir>("workingDir");
        t.Field<&S::ports>("ports");
        t.Field<&S::env>("env");
        t.Field<&S::resources>("resources");
        t.Field<&S::restart_policy>("restartPolicy");
        t.Field<&S::termination_message_path>("terminationMessagePath");
        t.Field<&S::termination_message_policy>("terminationMessagePolicy");
        t.Field<&S::image_pull_policy>("imagePullPolicy");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodSchedulingGate>() {
  using S = PodSchedulingGate;
  static const StructDescriptor table = MakeKubernetesTable<S>(
      "core.v1.PodSchedulingGate", [](TableBuilder& t) { t.Field<&S::name>("name"); });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodSpec>() {
  using S = PodSpec;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.PodSpec", [](TableBuilder& t) {
        t.Field<&S::init_containers>("initContainers");
        t.Field<&S::containers>("containers");
        t.Field<&S::restart_policy>("restartPolicy");
        t.Field<&S::termination_grace_period_seconds>("terminationGracePeriodSeconds");
        t.Field<&S::active_deadline_seconds>("activeDeadlineSeconds");
        t.Field<&S::dns_policy>("dnsPolicy");
        t.Field<&S::node_selector>("nodeSelector");
        t.Field<&S::service_account_name>("serviceAccountName");
        t.Field<&S::node_name>("nodeName");
        t.Field<&S::affinity>("affinity");
        t.Field<&S::scheduler_name>("schedulerName");
        t.Field<&S::tolerations>("tolerations");
        t.Field<&S::priority_class_name>("priorityClassName");
        t.Field<&S::priority>("priority");
        t.Field<&S::runtime_class_name>("runtimeClassName");
        t.Field<&S::overhead>("overhead");
        t.Field<&S::scheduling_gates>("schedulingGates");
        t.Field<&S::resources>("resources");
        t.Field<&S::hostname>("hostname");
        t.Field<&S::subdomain>("subdomain");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodTemplateSpec>() {
  using S = PodTemplateSpec;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.PodTemplateSpec", [](TableBuilder& t) {
        t.Field<&S::metadata>("metadata");
        t.Field<&S::spec>("spec");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ContainerStateTerminated>() {
  using S = ContainerStateTerminated;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ContainerStateTerminated", [](TableBuilder& t) {
        t.Field<&S::exit_code>("exitCode");
        t.Field<&S::reason>("reason");
        t.Field<&S::message>("message");
        t.Field<&S::started_at>("startedAt");
        t.Field<&S::finished_at>("finishedAt");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ContainerStateRunning>() {
  using S = ContainerStateRunning;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ContainerStateRunning",
                             [](TableBuilder& t) { t.Field<&S::started_at>("startedAt"); });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ContainerStateWaiting>() {
  using S = ContainerStateWaiting;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ContainerStateWaiting", [](TableBuilder& t) {
        t.Field<&S::reason>("reason");
        t.Field<&S::message>("message");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ContainerState>() {
  using S = ContainerState;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ContainerState", [](TableBuilder& t) {
        t.Field<&S::waiting>("waiting");
        t.Field<&S::running>("running");
        t.Field<&S::terminated>("terminated");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<ContainerStatus>() {
  using S = ContainerStatus;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.ContainerStatus", [](TableBuilder& t) {
        t.Field<&S::name>("name");
        t.Field<&S::state>("state");
        t.Field<&S::last_state>("lastState");
        t.Field<&S::ready>("ready");
        t.Field<&S::restart_count>("restartCount");
        t.Field<&S::image>("image");
        t.Field<&S::image_id>("imageID");
        t.Field<&S::container_id>("containerID");
        t.Field<&S::started>("started");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodCondition>() {
  using S = PodCondition;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.PodCondition", [](TableBuilder& t) {
        t.Field<&S::type>("type");
        t.Field<&S::status>("status");
        t.Field<&S::last_probe_time>("lastProbeTime");
        t.Field<&S::last_transition_time>("lastTransitionTime");
        t.Field<&S::reason>("reason");
        t.Field<&S::message>("message");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<PodStatus>() {
  using S = PodStatus;
  static const StructDescriptor table =
      MakeKubernetesTable<S>("core.v1.PodStatus", [](TableBuilder& t) {
        t.Field<&S::phase>("phase");
        t.Field<&S::conditions>("conditions");
        t.Field<&S::message>("message");
        t.Field<&S::reason>("reason");
        t.Field<&S::host_ip>("hostIP");
        t.Field<&S::pod_ip>("podIP");
        t.Field<&S::start_time>("startTime");
        t.Field<&S::init_container_statuses>("initContainerStatuses");
        t.Field<&S::container_statuses>("containerStatuses");
        t.Field<&S::qos_class>("qosClass");
      });
  return table;
}

template <>
const StructDescriptor& DescriptorOf<Pod>() {
  using S = Pod;
  static const StructDescriptor table = MakeKubernetesTable<S>("core.v1.Pod", [](TableBuilder& t) {
    t.Field<&S::metadata>("metadata");
    t.Field<&S::spec>("spec");
    t.Field<&S::status>("status");
  });
  return table;
}

}  // namespace kueue::api
