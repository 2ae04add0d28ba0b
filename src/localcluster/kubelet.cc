#include "localcluster/kubelet.h"

#include <algorithm>
#include <set>

#include "resources/resource_vector.h"

namespace kueue::localcluster {

using runtime::Intents;

namespace {

// A write that removes the pod at once.
runtime::Write RemoveNow(const api::Pod& pod) {
  runtime::Write write = runtime::DeleteObject(pod);
  write.remove.grace_period_seconds = 0;
  return write;
}

std::string InternalIp(const api::Node& node) {
  for (const api::NodeAddress& address : node.status.addresses) {
    if (address.type == "InternalIP") return address.address;
  }
  return "";
}

// "10.1.2.", where the addresses of a node's pods begin. A node without a podCIDR gets a network
// out of its name.
std::string NetworkOf(const api::Node& node) {
  const std::string& cidr = node.spec.pod_cidr;
  const size_t last_dot = cidr.rfind('.');
  if (last_dot != std::string::npos && std::count(cidr.begin(), cidr.end(), '.') == 3) {
    return cidr.substr(0, last_dot + 1);
  }
  const uint64_t hash = resources::Fnv1a64(node.metadata.name);
  return "100." + std::to_string(64 + hash % 64) + "." + std::to_string(hash >> 8 & 255) + ".";
}

}  // namespace

bool KubeletWorks(const api::Node& node) {
  return std::none_of(node.status.conditions.begin(), node.status.conditions.end(),
                      [](const api::NodeCondition& condition) {
                        return condition.type == "Ready" &&
                               condition.status != api::ConditionStatus::kTrue;
                      });
}

// Counts on from the last address and skips those in use; with more pods than addresses some share.
std::string Kubelet::NextPodIp(const api::Node& node) {
  constexpr int64_t kAddresses = 253;  // .2 to .254
  const std::string network = NetworkOf(node);
  std::set<std::string> used;
  for (const auto& pod : cache_.ByIndex<api::Pod>(kPodsByNode, node.metadata.name)) {
    if (!HasEnded(*pod)) used.insert(pod->status.pod_ip);
  }
  int64_t& last = last_address_[node.metadata.name];
  std::string address;
  for (int64_t tries = 0; tries < kAddresses; ++tries) {
    address = network + std::to_string(2 + last++ % kAddresses);
    if (used.count(address) == 0) break;
  }
  return address;
}

Intents Kubelet::Reconcile(const kube::ObjectKey& key, base::Time now) {
  Intents intents;
  const auto pod = cache_.Get<api::Pod>(key);
  if (!pod) return intents;
  const bool bound = !pod->spec.node_name.empty();
  if (!bound && !pod->metadata.deletion_timestamp) return intents;
  std::shared_ptr<const api::Node> node;
  if (bound) {
    node = cache_.Get<api::Node>({"", pod->spec.node_name});
    if (!node) {
      if (memory_[pod->metadata.uid].removed) return intents;
      intents.writes.push_back(RemoveNow(*pod));
      intents.events.push_back({runtime::ReferenceTo(*pod), "Warning", "NodeNotFound",
                                "Node " + pod->spec.node_name + " does not exist (any more)"});
      return intents;
    }
    if (!KubeletWorks(*node)) return intents;
  }
  PodStep step =
      StepPod(*pod, node ? InternalIp(*node) : "", memory_[pod->metadata.uid], now, options_);
  intents.look_again = step.look_again;
  if (step.status.phase == "Running" && step.status.pod_ip.empty() && node) {
    step.status.pod_ip = NextPodIp(*node);
    if (step.status.extra.get() == nullptr || step.status.extra.get()->Find("podIPs") == nullptr) {
      api::Json ip = api::Json::MakeObject();
      ip.Set("ip", step.status.pod_ip);
      api::Json ips;
      ips.Append(std::move(ip));
      step.status.extra.Add("podIPs", std::move(ips));
    }
  }
  api::Pod after = *pod;
  after.status = std::move(step.status);
  intents.Add(runtime::PatchStatus(*pod, after));
  if (step.remove) intents.writes.push_back(RemoveNow(*pod));
  if (!step.warning.empty()) {
    intents.events.push_back(
        {runtime::ReferenceTo(*pod), "Warning", "InvalidAnnotation", step.warning});
  }
  return intents;
}

void Kubelet::OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                        const base::Result<api::Json>& outcome) {
  if (write.verb != runtime::WriteVerb::kDelete || !outcome.ok()) return;
  // Finalizers may keep the pod: it is asked for once.
  const auto pod = cache_.Get<api::Pod>(key);
  if (pod && pod->metadata.uid == write.remove.precondition_uid) {
    memory_[pod->metadata.uid].removed = true;
  }
}

}  // namespace kueue::localcluster
