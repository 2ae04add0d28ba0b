#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "api/types/devices.h"
#include "base/result.h"

namespace kueue::api {

// A device as selectors see it. Belongs to one thread.
class SelectableDevice {
 public:
  // Keeps nothing of `device`.
  SelectableDevice(const std::string& driver, const Device& device);
  SelectableDevice(SelectableDevice&&) noexcept;
  SelectableDevice& operator=(SelectableDevice&&) noexcept;
  ~SelectableDevice();

 private:
  friend class DeviceSelector;
  struct Content;
  std::unique_ptr<Content> content_;
};

// A CEL expression over one variable `device`: driver, attributes and capacity by domain and name.
// https://kubernetes.io/docs/reference/kubernetes-api/resource/resource-claim-v1/
class DeviceSelector {
 public:
  // kInvalid, with a text for people, for what is no expression that gives a bool.
  static base::Result<DeviceSelector> Compile(std::string_view text);
  DeviceSelector(DeviceSelector&&) noexcept;
  DeviceSelector& operator=(DeviceSelector&&) noexcept;
  ~DeviceSelector();

  // An error when the evaluation fails: an attribute that the device does not have.
  base::Result<bool> Matches(const SelectableDevice& device) const;

 private:
  struct Compiled;
  explicit DeviceSelector(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace kueue::api
