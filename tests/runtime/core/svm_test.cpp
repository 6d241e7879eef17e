// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: finding it by address, when its bytes come back, what launches and commands keep.
#include "tests/runtime/core/core_fixture.h"

namespace us::core {
namespace {

class SvmTest : public CoreTest {
protected:
  Ref<SvmAllocation> make(uint64_t size) { return *context->svm().allocate(*context, {size, 0}); }
  Ref<Event> addFree(Queue &queue, const Ref<SvmAllocation> &allocation, std::vector<Ref<Event>> waitList = {}) {
    CommandRequest request;
    request.keep.push_back(allocation);
    allocation->releasedByApplication();
    request.waitList = waitList;
    request.onSuccess = [this, begin = allocation->begin()] { context->svm().remove(begin); };
    return *queue.enqueue(std::move(request));
  }
};

TEST_F(SvmTest, AnyAddressInsideIsFound) {
  AddressMap &map = context->svm();
  EXPECT_FALSE(map.find(this));
  std::vector<Ref<SvmAllocation>> made;
  for (uint64_t size : {1, 7, 64, 1000}) made.push_back(make(size));
  for (const Ref<SvmAllocation> &one : made) {
    EXPECT_EQ(map.find(one->begin()), one);
    EXPECT_EQ(map.find(one->begin() + one->size() - 1), one);
    EXPECT_NE(map.find(one->begin() + one->size()), one);
    EXPECT_NE(map.find(one->begin() - 1), one);
    EXPECT_EQ(map.findBegin(one->begin()), one);
    EXPECT_TRUE(one->contains(one->begin(), one->size()));
    EXPECT_TRUE(one->contains(one->begin() + one->size(), 0));
    EXPECT_FALSE(one->contains(one->begin() + 1, one->size()));
    EXPECT_FALSE(one->contains(one->begin(), UINT64_MAX));
  }
  EXPECT_FALSE(map.find(this));
  EXPECT_FALSE(map.findBegin(made[3]->begin() + 1));
  EXPECT_FALSE(map.remove(made[3]->begin() + 1));
  EXPECT_EQ(map.remove(made[3]->begin()), made[3]);
  EXPECT_FALSE(map.find(made[3]->begin()));
  EXPECT_FALSE(map.remove(made[3]->begin()));
}

TEST_F(SvmTest, MemoryIsMadeAtOnceAndChargedOnce) {
  Ref<SvmAllocation> shared = make(1000);
  EXPECT_EQ(device->memoryUsed(), 1000u);
  BufferRequest request{.size = 500, .hostMemory = HostMemory::Use, .hostPointer = shared->begin(), .shared = shared};
  Ref<Buffer> buffer = *Buffer::create(*context, request);
  EXPECT_EQ(*buffer->addressOn(*device), shared->begin());
  EXPECT_EQ(device->memoryUsed(), 1000u);
  context->svm().remove(shared->begin());
  shared = request.shared = nullptr;
  EXPECT_EQ(device->memoryUsed(), 1000u); // the buffer's now
  buffer = nullptr;
  EXPECT_EQ(device->memoryUsed(), 0u);
  Expected<Ref<SvmAllocation>> tooMuch = context->svm().allocate(*context, {(1 << 20) + 1, 0});
  ASSERT_FALSE(tooMuch);
  EXPECT_EQ(tooMuch.error().code, ErrorCode::MemObjectAllocationFailure);
}

// For what is told of a kernel that goes wrong near it.
TEST_F(SvmTest, TheDeviceIsToldWhoseMemoryIs) {
  make(100);
  EXPECT_EQ(device->latestOwner(), "SVM allocation");
  const std::vector<std::byte> bytes(64);
  ASSERT_TRUE(Buffer::create(*context, {.size = 64, .copyFrom = bytes.data()}));
  EXPECT_EQ(device->latestOwner(), "buffer");
}

TEST_F(SvmTest, ADeviceWithMemoryOfItsOwnHasNone) {
  useDevice({.sharesHostMemory = false});
  EXPECT_EQ(context->svm().allocate(*context, {64, 0}).error().code, ErrorCode::Unsupported);
}

/// Beside a device that shares the host's memory, the one that has it apart is asked to hand it over.
TEST_F(SvmTest, ItIsMappedForDevicesThatShareTheHostsMemory) {
  const Ref<FakeDevice> apart = FakeDevice::create({.sharesHostMemory = false, .sharedMemory = true});
  const Ref<Context> both = Context::create({device, apart});
  const KernelInfo add = test::fakeKernelInfo("add", {ArgumentKind::GlobalPointer});
  for (FakeDevice *one : {device.get(), apart.get()})
    one->addKernel(add, [](const test::FakeLaunch &launch) {
      ++*launch.pointer<int>(0);
      return Expected<void>();
    });
  const Ref<Queue> here = Queue::create(*both, *device, {}), there = Queue::create(*both, *apart, {});
  const Ref<Program> program = Program::fromSource(*both, "add");
  ASSERT_TRUE(program->build({}, ""));
  const Ref<Kernel> kernel = *program->createKernel("add");
  EXPECT_EQ(both->svm().allocate(*both, {64, 0, kSvmFineGrainBuffer}).error().code, ErrorCode::Unsupported);
  const Ref<SvmAllocation> shared = *both->svm().allocate(*both, {64, 0});
  ASSERT_TRUE(kernel->setPointer(0, shared->begin()));
  *reinterpret_cast<int *>(shared->begin()) = 0;
  const auto commandsApart = [&](Queue &queue) {
    const uint64_t before = apart->submissions();
    LaunchCommand launch;
    CommandRequest request;
    EXPECT_TRUE(kernel->prepareLaunch(queue.device(), launch, request.keep));
    request.command = std::move(launch);
    EXPECT_TRUE(queue.run(std::move(request)));
    return apart->submissions() - before;
  };
  EXPECT_EQ(commandsApart(*there), 1u);
  EXPECT_EQ(commandsApart(*here), 1u) << "it is mapped";
  EXPECT_EQ(commandsApart(*here), 0u);
  EXPECT_EQ(commandsApart(*there), 2u) << "it is unmapped, and the kernel runs";
  EXPECT_EQ(commandsApart(*there), 1u);
  EXPECT_EQ(*reinterpret_cast<int *>(shared->begin()), 5);
}

TEST_F(SvmTest, TwoDevicesWithMemoryOfTheirOwnHaveNone) {
  const FakeDevice::Setup setup{.sharesHostMemory = false, .sharedMemory = true};
  const Ref<Context> both = Context::create({FakeDevice::create(setup), FakeDevice::create(setup)});
  EXPECT_EQ(both->svm().allocate(*both, {64, 0}).error().code, ErrorCode::Unsupported);
}

TEST_F(SvmTest, PendingFreesMakeRoom) {
  Ref<Queue> queue = inOrder();
  Ref<SvmAllocation> all = make(1 << 20);
  EXPECT_FALSE(context->svm().allocate(*context, {1, 0}));
  addFree(*queue, all);
  all = nullptr;
  EXPECT_TRUE(context->svm().allocate(*context, {1 << 20, 0}));
  EXPECT_EQ(queue->unfinished(), 0u);
}

TEST_F(SvmTest, AFreeThatWaitsForTheApplicationIsNotWaitedFor) {
  Ref<Queue> queue = inOrder();
  Ref<Event> gate = Event::createUser(*context);
  Ref<SvmAllocation> all = make(1 << 20);
  Ref<Event> freed = addFree(*queue, all, {gate});
  EXPECT_FALSE(context->svm().allocate(*context, {1, 0}));
  ASSERT_TRUE(gate->completeUser(-1));
  EXPECT_FALSE(freed->wait());
  EXPECT_EQ(context->svm().find(all->begin()), all); // the command failed: nothing was freed
}

TEST_F(SvmTest, BytesComeBackBeforeTheEventIsComplete) {
  Ref<Queue> queue = inOrder();
  Ref<Event> freed = addFree(*queue, make(4096));
  EXPECT_EQ(device->memoryUsed(), 4096u);
  ASSERT_TRUE(freed->wait());
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(SvmTest, WhatUsesAnAllocationIsNamed) {
  Ref<Queue> queue = inOrder();
  Ref<Event> gate = Event::createUser(*context);
  Ref<SvmAllocation> shared = make(64);
  EXPECT_TRUE(usersOf(*shared).empty());
  for (Command command : {Command(CopyCommand{}), Command(FillCommand{}), call([] {})}) {
    CommandRequest request;
    request.command = std::move(command);
    request.keep.push_back(shared);
    const std::vector<Ref<Event>> waitList{gate};
    request.waitList = waitList;
    ASSERT_TRUE(queue->enqueue(std::move(request)));
  }
  EXPECT_EQ(usersOf(*shared), (std::vector<std::string>{"a copy", "a fill", "kernel 'call'"}));
  ASSERT_TRUE(gate->completeUser(0));
  ASSERT_TRUE(queue->finish());
  EXPECT_TRUE(usersOf(*shared).empty());
}

TEST_F(SvmTest, SeveralThreadsAllocateUseAndFree) {
  Ref<Queue> queue = outOfOrder();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 200; ++round) {
        Expected<Ref<SvmAllocation>> made = context->svm().allocate(*context, {uint64_t(64 + t * 16), 0});
        ASSERT_TRUE(made);
        std::byte *const begin = (*made)->begin();
        FillCommand fill;
        fill.to = begin;
        fill.size = 64;
        fill.patternSize = 1;
        fill.pattern[0] = std::byte(t + 1);
        CommandRequest request;
        request.command = fill;
        request.keep.push_back(context->svm().find(begin + 10));
        const Ref<Event> filled = *queue->enqueue(std::move(request));
        if (round % 3 == 0) {
          addFree(*queue, *std::move(made), {filled});
        } else if (round % 3 == 1) {
          ASSERT_TRUE(filled->wait());
          EXPECT_EQ(begin[63], std::byte(t + 1));
          context->svm().remove(begin);
        } else {
          const Ref<SvmAllocation> removed = context->svm().remove(begin); // while the fill may be running
          EXPECT_LE(usersOf(*removed).size(), 1u);
        }
      }
    });
  for (std::thread &thread : threads) thread.join();
  ASSERT_TRUE(queue->finish());
  EXPECT_EQ(device->memoryUsed(), 0u);
}

} // namespace
} // namespace us::core
