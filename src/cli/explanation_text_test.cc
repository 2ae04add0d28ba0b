#include "cli/explanation_text.h"

#include <gtest/gtest.h>

namespace kueue::cli {
namespace {

api::Workload Named(const std::string& name) {
  api::Workload workload;
  workload.metadata.namespace_name = "team";
  workload.metadata.name = name;
  workload.metadata.owner_references.push_back({"batch/v1", "Job", "train", "u", {}, {}, {}});
  return workload;
}

scheduling::Explanation Waiting() {
  scheduling::Explanation why;
  why.standing = scheduling::Standing::kWaiting;
  why.cluster_queue = "research";
  why.local_queue = "vision";
  return why;
}

TEST(ExplanationText, ShowsNumbersAndTheLeastChange) {
  scheduling::Explanation why = Waiting();
  why.ahead = {"team/a", "team/b"};
  scheduling::FlavorAttempt attempt;
  attempt.pod_set = "main";
  attempt.flavor = "a100";
  scheduling::ResourceAttempt cpu;
  cpu.resource = "cpu";
  cpu.reason = "WaitingForQuota";
  cpu.requested = 4500;
  cpu.used = resources::Amount(6000);
  cpu.nominal = resources::Amount(8000);
  cpu.available = resources::Amount(2000);
  cpu.potential = resources::Amount::Unlimited();
  attempt.resources.push_back(cpu);
  why.attempts.push_back(attempt);
  why.least_change.push_back({"a100", "cpu", 2500});
  EXPECT_EQ(ExplanationText(Named("job-train"), why),
            "Workload team/job-train (Job train) waits\n"
            "  LocalQueue    vision\n"
            "  ClusterQueue  research\n"
            "2 workloads ahead of it: team/a, team/b\n"
            "Were it tried now, alone: it does not fit\n"
            "  pod set main, flavor a100: does not fit\n"
            "    cpu   asks 4500m   free 2   used 6   nominal 8   at most ever unlimited   "
            "WaitingForQuota\n"
            "Least change that lets it in once none is ahead: in ClusterQueue research, nominal "
            "quota of\n"
            "  a100   cpu   +2500m\n");
}

TEST(ExplanationText, SaysWhatPoliciesDo) {
  scheduling::Explanation why = Waiting();
  why.policies = {"it may pass workload team/big only if that can still start in time"};
  EXPECT_NE(ExplanationText(Named("w"), why).find("By policy: it may pass workload team/big only"),
            std::string::npos);
}

TEST(ExplanationText, NamesVictimsButNotEndlessly) {
  scheduling::Explanation why = Waiting();
  why.mode = scheduling::FlavorMode::kPreempt;
  for (int i = 0; i < 7; ++i) why.victims.push_back("team/v" + std::to_string(i));
  const std::string text = ExplanationText(Named("w"), why);
  EXPECT_NE(text.find("it would preempt team/v0, team/v1, team/v2, team/v3, team/v4 and 2 more"),
            std::string::npos)
      << text;
}

TEST(ExplanationText, SaysWhatHoldsItBack) {
  scheduling::Explanation why = Waiting();
  why.standing = scheduling::Standing::kHeld;
  why.blockers.push_back({"Suspended", "The LocalQueue is stopped"});
  const std::string text = ExplanationText(Named("w"), why);
  EXPECT_NE(text.find("is held back"), std::string::npos) << text;
  EXPECT_NE(text.find("In the way: The LocalQueue is stopped (Suspended)"), std::string::npos);
  EXPECT_EQ(text.find("Were it tried"), std::string::npos);
}

TEST(ExplanationText, ShowsWhatAReservationHoldsAndWaitsFor) {
  scheduling::Explanation why = Waiting();
  why.standing = scheduling::Standing::kReserved;
  api::Workload workload = Named("w");
  api::PodSetAssignment assigned;
  assigned.name = "main";
  assigned.flavors["cpu"] = "spot";
  assigned.resource_usage["cpu"] = resources::Quantity::FromUnits(3);
  workload.status.admission.emplace().pod_set_assignments.push_back(assigned);
  api::AdmissionCheckState check;
  check.name = "prov";
  check.state = "Pending";
  workload.status.admission_checks.push_back(check);
  EXPECT_EQ(ExplanationText(workload, why),
            "Workload team/w (Job train) holds quota\n"
            "  LocalQueue    vision\n"
            "  ClusterQueue  research\n"
            "Pod set main holds\n"
            "  cpu   3   of flavor spot\n"
            "It waits for admission check prov: Pending\n");
}

TEST(ExplanationText, SaysWhereThereWasNoPlace) {
  scheduling::Explanation why = Waiting();
  scheduling::PlaceRefusal refusal;
  refusal.pod_set = "main";
  refusal.flavor = "tas";
  refusal.fitting = 2;
  refusal.wanted = 4;
  refusal.best.push_back({"rack", "b1,r2", 2});
  refusal.nodes = 5;
  refusal.excluded = {{"taint", 3}};
  refusal.unusable = {{"notReady", 1}};
  why.places.push_back(refusal);
  const std::string text = ExplanationText(Named("w"), why);
  EXPECT_NE(text.find("no place for its pods; 2 of 4 pods fit\n"
                      "    best rack   b1,r2   2 pods\n"
                      "    3 of 5 ruled out: taint\n"
                      "    1 more not usable: notReady\n"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace kueue::cli
