#include "scheduling/model/device_table.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"
#include "api/match/device_objects.h"
#include "scheduling/snapshot.h"
#include "scheduling/test_cluster.h"

namespace kueue::scheduling {
namespace {

using resources::Quantity;
using Lines = std::vector<std::string>;

Quantity Amount(const std::string& text) { return *Quantity::Parse(text); }

std::shared_ptr<api::DeviceClass> Class(const std::string& name, const std::string& extended = "") {
  auto object = std::make_shared<api::DeviceClass>();
  object->name = name;
  object->created = base::Time(base::hours(1));
  object->selectors = {"device.driver == 'gpu.com'"};
  object->extended_resource_name = extended;
  return object;
}

api::DeviceRequest Request(const std::string& device_class, int64_t count = 1) {
  api::DeviceRequest request;
  request.exactly = true;
  request.device_class = device_class;
  request.allocation_mode = "ExactCount";
  request.count = count;
  return request;
}

std::shared_ptr<api::ResourceClaimTemplate> Template(std::vector<api::DeviceRequest> requests,
                                                     const std::string& name = "t") {
  auto object = std::make_shared<api::ResourceClaimTemplate>();
  object->namespace_name = "ns";
  object->name = name;
  object->requests = std::move(requests);
  return object;
}

api::Device Gpu(const std::string& name, const std::string& model) {
  api::Device device;
  device.name = name;
  device.attributes["model"].text = model;
  return device;
}

std::shared_ptr<api::ResourceSlice> Slice(const std::string& name, std::vector<api::Device> devices,
                                          int64_t generation = 1, int64_t slices = 1) {
  auto object = std::make_shared<api::ResourceSlice>();
  object->name = name;
  object->driver = "gpu.com";
  object->pool = "p";
  object->generation = generation;
  object->slices_in_pool = slices;
  object->devices = std::move(devices);
  return object;
}

void Claim(api::PodSpec& pod, const std::string& how) {
  pod.extra.Add("resourceClaims", *api::ParseJson("[" + how + "]"));
}

// spec/scheduling.md §1.9.
class DeviceTableTest : public ::testing::Test {
 protected:
  DeviceTableTest() {
    config_.device_mappings = {{"gpus", {"gpu"}, {}}};
    table_.SetClass(Class("gpu"));
  }
  api::PodSpec Claiming() {
    api::PodSpec pod;
    Claim(pod, R"({"name":"c","resourceClaimTemplateName":"t"})");
    return pod;
  }
  DeviceCharge Charge() { return table_.ChargeOf("ns", Claiming(), config_); }
  std::string Problem() { return Charge().problem; }

