// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract, kept by a device of a driver that is not ours: PoCL's, where it is installed.
#include "runtime/base/options.h"
#include "runtime/forward/loader/vendor_files.h"
#include "runtime/forward/opencl/forwarded_devices.h"
#include "tests/device_contract/device_contract.h"

namespace us::test {
namespace {

constexpr const char *kTwice = "kernel void twice(global int *x) { size_t i = get_global_id(0); x[i] *= 2; }";

/// PoCL's, or that of the driver that UNDERSTUDY_FORWARD names (a GPU's, by hand). Null where it is not installed.
Ref<Device> forwardedDevice() {
  const std::string &asked = options().forward;
  const std::vector<forward::Candidate> named =
      forward::namedDrivers(asked.empty() ? "pocl.icd" : asked, forward::vendorPlaces());
  if (named.empty() || !named.front().problem.empty()) return nullptr;
  Expected<std::vector<Ref<Device>>> devices = forward::openDevices({named.front().library, {}, {}});
  EXPECT_TRUE(devices) << devices.error().message;
  return devices && !devices->empty() ? devices->front() : nullptr;
}

std::vector<DeviceUnderTest> devicesUnderTest() {
  if (!forwardedDevice()) return {};
  return {{"pocl", forwardedDevice, kTwice, "kernel void x( {"}};
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeviceContract);
INSTANTIATE_TEST_SUITE_P(Forwarded, DeviceContract, testing::ValuesIn(devicesUnderTest()),
                         [](const auto &info) { return info.param.name; });

TEST(ForwardedDevice, OffersOnlyWhatIsForwarded) {
  const Ref<Device> device = forwardedDevice();
  if (!device) GTEST_SKIP() << "PoCL is not installed";
  const DeviceInfo &info = device->info();
  EXPECT_EQ(info.svmCapabilities & 4, 0u) << "all of the host's memory";
  EXPECT_EQ(info.maxPipeArguments, 0u);
  EXPECT_EQ(info.maxDeviceQueues, 0u);
  for (const NamedVersion &extension : info.extensions)
    for (const char *part : {"pocl", "svm", "subgroup", "spir"})
      EXPECT_EQ(extension.name.find(part), std::string::npos) << extension.name;
  for (const NamedVersion &feature : info.openclCFeatures)
    for (const char *part : {"pipe", "device_enqueue"})
      EXPECT_EQ(feature.name.find(part), std::string::npos) << feature.name;
}

TEST(ForwardedDevice, ImagesOfBuffersLieInAnyMemory) {
  const Ref<Device> device = forwardedDevice();
  if (!device) GTEST_SKIP() << "PoCL is not installed";
  Expected<std::unique_ptr<DeviceMemory>> memory = device->allocate({.size = 1024});
  ASSERT_TRUE(memory);
  auto *const begin = reinterpret_cast<std::byte *>((*memory)->address());
  ImageDescription image;
  image.kind = ImageKind::Image1DBuffer;
  image.width = 256;
  image.rowPitch = image.slicePitch = 1024;
  const Expected<std::unique_ptr<DeviceImage>> ofBuffer = device->createImage(image, begin);
  EXPECT_TRUE(ofBuffer) << ofBuffer.error().message;
  image.kind = ImageKind::Image1D;
  const Expected<std::unique_ptr<DeviceImage>> other = device->createImage(image, begin);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::Unsupported);
}

TEST(ForwardedDevice, ArgumentsAreWhatTheDriverTells) {
  const Ref<Device> device = forwardedDevice();
  if (!device) GTEST_SKIP() << "PoCL is not installed";
  BuildResult built = device->compile({"kernel void k(global int *a, local float *b, char c, float3 d, ulong e,"
                                       "              constant int *f, int16 g) {}",
                                       "",
                                       {},
                                       true});
  ASSERT_TRUE(built) << built.error().message << built.log;
  const std::vector<ArgumentInfo> &arguments = (*built)->kernels()[0].arguments;
  ASSERT_EQ(arguments.size(), 7u);
  using enum ArgumentKind;
  const ArgumentKind kinds[] = {GlobalPointer, LocalPointer, Value, Value, Value, GlobalPointer, Value};
  const uint32_t sizes[] = {8, 8, 1, 16, 8, 8, 64};
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(arguments[i].kind, kinds[i]) << i;
    EXPECT_EQ(arguments[i].size, sizes[i]) << i;
    EXPECT_EQ(arguments[i].offset % 8, 0u) << i;
    // Without our compiler nobody says that this one is no image.
    EXPECT_EQ(arguments[i].maybeObject, i == 4) << i;
  }
}

TEST(ForwardedDevice, AWorkGroupThatIsTooLargeIsRefusedAtOnce) {
  const Ref<Device> device = forwardedDevice();
  if (!device) GTEST_SKIP() << "PoCL is not installed";
  BuildResult built = device->compile({kTwice, "", {}, true});
  ASSERT_TRUE(built) << built.log;
  LaunchCommand launch;
  launch.kernel = *(*built)->kernel("twice");
  const KernelInfo &info = launch.kernel->info();
  ASSERT_GT(info.largestWorkGroup, 0u);
  EXPECT_GT(info.preferredMultiple, 0u);
  launch.localSize = {info.largestWorkGroup, 1, 1};
  EXPECT_TRUE(device->check(launch));
  launch.localSize = {device->info().maxWorkGroupSize, 2, 1};
  const Expected<void> checked = device->check(launch);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::InvalidWorkGroupSize);
}

TEST(ForwardedDevice, ErrorsOfTheDriverAreNamed) {
  if (!options().forward.empty()) GTEST_SKIP() << "what follows are PoCL's answers";
  const Ref<Device> device = forwardedDevice();
  if (!device) GTEST_SKIP() << "PoCL is not installed";
  const BuildResult built = device->compile({kTwice, "-no-such-option", {}, true});
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::InvalidBuildOptions);
  EXPECT_EQ(built.error().message, "the driver answers clBuildProgram with CL_INVALID_BUILD_OPTIONS (-43)");
}

} // namespace
} // namespace us::test
