#include "controllers/workload_status.h"

#include <gtest/gtest.h>

#include "api/types/names.h"

namespace kueue::controllers {
namespace {

namespace names = api::names;
const base::Time kNow = base::Time(base::seconds(1000));

api::Workload Reserved() {
  api::Workload w;
  api::Admission admission;
  admission.cluster_queue = "cq";
  SetQuotaReservation(w, admission, kNow);
  SyncAdmitted(w, kNow);
  return w;
}

TEST(WorkloadStatus, ReservationWithoutChecksIsAdmitted) {
  const api::Workload w = Reserved();
  EXPECT_EQ(PhaseOf(w), WorkloadPhase::kAdmitted);
  EXPECT_TRUE(HasQuotaReservation(w));
}

TEST(WorkloadStatus, AnUnreadyCheckHoldsAdmissionBack) {
  api::Workload w = Reserved();
  w.status.admission_checks.push_back({"check", "Pending", {}, "", {}, {}, {}, {}});
  SyncAdmitted(w, kNow);
  EXPECT_EQ(PhaseOf(w), WorkloadPhase::kQuotaReserved);
  EXPECT_EQ(ReasonOf(w, names::kAdmitted, api::ConditionStatus::kFalse),
            "UnsatisfiedAdmissionChecks");
}

// Quota is held until the job has stopped; only then it is given back.
TEST(WorkloadStatus, EvictionKeepsTheReservationUntilItCompletes) {
  api::Workload w = Reserved();
  Evict(w, "Preempted", "", "make room", kNow);
  EXPECT_TRUE(IsEvicted(w));
  EXPECT_TRUE(HasQuotaReservation(w));
  CompleteEviction(w, kNow);
  EXPECT_FALSE(HasQuotaReservation(w));
  EXPECT_FALSE(w.status.admission.has_value());
  EXPECT_EQ(ReasonOf(w, names::kRequeued, api::ConditionStatus::kTrue), "Preempted");
  ASSERT_TRUE(w.status.scheduling_stats.has_value());
  EXPECT_EQ(w.status.scheduling_stats->evictions[0].count, 1);
}

// A single Pod does not run twice: its workload is not tried again (spec/jobs.md §6.5).
TEST(WorkloadStatus, WhatASinglePodOwnsIsNotRequeued) {
  const auto requeued = [](bool group, bool gate, const char* reason) {
    api::Workload w = Reserved();
    api::OwnerReference owner;
    owner.api_version = "v1";
    owner.kind = "Pod";
    w.metadata.owner_references = {owner};
    if (group) w.metadata.annotations["kueue.x-k8s.io/is-group-workload"] = "true";
    Evict(w, reason, "", "make room", kNow);
    CompleteEviction(w, kNow, {}, gate);
    EXPECT_FALSE(HasQuotaReservation(w));
    return api::IsConditionTrue(w.status.conditions, names::kRequeued);
  };
  EXPECT_FALSE(requeued(false, true, "Preempted"));
  EXPECT_FALSE(requeued(false, true, "NodeFailures"));
  EXPECT_TRUE(requeued(false, false, "Preempted"));
  EXPECT_TRUE(requeued(true, true, "Preempted"));
}

// The manager of a MultiKueue stores no places: it hears that the worker has found some.
TEST(WorkloadStatus, PlacesFoundByAWorkerEndTheWait) {
  api::Workload local = Reserved();
  api::Workload remote = Reserved();
  for (const char* name : {"leader", "workers"}) {
    local.status.admission->pod_set_assignments.emplace_back().name = name;
    local.status.admission->pod_set_assignments.back().delayed_topology_request = "Pending";
    remote.status.admission->pod_set_assignments.emplace_back().name = name;
  }
  SyncAdmitted(local, kNow);
  ASSERT_EQ(ReasonOf(local, names::kAdmitted, api::ConditionStatus::kFalse),
            "PendingDelayedTopologyRequests");
  EXPECT_FALSE(TakeOverDelayedTopology(local, remote));
  remote.status.admission->pod_set_assignments[1].topology_assignment.emplace();
  EXPECT_TRUE(TakeOverDelayedTopology(local, remote));
  EXPECT_EQ(local.status.admission->pod_set_assignments[0].delayed_topology_request, "Pending");
  remote.status.admission->pod_set_assignments[0].topology_assignment.emplace();
  EXPECT_TRUE(TakeOverDelayedTopology(local, remote));
  EXPECT_FALSE(TakeOverDelayedTopology(local, remote));
  SyncAdmitted(local, kNow);
  EXPECT_EQ(PhaseOf(local), WorkloadPhase::kAdmitted);
  for (const auto& assignment : local.status.admission->pod_set_assignments) {
    EXPECT_EQ(assignment.delayed_topology_request, "Ready");
    EXPECT_FALSE(assignment.topology_assignment.has_value());
  }
}

TEST(WorkloadStatus, LosingAdmissionAddsTheTimeItRan) {
  api::Workload w = Reserved();
  UnsetQuotaReservation(w, "Suspended", "stopped", kNow + base::seconds(90));
  EXPECT_EQ(w.status.accumulated_past_execution_time_seconds, 90);
}

TEST(WorkloadStatus, ReservingAgainEndsTheEviction) {
  api::Workload w = Reserved();
  Evict(w, "Preempted", "", "make room", kNow);
  CompleteEviction(w, kNow);
  api::Admission admission;
  admission.cluster_queue = "cq";
  SetQuotaReservation(w, admission, kNow);
  EXPECT_FALSE(IsEvicted(w));
  EXPECT_EQ(ReasonOf(w, names::kEvicted, api::ConditionStatus::kFalse), "QuotaReserved");
}

// A retried check counts its retries; others start afresh.
TEST(WorkloadStatus, EvictionResetsChecks) {
  api::Workload w = Reserved();
  w.status.admission_checks.push_back({"a", "Retry", {}, "", {}, 1, {}, {}});
  w.status.admission_checks.push_back({"b", "Ready", {}, "", {}, 4, {}, {}});
  Evict(w, "AdmissionCheck", "", "again", kNow);
  EXPECT_EQ(w.status.admission_checks[0].state, "Pending");
  EXPECT_EQ(w.status.admission_checks[0].retry_count, 2);
  EXPECT_FALSE(w.status.admission_checks[1].retry_count.has_value());
}

TEST(WorkloadStatus, TheFirstEndWins) {
  api::Workload w;
  EXPECT_TRUE(Finish(w, "Succeeded", "done", kNow));
  EXPECT_FALSE(Finish(w, "Failed", "no", kNow));
  EXPECT_EQ(ReasonOf(w, names::kFinished, api::ConditionStatus::kTrue), "Succeeded");
}

// Setting what is there already must not look like a change: an unchanged world is silent.
TEST(WorkloadStatus, SayingTheSameIsNoChange) {
  api::Workload w;
  EXPECT_TRUE(UnsetQuotaReservation(w, "WaitingForQuota", "cpu: 1 more needed", kNow));
  w.metadata.generation = 5;
  EXPECT_FALSE(
      UnsetQuotaReservation(w, "WaitingForQuota", "cpu: 1 more needed", kNow + base::seconds(5)));
}

}  // namespace
}  // namespace kueue::controllers
