#include "localcluster/stateful_set.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::localcluster {
namespace {

using base::seconds;

const base::Time kNow = *base::ParseTime("2026-01-01T01:00:00Z");
using Lines = std::vector<std::string>;

// A set that is looked at again and again, with its pods and revisions.
class StatefulSetTest : public testing::Test {
 protected:
  StatefulSetTest() {
    json_ = *api::ParseJson(
        R"({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db",
            "namespace": "default", "uid": "u", "generation": 1}, "spec": {"replicas": 3,
            "serviceName": "db", "selector": {"matchLabels": {"app": "db"}}, "template":
            {"metadata": {"labels": {"app": "db"}},
             "spec": {"containers": [{"name": "c", "image": "one"}]}}}})");
  }
  void Set(const std::string& field, const std::string& value) {
    json_["spec"].Set(field, *api::ParseJson(value));
  }
  void NewTemplate() {
    json_["spec"]["template"]["spec"]["containers"].AsArray()[0].Set("image", "two");
  }
  runtime::Intents Look() {
    const WorkloadObject set = *DecodeWorkload(WorkloadKind("apps", "StatefulSet"), json_);
    Pods pods;
    for (const auto& [name, pod] : pods_) pods.push_back(pod);
    return PlanStatefulSet(set, pods, revisions_, kNow);
  }
  // What it writes about pods, "create db-0"; revisions and its status are taken in, and it is
  // looked at again until they are done.
  Lines Step() {
    for (int i = 0; i < 5; ++i) {
      Lines lines;
      bool again = false;
      for (const runtime::Write& write : Look().writes) {
        if (write.kind->kind == "Pod") {
          lines.push_back(
              std::string(write.verb == runtime::WriteVerb::kCreate ? "create " : "delete ") +
              write.key.name);
          if (write.verb == runtime::WriteVerb::kCreate) {
            made_[write.key.name] = *api::Decode<api::Pod>(write.body);
          }
        } else if (write.kind->kind == "ControllerRevision") {
          again = true;
          revisions_.push_back(
              std::make_shared<const WorkloadObject>(*DecodeWorkload(*write.kind, write.body)));
        } else {
          again = true;
          json_ = api::ApplyMergePatch(json_, write.body);
        }
      }
      if (!again || !lines.empty()) return lines;
    }
    return {"it never ends"};
  }
  // The pod as it was made, now running and ready.
  void Run(const std::string& name, bool ready = true) {
    api::Pod pod = made_.at(name);
    pod.status.phase = "Running";
    pod.status.conditions.emplace_back();
    pod.status.conditions[0].type = "Ready";
    pod.status.conditions[0].status =
        ready ? api::ConditionStatus::kTrue : api::ConditionStatus::kFalse;
    pod.status.conditions[0].last_transition_time = kNow - seconds(60);
    pods_[name] = std::make_shared<const api::Pod>(std::move(pod));
  }
  void RunAll() {
    for (const char* name : {"db-0", "db-1", "db-2"}) {
      Step();
      Run(name);
    }
    Step();
  }
  int64_t Status(const char* field) { return IntAt(json_, {"status", field}); }

  api::Json json_;
  Workloads revisions_;
  std::map<std::string, std::shared_ptr<const api::Pod>> pods_;
  std::map<std::string, api::Pod> made_;
};

TEST_F(StatefulSetTest, PodsStartOneAfterTheOther) {
  EXPECT_EQ(Step(), Lines{"create db-0"});
  ASSERT_EQ(revisions_.size(), 1u);
  Run("db-0", false);
  EXPECT_EQ(Step(), Lines{}) << "db-0 is not ready";
  Run("db-0");
  EXPECT_EQ(Step(), Lines{"create db-1"});
  Run("db-1");
  EXPECT_EQ(Step(), Lines{"create db-2"});
  Run("db-2");
  EXPECT_EQ(Step(), Lines{});
  EXPECT_EQ(Status("readyReplicas"), 3);
  EXPECT_EQ(Status("currentReplicas"), 3);
}

