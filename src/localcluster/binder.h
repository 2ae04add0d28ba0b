#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "kube/informer.h"
#include "localcluster/placement.h"
#include "runtime/driver.h"

namespace kueue::localcluster {

// Whether the pod waits for a node from us: unbound, not gated, not ending, for the default
// scheduler.
bool WaitsForNode(const api::Pod& pod);

// Gives waiting pods their nodes. Keys are pods.
//
// Decisions are made for all pods that need one at once, in the order priority (high first), age,
// key, whichever key is looked at; the key's turn only carries its decision out. A decided pod
// takes its place at once, so that bindings under way never overcommit a node. A pod without a
// place gets the condition PodScheduled=False and is decided again when a node changes or room
// becomes free.
class Binder final : public runtime::Reconciler {
 public:
  Binder() = default;

  // Where keys of pods go whose decision is due. Before the first change.
  void SetQueue(runtime::Queue& queue) { queue_ = &queue; }

  // Every change of the cache, in order; either side may be null.
  void OnPod(const std::shared_ptr<const api::Pod>& before,
             const std::shared_ptr<const api::Pod>& after);
  void OnNode(const std::shared_ptr<const api::Node>& before,
              const std::shared_ptr<const api::Node>& after);

  std::string name() const override { return "binder"; }
  std::string event_source() const override { return "default-scheduler"; }
  runtime::Intents Reconcile(const kube::ObjectKey& key, base::Time now) override;
  void OnWritten(const kube::ObjectKey& key, const runtime::Write& write,
                 const base::Result<api::Json>& outcome) override;

 private:
  struct Waiting {
    std::shared_ptr<const api::Pod> pod;
    std::string node_name;           // decided: its place is taken
    std::string why_not;             // decided: there is none
    bool bound = false;              // the binding was accepted, the cache does not show it yet
    bool failed = false;             // the last binding was refused: the driver brings the key back
    std::optional<base::Time> told;  // when why_not was last written
  };
  using WaitingPods = std::map<kube::ObjectKey, Waiting>;

  void Decide(const kube::ObjectKey& current);
  void StopWaiting(const kube::ObjectKey& key, const std::string& uid);
  runtime::Intents Tell(Waiting& waiting, base::Time now) const;

  runtime::Queue* queue_ = nullptr;
  Placement placement_;
  WaitingPods waiting_;
  std::set<kube::ObjectKey> undecided_;
  bool decide_all_ = false;  // room may have become free: all without a place are undecided
};

}  // namespace kueue::localcluster
