// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every device must do: one suite, instantiated once per kind of device.
#pragma once

#include "runtime/device/device.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace us::test {

struct DeviceUnderTest {
  std::string name;
  std::function<Ref<Device>()> create;
  /// Source of a program with one kernel, "twice", which doubles the ints its one argument points to, one a work-item.
  std::string twice;
  std::string broken; ///< source that does not compile
};

inline void PrintTo(const DeviceUnderTest &device, std::ostream *to) { *to << device.name; }

class DeviceContract : public testing::TestWithParam<DeviceUnderTest> {
protected:
  void SetUp() override { device = GetParam().create(); }
  Ref<Device> device;
};

} // namespace us::test
