// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract, kept by a device that compares two: two tiers of the emulated one.
#include "emulator/device/emulated_devices.h"
#include "runtime/compare/compare_devices.h"
#include "tests/device_contract/device_contract.h"
#include "tests/device_contract/emulated_programs.h"

namespace us::test {
namespace {

Ref<Device> emulatedDevice(const char *tier) {
  Options small;
  small.memory = 256 << 20;
  small.computeUnits = 4;
  small.cache = false;
  small.tier = tier;
  return emulator::createDevices(small).front();
}

Ref<Device> comparedDevice() {
  return compare::comparedDevices({{emulatedDevice("auto"), emulatedDevice("fiber")}}, {.report = "/dev/null"}).front();
}

INSTANTIATE_TEST_SUITE_P(Compared, DeviceContract,
                         testing::Values(DeviceUnderTest{"tiers", comparedDevice, kTwice, "kernel void x( {", kTextures,
                                                         SourceLanguage::Ptx, kCalls, "-cl-std=CL3.0"}),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace us::test
