#include "localcluster/local_cluster.h"

#include <memory>
#include <utility>

#include "localcluster/binder.h"
#include "localcluster/job_controller.h"
#include "localcluster/job_pods.h"
#include "localcluster/kubelet.h"
#include "localcluster/node_lifecycle.h"
#include "localcluster/node_reconciler.h"
#include "localcluster/workload_controllers.h"

namespace kueue::localcluster {

namespace {

bool IsElsewhere(const api::Pod& pod) {
  return pod.metadata.annotations.count(kRuntimeAnnotation) > 0;
}

}  // namespace

LocalCluster::LocalCluster(kube::Cache& cache, runtime::Driver& driver, Options options)
    : cache_(cache), job_delay_(options.job_delay) {
  AddIndexes();
  auto nodes = std::make_unique<NodeReconciler>(cache, options.nodes);
  auto binder = std::make_unique<Binder>();
  auto kubelet = std::make_unique<Kubelet>(cache, options.pods);
  auto jobs = std::make_unique<JobController>(cache, options.jobs);
  binder_ = binder.get();
  kubelet_ = kubelet.get();
  const std::vector<kube::ObjectKey> node_keys = nodes->Keys();
  node_queue_ = &driver.Add(std::move(nodes));
  binder_->SetQueue(driver.Add(std::move(binder)));
  pod_queue_ = &driver.Add(std::move(kubelet));
  job_queue_ = &driver.Add(std::move(jobs));
  orphan_queue_ = &driver.Add(std::make_unique<OrphanRelease>(cache));
  life_queue_ = &driver.Add(std::make_unique<NodeLifecycle>(cache));
  eviction_queue_ = &driver.Add(std::make_unique<TaintEviction>(cache));
  workloads_ = std::make_unique<WorkloadControllers>(cache, driver, std::move(options.stranger));
  AddHandlers();
  for (const kube::ObjectKey& key : node_keys) node_queue_->Add(key);
}

LocalCluster::~LocalCluster() = default;

void LocalCluster::AddIndexes() {
  kube::Informer& pods = cache_.InformerOf<api::Pod>();
  pods.AddIndex(kPodsByNode, [](const void* object) -> std::vector<std::string> {
    const auto& pod = *static_cast<const api::Pod*>(object);
    if (pod.spec.node_name.empty()) return {};
    return {pod.spec.node_name};
  });
  pods.AddIndex(kPodsByJob, [](const void* object) -> std::vector<std::string> {
    std::string uid = JobUidOf(*static_cast<const api::Pod*>(object));
    if (uid.empty()) return {};
    return {std::move(uid)};
  });
}

void LocalCluster::AddHandlers() {
  cache_.OnChange<api::Pod>(
      scope_.Wrap([this](const PodPtr& before, const PodPtr& after) { OnPod(before, after); }));
  cache_.OnChange<api::Node>(
      scope_.Wrap([this](const NodePtr& before, const NodePtr& after) { OnNode(before, after); }));
  using JobPtr = std::shared_ptr<const api::Job>;
  cache_.OnChange<api::Job>(scope_.Wrap([this](const JobPtr& before, const JobPtr& after) {
    job_queue_->Add(kube::KeyOf((after ? after : before)->metadata));
    workloads_->OnJob(before, after);
    if (after) return;
    for (const auto& pod : cache_.ByIndex<api::Pod>(kPodsByJob, before->metadata.uid)) {
      orphan_queue_->Add(kube::KeyOf(pod->metadata));
    }
  }));
}

void LocalCluster::OnPod(const PodPtr& before, const PodPtr& after) {
  workloads_->OnPod(before, after);
  if (IsElsewhere(*(after ? after : before))) return;
  binder_->OnPod(before, after);
  if (after && (!after->spec.node_name.empty() || after->metadata.deletion_timestamp)) {
    pod_queue_->Add(kube::KeyOf(after->metadata));
  }
  if (before && (!after || after->metadata.uid != before->metadata.uid)) {
    kubelet_->OnPodGone(*before);
    NotifyJob(*before);
  }
  if (!after) return;
  NotifyJob(*after);
  if (!after->spec.node_name.empty() && !before) NotifyOfNode(*after);
  if (before && before->spec.node_name != after->spec.node_name) NotifyOfNode(*after);
  if (IsOrphan(cache_, *after)) orphan_queue_->AddAfter(kube::KeyOf(after->metadata), job_delay_);
}

void LocalCluster::NotifyJob(const api::Pod& pod) {
  const kube::ObjectKey key = JobKeyOf(pod);
  if (!key.name.empty()) job_queue_->AddAfter(key, job_delay_);
}

// The pod came to a node that may drive it away.
void LocalCluster::NotifyOfNode(const api::Pod& pod) {
  const auto node = cache_.Get<api::Node>({"", pod.spec.node_name});
  if (node && TroublesPods(*node)) eviction_queue_->Add(kube::KeyOf(pod.metadata));
}

void LocalCluster::OnNode(const NodePtr& before, const NodePtr& after) {
  binder_->OnNode(before, after);
  const std::string& name = (after ? after : before)->metadata.name;
  node_queue_->Add({"", name});
  if (after) life_queue_->Add({"", name});
  workloads_->OnNode();
  const bool same = before && after && KubeletWorks(*before) == KubeletWorks(*after);
  const bool calm = same && !TroublesPods(*after);
  if (calm) return;
  for (const auto& pod : cache_.ByIndex<api::Pod>(kPodsByNode, name)) {
    if (!same) pod_queue_->Add(kube::KeyOf(pod->metadata));
    if (after && TroublesPods(*after)) eviction_queue_->Add(kube::KeyOf(pod->metadata));
  }
}

}  // namespace kueue::localcluster
