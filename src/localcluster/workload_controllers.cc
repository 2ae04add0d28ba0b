#include "localcluster/workload_controllers.h"

#include <utility>

#include "localcluster/cron_job.h"
#include "localcluster/daemon_set.h"
#include "localcluster/deployment.h"
#include "localcluster/replica_set.h"
#include "localcluster/stateful_set.h"

namespace kueue::localcluster {

using runtime::Intents;

namespace {

// Changes of many pods at the same (virtual) time are one look.
constexpr base::Duration kGather = base::milliseconds(1);

std::vector<std::string> ControllerUids(const api::ObjectMeta& meta) {
  const api::OwnerReference* owner = api::ControllerOf(meta);
  if (owner == nullptr) return {};
  return {owner->uid};
}

class PlanReconciler final : public runtime::Reconciler {
 public:
  using Look = std::function<Intents(const kube::ObjectKey&, base::Time)>;
  PlanReconciler(std::string name, Look look) : name_(std::move(name)), look_(std::move(look)) {}
  std::string name() const override { return name_; }
  std::string event_source() const override { return name_; }
  Intents Reconcile(const kube::ObjectKey& key, base::Time now) override { return look_(key, now); }

 private:
  const std::string name_;
  const Look look_;
};

}  // namespace

kube::Informer& WorkloadControllers::InformerFor(const char* group, const char* kind,
                                                 bool indexed) {
  const api::KindInfo& info = WorkloadKind(group, kind);
  kube::Informer& informer =
      cache_.InformerOf(info, [&info](const api::Json& json) -> base::Result<kube::ObjectPtr> {
        auto object = DecodeWorkload(info, json);
        if (!object.ok()) return object.error();
        return kube::ObjectPtr(std::make_shared<const WorkloadObject>(std::move(*object)));
      });
  informers_[kind] = &informer;
  if (indexed) {
    informer.AddIndex(kByController, [](const void* object) {
      return ControllerUids(static_cast<const WorkloadObject*>(object)->metadata);
    });
  }
  informer.AddHandler(scope_.Wrap([this](const kube::Change& change) {
    for (const kube::ObjectPtr& side : {change.before, change.after}) {
      if (!side) continue;
      const auto& object = *static_cast<const WorkloadObject*>(side.get());
      const auto queue = queues_.find(std::string(object.kind->kind));
      if (queue != queues_.end()) queue->second->Add(change.key);
      Notify(object.metadata);
      if (!change.after) names_.erase(object.metadata.uid);
    }
  }));
  return informer;
}

void WorkloadControllers::Run(const char* kind, const char* name, Plan plan) {
  kube::Informer& informer = *informers_.at(kind);
  queues_[kind] = &driver_.Add(std::make_unique<PlanReconciler>(
      name, [&informer, plan = std::move(plan)](const kube::ObjectKey& key, base::Time now) {
        const auto object = std::static_pointer_cast<const WorkloadObject>(informer.Get(key));
        return object ? plan(*object, now) : Intents();
      }));
}

Workloads WorkloadControllers::Owned(const char* kind, const std::string& uid) const {
  Workloads owned;
  for (const kube::ObjectPtr& object : informers_.at(kind)->ByIndex(kByController, uid)) {
    owned.push_back(std::static_pointer_cast<const WorkloadObject>(object));
  }
  return owned;
}

void WorkloadControllers::Notify(const api::ObjectMeta& meta) {
  const api::OwnerReference* owner = api::ControllerOf(meta);
  if (owner == nullptr) return;
  const auto queue = queues_.find(owner->kind);
  if (queue == queues_.end()) return;
  queue->second->AddAfter({meta.namespace_name, owner->name}, kGather);
}

WorkloadControllers::WorkloadControllers(kube::Cache& cache, runtime::Driver& driver,
                                         std::function<bool(const kube::ObjectKey&)> stranger)
    : cache_(cache), driver_(driver) {
  cache.InformerOf<api::Pod>().AddIndex(kByController, [](const void* object) {
    return ControllerUids(static_cast<const api::Pod*>(object)->metadata);
  });
  cache.InformerOf<api::Job>().AddIndex(kByController, [](const void* object) {
    return ControllerUids(static_cast<const api::Job*>(object)->metadata);
  });
  InformerFor("apps", "ControllerRevision", true);
  InformerFor("apps", "DaemonSet", false);
  InformerFor("apps", "Deployment", false);
  InformerFor("apps", "ReplicaSet", true);
  InformerFor("apps", "StatefulSet", false);
  InformerFor("batch", "CronJob", false);
  const auto pods_of = [this](const std::string& uid) {
    return cache_.ByIndex<api::Pod>(kByController, uid);
  };
  Run("Deployment", "deployment-controller",
      [this, pods_of, stranger = std::move(stranger)](const WorkloadObject& object,
                                                      base::Time now) {
        if (stranger && stranger(kube::KeyOf(object.metadata))) return Intents();
        const Workloads sets = Owned("ReplicaSet", object.metadata.uid);
        Pods pods;
        for (const WorkloadPtr& set : sets) {
          for (auto& pod : pods_of(set->metadata.uid)) pods.push_back(std::move(pod));
        }
        return PlanDeployment(object, sets, pods, now);
      });
  Run("ReplicaSet", "replicaset-controller",
      [this, pods_of](const WorkloadObject& object, base::Time now) {
        const std::string& uid = object.metadata.uid;
        return PlanReplicaSet(object, pods_of(uid), names_[uid], now);
      });
  Run("StatefulSet", "statefulset-controller",
      [this, pods_of](const WorkloadObject& object, base::Time now) {
        const std::string& uid = object.metadata.uid;
        return PlanStatefulSet(object, pods_of(uid), Owned("ControllerRevision", uid), now);
      });
  Run("DaemonSet", "daemonset-controller",
      [this, pods_of](const WorkloadObject& object, base::Time now) {
        const std::string& uid = object.metadata.uid;
        return PlanDaemonSet(object, pods_of(uid), cache_.List<api::Node>(),
                             Owned("ControllerRevision", uid), names_[uid], now);
      });
  Run("CronJob", "cronjob-controller", [this](const WorkloadObject& object, base::Time now) {
    return PlanCronJob(object, cache_.ByIndex<api::Job>(kByController, object.metadata.uid), now);
  });
}

void WorkloadControllers::OnPod(const std::shared_ptr<const api::Pod>& before,
                                const std::shared_ptr<const api::Pod>& after) {
  if (before) Notify(before->metadata);
  if (after) Notify(after->metadata);
}

void WorkloadControllers::OnJob(const std::shared_ptr<const api::Job>& before,
                                const std::shared_ptr<const api::Job>& after) {
  if (before) Notify(before->metadata);
  if (after) Notify(after->metadata);
}

void WorkloadControllers::OnNode() {
  for (const kube::ObjectPtr& object : informers_.at("DaemonSet")->List("")) {
    const auto& set = *static_cast<const WorkloadObject*>(object.get());
    queues_.at("DaemonSet")->AddAfter(kube::KeyOf(set.metadata), kGather);
  }
}

}  // namespace kueue::localcluster
