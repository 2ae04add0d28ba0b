#pragma once

#include <map>
#include <string>

#include "kube/informer.h"
#include "localcluster/pod_life.h"
#include "runtime/driver.h"

namespace kueue::localcluster {

// Index of pods by the node they are bound to.
inline constexpr char kPodsByNode[] = "localcluster/node";

// Runs the pods of all nodes, simulated. Keys are pods.
//
// A node that is not Ready, or does not exist, has no kubelet: on the first its pods stand still
// (as on a machine that was lost), on the second they are removed.
class Kubelet final : public runtime::Reconciler {
 public:
  // The cache has the index kPodsByNode.
  Kubelet(const kube::Cache& cache, PodLifeOptions options) : cache_(cache), options_(options) {}

  // Every pod that is gone, so that it is forgotten.
  void OnPodGone(const api::Pod& pod) { memory_.erase(pod.metadata.uid); }

  std::string name() const override { return "kubelet"; }
  std::string event_source() const override { return "kubelet"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;
  void OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                 const base::Result<api::Json>& outcome) override;

 private:
  std::string NextPodIp(const api::Node& node);

  const kube::Cache& cache_;
  const PodLifeOptions options_;
  std::map<std::string, PodMemory> memory_;      // by pod uid
  std::map<std::string, int64_t> last_address_;  // by node: the last host number given out
};

// Whether the node's kubelet works, going by its Ready condition (absent: it does).
bool KubeletWorks(const api::Node& node);

}  // namespace kueue::localcluster
