#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "controllers/topology_ranks.h"
#include "kube/informer.h"
#include "runtime/driver.h"

namespace kueue::controllers {

// Index of pods: "namespace/slice name" of the Workload they belong to.
inline constexpr char kPodsBySlice[] = "topology-slice";

// Which pods were decided to go where and are not seen there yet. Shared by the two reconcilers
// below: one decides for a Workload, the other writes, many pods at a time.
class Ungatings {
 public:
  // REQUIRES both before anything runs; the queues outlive this.
  void Connect(runtime::Queue* workloads, runtime::Queue* pods) {
    workloads_ = workloads;
    pods_ = pods;
  }
  bool Outstanding(const kube::ObjectKey& workload) const { return left_.contains(workload); }
  void Plan(const kube::ObjectKey& workload, const Ungating& ungating);
  struct Order {
    kube::ObjectKey workload;
    std::string pod_uid;
    api::StringMap node_selector;
  };
  const Order* Find(const kube::ObjectKey& pod) const;
  // It was done, or cannot be done any more. The Workload is looked at again when nothing is left,
  // after `delay`.
  void Drop(const kube::ObjectKey& pod, base::Duration delay = base::Duration(0));

 private:
  runtime::Queue* workloads_ = nullptr;
  runtime::Queue* pods_ = nullptr;
  std::map<kube::ObjectKey, Order> orders_;                    // by pod
  std::map<kube::ObjectKey, std::set<kube::ObjectKey>> left_;  // pods by workload
};

// Decides for the gated pods of an admitted Workload where they go (spec/topology.md §16).
class TopologyUngater final : public runtime::Reconciler {
 public:
  TopologyUngater(const kube::Cache& cache, std::shared_ptr<Ungatings> ungatings)
      : cache_(cache), ungatings_(std::move(ungatings)) {}
  std::string name() const override { return "topology-ungater"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;

 private:
  const kube::Cache& cache_;
  const std::shared_ptr<Ungatings> ungatings_;
};

// Takes the gate off one pod and tells it its place, in one patch (§16.5).
class PodUngater final : public runtime::Reconciler {
 public:
  PodUngater(const kube::Cache& cache, std::shared_ptr<Ungatings> ungatings)
      : cache_(cache), ungatings_(std::move(ungatings)) {}
  std::string name() const override { return "topology-pod"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;
  void OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                 const base::Result<api::Json>& outcome) override;

 private:
  const kube::Cache& cache_;
  const std::shared_ptr<Ungatings> ungatings_;
};

}  // namespace kueue::controllers
