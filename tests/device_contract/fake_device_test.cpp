// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract, kept by the fake device, so that tests of the core test against something true.
#include "tests/device_contract/device_contract.h"
#include "tests/support/fake_device.h"

namespace us::test {
namespace {

Expected<void> write(const FakeLaunch &launch, const std::byte *from) {
  std::memset(launch.pointer<uint32_t>(0), 0, 4);
  if (from) std::memcpy(launch.pointer<uint32_t>(0), from, 4);
  return {};
}

using enum FakeDevice::Submission;

Ref<Device> fakeDevice(FakeDevice::Submission submission, bool sharesHostMemory = true) {
  FakeDevice::Setup setup;
  setup.sharesHostMemory = sharesHostMemory;
  setup.sharedMemory = true;
  setup.memory = setup.maxAllocation = 128 << 20;
  setup.submission = submission;
  setup.images = submission != Runs;
  Ref<FakeDevice> device = FakeDevice::create(setup);
  device->addKernel(fakeKernelInfo("twice", {ArgumentKind::GlobalPointer}), [](const FakeLaunch &launch) {
    auto *numbers = launch.pointer<uint32_t>(0); // some tests write none
    for (uint64_t i = 0; i < launch.command.globalSize[0]; ++i) numbers[i] *= 2;
    return Expected<void>();
  });
  device->addVariable("number", {std::byte{7}, {}, {}, {}});
  device->addTextureVariable("texref.bound");
  const auto texel = [](const FakeLaunch &launch, uint64_t handle) {
    const uint64_t at = launch.device.texels(handle);
    return write(launch, at ? launch.device.at(at) : nullptr);
  };
  device->addKernel(fakeKernelInfo("fetch", {ArgumentKind::GlobalPointer, ArgumentKind::GlobalPointer}),
                    [=](const FakeLaunch &launch) { return texel(launch, launch.argument<uint64_t>(1)); });
  device->addKernel(fakeKernelInfo("fetchBound", {ArgumentKind::GlobalPointer}), [=](const FakeLaunch &launch) {
    uint64_t handle = 0;
    std::memcpy(&handle, launch.variable("texref.bound"), sizeof handle);
    return texel(launch, handle);
  });
  device->addKernel(fakeKernelInfo("fetchNumber", {ArgumentKind::GlobalPointer}),
                    [](const FakeLaunch &launch) { return write(launch, launch.variable("number")); });
  return device;
}

const char *const kTextures = "fetch fetchBound fetchNumber";

INSTANTIATE_TEST_SUITE_P(
    Fake, DeviceContract,
    testing::Values(DeviceUnderTest{"synchronous", [] { return fakeDevice(Runs); }, "twice", "broken", kTextures},
                    DeviceUnderTest{"asynchronous", [] { return fakeDevice(Returns); }, "twice", "broken", kTextures},
                    DeviceUnderTest{"hands_over", [] { return fakeDevice(HandsOver); }, "twice", "broken", kTextures},
                    DeviceUnderTest{"foreign_memory", [] { return fakeDevice(Returns, false); }, "twice", "broken",
                                    kTextures}),
    [](const auto &info) { return info.param.name; });

} // namespace
} // namespace us::test
