// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels enqueue on the device: without a device, the test calls as kernels do and takes what would be run.
#include "runtime/core/device_events.h"
#include "runtime/core/enqueue_runtime.h"
#include "tests/runtime/core/core_fixture.h"

#include <cstdlib>

namespace us::core {
namespace {

constexpr uint64_t kFailure = static_cast<uint64_t>(int64_t{-101});

/// A block's kernel, and the one that enqueues it.
class BlockKernel final : public DeviceKernel {
public:
  BlockKernel() : info_(test::fakeKernelInfo("block", {ArgumentKind::GlobalPointer, ArgumentKind::LocalPointer})) {
    info_.localMemory = 100;
  }
  const KernelInfo &info() const override { return info_; }
  Ref<DeviceKernel> block(std::string_view name) const override {
    return name == "block" ? Ref<DeviceKernel>(const_cast<BlockKernel *>(this)) : nullptr;
  }

private:
  KernelInfo info_;
};

class HostMemory final : public KernelMemory {
public:
  uint64_t allocate(uint64_t size, uint64_t alignment) override {
    ++pieces;
    return reinterpret_cast<uint64_t>(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
  }
  void take(uint64_t address, std::span<std::byte>) override {
    --pieces;
    std::free(reinterpret_cast<void *>(address));
  }
  uint64_t addressOf(const char *text) override { return reinterpret_cast<uint64_t>(text); }
  void read(uint64_t address, std::span<std::byte> into) override {
    std::memcpy(into.data(), reinterpret_cast<const void *>(address), into.size());
  }
  void write(uint64_t address, std::span<const std::byte> from) override {
    std::memcpy(reinterpret_cast<void *>(address), from.data(), from.size());
  }
  uint64_t copy(uint64_t from, uint64_t size, uint64_t alignment) override {
    const uint64_t address = allocate(size, alignment);
    std::memcpy(reinterpret_cast<void *>(address), reinterpret_cast<const void *>(from), size);
    return address;
  }
  std::string_view textAt(uint64_t address) override { return reinterpret_cast<const char *>(address); }
  bool writeSafely(uint64_t address, std::span<const std::byte> from) override { return write(address, from), true; }

  int pieces = 0;
};

class EnqueueRuntimeTest : public testing::Test {
protected:
  struct Range {
    uint32_t dimensions = 1;
    uint64_t offset[3] = {}, global[3] = {8}, local[3] = {};
  };
  struct Block {
    uint32_t size = sizeof(Block), alignment = 8;
    uint64_t invoke = 0, captured = 7;
  };
  void SetUp() override {
    test::FakeDevice::Setup setup;
    setup.deviceQueues = 1;
    device = test::FakeDevice::create(setup);
    context = Context::create({device});
    queue = *OnDeviceQueue::create(*context, *device, 1024, false);
    runtime = makeEnqueueRuntime(*device, *kernel, queue);
    run = runtime->begin(memory);
  }
  static uint64_t at(const void *memory) { return reinterpret_cast<uint64_t>(memory); }
  uint64_t call(DeviceFunction function, DeviceCall call = {}) {
    return run->call(run->root(), function, call).value_or(kFailure - 1);
  }
  uint64_t callOn(DeviceFunction function, uint64_t event, int64_t status = 0) {
    return call(function, {0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, event, uint64_t(status)}});
  }
  uint64_t enqueue(uint64_t *event = nullptr, std::vector<uint64_t> waits = {}, const char *name = "block") {
    return call(DeviceFunction::EnqueueKernel, {0,
                                                {queue->argument(), 0, at(&range), waits.size(), at(waits.data()),
                                                 at(event), at(name), at(&block), 1, at(&localSize)}});
  }
  /// The next launch that would be run; null: none.
  const LaunchCommand *next() {
    DeviceRuntime::Launch *place = &run->root();
    const Expected<DeviceRuntime::Work> work = run->next(run->root(), place, true);
    if (!work) return failure = work.error().code, nullptr;
    return work->command ? &std::get<LaunchCommand>(*work->command) : nullptr;
  }

