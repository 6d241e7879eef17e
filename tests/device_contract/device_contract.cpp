// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every device must do: its facts, the end of every command, sequences of them, pipes and parts.
#include "tests/device_contract/contract_steps.h"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace us::test {

TEST_P(DeviceContract, FactsAgreeWithEachOther) {
  const DeviceInfo &info = device->info();
  EXPECT_FALSE(info.name.empty());
  EXPECT_GE(info.maxComputeUnits, 1u);
  EXPECT_GE(info.maxWorkGroupSize, 1u);
  EXPECT_LE(info.maxAllocation, info.globalMemory);
  EXPECT_GT(info.maxAllocation, 0u);
  EXPECT_GE(info.baseAddressAlignBits, 128u * 8);
  EXPECT_EQ(&device->info(), &info);
}

TEST_P(DeviceContract, QueuesOnTheDeviceAreLargeEnough) {
  const DeviceInfo &info = device->info();
  if (info.maxDeviceQueues == 0) return;
  // "The minimum value is 16 KB", "256 KB", "1024"
  EXPECT_GE(info.deviceQueuePreferredSize, 16u << 10);
  EXPECT_GE(info.deviceQueueMaxSize, 256u << 10);
  EXPECT_GE(info.maxDeviceEvents, 1024u);
}

TEST_P(DeviceContract, CommandsWithoutWorkFinish) {
  EXPECT_TRUE(run(*device, NoCommand{}));
  EXPECT_TRUE(run(*device, MapCommand{}));
  bool called = false;
  EXPECT_TRUE(run(*device, HostCallCommand{[&] { called = true; }}));
  EXPECT_TRUE(called);
}

// Else a queue waits for it for ever.
TEST_P(DeviceContract, ACommandThatThrowsFinishes) {
  EXPECT_EQ(run(*device, HostCallCommand{[] { throw std::bad_alloc(); }}).error().code, ErrorCode::OutOfHostMemory);
  const Expected<void> result = run(*device, HostCallCommand{[] { throw std::runtime_error("out of luck"); }});
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("out of luck"), std::string::npos);
  EXPECT_FALSE(run(*device, HostCallCommand{[] { throw 1; }}));
  EXPECT_TRUE(run(*device, NoCommand{}));
}

TEST_P(DeviceContract, SequencesRunInOrderUntilTheFirstFailure) {
  std::unique_ptr<DeviceMemory> memory = allocate(*device, 64);
  FillCommand ones, twos;
  ones.to = twos.to = begin(*memory);
  ones.size = 32, twos.size = 16;
  ones.patternSize = twos.patternSize = 1;
  ones.pattern[0] = std::byte{1}, twos.pattern[0] = std::byte{2};
  CopyCommand copy;
  copy.to = begin(*memory, 32);
  copy.from = begin(*memory);
  copy.region = {32, 1, 1};
  auto list = std::make_shared<CommandList>(CommandList{{ones, twos, copy}});
  for (int round = 0; round < 2; ++round) {
    clear(*device, *memory, 0);
    ASSERT_TRUE(run(*device, SequenceCommand{list}));
    const std::vector<std::byte> bytes = take(*device, begin(*memory), 64);
    for (int i = 0; i < 64; ++i) ASSERT_EQ(bytes[i], std::byte(i % 32 < 16 ? 2 : 1)) << i;
  }
  // A launch that cannot be: no device has that much local memory.
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  LaunchCommand bad = launchOf(*program, memory->address(), 1);
  bad.localMemory = UINT64_MAX;
  clear(*device, *memory, 0);
  Expected<void> result = run(*device, SequenceCommand{std::make_shared<CommandList>(CommandList{{ones, bad, twos}})});
  if (result) return; // this device takes it
  EXPECT_EQ(take(*device, begin(*memory), 1)[0], std::byte{1});
}

TEST_P(DeviceContract, PipesLieInMemoryOfTheDevice) {
  const DeviceInfo &info = device->info();
  const PipeDescription wanted{16, 9};
  if (info.maxPipeArguments == 0) {
    std::byte memory[4096];
    EXPECT_EQ(device->pipeBytes(wanted), 0u);
    Expected<uint64_t> pipe = device->createPipe(wanted, memory);
    ASSERT_FALSE(pipe);
    EXPECT_EQ(pipe.error().code, ErrorCode::Unsupported);
    return;
  }
  EXPECT_GE(info.pipeMaxPacketSize, 1024u);
  EXPECT_GE(info.pipeMaxReservations, 1u);
  EXPECT_GE(device->pipeBytes(wanted), 9 * 16u);
  EXPECT_EQ(device->pipeBytes({0, 9}), 0u);
  EXPECT_EQ(device->pipeBytes({16, 0}), 0u);
  EXPECT_EQ(device->pipeBytes({info.pipeMaxPacketSize + 1, 1}), 0u);
  std::unique_ptr<DeviceMemory> memory = allocate(*device, device->pipeBytes(wanted));
  Expected<uint64_t> pipe = device->createPipe(wanted, begin(*memory));
  ASSERT_TRUE(pipe) << pipe.error().message;
  EXPECT_NE(*pipe, 0u);
}

TEST_P(DeviceContract, PartsHaveTheUnitsAskedFor) {
  const uint32_t units = device->info().maxComputeUnits;
  Expected<std::vector<Ref<Device>>> parts = device->partition({PartitionKind::Equally, {1}, 0});
  if (device->info().maxSubDevices == 0) {
    ASSERT_FALSE(parts);
    EXPECT_EQ(parts.error().code, ErrorCode::DevicePartitionFailed);
    return;
  }
  ASSERT_TRUE(parts) << parts.error().message;
  EXPECT_EQ(parts->size(), units);
  for (const Ref<Device> &part : *parts) EXPECT_EQ(part->info().maxComputeUnits, 1u);
  Ref<DeviceProgram> program = build(*parts->front(), GetParam().twice);
  expectTwice(*parts->front(), *program, 100, {0, 0, 0});

  Expected<std::vector<Ref<Device>>> tooMany = device->partition({PartitionKind::ByCounts, {units, 1}, 0});
  ASSERT_FALSE(tooMany);
  EXPECT_EQ(tooMany.error().code, ErrorCode::InvalidDevicePartitionCount);
  Expected<std::vector<Ref<Device>>> none = device->partition({PartitionKind::Equally, {0}, 0});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidValue);
}

} // namespace us::test
