// Written by tools/generate_tables from a Kubernetes 1.36 API server. Not edited by hand.
#include "api/schema/facts/facts.h"

namespace kueue::api::facts {
namespace {

constexpr FieldFacts kCoreV1Affinity[] = {
    {"nodeAffinity", "core.v1.NodeAffinity", kPointer},
    {"podAffinity", "core.v1.PodAffinity", kPointer},
    {"podAntiAffinity", "core.v1.PodAntiAffinity", kPointer},
};
constexpr FieldFacts kCoreV1AppArmorProfile[] = {
    {"localhostProfile", "string", kPointer},
    {"type", "string", kRequired | kWritten, "", "", "", "Localhost|RuntimeDefault|Unconfined"},
};
constexpr FieldFacts kCoreV1Capabilities[] = {
    {"add", "[]string", kAtomic},
    {"drop", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1ConfigMapEnvSource[] = {
    {"name", "string", 0, "", "", "\"\""},
    {"optional", "bool", kPointer},
};
constexpr FieldFacts kCoreV1ConfigMapKeySelector[] = {
    {"key", "string", kRequired | kWritten},
    {"name", "string", 0, "", "", "\"\""},
    {"optional", "bool", kPointer},
};
constexpr FieldFacts kCoreV1Container[] = {
    {"args", "[]string", kAtomic},
    {"command", "[]string", kAtomic},
    {"env", "[]core.v1.EnvVar", kMap | kMerge, "name", "name"},
    {"envFrom", "[]core.v1.EnvFromSource", kAtomic},
    {"image", "string"},
    {"imagePullPolicy", "string", 0, "", "", "", "Always|IfNotPresent|Never"},
    {"lifecycle", "core.v1.Lifecycle", kPointer},
    {"livenessProbe", "core.v1.Probe", kPointer},
    {"name", "string", kRequired | kWritten},
    {"ports", "[]core.v1.ContainerPort", kMap | kMerge, "containerPort,protocol", "containerPort"},
    {"readinessProbe", "core.v1.Probe", kPointer},
    {"resizePolicy", "[]core.v1.ContainerResizePolicy", kAtomic},
    {"resources", "core.v1.ResourceRequirements", kWritten},
    {"restartPolicy", "string", kPointer},
    {"restartPolicyRules", "[]core.v1.ContainerRestartRule", kAtomic},
    {"securityContext", "core.v1.SecurityContext", kPointer},
    {"startupProbe", "core.v1.Probe", kPointer},
    {"stdin", "bool"},
    {"stdinOnce", "bool"},
    {"terminationMessagePath", "string"},
    {"terminationMessagePolicy", "string", 0, "", "", "", "FallbackToLogsOnError|File"},
    {"tty", "bool"},
    {"volumeDevices", "[]core.v1.VolumeDevice", kMap | kMerge, "devicePath", "devicePath"},
    {"volumeMounts", "[]core.v1.VolumeMount", kMap | kMerge, "mountPath", "mountPath"},
    {"workingDir", "string"},
};
constexpr FieldFacts kCoreV1ContainerExtendedResourceRequest[] = {
    {"containerName", "string", kRequired | kWritten},
    {"requestName", "string", kRequired | kWritten},
    {"resourceName", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ContainerPort[] = {
    {"containerPort", "int32", kRequired | kWritten},
    {"hostIP", "string"},
    {"hostPort", "int32"},
    {"name", "string"},
    {"protocol", "string", 0, "", "", "\"TCP\"", "SCTP|TCP|UDP"},
};
constexpr FieldFacts kCoreV1ContainerResizePolicy[] = {
    {"resourceName", "string", kRequired | kWritten},
    {"restartPolicy", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ContainerRestartRule[] = {
    {"action", "string", kRequired},
    {"exitCodes", "core.v1.ContainerRestartRuleOnExitCodes", kPointer},
};
constexpr FieldFacts kCoreV1ContainerRestartRuleOnExitCodes[] = {
    {"operator", "string", kRequired},
    {"values", "[]int32", kSet},
};
constexpr FieldFacts kCoreV1ContainerState[] = {
    {"running", "core.v1.ContainerStateRunning", kPointer},
    {"terminated", "core.v1.ContainerStateTerminated", kPointer},
    {"waiting", "core.v1.ContainerStateWaiting", kPointer},
};
constexpr FieldFacts kCoreV1ContainerStateRunning[] = {
    {"startedAt", "time", kWritten},
};
constexpr FieldFacts kCoreV1ContainerStateTerminated[] = {
    {"containerID", "string"},
    {"exitCode", "int32", kRequired | kWritten},
    {"finishedAt", "time", kWritten},
    {"message", "string"},
    {"reason", "string"},
    {"signal", "int32"},
    {"startedAt", "time", kWritten},
};
constexpr FieldFacts kCoreV1ContainerStateWaiting[] = {
    {"message", "string"},
    {"reason", "string"},
};
constexpr FieldFacts kCoreV1ContainerStatus[] = {
    {"allocatedResources", "{}quantity"},
    {"allocatedResourcesStatus", "[]core.v1.ResourceStatus", kMap | kMerge, "name", "name"},
    {"containerID", "string"},
    {"image", "string", kRequired | kWritten},
    {"imageID", "string", kRequired | kWritten},
    {"lastState", "core.v1.ContainerState", kWritten},
    {"name", "string", kRequired | kWritten},
    {"ready", "bool", kRequired | kWritten},
    {"resources", "core.v1.ResourceRequirements", kPointer},
    {"restartCount", "int32", kRequired | kWritten},
    {"started", "bool", kPointer},
    {"state", "core.v1.ContainerState", kWritten},
    {"stopSignal", "string", kPointer, "", "", "",
     "SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|"
     "SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|"
     "SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|"
     "SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|"
     "SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|"
     "SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|"
     "SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ"},
    {"user", "core.v1.ContainerUser", kPointer},
    {"volumeMounts", "[]core.v1.VolumeMountStatus", kMap | kMerge, "mountPath", "mountPath"},
};
constexpr FieldFacts kCoreV1ContainerUser[] = {
    {"linux", "core.v1.LinuxContainerUser", kPointer},
};
constexpr FieldFacts kCoreV1EnvFromSource[] = {
    {"configMapRef", "core.v1.ConfigMapEnvSource", kPointer},
    {"prefix", "string"},
    {"secretRef", "core.v1.SecretEnvSource", kPointer},
};
constexpr FieldFacts kCoreV1EnvVar[] = {
    {"name", "string", kRequired | kWritten},
    {"value", "string"},
    {"valueFrom", "core.v1.EnvVarSource", kPointer},
};
constexpr FieldFacts kCoreV1EnvVarSource[] = {
    {"configMapKeyRef", "core.v1.ConfigMapKeySelector", kPointer},
    {"fieldRef", "core.v1.ObjectFieldSelector", kPointer},
    {"fileKeyRef", "core.v1.FileKeySelector", kPointer},
    {"resourceFieldRef", "core.v1.ResourceFieldSelector", kPointer},
    {"secretKeyRef", "core.v1.SecretKeySelector", kPointer},
};
constexpr FieldFacts kCoreV1EphemeralContainer[] = {
    {"args", "[]string", kAtomic},
    {"command", "[]string", kAtomic},
    {"env", "[]core.v1.EnvVar", kMap | kMerge, "name", "name"},
    {"envFrom", "[]core.v1.EnvFromSource", kAtomic},
    {"image", "string"},
    {"imagePullPolicy", "string", 0, "", "", "", "Always|IfNotPresent|Never"},
    {"lifecycle", "core.v1.Lifecycle", kPointer},
    {"livenessProbe", "core.v1.Probe", kPointer},
    {"name", "string", kRequired | kWritten},
    {"ports", "[]core.v1.ContainerPort", kMap | kMerge, "containerPort,protocol", "containerPort"},
    {"readinessProbe", "core.v1.Probe", kPointer},
    {"resizePolicy", "[]core.v1.ContainerResizePolicy", kAtomic},
    {"resources", "core.v1.ResourceRequirements", kWritten},
    {"restartPolicy", "string", kPointer},
    {"restartPolicyRules", "[]core.v1.ContainerRestartRule", kAtomic},
    {"securityContext", "core.v1.SecurityContext", kPointer},
    {"startupProbe", "core.v1.Probe", kPointer},
    {"stdin", "bool"},
    {"stdinOnce", "bool"},
    {"targetContainerName", "string"},
    {"terminationMessagePath", "string"},
    {"terminationMessagePolicy", "string", 0, "", "", "", "FallbackToLogsOnError|File"},
    {"tty", "bool"},
    {"volumeDevices", "[]core.v1.VolumeDevice", kMap | kMerge, "devicePath", "devicePath"},
    {"volumeMounts", "[]core.v1.VolumeMount", kMap | kMerge, "mountPath", "mountPath"},
    {"workingDir", "string"},
};
constexpr FieldFacts kCoreV1ExecAction[] = {
    {"command", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1FileKeySelector[] = {
    {"key", "string", kRequired | kWritten},
    {"optional", "bool", kPointer, "", "", "false"},
    {"path", "string", kRequired | kWritten},
    {"volumeName", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1GRPCAction[] = {
    {"port", "int32", kRequired | kWritten},
    {"service", "string", kPointer | kWritten, "", "", "\"\""},
};
constexpr FieldFacts kCoreV1HTTPGetAction[] = {
    {"host", "string"},
    {"httpHeaders", "[]core.v1.HTTPHeader", kAtomic},
    {"path", "string"},
    {"port", "intorstring", kRequired | kWritten},
    {"scheme", "string", 0, "", "", "", "HTTP|HTTPS"},
};
constexpr FieldFacts kCoreV1HTTPHeader[] = {
    {"name", "string", kRequired | kWritten},
    {"value", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1HostAlias[] = {
    {"hostnames", "[]string", kAtomic},
    {"ip", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1HostIP[] = {
    {"ip", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ImageVolumeStatus[] = {
    {"imageRef", "string", kRequired},
};
constexpr FieldFacts kCoreV1Lifecycle[] = {
    {"postStart", "core.v1.LifecycleHandler", kPointer},
    {"preStop", "core.v1.LifecycleHandler", kPointer},
    {"stopSignal", "string", kPointer, "", "", "",
     "SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|"
     "SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|"
     "SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|"
     "SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|"
     "SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|"
     "SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|"
     "SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ"},
};
constexpr FieldFacts kCoreV1LifecycleHandler[] = {
    {"exec", "core.v1.ExecAction", kPointer},
    {"httpGet", "core.v1.HTTPGetAction", kPointer},
    {"sleep", "core.v1.SleepAction", kPointer},
    {"tcpSocket", "core.v1.TCPSocketAction", kPointer},
};
constexpr FieldFacts kCoreV1LinuxContainerUser[] = {
    {"gid", "int64", kRequired | kWritten},
    {"supplementalGroups", "[]int64", kAtomic},
    {"uid", "int64", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1NodeAffinity[] = {
    {"preferredDuringSchedulingIgnoredDuringExecution", "[]core.v1.PreferredSchedulingTerm",
     kAtomic},
    {"requiredDuringSchedulingIgnoredDuringExecution", "core.v1.NodeSelector", kPointer},
};
constexpr FieldFacts kCoreV1NodeAllocatableResourceClaimStatus[] = {
    {"containers", "[]string", kSet},
    {"resourceClaimName", "string", kRequired | kWritten},
    {"resources", "{}quantity", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1Pod[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.PodSpec", kWritten},
    {"status", "core.v1.PodStatus", kWritten},
};
constexpr FieldFacts kCoreV1PodAffinity[] = {
    {"preferredDuringSchedulingIgnoredDuringExecution", "[]core.v1.WeightedPodAffinityTerm",
     kAtomic},
    {"requiredDuringSchedulingIgnoredDuringExecution", "[]core.v1.PodAffinityTerm", kAtomic},
};
constexpr FieldFacts kCoreV1PodAffinityTerm[] = {
    {"labelSelector", "meta.v1.LabelSelector", kPointer},
    {"matchLabelKeys", "[]string", kAtomic},
    {"mismatchLabelKeys", "[]string", kAtomic},
    {"namespaceSelector", "meta.v1.LabelSelector", kPointer},
    {"namespaces", "[]string", kAtomic},
    {"topologyKey", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodAntiAffinity[] = {
    {"preferredDuringSchedulingIgnoredDuringExecution", "[]core.v1.WeightedPodAffinityTerm",
     kAtomic},
    {"requiredDuringSchedulingIgnoredDuringExecution", "[]core.v1.PodAffinityTerm", kAtomic},
};
constexpr FieldFacts kCoreV1PodCondition[] = {
    {"lastProbeTime", "time", kWritten},
    {"lastTransitionTime", "time", kWritten},
    {"message", "string"},
    {"observedGeneration", "int64"},
    {"reason", "string"},
    {"status", "string", kRequired | kWritten},
    {"type", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodDNSConfig[] = {
    {"nameservers", "[]string", kAtomic},
    {"options", "[]core.v1.PodDNSConfigOption", kAtomic},
    {"searches", "[]string", kAtomic},
};
constexpr FieldFacts kCoreV1PodDNSConfigOption[] = {
    {"name", "string"},
    {"value", "string", kPointer},
};
constexpr FieldFacts kCoreV1PodExtendedResourceClaimStatus[] = {
    {"requestMappings", "[]core.v1.ContainerExtendedResourceRequest",
     kRequired | kWritten | kAtomic},
    {"resourceClaimName", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodIP[] = {
    {"ip", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodOS[] = {
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodReadinessGate[] = {
    {"conditionType", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodResourceClaim[] = {
    {"name", "string", kRequired | kWritten},
    {"resourceClaimName", "string", kPointer},
    {"resourceClaimTemplateName", "string", kPointer},
};
constexpr FieldFacts kCoreV1PodResourceClaimStatus[] = {
    {"name", "string", kRequired | kWritten},
    {"resourceClaimName", "string", kPointer},
};
constexpr FieldFacts kCoreV1PodSchedulingGate[] = {
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1PodSchedulingGroup[] = {
    {"podGroupName", "string", kPointer},
};
constexpr FieldFacts kCoreV1PodSecurityContext[] = {
    {"appArmorProfile", "core.v1.AppArmorProfile", kPointer},
    {"fsGroup", "int64", kPointer},
    {"fsGroupChangePolicy", "string", kPointer, "", "", "", "Always|OnRootMismatch"},
    {"runAsGroup", "int64", kPointer},
    {"runAsNonRoot", "bool", kPointer},
    {"runAsUser", "int64", kPointer},
    {"seLinuxChangePolicy", "string", kPointer},
    {"seLinuxOptions", "core.v1.SELinuxOptions", kPointer},
    {"seccompProfile", "core.v1.SeccompProfile", kPointer},
    {"supplementalGroups", "[]int64", kAtomic},
    {"supplementalGroupsPolicy", "string", kPointer, "", "", "", "Merge|Strict"},
    {"sysctls", "[]core.v1.Sysctl", kAtomic},
    {"windowsOptions", "core.v1.WindowsSecurityContextOptions", kPointer},
};
constexpr FieldFacts kCoreV1PodSpec[] = {
    {"activeDeadlineSeconds", "int64", kPointer},
    {"affinity", "core.v1.Affinity", kPointer},
    {"automountServiceAccountToken", "bool", kPointer},
    {"containers", "[]core.v1.Container", kRequired | kWritten | kMap | kMerge, "name", "name"},
    {"dnsConfig", "core.v1.PodDNSConfig", kPointer},
    {"dnsPolicy", "string", 0, "", "", "", "ClusterFirst|ClusterFirstWithHostNet|Default|None"},
    {"enableServiceLinks", "bool", kPointer},
    {"ephemeralContainers", "[]core.v1.EphemeralContainer", kMap | kMerge, "name", "name"},
    {"hostAliases", "[]core.v1.HostAlias", kMap | kMerge, "ip", "ip"},
    {"hostIPC", "bool"},
    {"hostNetwork", "bool"},
    {"hostPID", "bool"},
    {"hostUsers", "bool", kPointer},
    {"hostname", "string"},
    {"hostnameOverride", "string", kPointer},
    {"imagePullSecrets", "[]core.v1.LocalObjectReference", kMap | kMerge, "name", "name"},
    {"initContainers", "[]core.v1.Container", kMap | kMerge, "name", "name"},
    {"nodeName", "string"},
    {"nodeSelector", "{}string", kAtomic},
    {"os", "core.v1.PodOS", kPointer},
    {"overhead", "{}quantity"},
    {"preemptionPolicy", "string", kPointer, "", "", "", "Never|PreemptLowerPriority"},
    {"priority", "int32", kPointer},
    {"priorityClassName", "string"},
    {"readinessGates", "[]core.v1.PodReadinessGate", kAtomic},
    {"resourceClaims", "[]core.v1.PodResourceClaim", kMap | kMerge | kRetainKeys, "name", "name"},
    {"resources", "core.v1.ResourceRequirements", kPointer},
    {"restartPolicy", "string", 0, "", "", "", "Always|Never|OnFailure"},
    {"runtimeClassName", "string", kPointer},
    {"schedulerName", "string"},
    {"schedulingGates", "[]core.v1.PodSchedulingGate", kMap | kMerge, "name", "name"},
    {"schedulingGroup", "core.v1.PodSchedulingGroup", kPointer},
    {"securityContext", "core.v1.PodSecurityContext", kPointer},
    {"serviceAccount", "string"},
    {"serviceAccountName", "string"},
    {"setHostnameAsFQDN", "bool", kPointer},
    {"shareProcessNamespace", "bool", kPointer},
    {"subdomain", "string"},
    {"terminationGracePeriodSeconds", "int64", kPointer},
    {"tolerations", "[]core.v1.Toleration", kAtomic},
    {"topologySpreadConstraints", "[]core.v1.TopologySpreadConstraint", kMap | kMerge,
     "topologyKey,whenUnsatisfiable", "topologyKey"},
    {"volumes", "[]core.v1.Volume", kMap | kMerge | kRetainKeys, "name", "name"},
};
constexpr FieldFacts kCoreV1PodStatus[] = {
    {"allocatedResources", "{}quantity"},
    {"conditions", "[]core.v1.PodCondition", kMap | kMerge, "type", "type"},
    {"containerStatuses", "[]core.v1.ContainerStatus", kAtomic},
    {"ephemeralContainerStatuses", "[]core.v1.ContainerStatus", kAtomic},
    {"extendedResourceClaimStatus", "core.v1.PodExtendedResourceClaimStatus", kPointer},
    {"hostIP", "string"},
    {"hostIPs", "[]core.v1.HostIP", kAtomic | kMerge, "", "ip"},
    {"initContainerStatuses", "[]core.v1.ContainerStatus", kAtomic},
    {"message", "string"},
    {"nodeAllocatableResourceClaimStatuses", "[]core.v1.NodeAllocatableResourceClaimStatus",
     kAtomic},
    {"nominatedNodeName", "string"},
    {"observedGeneration", "int64"},
    {"phase", "string", 0, "", "", "", "Failed|Pending|Running|Succeeded|Unknown"},
    {"podIP", "string"},
    {"podIPs", "[]core.v1.PodIP", kMap | kMerge, "ip", "ip"},
    {"qosClass", "string", 0, "", "", "", "BestEffort|Burstable|Guaranteed"},
    {"reason", "string"},
    {"resize", "string"},
    {"resourceClaimStatuses", "[]core.v1.PodResourceClaimStatus", kMap | kMerge | kRetainKeys,
     "name", "name"},
    {"resources", "core.v1.ResourceRequirements", kPointer},
    {"startTime", "time", kPointer},
};
constexpr FieldFacts kCoreV1PodTemplate[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"template", "core.v1.PodTemplateSpec", kWritten},
};
constexpr FieldFacts kCoreV1PodTemplateSpec[] = {
    {"metadata", "meta.v1.ObjectMeta", kWritten},
    {"spec", "core.v1.PodSpec", kWritten},
};
constexpr FieldFacts kCoreV1PreferredSchedulingTerm[] = {
    {"preference", "core.v1.NodeSelectorTerm", kRequired | kWritten},
    {"weight", "int32", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1Probe[] = {
    {"exec", "core.v1.ExecAction", kPointer},
    {"failureThreshold", "int32"},
    {"grpc", "core.v1.GRPCAction", kPointer},
    {"httpGet", "core.v1.HTTPGetAction", kPointer},
    {"initialDelaySeconds", "int32"},
    {"periodSeconds", "int32"},
    {"successThreshold", "int32"},
    {"tcpSocket", "core.v1.TCPSocketAction", kPointer},
    {"terminationGracePeriodSeconds", "int64", kPointer},
    {"timeoutSeconds", "int32"},
};
constexpr FieldFacts kCoreV1ResourceClaim[] = {
    {"name", "string", kRequired | kWritten},
    {"request", "string"},
};
constexpr FieldFacts kCoreV1ResourceHealth[] = {
    {"health", "string"},
    {"message", "string", kPointer},
    {"resourceID", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1ResourceRequirements[] = {
    {"claims", "[]core.v1.ResourceClaim", kMap, "name"},
    {"limits", "{}quantity"},
    {"requests", "{}quantity"},
};
constexpr FieldFacts kCoreV1ResourceStatus[] = {
    {"name", "string", kRequired | kWritten},
    {"resources", "[]core.v1.ResourceHealth", kMap, "resourceID"},
};
constexpr FieldFacts kCoreV1SELinuxOptions[] = {
    {"level", "string"},
    {"role", "string"},
    {"type", "string"},
    {"user", "string"},
};
constexpr FieldFacts kCoreV1SeccompProfile[] = {
    {"localhostProfile", "string", kPointer},
    {"type", "string", kRequired | kWritten, "", "", "", "Localhost|RuntimeDefault|Unconfined"},
};
constexpr FieldFacts kCoreV1SecretEnvSource[] = {
    {"name", "string", 0, "", "", "\"\""},
    {"optional", "bool", kPointer},
};
constexpr FieldFacts kCoreV1SecretKeySelector[] = {
    {"key", "string", kRequired | kWritten},
    {"name", "string", 0, "", "", "\"\""},
    {"optional", "bool", kPointer},
};
constexpr FieldFacts kCoreV1SecurityContext[] = {
    {"allowPrivilegeEscalation", "bool", kPointer},
    {"appArmorProfile", "core.v1.AppArmorProfile", kPointer},
    {"capabilities", "core.v1.Capabilities", kPointer},
    {"privileged", "bool", kPointer},
    {"procMount", "string", kPointer, "", "", "", "Default|Unmasked"},
    {"readOnlyRootFilesystem", "bool", kPointer},
    {"runAsGroup", "int64", kPointer},
    {"runAsNonRoot", "bool", kPointer},
    {"runAsUser", "int64", kPointer},
    {"seLinuxOptions", "core.v1.SELinuxOptions", kPointer},
    {"seccompProfile", "core.v1.SeccompProfile", kPointer},
    {"windowsOptions", "core.v1.WindowsSecurityContextOptions", kPointer},
};
constexpr FieldFacts kCoreV1SleepAction[] = {
    {"seconds", "int64", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1Sysctl[] = {
    {"name", "string", kRequired | kWritten},
    {"value", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1TCPSocketAction[] = {
    {"host", "string"},
    {"port", "intorstring", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1Toleration[] = {
    {"effect", "string", 0, "", "", "", "NoExecute|NoSchedule|PreferNoSchedule"},
    {"key", "string"},
    {"operator", "string", 0, "", "", "", "Equal|Exists|Gt|Lt"},
    {"tolerationSeconds", "int64", kPointer},
    {"value", "string"},
};
constexpr FieldFacts kCoreV1TopologySpreadConstraint[] = {
    {"labelSelector", "meta.v1.LabelSelector", kPointer},
    {"matchLabelKeys", "[]string", kAtomic},
    {"maxSkew", "int32", kRequired | kWritten},
    {"minDomains", "int32", kPointer},
    {"nodeAffinityPolicy", "string", kPointer, "", "", "", "Honor|Ignore"},
    {"nodeTaintsPolicy", "string", kPointer, "", "", "", "Honor|Ignore"},
    {"topologyKey", "string", kRequired | kWritten},
    {"whenUnsatisfiable", "string", kRequired | kWritten, "", "", "",
     "DoNotSchedule|ScheduleAnyway"},
};
constexpr FieldFacts kCoreV1VolumeDevice[] = {
    {"devicePath", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1VolumeMount[] = {
    {"mountPath", "string", kRequired | kWritten},
    {"mountPropagation", "string", kPointer, "", "", "", "Bidirectional|HostToContainer|None"},
    {"name", "string", kRequired | kWritten},
    {"readOnly", "bool"},
    {"recursiveReadOnly", "string", kPointer},
    {"subPath", "string"},
    {"subPathExpr", "string"},
};
constexpr FieldFacts kCoreV1VolumeMountStatus[] = {
    {"mountPath", "string", kRequired | kWritten},
    {"name", "string", kRequired | kWritten},
    {"readOnly", "bool"},
    {"recursiveReadOnly", "string", kPointer},
    {"volumeStatus", "core.v1.VolumeStatus", kPointer},
};
constexpr FieldFacts kCoreV1VolumeStatus[] = {
    {"image", "core.v1.ImageVolumeStatus", kPointer},
};
constexpr FieldFacts kCoreV1WeightedPodAffinityTerm[] = {
    {"podAffinityTerm", "core.v1.PodAffinityTerm", kRequired | kWritten},
    {"weight", "int32", kRequired | kWritten},
};
constexpr FieldFacts kCoreV1WindowsSecurityContextOptions[] = {
    {"gmsaCredentialSpec", "string", kPointer},
    {"gmsaCredentialSpecName", "string", kPointer},
    {"hostProcess", "bool", kPointer},
    {"runAsUserName", "string", kPointer},
};

constexpr StructFacts kStructs[] = {
    {"core.v1.Affinity", kCoreV1Affinity},
    {"core.v1.AppArmorProfile", kCoreV1AppArmorProfile},
    {"core.v1.Capabilities", kCoreV1Capabilities},
    {"core.v1.ConfigMapEnvSource", kCoreV1ConfigMapEnvSource},
    {"core.v1.ConfigMapKeySelector", kCoreV1ConfigMapKeySelector, kAtomicStruct},
    {"core.v1.Container", kCoreV1Container},
    {"core.v1.ContainerExtendedResourceRequest", kCoreV1ContainerExtendedResourceRequest, 0,
     "containerName,resourceName,requestName"},
    {"core.v1.ContainerPort", kCoreV1ContainerPort},
    {"core.v1.ContainerResizePolicy", kCoreV1ContainerResizePolicy},
    {"core.v1.ContainerRestartRule", kCoreV1ContainerRestartRule},
    {"core.v1.ContainerRestartRuleOnExitCodes", kCoreV1ContainerRestartRuleOnExitCodes},
    {"core.v1.ContainerState", kCoreV1ContainerState},
    {"core.v1.ContainerStateRunning", kCoreV1ContainerStateRunning},
    {"core.v1.ContainerStateTerminated", kCoreV1ContainerStateTerminated},
    {"core.v1.ContainerStateWaiting", kCoreV1ContainerStateWaiting},
    {"core.v1.ContainerStatus", kCoreV1ContainerStatus, 0, "name,ready,restartCount,image,imageID"},
    {"core.v1.ContainerUser", kCoreV1ContainerUser},
    {"core.v1.EnvFromSource", kCoreV1EnvFromSource},
    {"core.v1.EnvVar", kCoreV1EnvVar},
    {"core.v1.EnvVarSource", kCoreV1EnvVarSource},
    {"core.v1.EphemeralContainer", kCoreV1EphemeralContainer},
    {"core.v1.ExecAction", kCoreV1ExecAction},
    {"core.v1.FileKeySelector", kCoreV1FileKeySelector, kAtomicStruct, "volumeName,path,key"},
    {"core.v1.GRPCAction", kCoreV1GRPCAction},
    {"core.v1.HTTPGetAction", kCoreV1HTTPGetAction},
    {"core.v1.HTTPHeader", kCoreV1HTTPHeader},
    {"core.v1.HostAlias", kCoreV1HostAlias},
    {"core.v1.HostIP", kCoreV1HostIP},
    {"core.v1.ImageVolumeStatus", kCoreV1ImageVolumeStatus},
    {"core.v1.Lifecycle", kCoreV1Lifecycle},
    {"core.v1.LifecycleHandler", kCoreV1LifecycleHandler},
    {"core.v1.LinuxContainerUser", kCoreV1LinuxContainerUser, 0, "uid,gid"},
    {"core.v1.NodeAffinity", kCoreV1NodeAffinity},
    {"core.v1.NodeAllocatableResourceClaimStatus", kCoreV1NodeAllocatableResourceClaimStatus},
    {"core.v1.Pod", kCoreV1Pod, kTopLevel},
    {"core.v1.PodAffinity", kCoreV1PodAffinity},
    {"core.v1.PodAffinityTerm", kCoreV1PodAffinityTerm},
    {"core.v1.PodAntiAffinity", kCoreV1PodAntiAffinity},
    {"core.v1.PodCondition", kCoreV1PodCondition, 0, "type,status"},
    {"core.v1.PodDNSConfig", kCoreV1PodDNSConfig},
    {"core.v1.PodDNSConfigOption", kCoreV1PodDNSConfigOption},
    {"core.v1.PodExtendedResourceClaimStatus", kCoreV1PodExtendedResourceClaimStatus},
    {"core.v1.PodIP", kCoreV1PodIP},
    {"core.v1.PodOS", kCoreV1PodOS},
    {"core.v1.PodReadinessGate", kCoreV1PodReadinessGate},
    {"core.v1.PodResourceClaim", kCoreV1PodResourceClaim},
    {"core.v1.PodResourceClaimStatus", kCoreV1PodResourceClaimStatus},
    {"core.v1.PodSchedulingGate", kCoreV1PodSchedulingGate},
    {"core.v1.PodSchedulingGroup", kCoreV1PodSchedulingGroup},
    {"core.v1.PodSecurityContext", kCoreV1PodSecurityContext},
    {"core.v1.PodSpec", kCoreV1PodSpec},
    {"core.v1.PodStatus", kCoreV1PodStatus},
    {"core.v1.PodTemplate", kCoreV1PodTemplate, kTopLevel},
    {"core.v1.PodTemplateSpec", kCoreV1PodTemplateSpec},
    {"core.v1.PreferredSchedulingTerm", kCoreV1PreferredSchedulingTerm, 0, "weight,preference"},
    {"core.v1.Probe", kCoreV1Probe},
    {"core.v1.ResourceClaim", kCoreV1ResourceClaim},
    {"core.v1.ResourceHealth", kCoreV1ResourceHealth},
    {"core.v1.ResourceRequirements", kCoreV1ResourceRequirements},
    {"core.v1.ResourceStatus", kCoreV1ResourceStatus},
    {"core.v1.SELinuxOptions", kCoreV1SELinuxOptions},
    {"core.v1.SeccompProfile", kCoreV1SeccompProfile},
    {"core.v1.SecretEnvSource", kCoreV1SecretEnvSource},
    {"core.v1.SecretKeySelector", kCoreV1SecretKeySelector, kAtomicStruct},
    {"core.v1.SecurityContext", kCoreV1SecurityContext},
    {"core.v1.SleepAction", kCoreV1SleepAction},
    {"core.v1.Sysctl", kCoreV1Sysctl},
    {"core.v1.TCPSocketAction", kCoreV1TCPSocketAction},
    {"core.v1.Toleration", kCoreV1Toleration},
    {"core.v1.TopologySpreadConstraint", kCoreV1TopologySpreadConstraint},
    {"core.v1.VolumeDevice", kCoreV1VolumeDevice, 0, "name,devicePath"},
    {"core.v1.VolumeMount", kCoreV1VolumeMount, 0, "name,mountPath"},
    {"core.v1.VolumeMountStatus", kCoreV1VolumeMountStatus, 0, "name,mountPath"},
    {"core.v1.VolumeStatus", kCoreV1VolumeStatus},
    {"core.v1.WeightedPodAffinityTerm", kCoreV1WeightedPodAffinityTerm, 0,
     "weight,podAffinityTerm"},
    {"core.v1.WindowsSecurityContextOptions", kCoreV1WindowsSecurityContextOptions},
};

}  // namespace

std::span<const StructFacts> PodsFacts() { return kStructs; }

}  // namespace kueue::api::facts
