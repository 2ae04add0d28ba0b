#include "api/match/device_objects.h"

#include <gtest/gtest.h>

#include "api/codec/json_text.h"

namespace kueue::api {
namespace {

TEST(DeviceObjectsTest, SliceWithDevices) {
  const ResourceSlice slice = ReadResourceSlice(*ParseJson(R"({"metadata":{"name":"s"},"spec":{
      "driver":"gpu.com","pool":{"name":"p","generation":2,"resourceSliceCount":3},
      "devices":[{"name":"gpu-0","attributes":{"model":{"string":"a100"},"index":{"int":1}},
        "capacity":{"memory":{"value":"40Gi","requestPolicy":{"default":"1Gi",
          "validRange":{"min":"1Gi","step":"512Mi"}}}},
        "consumesCounters":[{"counterSet":"c","counters":{"memory":{"value":"10Gi"}}}]}]}})"));
  EXPECT_EQ(slice.driver + slice.pool, "gpu.comp");
  EXPECT_EQ(slice.generation, 2);
  EXPECT_EQ(slice.slices_in_pool, 3);
  ASSERT_EQ(slice.devices.size(), 1u);
  const Device& device = slice.devices[0];
  EXPECT_EQ(device.attributes.at("model").text, "a100");
  EXPECT_EQ(device.attributes.at("index").number, 1);
  EXPECT_EQ(device.capacity.at("memory").policy->valid_range->min, *Quantity::Parse("1Gi"));
  EXPECT_FALSE(device.capacity.at("memory").policy->valid_range->max);
  EXPECT_EQ(device.counters.at(0).at("memory"), *Quantity::Parse("10Gi"));
}

TEST(DeviceObjectsTest, ClassAndTemplate) {
  const DeviceClass device_class = ReadDeviceClass(*ParseJson(R"({"metadata":{"name":"gpu",
      "creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"extendedResourceName":"gpu.com/gpu",
      "selectors":[{"cel":{"expression":"true"}}]}})"));
  EXPECT_EQ(device_class.extended_resource_name, "gpu.com/gpu");
  EXPECT_EQ(device_class.selectors, std::vector<std::string>{"true"});
  EXPECT_TRUE(device_class.created);

  const ResourceClaimTemplate claim = ReadResourceClaimTemplate(*ParseJson(R"({"metadata":{
      "namespace":"ns","name":"t"},"spec":{"spec":{"devices":{"requests":[
        {"name":"a","exactly":{"deviceClassName":"gpu"}},
        {"name":"b","exactly":{"deviceClassName":"gpu","count":3,"adminAccess":true,
          "capacity":{"requests":{"memory":"1Gi"}}}},
        {"name":"c","firstAvailable":[{"name":"x"}]}]}}}})"));
  ASSERT_EQ(claim.requests.size(), 3u);
  EXPECT_EQ(claim.requests[0].count, 1);
  EXPECT_EQ(claim.requests[0].allocation_mode, "ExactCount");
  EXPECT_TRUE(claim.requests[1].admin_access);
  EXPECT_EQ(claim.requests[1].capacity_requests.at("memory"), *Quantity::Parse("1Gi"));
  EXPECT_TRUE(claim.requests[2].first_available);
}

TEST(DeviceObjectsTest, ClaimsOfAPod) {
  PodSpec pod;
  EXPECT_TRUE(ClaimsOf(pod).empty());
  pod.extra.Add("resourceClaims", *ParseJson(R"([{"name":"a","resourceClaimName":"mine"},
      {"name":"b","resourceClaimTemplateName":"t"}])"));
  const auto claims = ClaimsOf(pod);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].claim, "mine");
  EXPECT_EQ(claims[1].claim_template, "t");
}

}  // namespace
}  // namespace kueue::api
