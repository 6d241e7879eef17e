// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contract, kept by the emulated device; and what only it promises.
#include "emulator/abi/image_abi.h"
#include "emulator/device/emulated_devices.h"
#include "runtime/device/command_outcome.h"
#include "tests/device_contract/contract_steps.h"
#include "tests/device_contract/emulated_programs.h"

namespace us::test {
namespace {

/// 256 MiB, so that the account's test touches little, and four compute units, so that there is something to divide on
/// any machine.
Options smallOptions() {
  Options small;
  small.memory = 256 << 20;
  small.computeUnits = 4;
  small.cache = false;
  return small;
}

Ref<Device> emulatedDevice() { return emulator::createDevices(smallOptions()).front(); }

INSTANTIATE_TEST_SUITE_P(Emulated, DeviceContract,
                         testing::Values(DeviceUnderTest{"emulated", emulatedDevice, kTwice, "kernel void x( {",
                                                         kTextures, SourceLanguage::Ptx, kCalls, "-cl-std=CL3.0"}),
                         [](const auto &info) { return info.param.name; });

TEST(EmulatedDevice, SaysHowLongCodeWasMade) {
  struct Watcher final : CommandOutcome {
    void codeAwaited(uint64_t nanoseconds) override { awaited += nanoseconds; }
    uint64_t awaited = 0;
  } watcher;
  Ref<Device> device = emulatedDevice();
  BuildResult built = device->compile({"kernel void nothing() {}", "", {}, true});
  ASSERT_TRUE(built) << built.log;
  LaunchCommand launch;
  launch.kernel = *(*built)->kernel("nothing");
  device->submit(launch, watcher);
  ASSERT_TRUE(watcher.result);
  EXPECT_GT(watcher.awaited, 0u);
}

TEST(EmulatedDevice, StringsNameNobodyElse) {
  Ref<Device> device = emulatedDevice();
  const DeviceInfo &info = device->info();
  for (std::string text : {info.name, info.vendor, info.version, info.driverVersion, info.openclCVersion}) {
    for (char &c : text) c = static_cast<char>(std::tolower(c));
    // Known programs take a vendor branch for each of these.
    for (const char *part : {"ati", "nvidia", "cuda", "amd", "apple", "intel", "pocl", "rv770", "beignet", "oclgrind"})
      EXPECT_EQ(text.find(part), std::string::npos) << text;
  }
  EXPECT_TRUE(info.version.starts_with("OpenCL 3.1 "));
  EXPECT_GT(info.version.size(), std::string("OpenCL 3.1 ").size());
}

TEST(EmulatedDevice, ABinaryOfAnotherMachineIsRefused) {
  Ref<Device> device = emulatedDevice();
  BuildResult built = device->compile({kTwice, "", {}, true});
  ASSERT_TRUE(built) << built.log;
  std::vector<std::byte> binary = *(*built)->binary();
  for (size_t at : {size_t{0}, size_t{9}, size_t{20}, size_t{50}, binary.size() / 2, binary.size() - 1}) {
    std::vector<std::byte> changed = binary;
    changed[at] ^= std::byte{1};
    Expected<Ref<DeviceProgram>> loaded = device->load(changed);
    ASSERT_FALSE(loaded) << at;
    EXPECT_EQ(loaded.error().code, ErrorCode::InvalidBinary);
  }
}

TEST(EmulatedDevice, AnImagesArgumentIsItsDescriptor) {
  Ref<Device> device = emulatedDevice();
  alignas(64) std::byte pixels[4096];
  ImageDescription wanted;
  wanted.kind = ImageKind::Image3D;
  wanted.format = {ChannelOrder::RG, ChannelType::HalfFloat};
  wanted.width = 5, wanted.height = 6, wanted.depth = 7;
  wanted.elementSize = 4, wanted.rowPitch = 32, wanted.slicePitch = 256;
  Expected<std::unique_ptr<DeviceImage>> image = device->createImage(wanted, pixels);
  ASSERT_TRUE(image);
  EXPECT_EQ((*image)->argument() % 64, 0u);
  const auto &seen = *reinterpret_cast<const abi::ImageDescriptor *>((*image)->argument());
  EXPECT_EQ(seen.data, pixels);
  EXPECT_EQ(seen.rowPitch, 32u);
  EXPECT_EQ(seen.slicePitch, 256u);
  EXPECT_TRUE(seen.width == 5 && seen.height == 6 && seen.depth == 7 && seen.arraySize == 1);
  EXPECT_EQ(seen.order, static_cast<uint32_t>(ChannelOrder::RG));
  EXPECT_EQ(seen.type, static_cast<uint32_t>(ChannelType::HalfFloat));
  EXPECT_EQ(seen.elementSize, 4u);
}

TEST(EmulatedDevice, TheLevelsOfAMipmapHaveADescriptorEach) {
  Ref<Device> device = emulatedDevice();
  alignas(64) std::byte pixels[4096];
  ImageDescription wanted;
  wanted.width = 8, wanted.height = 4;
  wanted.rowPitch = 32, wanted.slicePitch = 128, wanted.levels = 3;
  Expected<std::unique_ptr<DeviceImage>> image = device->createImage(wanted, pixels);
  ASSERT_TRUE(image);
  const auto *seen = reinterpret_cast<const abi::ImageDescriptor *>((*image)->argument());
  const size_t begins[] = {0, 128, 160};
  for (uint32_t level = 0; level < 3; ++level) {
    EXPECT_EQ(seen[level].data, pixels + begins[level]);
    EXPECT_EQ(seen[level].width, 8u >> level);
    EXPECT_EQ(seen[level].height, 4u >> level);
    EXPECT_EQ(seen[level].rowPitch, 32u >> level);
    EXPECT_EQ(seen[level].mipLevels, 3u);
  }
}

TEST(EmulatedDevice, TheFirstImageFormatIsTheOneThatClientsTake) {
  Ref<Device> device = emulatedDevice();
  const DeviceInfo &info = device->info();
  for (const auto *formats : {&info.formatsRead, &info.formatsWrite, &info.formatsReadWrite}) {
    ASSERT_FALSE(formats->empty());
    EXPECT_TRUE(formats->front() == ImageFormat(ChannelOrder::RGBA, ChannelType::UnormInt8));
  }
}

// What is kept of a list's launches: not the code of a kernel's first 65,536 work-items, and not for a sub-device,
// whose launches may have other local sizes.
TEST(EmulatedDevice, AListRunsWithTheCodeOfItsTimeAndDevice) {
  constexpr uint64_t kItems = 30'000;
  Ref<Device> device = emulatedDevice();
  const auto parts = device->partition({PartitionKind::Equally, {1}, 0});
  ASSERT_TRUE(parts);
  BuildResult built = device->compile({kTwice, {}, {}, true});
  ASSERT_TRUE(built) << built.log;
  std::unique_ptr<DeviceMemory> memory = allocate(*device, kItems * sizeof(int));
  put(*device, begin(*memory), std::vector<int>(kItems, 1));
  const auto list = std::make_shared<CommandList>(
      CommandList{{launchOf(**built, memory->address(), kItems), launchOf(**built, memory->address(), 1)}});
  Device *const whole = device.get(), *const part = parts->front().get();
  for (Device *one : {whole, whole, part, whole, part, whole}) {
    CommandOutcome outcome;
    one->submit(SequenceCommand{list}, outcome);
    ASSERT_TRUE(outcome.result) << outcome.result.error().message;
  }
  std::vector<int> expected(kItems, 64);
  expected[0] = 64 * 64;
  EXPECT_EQ(take<int>(*device, begin(*memory), kItems), expected);
}

TEST(EmulatedDevice, DevicesShareOneAccount) {
  Options two = smallOptions();
  two.devices = 2;
  two.deviceType = "gpu,cpu";
  std::vector<Ref<Device>> devices = emulator::createDevices(two);
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[1]->info().type, DeviceType::Cpu);
  EXPECT_FALSE(devices[0]->info().executesNativeKernels);
  EXPECT_TRUE(devices[1]->info().executesNativeKernels);
  uint64_t most = devices[0]->info().globalMemory / 8 * 5;
  Expected<std::unique_ptr<DeviceMemory>> first = devices[0]->allocate({most, 0, nullptr});
  ASSERT_TRUE(first);
  EXPECT_FALSE(devices[1]->allocate({most, 0, nullptr}));
}

} // namespace
} // namespace us::test
