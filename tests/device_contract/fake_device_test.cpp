// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract, kept by the fake device, so that tests of the core test against something true.
#include "tests/device_contract/device_contract.h"
#include "tests/support/fake_device.h"

namespace us::test {
namespace {

Ref<Device> fakeDevice(bool asynchronous) {
  FakeDevice::Setup setup;
  setup.memory = setup.maxAllocation = 128 << 20;
  setup.asynchronous = setup.images = asynchronous;
  Ref<FakeDevice> device = FakeDevice::create(setup);
  device->addKernel(fakeKernelInfo("twice", {ArgumentKind::GlobalPointer}), [](const FakeLaunch &launch) {
    int *numbers = launch.argument<int *>(0);
    for (uint64_t i = 0; i < launch.command.globalSize[0]; ++i) numbers[i] *= 2;
    return Expected<void>();
  });
  return device;
}

INSTANTIATE_TEST_SUITE_P(
    Fake, DeviceContract,
    testing::Values(DeviceUnderTest{"synchronous", [] { return fakeDevice(false); }, "twice", "broken"},
                    DeviceUnderTest{"asynchronous", [] { return fakeDevice(true); }, "twice", "broken"}),
    [](const auto &info) { return info.param.name; });

} // namespace
} // namespace us::test
