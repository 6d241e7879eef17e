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
  /// Source of a program with a variable "number" of 32 bits, 7 at first, a variable "texref.bound" that stands for a
  /// texture, and the kernels fetch(out, handle), fetchBound(out) and fetchNumber(out): they write the first texel of
  /// the texture, of the bound one, and the number, 32 bits each. Empty: the device has neither.
  std::string textures = {};
  SourceLanguage texturesLanguage = SourceLanguage::OpenClC;
  /// Source of a program with the kernel "twice", and with "calls": it asks for a new event (CreateUserEvent), and sets
  /// the first int that its argument points to to 21 if that is one (IsValidEvent), else to 1. Empty: kernels call
  /// nothing.
  std::string calls = {}, callsOptions = {};
};

inline void PrintTo(const DeviceUnderTest &device, std::ostream *to) { *to << device.name; }

class DeviceContract : public testing::TestWithParam<DeviceUnderTest> {
protected:
  void SetUp() override { device = GetParam().create(); }
  Ref<Device> device;
};

} // namespace us::test
