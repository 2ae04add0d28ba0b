#include "api/match/device_selector.h"

#include <gtest/gtest.h>

namespace kueue::api {
namespace {

Device Gpu() {
  Device device;
  device.name = "gpu-0";
  device.attributes["model"].text = "a100";
  device.attributes["other.com/index"].number = 3;
  device.attributes["healthy"].flag = true;
  device.attributes["driverVersion"].version = "1.10.0";
  device.capacity["memory"].value = *Quantity::Parse("40Gi");
  return device;
}

base::Result<bool> Ask(const char* expression) {
  const auto selector = DeviceSelector::Compile(expression);
  if (!selector.ok()) return selector.error();
  return selector->Matches(SelectableDevice("gpu.com", Gpu()));
}

TEST(DeviceSelectorTest, SeesDriverAttributesAndCapacity) {
  for (const char* expression : {
           "device.driver == 'gpu.com'",
           "device.attributes['gpu.com'].model == 'a100'",  // without a domain: the driver's
           "device.attributes['other.com'].index == 3",
           "device.attributes['gpu.com'].healthy",
           "device.attributes['gpu.com'].driverVersion.isGreaterThan(semver('1.9.0'))",
           "device.capacity['gpu.com'].memory.compareTo(quantity('40Gi')) == 0",
           "cel.bind(d, device.attributes['gpu.com'], d.model == 'a100' && d.healthy)",
           "'gpu.com' in device.attributes",
       }) {
    const auto answer = Ask(expression);
    ASSERT_TRUE(answer.ok()) << expression << ": " << answer.error().message;
    EXPECT_TRUE(*answer) << expression;
  }
  EXPECT_FALSE(*Ask("device.driver == 'else.com'"));
}

// Asking for a domain is always allowed; it may be empty.
TEST(DeviceSelectorTest, UnknownDomainIsEmptyAndUnknownNameAnError) {
  EXPECT_FALSE(*Ask("has(device.attributes['nobody.com'].x)"));
  EXPECT_FALSE(Ask("device.attributes['gpu.com'].x == 1").ok());
}

TEST(DeviceSelectorTest, RefusesWhatIsNoCondition) {
  EXPECT_FALSE(DeviceSelector::Compile("device.").ok());
  EXPECT_FALSE(DeviceSelector::Compile("device.driver").ok());
  EXPECT_FALSE(DeviceSelector::Compile("device.colour == 'red'").ok());
}

}  // namespace
}  // namespace kueue::api
