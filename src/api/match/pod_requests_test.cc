#include "api/match/pod_requests.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

using Texts = std::map<std::string, std::string>;

ResourceList List(const Texts& texts) {
  ResourceList list;
  for (const auto& [name, text] : texts) list[name] = Quantity::Parse(text).value();
  return list;
}

Texts ToTexts(const ResourceList& list) {
  Texts texts;
  for (const auto& [name, quantity] : list) texts[name] = quantity.ToString();
  return texts;
}

Container Requesting(const Texts& requests) {
  Container container;
  container.resources.requests = List(requests);
  return container;
}

Container Sidecar(const Texts& requests) {
  Container container = Requesting(requests);
  container.restart_policy = "Always";
  return container;
}

Texts Requests(const PodSpec& pod) { return ToTexts(PodRequestQuantities(pod)); }

TEST(PodRequests, ContainersAddUp) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "500m"}, {"memory", "1Gi"}}),
                    Requesting({{"cpu", "1"}, {"example.com/gpu", "2"}})};
  EXPECT_EQ(Requests(pod),
            (Texts{{"cpu", "1500m"}, {"example.com/gpu", "2"}, {"memory", "1Gi"}}));
}

TEST(PodRequests, EmptyPodAsksForNothing) { EXPECT_TRUE(PodRequests(PodSpec()).empty()); }

TEST(PodRequests, LargestInitContainerCountsPerResource) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "1"}, {"memory", "1Gi"}})};
  pod.init_containers = {Requesting({{"cpu", "3"}}),
                         Requesting({{"cpu", "2"}, {"memory", "512Mi"}})};
  EXPECT_EQ(Requests(pod), (Texts{{"cpu", "3"}, {"memory", "1Gi"}}));
}

TEST(PodRequests, SidecarsKeepRunning) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "1"}})};
  pod.init_containers = {Sidecar({{"cpu", "200m"}})};
  EXPECT_EQ(Requests(pod), (Texts{{"cpu", "1200m"}}));
}

TEST(PodRequests, InitContainersRunBesideEarlierSidecarsOnly) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "1"}})};
  pod.init_containers = {Requesting({{"cpu", "4"}}), Sidecar({{"cpu", "1"}}),
                         Requesting({{"cpu", "3500m"}}), Sidecar({{"cpu", "1"}})};
  // First 4; then 1 + 3.5 beside the first sidecar; running: 1 + 1 + 1.
  EXPECT_EQ(Requests(pod), (Texts{{"cpu", "4500m"}}));
}

TEST(PodRequests, ManySidecarsMayOutgrowTheRest) {
  PodSpec pod;
  pod.init_containers = {Sidecar({{"cpu", "1"}}), Sidecar({{"cpu", "2"}})};
  EXPECT_EQ(Requests(pod), (Texts{{"cpu", "3"}}));
}

TEST(PodRequests, PodLevelReplacesWhatItMayName) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "4"}, {"memory", "1Gi"}, {"example.com/gpu", "1"}})};
  pod.resources.emplace().requests = List(
      {{"cpu", "2"}, {"hugepages-2Mi", "4Mi"}, {"example.com/gpu", "8"}, {"pods", "3"}});
  EXPECT_EQ(Requests(pod), (Texts{{"cpu", "2"},
                                  {"example.com/gpu", "1"},
                                  {"hugepages-2Mi", "4Mi"},
                                  {"memory", "1Gi"}}));
}

TEST(PodRequests, OverheadComesOnTopOfPodLevel) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "4"}})};
  pod.resources.emplace().requests = List({{"cpu", "2"}});
  pod.overhead = List({{"cpu", "250m"}, {"memory", "64Mi"}});
  EXPECT_EQ(Requests(pod), (Texts{{"cpu", "2250m"}, {"memory", "64Mi"}}));
}

TEST(PodRequests, ZeroStaysAnExplicitEntry) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "0"}})};
  EXPECT_TRUE(PodRequests(pod).Has("cpu"));
}

TEST(PodRequests, LimitsDoNotCount) {
  PodSpec pod;
  pod.containers.emplace_back().resources.limits = List({{"cpu", "1"}});
  EXPECT_TRUE(PodRequests(pod).empty());
}

TEST(PodRequests, RoundsOnceAfterTheSums) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "500u"}, {"memory", "0.5"}}),
                    Requesting({{"cpu", "500u"}, {"memory", "0.6"}})};
  EXPECT_EQ(PodRequests(pod).Get("cpu"), 1);
  EXPECT_EQ(PodRequests(pod).Get("memory"), 2);
}

TEST(FillRequestsFromLimits, FillsOnlyWhatIsMissing) {
  PodSpec pod;
  pod.containers = {Requesting({{"cpu", "1"}})};
  pod.containers[0].resources.limits = List({{"cpu", "2"}, {"memory", "1Gi"}});
  FillRequestsFromLimits(pod);
  EXPECT_EQ(ToTexts(pod.containers[0].resources.requests),
            (Texts{{"cpu", "1"}, {"memory", "1Gi"}}));
}

TEST(FillRequestsFromLimits, CoversInitContainersAndThePodLevel) {
  PodSpec pod;
  pod.init_containers.emplace_back().resources.limits = List({{"cpu", "2"}});
  pod.resources.emplace().limits = List({{"memory", "2Gi"}});
  FillRequestsFromLimits(pod);
  EXPECT_EQ(ToTexts(pod.init_containers[0].resources.requests), (Texts{{"cpu", "2"}}));
  EXPECT_EQ(ToTexts(pod.resources->requests), (Texts{{"memory", "2Gi"}}));
}

}  // namespace
}  // namespace kueue::api