  Config config_;
  DeviceTable table_;
};

TEST_F(DeviceTableTest, EachDeviceCountsAsTheResourceOfItsClass) {
  table_.SetTemplate(Template({Request("gpu", 2), Request("gpu")}));
  EXPECT_TRUE(table_.Concerns(Claiming(), config_));
  const DeviceCharge charge = Charge();
  EXPECT_EQ(charge.problem, "");
  EXPECT_EQ(charge.added.at("gpus"), 3);
}

TEST_F(DeviceTableTest, TheFirstMappingOfAClassCounts) {
  config_.device_mappings.push_back({"others", {"gpu"}, {}});
  table_.SetTemplate(Template({Request("gpu")}));
  EXPECT_EQ(Charge().added.count("others"), 0u);
}

TEST_F(DeviceTableTest, AdminAccessIsFree) {
  api::DeviceRequest request = Request("unmapped");
  request.admin_access = true;
  table_.SetTemplate(Template({request}));
  EXPECT_EQ(Problem(), "");
  EXPECT_TRUE(Charge().added.empty());
}

TEST_F(DeviceTableTest, WhatCannotBeCountedIsAProblem) {
  EXPECT_NE(Problem().find("does not exist"), std::string::npos);
  api::DeviceRequest request = Request("gpu");
  request.allocation_mode = "All";
  table_.SetTemplate(Template({request}));
  EXPECT_NE(Problem().find("All"), std::string::npos);
  api::DeviceRequest first;
  first.first_available = true;
  table_.SetTemplate(Template({first}));
  EXPECT_NE(Problem().find("firstAvailable"), std::string::npos);
  table_.SetTemplate(Template({Request("unmapped")}));
  EXPECT_NE(Problem().find("unmapped"), std::string::npos);
  request = Request("gpu");
  request.selectors = {"device."};
  table_.SetTemplate(Template({request}));
  EXPECT_NE(Problem().find("device."), std::string::npos);
}

TEST_F(DeviceTableTest, NamedClaimsAreNotSupported) {
  api::PodSpec pod;
  Claim(pod, R"({"name":"c","resourceClaimName":"mine"})");
  EXPECT_NE(table_.ChargeOf("ns", pod, config_).problem.find("mine"), std::string::npos);
}

TEST_F(DeviceTableTest, ClaimsAreRefusedOrIgnoredWithoutTheGate) {
  table_.SetTemplate(Template({Request("gpu")}));
  config_.gates.dra_integration = false;
  EXPECT_TRUE(table_.Concerns(Claiming(), config_));
  EXPECT_NE(Problem(), "");
  config_.gates.dra_reject_when_disabled = false;
  EXPECT_FALSE(table_.Concerns(Claiming(), config_));
}

// A device found for one request of a claim is not there for the next.
TEST_F(DeviceTableTest, SelectorsNeedAsManyDevices) {
  api::DeviceRequest any = Request("gpu"), fast = any;
  any.selectors = {"device.attributes['gpu.com'].model == 'a'"};
  fast.selectors = any.selectors;
  table_.SetTemplate(Template({any, fast}));
  table_.SetSlice(Slice("s", {Gpu("0", "a"), Gpu("1", "b")}));
  EXPECT_NE(Problem(), "");
  table_.SetSlice(Slice("s", {Gpu("0", "a"), Gpu("1", "a")}));
  EXPECT_EQ(Problem(), "");
  EXPECT_EQ(Charge().added.at("gpus"), 2);
}

// ---- counters

class CounterTest : public DeviceTableTest {
 protected:
  CounterTest() {
    config_.device_mappings = {{"gpu-memory", {"gpu"}, {{true, "gpu.com", "memory", ""}}}};
    table_.SetTemplate(Template({Request("gpu", 2)}));
  }
  static api::Device Counting(const std::string& name, const std::string& memory) {
    api::Device device = Gpu(name, "a");
    device.counters = {{{"memory", Amount(memory)}}};
    return device;
  }
};

TEST_F(CounterTest, TheLargestCountsForEach) {
  table_.SetSlice(Slice("s", {Counting("0", "10"), Counting("1", "40"), Counting("2", "20")}));
  EXPECT_EQ(Charge().added.at("gpu-memory"), 80);
  EXPECT_TRUE(IsBinaryResource(config_, "gpu-memory"));
}

TEST_F(CounterTest, OnlyCompletePoolsOfTheNewestGeneration) {
  table_.SetSlice(Slice("old", {Counting("0", "90"), Counting("1", "90")}, 1));
  table_.SetSlice(Slice("new", {Counting("0", "10"), Counting("1", "10")}, 2));
  EXPECT_EQ(Charge().added.at("gpu-memory"), 20);
  table_.SetSlice(Slice("new", {Counting("0", "10"), Counting("1", "10")}, 2, 2));
  EXPECT_NE(Problem(), "");
}

TEST_F(CounterTest, TooFewDevicesAndNoCounterAreProblems) {
  table_.SetSlice(Slice("s", {Counting("0", "10")}));
  EXPECT_NE(Problem(), "");
  table_.SetSlice(Slice("s", {Gpu("0", "a"), Gpu("1", "a")}));
  EXPECT_NE(Problem().find("counter memory"), std::string::npos);
}

TEST_F(CounterTest, SourceSelectsItsDevicesAndNegativeValuesAreNothing) {
  config_.device_mappings[0].sources[0].selector = "device.attributes['gpu.com'].model == 'a'";
  api::Device other = Counting("2", "99");
  other.attributes["model"].text = "b";
  table_.SetSlice(Slice("s", {Counting("0", "-1"), Counting("1", "-5"), other}));
  EXPECT_EQ(Charge().problem, "");
  EXPECT_EQ(Charge().added.at("gpu-memory"), 0);
}

TEST_F(CounterTest, WithoutTheGateDevicesCountOnce) {
  config_.gates.dra_partitionable_devices = false;
  EXPECT_EQ(Charge().added.at("gpu-memory"), 2);
}

// ---- capacity

class CapacityTest : public DeviceTableTest {
 protected:
  CapacityTest() {
    config_.gates.dra_consumable_capacity = true;
    config_.device_mappings = {{"gpu-memory", {"gpu"}, {{false, "gpu.com", "memory", ""}}}};
  }
  int64_t ChargeOf(const api::CapacityPolicy& policy, const std::string& asked = "") {
    api::DeviceRequest request = Request("gpu");
    if (!asked.empty()) request.capacity_requests["memory"] = Amount(asked);
    table_.SetTemplate(Template({request}));
    api::Device device = Gpu("0", "a");
    device.capacity["memory"] = {Amount("100"), policy};
    table_.SetSlice(Slice("s", {device}));
    const DeviceCharge charge = Charge();
    return charge.problem.empty() ? charge.added.at("gpu-memory") : -1;
  }
};

TEST_F(CapacityTest, RequestThenDefaultThenAll) {
  api::CapacityPolicy policy;
  EXPECT_EQ(ChargeOf(policy), 100);
  EXPECT_EQ(ChargeOf(policy, "30"), 30);
  policy.default_value = Amount("20");
  EXPECT_EQ(ChargeOf(policy), 20);
  EXPECT_EQ(ChargeOf(policy, "30"), 30);
}

TEST_F(CapacityTest, IsRoundedByTheDevicesPolicy) {
  api::CapacityPolicy values, range;
  values.valid_values = {Amount("10"), Amount("50")};
  EXPECT_EQ(ChargeOf(values, "11"), 50);
  EXPECT_EQ(ChargeOf(values, "51"), -1);
  range.valid_range = api::CapacityPolicy::Range{Amount("10"), Amount("40"), Amount("4")};
  EXPECT_EQ(ChargeOf(range, "1"), 10);
  EXPECT_EQ(ChargeOf(range, "11"), 14);
  EXPECT_EQ(ChargeOf(range, "14"), 14);
  EXPECT_EQ(ChargeOf(range, "39"), -1);  // 42
}

// ---- extended resources

class ExtendedTest : public DeviceTableTest {
 protected:
  ExtendedTest() { table_.SetClass(Class("gpu", "gpu.com/gpu")); }
  static api::Container Asking(const std::string& amount) {
    api::Container container;
    container.resources.requests["gpu.com/gpu"] = Amount(amount);
    return container;
  }
  static api::PodSpec Pod(const std::vector<std::string>& init,
                          const std::vector<std::string>& regular) {
    api::PodSpec pod;
    for (const std::string& amount : init) pod.init_containers.push_back(Asking(amount));
    for (const std::string& amount : regular) pod.containers.push_back(Asking(amount));
    return pod;
  }
};

// The largest of init containers, sidecars too, or the sum of the others.
TEST_F(ExtendedTest, CountsAsTheClassThatItStandsFor) {
  const api::PodSpec pod = Pod({"2", "5"}, {"1", "2"});
  ASSERT_TRUE(table_.Concerns(pod, config_));
  const DeviceCharge charge = table_.ChargeOf("ns", pod, config_);
  EXPECT_EQ(charge.added.at("gpus"), 5);
  EXPECT_EQ(charge.replaced, (std::set<std::string>{"gpu.com/gpu"}));
  EXPECT_EQ(table_.ChargeOf("ns", Pod({"2"}, {"1", "2"}), config_).added.at("gpus"), 3);
}

TEST_F(ExtendedTest, OfTwoClassesTheNewestCountsThenTheFirstName) {
  config_.device_mappings = {{"a", {"a"}, {}}, {"gpus", {"gpu"}, {}}, {"z", {"z"}, {}}};
  auto newer = Class("z", "gpu.com/gpu");
  table_.SetClass(newer);
  EXPECT_TRUE(table_.ChargeOf("ns", Pod({}, {"1"}), config_).added.contains("gpus"));
  auto later = std::make_shared<api::DeviceClass>(*newer);
  later->created = base::Time(base::hours(2));
  table_.SetClass(later);
  EXPECT_TRUE(table_.ChargeOf("ns", Pod({}, {"1"}), config_).added.contains("z"));
}

TEST_F(ExtendedTest, WithoutAMappingItKeepsItsName) {
  config_.device_mappings.clear();
  EXPECT_EQ(table_.ChargeOf("ns", Pod({}, {"1"}), config_).added.at("gpu.com/gpu"), 1);
}

// Two halves are not a whole.
TEST_F(ExtendedTest, FractionsAndSourcesAreProblems) {
  EXPECT_NE(table_.ChargeOf("ns", Pod({}, {"500m", "500m"}), config_).problem, "");
  config_.device_mappings[0].sources = {{true, "gpu.com", "memory", ""}};
  EXPECT_NE(table_.ChargeOf("ns", Pod({}, {"1"}), config_).problem, "");
}

TEST_F(ExtendedTest, OthersAndTheGateLeaveItAlone) {
  config_.gates.dra_extended_resource = false;
  EXPECT_FALSE(table_.Concerns(Pod({}, {"1"}), config_));
  config_.gates.dra_extended_resource = true;
  EXPECT_FALSE(table_.Concerns(Pod({}, {"0"}), config_));
  table_.DeleteClass("gpu");
  EXPECT_FALSE(table_.Concerns(Pod({}, {"1"}), config_));
}

// ---- in a cluster

class DeviceQueueTest : public ::testing::Test {
 protected:
  static Config Mapping() {
    Config config;
    config.device_mappings = {{"gpus", {"gpu"}, {}}};
    return config;
  }
  DeviceQueueTest() : cluster_(Mapping()) {
    auto queue = MakeQueue("q", {9, {}, {}});
    queue->spec.resource_groups[0].covered_resources.emplace_back("gpus");
    api::ResourceQuota gpus = queue->spec.resource_groups[0].flavors[0].resources[0];
    gpus.name = "gpus";
    gpus.nominal_quota = Quantity::FromUnits(2);
    queue->spec.resource_groups[0].flavors[0].resources.push_back(gpus);
    cluster_.Add(queue);
    cluster_.state.SetDeviceClass(Class("gpu", "gpu.com/gpu"), cluster_.now);
  }
  static api::Workload Claiming(const std::string& name, int32_t count = 1) {
    api::Workload object = TestCluster::Make(name, "q", 1, 0, count);
    Claim(object.spec.pod_sets[0].pod_template.spec,
          R"({"name":"c","resourceClaimTemplateName":"t"})");
    return object;
  }
  TestCluster cluster_;
};

TEST_F(DeviceQueueTest, DevicesAreQuotaAndTimesTheCount) {
  cluster_.state.SetClaimTemplate(Template({Request("gpu")}), cluster_.now);
  cluster_.Submit(Claiming("w", 2));
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(TestCluster::Reserved(plan), (Lines{"ns/w"}));
  const auto& usage = plan.reservations[0].admission.pod_set_assignments[0].resource_usage;
  EXPECT_EQ(usage.at("gpus"), Quantity::FromUnits(2));
  cluster_.Submit(Claiming("v"));
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), Lines());
}