TEST_F(StatefulSetTest, PodsCarryTheirOrdinalAndRevision) {
  Set("ordinals", R"({"start": 5})");
  EXPECT_EQ(Step(), Lines{"create db-5"});
  const api::Pod& pod = made_.at("db-5");
  EXPECT_EQ(pod.metadata.labels.at("apps.kubernetes.io/pod-index"), "5");
  EXPECT_EQ(pod.metadata.labels.at("controller-revision-hash"), revisions_[0]->metadata.name);
  EXPECT_EQ(pod.spec.hostname, "db-5");
  EXPECT_EQ(pod.spec.subdomain, "db");
}

TEST_F(StatefulSetTest, ParallelStartsAndStopsAllAtOnce) {
  Set("podManagementPolicy", R"("Parallel")");
  EXPECT_EQ(Step(), (Lines{"create db-0", "create db-1", "create db-2"}));
  for (const char* name : {"db-0", "db-1", "db-2"}) Run(name);
  Set("replicas", "1");
  EXPECT_EQ(Step(), (Lines{"delete db-2", "delete db-1"}));
}

TEST_F(StatefulSetTest, ItShrinksFromTheHighestOneByOne) {
  RunAll();
  Set("replicas", "1");
  EXPECT_EQ(Step(), Lines{"delete db-2"});
  pods_.erase("db-2");
  EXPECT_EQ(Step(), Lines{"delete db-1"});
}

TEST_F(StatefulSetTest, AnEndedPodIsReplaced) {
  RunAll();
  api::Pod pod = *pods_.at("db-1");
  pod.status.phase = "Failed";
  pods_["db-1"] = std::make_shared<const api::Pod>(pod);
  EXPECT_EQ(Step(), Lines{"delete db-1"});
  pods_.erase("db-1");
  EXPECT_EQ(Step(), Lines{"create db-1"});
}

TEST_F(StatefulSetTest, ANewTemplateGoesFromTheHighestDown) {
  RunAll();
  NewTemplate();
  EXPECT_EQ(Step(), Lines{"delete db-2"});
  EXPECT_EQ(revisions_.size(), 2u);
  pods_.erase("db-2");
  EXPECT_EQ(Step(), Lines{"create db-2"});
  EXPECT_EQ(made_.at("db-2").spec.containers[0].image, "two");
  Run("db-2", false);
  EXPECT_EQ(Step(), Lines{}) << "one at a time";
  Run("db-2");
  EXPECT_EQ(Step(), Lines{"delete db-1"});
  EXPECT_EQ(Status("updatedReplicas"), 1);
}

TEST_F(StatefulSetTest, BelowThePartitionTheOldTemplateStays) {
  RunAll();
  Set("updateStrategy", R"({"type": "RollingUpdate", "rollingUpdate": {"partition": 2}})");
  NewTemplate();
  EXPECT_EQ(Step(), Lines{"delete db-2"});
  pods_.erase("db-2");
  Step();
  Run("db-2");
  EXPECT_EQ(Step(), Lines{}) << "db-1 and db-0 keep theirs";
  pods_.erase("db-0");
  EXPECT_EQ(Step(), Lines{"create db-0"});
  EXPECT_EQ(made_.at("db-0").spec.containers[0].image, "one");
}

TEST_F(StatefulSetTest, OnDeleteLeavesItToTheUser) {
  RunAll();
  Set("updateStrategy", R"({"type": "OnDelete"})");
  NewTemplate();
  EXPECT_EQ(Step(), Lines{});
  pods_.erase("db-1");
  EXPECT_EQ(Step(), Lines{"create db-1"});
  EXPECT_EQ(made_.at("db-1").spec.containers[0].image, "two");
}

TEST_F(StatefulSetTest, AReadyPodCountsOnceItWasReadyLongEnough) {
  Set("minReadySeconds", "90");
  Step();
  Run("db-0");  // for a minute
  EXPECT_EQ(Step(), Lines{});
  EXPECT_EQ(Look().look_again, seconds(30));
  EXPECT_EQ(Status("availableReplicas"), 0);
}

}  // namespace
}  // namespace kueue::localcluster
