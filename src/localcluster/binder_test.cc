#include "localcluster/binder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "localcluster/conditions.h"
#include "localcluster/node_spec.h"

namespace kueue::localcluster {
namespace {

using base::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct ListQueue final : runtime::Queue {
  void Add(const kube::ObjectKey& key) override { keys.insert(key.name); }
  void AddAfter(const kube::ObjectKey& key, base::Duration) override { keys.insert(key.name); }
  std::set<std::string> keys;
};

class BinderTest : public testing::Test {
 protected:
  BinderTest() { binder.SetQueue(queue); }
  using PodPtr = std::shared_ptr<const api::Pod>;

  void AddNodes(const char* spec) {
    for (api::Node& node : BuildNodes(*ParseNodeSpec(spec), now)) {
      binder.OnNode(nullptr, std::make_shared<const api::Node>(std::move(node)));
    }
  }
  api::Pod& AddPod(const std::string& name, const char* cpu, int32_t priority = 0) {
    api::Pod pod;
    pod.metadata.name = name;
    pod.metadata.namespace_name = "a";
    pod.metadata.uid = "uid-" + name;
    pod.metadata.creation_timestamp = now;
    pod.spec.priority = priority;
    pod.spec.containers.resize(1);
    pod.spec.containers[0].resources.requests["cpu"] = *api::Quantity::Parse(cpu);
    pod.status.phase = "Pending";
    return Show(pod);
  }
  // The cache takes this state of the pod in.
  api::Pod& Show(const api::Pod& pod) {
    auto after = std::make_shared<const api::Pod>(pod);
    PodPtr& held = cache[pod.metadata.name];
    binder.OnPod(held, after);
    held = after;
    return pods[pod.metadata.name] = pod;
  }
  void Remove(const std::string& name) {
    binder.OnPod(cache.at(name), nullptr);
    cache.erase(name);
  }
  runtime::Intents Look(const std::string& name) {
    queue.keys.erase(name);
    return binder.Reconcile({"a", name}, now);
  }
  static std::string NodeIn(const runtime::Intents& intents) {
    return intents.writes.size() == 1 ? intents.writes[0].body.StringAt({"target", "name"}) : "";
  }
  void Answer(const std::string& name, const runtime::Intents& intents, bool ok) {
    const base::Result<api::Json> outcome =
        ok ? base::Result<api::Json>(api::Json()) : base::Unavailable("no");
    binder.OnWritten({"a", name}, intents.writes.at(0), outcome);
  }

