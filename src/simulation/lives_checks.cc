#include <algorithm>
#include <set>

#include "api/codec/json_text.h"
#include "api/types/batch.h"
#include "api/types/names.h"
#include "controllers/workload_status.h"
#include "simulation/lives.h"

// What must hold in a random life: the invariants of the design, asked of the API's objects and of
// the scheduling state.
namespace kueue::simulation {
namespace {

// Holds quota as decisions count it (spec/controllers.md §20 (2), (3)).
bool Holds(const api::Workload& workload) {
  return controllers::HasQuotaReservation(workload) && workload.status.admission &&
         controllers::IsActive(workload) && !controllers::IsFinished(workload);
}

std::string KeyOf(const api::Workload& workload) {
  return workload.metadata.namespace_name + "/" + workload.metadata.name;
}

std::string Say(const api::Workload& workload) {
  std::string text = workload.metadata.name;
  for (const api::Condition& c : workload.status.conditions) {
    text += " " + c.type + (c.status == api::ConditionStatus::kTrue ? "=T/" : "=F/") + c.reason;
  }
  if (!controllers::IsActive(workload)) text += " inactive";
  return text;
}

}  // namespace

void Lives::Problem(const std::string& what) {
  report_.problems.push_back(base::FormatMicroTime(world_->executor().clock().Now()) + " " + what);
}

void Lives::Check() {
  const auto workloads = world_->All<api::Workload>();
  for (const api::Workload& workload : workloads) {
    if (workload.status.admission.has_value() != controllers::HasQuotaReservation(workload)) {
      Problem("admission and QuotaReserved disagree: " + Say(workload));
    }
    if (controllers::IsAdmitted(workload) && !controllers::HasQuotaReservation(workload)) {
      Problem("admitted without quota: " + Say(workload));
    }
  }
  CheckQuota(workloads);
  if (!world_->plane().manager().started()) return;
  // While writes fail, the state may know of reservations that are not written yet.
  if (faults_.refused != 0) return;
  CheckUsage(workloads);
  CheckNobodyLost(workloads);
}

// Invariant 1: quotas do not change here, so what holds when it is decided holds always.
void Lives::CheckQuota(const std::vector<api::Workload>& workloads) {
  std::map<std::string, int64_t> used;  // "queue/flavor", and "team/flavor" of the cohort
  for (const api::Workload& workload : workloads) {
    if (!Holds(workload)) continue;
    const std::string& queue = workload.status.admission->cluster_queue;
    for (const auto& set : workload.status.admission->pod_set_assignments) {
      for (const auto& [resource, quantity] : set.resource_usage) {
        const int64_t units = resources::RequestUnits(resource, quantity);
        used[queue + "/" + set.flavors.at(resource)] += units;
        if (queue != "q3") used["team/" + set.flavors.at(resource)] += units;
      }
    }
  }
  static const std::map<std::string, int64_t> kMost{
      {"q1/f1", 10000}, {"q1/f2", 4000}, {"q2/f1", 12000},  {"q3/f2", 5000},
      {"team/f1", 12000}, {"team/f2", 4000}};
  for (const auto& [cell, units] : used) {
    if (units > kMost.at(cell)) {
      Problem("over quota in " + cell + ": " + std::to_string(units) + " milli");
    }
  }
}

// Invariants 3 and 4: quota is held by exactly those that the objects show, whatever happened
// before, a restart included.
void Lives::CheckUsage(const std::vector<api::Workload>& workloads) {
  std::map<std::string, int32_t> reserving, admitted;
  for (const api::Workload& workload : workloads) {
    if (!Holds(workload)) continue;
    ++reserving[workload.status.admission->cluster_queue];
    if (controllers::IsAdmitted(workload)) ++admitted[workload.status.admission->cluster_queue];
  }
  for (const std::string& queue : cluster_queues_) {
    const auto report = world_->plane().manager().state().ReportClusterQueue(queue);
    if (report.reserving != reserving[queue] || report.admitted != admitted[queue]) {
      Problem(queue + ": the state counts " + std::to_string(report.reserving) + " reserving, " +
              std::to_string(report.admitted) + " admitted; the objects show " +
              std::to_string(reserving[queue]) + ", " + std::to_string(admitted[queue]));
    }
  }
}

// Invariant 2.
void Lives::CheckNobodyLost(const std::vector<api::Workload>& workloads) {
  std::set<std::string> waiting;
  for (const std::string& queue : cluster_queues_) {
    const auto keys = world_->plane().manager().state().PendingInOrder(queue);
    for (const std::string& key : keys) {
      if (!waiting.insert(key).second) Problem(key + " waits in two places");
    }
  }
  static const std::set<std::string> kStated{"Misconfigured", "Suspended", "AdmissionGated",
                                             "OnHold"};
  for (const api::Workload& workload : workloads) {
    const bool held = controllers::HasQuotaReservation(workload);
    const bool waits = waiting.count(KeyOf(workload)) > 0;
    if (controllers::IsFinished(workload) || !controllers::IsActive(workload) || held) {
      if (waits) Problem("waits though it must not: " + Say(workload));
      continue;
    }
    if (waits || workload.metadata.deletion_timestamp) continue;
    const std::string why = controllers::ReasonOf(workload, api::names::kQuotaReserved,
                                                  api::ConditionStatus::kFalse);
    const auto& requeue = workload.status.requeue_state;
    const bool backs_off =
        requeue && requeue->requeue_at &&
        *requeue->requeue_at >= world_->executor().clock().Now() - base::milliseconds(5);
    if (kStated.count(why) == 0 && !backs_off) Problem("lost: " + Say(workload));
  }
}

// Nobody disturbs any more, and what was disturbed is mended.
void Lives::CalmDown() {
  Do("calm down");
  faults_ = {};
  for (const std::string& name : local_queues_) {
    if (!world_->Get(api::KindOf<api::LocalQueue>(), {"default", name}).ok()) {
      MayFail(world_->CreateAll(
          "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: " + name +
          ", namespace: default}\nspec: {clusterQueue: " + targets_[name] + "}\n"));
    }
    MayFail(world_->Patch(api::KindOf<api::LocalQueue>(), {"default", name},
                  *api::ParseJson(R"({"spec": {"stopPolicy": "None"}})")));
  }
  for (const std::string& name : cluster_queues_) {
    MayFail(world_->Patch(api::KindOf<api::ClusterQueue>(), {"", name},
                  *api::ParseJson(R"({"spec": {"stopPolicy": "None"}})")));
  }
  for (int i = 0; i < 120 && report_.problems.empty(); ++i) {
    AnswerChecks(true);
    RunFor(base::seconds(30));
    Check();
  }
}

// All that can run has run.
void Lives::CheckEnd() {
  std::map<std::string, const api::Workload*> by_job;
  const auto workloads = world_->All<api::Workload>();
  for (const api::Workload& workload : workloads) {
    if (workload.status.scheduling_stats) {
      for (const auto& e : workload.status.scheduling_stats->evictions) {
        report_.evictions += e.count;
      }
    }
    const api::OwnerReference* owner = api::ControllerOf(workload.metadata);
    if (owner == nullptr) continue;
    const auto [found, added] = by_job.emplace(owner->name, &workload);
    if (!added) Problem("two workloads of " + owner->name);
  }
  for (const api::Job& job : world_->All<api::Job>()) {
    const bool completed =
        std::any_of(job.status.conditions.begin(), job.status.conditions.end(), [](const auto& c) {
          return (c.type == "Complete" || c.type == "Failed") &&
                 c.status == api::ConditionStatus::kTrue;
        });
    report_.completed += completed ? 1 : 0;
    const auto found = by_job.find(job.metadata.name);
    if (found == by_job.end()) {
      Problem(job.metadata.name + " has no workload");
      continue;
    }
    const api::Workload& workload = *found->second;
    if (completed) {
      if (!controllers::IsFinished(workload)) Problem("ended, not finished: " + Say(workload));
      continue;
    }
    // What the product itself deactivated stays out of the queue (spec/controllers.md §4.5).
    const std::string requeued =
        controllers::ReasonOf(workload, api::names::kRequeued, api::ConditionStatus::kFalse);
    if (!controllers::IsActive(workload) || requeued.rfind("DeactivatedDueTo", 0) == 0) continue;
    Problem("never ran: " + Say(workload));
  }
}

// Invariant 8. Events of the past expire meanwhile: the hour that counts comes after that.
void Lives::CheckSilence() {
  RunFor(base::hours(3));
  std::vector<std::string> written;
  world_->plane().server().store().AddWatcher(
      nullptr, [&](const apiserver::StoreChange& change) { written.push_back(change.key); });
  const uint64_t before = world_->writes();
  RunFor(base::hours(1));
  if (world_->writes() != before) {
    Problem(std::to_string(world_->writes() - before) + " writes in a quiet hour, the first to " +
            (written.empty() ? "?" : written.front()));
  }
}

}  // namespace kueue::simulation