// Rejected work is not queued, whatever its status says, and comes back when it can be counted.
TEST_F(DeviceQueueTest, IsQueuedOnceItCanBeCounted) {
  api::Workload object = Claiming("w");
  cluster_.SetCondition(object, api::names::kRequeued, false, "Inadmissible");
  cluster_.Submit(object);
  EXPECT_EQ(cluster_.state.PendingInOrder("q"), Lines());
  EXPECT_NE(cluster_.state.DeviceProblem("ns/w"), "");
  cluster_.state.SetClaimTemplate(Template({Request("gpu")}), cluster_.now);
  EXPECT_EQ(cluster_.state.DeviceProblem("ns/w"), "");
  EXPECT_EQ(TestCluster::Reserved(cluster_.Cycle()), (Lines{"ns/w"}));
}

TEST_F(DeviceQueueTest, ExtendedResourceLeavesTheRequests) {
  api::Workload object = TestCluster::Make("w", "q", 1);
  auto& requests = object.spec.pod_sets[0].pod_template.spec.containers[0].resources.requests;
  requests["gpu.com/gpu"] = Quantity::FromUnits(2);
  cluster_.Submit(object);
  const Plan plan = cluster_.Cycle();
  ASSERT_EQ(TestCluster::Reserved(plan), (Lines{"ns/w"}));
  const auto& usage = plan.reservations[0].admission.pod_set_assignments[0].resource_usage;
  EXPECT_EQ(usage.at("gpus"), Quantity::FromUnits(2));
  EXPECT_FALSE(usage.contains("gpu.com/gpu"));
  const State fork = cluster_.state.Fork().Rebuild(cluster_.now);
  EXPECT_EQ(fork.ReportClusterQueue("q").reserving, 1);
}

}  // namespace
}  // namespace kueue::scheduling
