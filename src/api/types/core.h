#pragma once

#include "api/types/meta.h"

// Kinds of the Kubernetes core group, as far as scheduling and running jobs needs them; what a
// struct does not name stays in its `extra`.
namespace kueue::api {

struct Taint {
  std::string key, value, effect;
  std::optional<Time> time_added;
  Extra extra;
  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Toleration {
  std::string key, op, value, effect;  // op: JSON name operator
  std::optional<int64_t> toleration_seconds;
  Extra extra;
  friend bool operator==(const Toleration&, const Toleration&) = default;
};

struct NodeSelectorRequirement {
  std::string key, op;
  std::vector<std::string> values;
  Extra extra;
  friend bool operator==(const NodeSelectorRequirement&, const NodeSelectorRequirement&) = default;
};

struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions, match_fields;
  Extra extra;
  friend bool operator==(const NodeSelectorTerm&, const NodeSelectorTerm&) = default;
};

struct NodeSelector {
  std::vector<NodeSelectorTerm> node_selector_terms;
  Extra extra;
  friend bool operator==(const NodeSelector&, const NodeSelector&) = default;
};

struct PreferredSchedulingTerm {
  int32_t weight = 0;
  NodeSelectorTerm preference;
  Extra extra;
  friend bool operator==(const PreferredSchedulingTerm&, const PreferredSchedulingTerm&) = default;
};

struct NodeAffinity {
  std::optional<NodeSelector> required_during_scheduling_ignored_during_execution;
  std::vector<PreferredSchedulingTerm> preferred_during_scheduling_ignored_during_execution;
  Extra extra;
  friend bool operator==(const NodeAffinity&, const NodeAffinity&) = default;
};

struct Affinity {
  std::optional<NodeAffinity> node_affinity;
  Extra extra;  // podAffinity, podAntiAffinity
  friend bool operator==(const Affinity&, const Affinity&) = default;
};

struct ResourceRequirements {
  ResourceList limits, requests;
  Extra extra;  // claims
  friend bool operator==(const ResourceRequirements&, const ResourceRequirements&) = default;
};

struct ContainerPort {
  std::string name, protocol, host_ip;
  int32_t container_port = 0, host_port = 0;
  Extra extra;
  friend bool operator==(const ContainerPort&, const ContainerPort&) = default;
};

struct EnvVar {
  std::string name, value;
  Extra extra;  // valueFrom
  friend bool operator==(const EnvVar&, const EnvVar&) = default;
};

struct Container {
  std::string name, image;
  std::vector<std::string> command, args;
  std::string working_dir;
  std::vector<ContainerPort> ports;
  std::vector<EnvVar> env;
  ResourceRequirements resources;
  std::string restart_policy;  // of an init container: "Always" makes it a sidecar
  std::string image_pull_policy, termination_message_path, termination_message_policy;
  Extra extra;
  friend bool operator==(const Container&, const Container&) = default;
};

struct PodSchedulingGate {
  std::string name;
  Extra extra;
  friend bool operator==(const PodSchedulingGate&, const PodSchedulingGate&) = default;
};

struct PodSpec {
  std::vector<Container> init_containers, containers;
  std::string restart_policy;
  std::optional<int64_t> termination_grace_period_seconds, active_deadline_seconds;
  std::string dns_policy, service_account_name, node_name, scheduler_name;
  StringMap node_selector;
  std::optional<Affinity> affinity;
  std::vector<Toleration> tolerations;
  std::vector<PodSchedulingGate> scheduling_gates;
  std::string priority_class_name;
  std::optional<int32_t> priority;
  std::optional<std::string> runtime_class_name;
  ResourceList overhead;
  std::optional<ResourceRequirements> resources;  // pod-level
  std::string hostname, subdomain;
  Extra extra;
  friend bool operator==(const PodSpec&, const PodSpec&) = default;
};

struct PodTemplateSpec {
  ObjectMeta metadata;
  PodSpec spec;
  Extra extra;
  friend bool operator==(const PodTemplateSpec&, const PodTemplateSpec&) = default;
};

struct ContainerStateTerminated {
  int32_t exit_code = 0;
  std::string reason, message;
  std::optional<Time> started_at, finished_at;
  Extra extra;
  friend bool operator==(const ContainerStateTerminated&,
                         const ContainerStateTerminated&) = default;
};
struct ContainerStateRunning {
  std::optional<Time> started_at;
  Extra extra;
  friend bool operator==(const ContainerStateRunning&, const ContainerStateRunning&) = default;
};
struct ContainerStateWaiting {
  std::string reason, message;
  Extra extra;
  friend bool operator==(const ContainerStateWaiting&, const ContainerStateWaiting&) = default;
};
struct ContainerState {
  std::optional<ContainerStateWaiting> waiting;
  std::optional<ContainerStateRunning> running;
  std::optional<ContainerStateTerminated> terminated;
  Extra extra;
  friend bool operator==(const ContainerState&, const ContainerState&) = default;
};
struct ContainerStatus {
  std::string name, image, image_id, container_id;
  bool ready = false;
  std::optional<bool> started;
  int32_t restart_count = 0;
  ContainerState state, last_state;
  Extra extra;
  friend bool operator==(const ContainerStatus&, const ContainerStatus&) = default;
};

// A pod's or a job's condition: as metav1.Condition with a probe time and without required fields.
struct PodCondition {
  std::string type;
  ConditionStatus status = ConditionStatus::kUnknown;
  std::optional<Time> last_probe_time, last_transition_time;
  std::string reason, message;
  Extra extra;  // observedGeneration
  friend bool operator==(const PodCondition&, const PodCondition&) = default;
};

struct PodStatus {
  std::string phase;  // Pending, Running, Succeeded, Failed, Unknown
  std::vector<PodCondition> conditions;
  std::string message, reason, host_ip, pod_ip, qos_class;
  std::optional<Time> start_time;
  std::vector<ContainerStatus> init_container_statuses, container_statuses;
  Extra extra;
  friend bool operator==(const PodStatus&, const PodStatus&) = default;
};

struct Pod {
  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;
  Extra extra;
  friend bool operator==(const Pod&, const Pod&) = default;
};

struct NamespaceSpec {
  std::vector<std::string> finalizers;
  Extra extra;
  friend bool operator==(const NamespaceSpec&, const NamespaceSpec&) = default;
};
struct NamespaceStatus {
  std::string phase;  // Active, Terminating
  Extra extra;
  friend bool operator==(const NamespaceStatus&, const NamespaceStatus&) = default;
};
struct Namespace {
  ObjectMeta metadata;
  NamespaceSpec spec;
  NamespaceStatus status;
  Extra extra;
  friend bool operator==(const Namespace&, const Namespace&) = default;
};

struct NodeSpec {
  std::string pod_cidr, provider_id;
  bool unschedulable = false;
  std::vector<Taint> taints;
  Extra extra;
  friend bool operator==(const NodeSpec&, const NodeSpec&) = default;
};
struct NodeCondition {
  std::string type;
  ConditionStatus status = ConditionStatus::kUnknown;
  std::optional<Time> last_heartbeat_time, last_transition_time;
  std::string reason, message;
  Extra extra;
  friend bool operator==(const NodeCondition&, const NodeCondition&) = default;
};
struct NodeAddress {
  std::string type, address;
  Extra extra;
  friend bool operator==(const NodeAddress&, const NodeAddress&) = default;
};
struct NodeSystemInfo {
  std::string machine_id, system_uuid, boot_id, kernel_version, os_image, container_runtime_version,
      kubelet_version, kube_proxy_version, operating_system, architecture;
  Extra extra;
  friend bool operator==(const NodeSystemInfo&, const NodeSystemInfo&) = default;
};
struct NodeStatus {
  ResourceList capacity, allocatable;
  std::vector<NodeCondition> conditions;
  std::vector<NodeAddress> addresses;
  NodeSystemInfo node_info;
  Extra extra;
  friend bool operator==(const NodeStatus&, const NodeStatus&) = default;
};
struct Node {
  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;
  Extra extra;
  friend bool operator==(const Node&, const Node&) = default;
};

struct ObjectReference {
  std::string kind, namespace_name, name, uid, api_version, resource_version, field_path;
  Extra extra;
  friend bool operator==(const ObjectReference&, const ObjectReference&) = default;
};
struct EventSource {
  std::string component, host;
  Extra extra;
  friend bool operator==(const EventSource&, const EventSource&) = default;
};
struct EventSeries {
  int32_t count = 0;
  std::optional<Time> last_observed_time;  // MicroTime
  Extra extra;
  friend bool operator==(const EventSeries&, const EventSeries&) = default;
};
// core/v1 Event.
struct Event {
  ObjectMeta metadata;
  ObjectReference involved_object;
  std::string reason, message;
  EventSource source;
  std::optional<Time> first_timestamp, last_timestamp;
  int32_t count = 0;
  std::string type;                // Normal, Warning
  std::optional<Time> event_time;  // MicroTime
  std::optional<EventSeries> series;
  std::string action;
  std::optional<ObjectReference> related;
  std::string reporting_component, reporting_instance;
  Extra extra;
  friend bool operator==(const Event&, const Event&) = default;
};

struct Secret {
  ObjectMeta metadata;
  StringMap data, string_data;  // data: base64 as on the wire
  std::string type;
  Extra extra;
  friend bool operator==(const Secret&, const Secret&) = default;
};
struct ConfigMap {
  ObjectMeta metadata;
  StringMap data, binary_data;
  Extra extra;
  friend bool operator==(const ConfigMap&, const ConfigMap&) = default;
};

struct LeaseSpec {
  std::optional<std::string> holder_identity;
  std::optional<int32_t> lease_duration_seconds, lease_transitions;
  std::optional<Time> acquire_time, renew_time;  // MicroTime
  Extra extra;
  friend bool operator==(const LeaseSpec&, const LeaseSpec&) = default;
};
// coordination.k8s.io/v1 Lease.
struct Lease {
  ObjectMeta metadata;
  LeaseSpec spec;
  Extra extra;
  friend bool operator==(const Lease&, const Lease&) = default;
};

}  // namespace kueue::api
