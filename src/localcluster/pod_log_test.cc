#include "localcluster/pod_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kueue::localcluster {
namespace {

using testing::ElementsAre;

const base::Time kStart{base::hours(24 * 365 * 56)};

api::Pod PodWithContainer() {
  api::Pod pod;
  pod.spec.containers.resize(1);
  pod.spec.containers[0].name = "main";
  pod.spec.containers[0].image = "busybox";
  pod.spec.containers[0].args = {"sleep", "5"};
  pod.status.container_statuses.resize(1);
  pod.status.container_statuses[0].name = "main";
  return pod;
}

std::vector<std::string> Texts(const ContainerLog& log) {
  std::vector<std::string> texts;
  for (const LogLine& line : log.lines) texts.push_back(line.text);
  return texts;
}

TEST(PodLog, SaysWhatWasStartedAndWhatWasAskedFor) {
  api::Pod pod = PodWithContainer();
  pod.metadata.annotations[kLogAnnotation] = "one\ntwo\n";
  auto& state = pod.status.container_statuses[0].state;
  state.running.emplace();
  state.running->started_at = kStart;
  const ContainerLog log = SimulatedLog(pod, "main", false);
  EXPECT_THAT(Texts(log), ElementsAre("started busybox sleep 5", "one", "two"));
  EXPECT_FALSE(log.ended);
}

TEST(PodLog, EndsWithTheExitCode) {
  api::Pod pod = PodWithContainer();
  auto& state = pod.status.container_statuses[0].state;
  state.terminated.emplace();
  state.terminated->exit_code = 3;
  state.terminated->started_at = kStart;
  state.terminated->finished_at = kStart + base::seconds(5);
  const ContainerLog log = SimulatedLog(pod, "main", false);
  EXPECT_THAT(Texts(log), ElementsAre("started busybox sleep 5", "exited with code 3"));
  EXPECT_EQ(log.lines[1].time, kStart + base::seconds(5));
  EXPECT_TRUE(log.ended);
}

TEST(PodLog, TellsWhyThereIsNoneYet) {
  api::Pod pod = PodWithContainer();
  pod.status.container_statuses[0].state.waiting.emplace();
  pod.status.container_statuses[0].state.waiting->reason = "ContainerCreating";
  EXPECT_EQ(SimulatedLog(pod, "main", false).waiting, "ContainerCreating");
}

}  // namespace
}  // namespace kueue::localcluster