  base::Time now{base::hours(24 * 365 * 56)};
  ListQueue queue;
  Binder binder;
  std::map<std::string, api::Pod> pods;
  std::map<std::string, PodPtr> cache;
};

TEST_F(BinderTest, BindsThroughTheSubresource) {
  AddNodes("(cpu=2)");
  AddPod("x", "1");
  EXPECT_THAT(queue.keys, ElementsAre("x"));
  const auto intents = Look("x");
  ASSERT_EQ(intents.writes.size(), 1u);
  EXPECT_EQ(intents.writes[0].verb, runtime::WriteVerb::kCreateSub);
  EXPECT_EQ(intents.writes[0].subresource, "binding");
  EXPECT_EQ(intents.writes[0].body.StringAt({"metadata", "uid"}), "uid-x");
  EXPECT_EQ(NodeIn(intents), "node-1");
  EXPECT_EQ(intents.events.at(0).reason, "Scheduled");
}

// The cache hears of a binding later than the server does.
TEST_F(BinderTest, CountsBindingsThatAreUnderWay) {
  AddNodes("(cpu=2)");
  AddPod("x", "2");
  AddPod("y", "2");
  const auto first = Look("x");
  EXPECT_EQ(NodeIn(first), "node-1");
  EXPECT_EQ(NodeIn(Look("y")), "");
  Answer("x", first, true);
  EXPECT_THAT(Look("x").writes, IsEmpty());
  EXPECT_EQ(NodeIn(Look("y")), "");
}

TEST_F(BinderTest, HighPriorityComesFirstWhicheverIsLookedAt) {
  AddNodes("(cpu=2)");
  AddPod("low", "2");
  AddPod("high", "2", 100);
  EXPECT_THAT(Look("low").writes.at(0).subresource, "status");
  EXPECT_THAT(queue.keys, ElementsAre("high"));
  EXPECT_EQ(NodeIn(Look("high")), "node-1");
}

TEST_F(BinderTest, TellsWhyAPodWaitsOnce) {
  AddNodes("(cpu=2)");
  api::Pod pod = AddPod("x", "4");
  const auto intents = Look("x");
  ASSERT_EQ(intents.writes.size(), 1u);
  EXPECT_EQ(intents.events.at(0).reason, "FailedScheduling");
  EXPECT_THAT(intents.events.at(0).message, HasSubstr("1 Insufficient cpu"));
  SetCondition(pod.status.conditions, "PodScheduled", false, "Unschedulable",
               intents.events.at(0).message, now);
  Show(pod);
  const auto again = Look("x");
  EXPECT_THAT(again.writes, IsEmpty());
  EXPECT_FALSE(again.look_again.has_value());
}

// Counts in the message change all the time.
TEST_F(BinderTest, RetellsAChangedMessageRarely) {
  AddNodes("(cpu=2)");
  api::Pod pod = AddPod("x", "4");
  const auto intents = Look("x");
  SetCondition(pod.status.conditions, "PodScheduled", false, "Unschedulable",
               intents.events.at(0).message, now);
  Show(pod);
  AddNodes("2x(cpu=2)");
  now += seconds(4);
  auto later = Look("x");
  EXPECT_THAT(later.writes, IsEmpty());
  EXPECT_EQ(later.look_again, seconds(6));
  now += seconds(6);
  later = Look("x");
  EXPECT_EQ(later.writes.size(), 1u);
  EXPECT_THAT(later.events, IsEmpty());
}

TEST_F(BinderTest, DecidesAgainWhenRoomBecomesFree) {
  AddNodes("(cpu=2)");
  api::Pod& running = AddPod("old", "2");
  running.spec.node_name = "node-1";
  Show(running);
  AddPod("new", "2");
  EXPECT_EQ(NodeIn(Look("new")), "");
  running.status.phase = "Succeeded";
  Show(running);
  EXPECT_THAT(queue.keys, testing::Contains("new"));
  EXPECT_EQ(NodeIn(Look("new")), "node-1");
}

TEST_F(BinderTest, DecidesAgainWhenANodeComes) {
  AddPod("x", "2");
  EXPECT_EQ(NodeIn(Look("x")), "");
  AddNodes("(cpu=2)");
  EXPECT_THAT(queue.keys, ElementsAre("x"));
  EXPECT_EQ(NodeIn(Look("x")), "node-1");
}

TEST_F(BinderTest, FailedBindingGivesThePlaceBack) {
  AddNodes("(cpu=2)");
  AddPod("x", "2");
  const auto intents = Look("x");
  Remove("x");
  AddPod("y", "2");
  EXPECT_EQ(NodeIn(Look("y")), "node-1");
}

// Otherwise two pods that are refused would bring each other up without any delay.
TEST_F(BinderTest, FailedBindingIsRetriedByTheDriverAlone) {
  AddNodes("2x(cpu=2)");
  AddPod("x", "2");
  AddPod("y", "2");
  const auto x = Look("x");
  const auto y = Look("y");
  Answer("x", x, false);
  Answer("y", y, false);
  queue.keys.clear();
  EXPECT_NE(NodeIn(Look("x")), "");
  EXPECT_THAT(queue.keys, IsEmpty());
  EXPECT_NE(NodeIn(Look("y")), "");
}

TEST_F(BinderTest, LeavesGatedEndingAndForeignPodsAlone) {
  AddNodes("(cpu=2)");
  api::Pod gated = AddPod("x", "1");
  EXPECT_TRUE(WaitsForNode(gated));
  api::Pod other = gated;
  gated.spec.scheduling_gates.push_back({"kueue.x-k8s.io/admission", {}});
  EXPECT_FALSE(WaitsForNode(gated));
  Show(gated);
  EXPECT_THAT(Look("x").writes, IsEmpty());
  other.spec.scheduler_name = "volcano";
  EXPECT_FALSE(WaitsForNode(other));
  other.spec.scheduler_name = "default-scheduler";
  EXPECT_TRUE(WaitsForNode(other));
  other.metadata.deletion_timestamp = now;
  EXPECT_FALSE(WaitsForNode(other));
}

}  // namespace
}  // namespace kueue::localcluster