  Range range;
  Block block;
  uint64_t localSize = 16;
  Ref<BlockKernel> kernel = makeRef<BlockKernel>();
  Ref<test::FakeDevice> device;
  Ref<Context> context;
  Ref<OnDeviceQueue> queue;
  HostMemory memory;
  Ref<DeviceRuntime> runtime;
  std::unique_ptr<DeviceRuntime::Run> run;
  std::optional<ErrorCode> failure;
};

TEST_F(EnqueueRuntimeTest, ALaunchHoldsACopyOfTheBlock) {
  ASSERT_EQ(0u, enqueue());
  block.captured = 9;
  const LaunchCommand *launch = next();
  ASSERT_TRUE(launch);
  EXPECT_EQ(8u, launch->globalSize[0]);
  uint64_t words[2];
  std::memcpy(words, launch->arguments.data(), sizeof words);
  EXPECT_EQ(7u, reinterpret_cast<const Block *>(words[0])->captured);
  EXPECT_EQ(0u, words[0] % 128);
  EXPECT_EQ(128u, words[1]) << "behind the kernel's own 100 bytes, aligned for any type";
  EXPECT_EQ(144u, launch->localMemory);
  EXPECT_EQ(nullptr, next());
  EXPECT_EQ(0, memory.pieces) << "given back when the launch is complete";
  EXPECT_EQ(0u, queue->used);
}

TEST_F(EnqueueRuntimeTest, AnEventKeepsALaunchBack) {
  const uint64_t gate = call(DeviceFunction::CreateUserEvent);
  uint64_t event = 0;
  range.global[0] = 1;
  ASSERT_EQ(0u, enqueue(&event, {gate}));
  EXPECT_EQ(1u, callOn(DeviceFunction::IsValidEvent, event));
  range.global[0] = 2;
  ASSERT_EQ(0u, enqueue(nullptr, {event}));
  range.global[0] = 3;
  ASSERT_EQ(0u, enqueue());
  EXPECT_EQ(3u, next()->globalSize[0]);
  callOn(DeviceFunction::SetUserEventStatus, gate);
  EXPECT_EQ(1u, next()->globalSize[0]);
  EXPECT_EQ(2u, next()->globalSize[0]);
  EXPECT_EQ(nullptr, next());
  EXPECT_FALSE(failure);
}

TEST_F(EnqueueRuntimeTest, AFailedEventDropsWhatWaits) {
  const uint64_t gate = call(DeviceFunction::CreateUserEvent);
  ASSERT_EQ(0u, enqueue(nullptr, {gate}));
  callOn(DeviceFunction::SetUserEventStatus, gate, -1);
  EXPECT_EQ(nullptr, next());
  EXPECT_FALSE(failure);
}

TEST_F(EnqueueRuntimeTest, NobodyIsLeftToSetTheEvent) {
  ASSERT_EQ(0u, enqueue(nullptr, {call(DeviceFunction::CreateUserEvent)}));
  EXPECT_EQ(nullptr, next());
  EXPECT_EQ(ErrorCode::KernelDeadlock, failure);
  run = nullptr;
  EXPECT_EQ(0u, queue->used);
  EXPECT_EQ(0, memory.pieces);
}

TEST_F(EnqueueRuntimeTest, TwoRunsSetEachOthersEvents) {
  const uint64_t gate = call(DeviceFunction::CreateUserEvent);
  const std::unique_ptr<DeviceRuntime::Run> other = runtime->begin(memory);
  ASSERT_EQ(0u, enqueue(nullptr, {gate}));
  DeviceCall set{0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, gate, 0}};
  EXPECT_EQ(uint64_t(0), other->call(other->root(), DeviceFunction::SetUserEventStatus, set));
  EXPECT_TRUE(next());
  EXPECT_EQ(nullptr, next());
}

TEST_F(EnqueueRuntimeTest, WhatCannotBeIsRefused) {
  EXPECT_EQ(kFailure, enqueue(nullptr, {}, "other"));
  EXPECT_EQ(kFailure, enqueue(nullptr, {12345}));
  range.dimensions = 4;
  EXPECT_EQ(kFailure, enqueue());
  range.dimensions = 1;
  block.alignment = 384;
  EXPECT_EQ(kFailure, enqueue());
  block.alignment = 8;
  DeviceCall marker{0, {queue->argument()}};
  EXPECT_EQ(kFailure, call(DeviceFunction::EnqueueMarker, marker)) << "it waits for nothing";
  int taken = 0;
  while (taken < 100 && enqueue() == 0) ++taken;
  EXPECT_GT(taken, 1);
  EXPECT_LT(taken, 10) << "the queue has 1024 bytes";
  queue = nullptr; // the runtime has it still, as its default
  EXPECT_EQ(taken, memory.pieces);
}

TEST_F(EnqueueRuntimeTest, OtherFunctionsAreNotThere) {
  DeviceCall nothing{};
  EXPECT_EQ(std::nullopt, run->call(run->root(), DeviceFunction::GetDevice, nothing));
  EXPECT_EQ(std::nullopt, run->call(run->root(), DeviceFunction(1000), nothing));
  EXPECT_EQ(queue->argument(), call(DeviceFunction::DefaultQueue));
}

} // namespace
} // namespace us::core
