// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers in contexts of devices with memory of their own: what a command uses is where it runs.
#include "tests/runtime/core/core_fixture.h"

#include "runtime/core/image.h"

#include <cstring>
#include <numeric>

namespace us::core {
namespace {

/// A device that shares the host's memory, and two that do not.
class ResidencyTest : public CoreTest {
protected:
  void SetUp() override {
    device = FakeDevice::create();
    for (Ref<FakeDevice> &one : apart) one = FakeDevice::create({.sharesHostMemory = false, .submission = submission});
    context = Context::create({device, apart[0], apart[1]});
    for (FakeDevice *one : {device.get(), apart[0].get(), apart[1].get()}) {
      queues.push_back(Queue::create(*context, *one, {}));
      one->addKernel(test::fakeKernelInfo("add", {ArgumentKind::GlobalPointer, ArgumentKind::Value}),
                     [](const test::FakeLaunch &launch) {
                       int *numbers = launch.pointer<int>(0);
                       for (uint64_t i = 0; i < launch.command.globalSize[0]; ++i)
                         numbers[i] += launch.argument<int>(1);
                       return Expected<void>();
                     });
    }
    program = Program::fromSource(*context, "add");
    EXPECT_TRUE(program->build({}, ""));
    kernel = *program->createKernel("add");
  }
  void TearDown() override {
    queues.clear();
    kernel = nullptr;
    program = nullptr;
    CoreTest::TearDown();
  }

  Ref<Buffer> make(const BufferRequest &request = {.size = kBytes}) { return *Buffer::create(*context, request); }
  Ref<Buffer> ascending() {
    std::vector<int> numbers(kCount);
    std::iota(numbers.begin(), numbers.end(), 0);
    return make({.size = kBytes, .copyFrom = reinterpret_cast<const std::byte *>(numbers.data())});
  }
  Ref<Event> launch(int queue, const Ref<Buffer> &buffer, int addend, std::vector<Ref<Event>> waitList = {}) {
    EXPECT_TRUE(kernel->setBuffer(0, buffer.get()));
    EXPECT_TRUE(kernel->setValue(1, std::as_bytes(std::span(&addend, 1))));
    LaunchCommand command;
    CommandRequest request;
    EXPECT_TRUE(kernel->prepareLaunch(queues[queue]->device(), command, request.keep));
    command.globalSize = {buffer->size() / sizeof(int), 1, 1};
    request.command = std::move(command);
    request.waitList = waitList;
    return *queues[queue]->enqueue(std::move(request));
  }
  std::vector<int> read(int queue, const Ref<Buffer> &buffer) {
    std::vector<int> into(buffer->size() / sizeof(int));
    CopyCommand copy;
    copy.to = reinterpret_cast<std::byte *>(into.data());
    copy.from = *buffer->addressOn(queues[queue]->device());
    copy.region = {buffer->size(), 1, 1};
    CommandRequest request;
    request.command = copy;
    request.keep.push_back(buffer);
    EXPECT_TRUE(queues[queue]->run(std::move(request)));
    return into;
  }
  static void expectAscending(const std::vector<int> &numbers, int first) {
    for (size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], first + static_cast<int>(i)) << i;
  }

  static constexpr uint64_t kCount = 256, kBytes = kCount * sizeof(int);
  FakeDevice::Submission submission = FakeDevice::Submission::Returns;
  Ref<FakeDevice> apart[2];
  std::vector<Ref<Queue>> queues;
  Ref<Program> program;
  Ref<Kernel> kernel;
};

TEST_F(ResidencyTest, ContentsGoWhereTheCommandRuns) {
  const Ref<Buffer> buffer = ascending();
  Ref<Event> last;
  int sum = 0;
  for (const int queue : {1, 0, 2, 1, 1, 2, 0, 0, 1}) {
    std::vector<Ref<Event>> before;
    if (last) before.push_back(last);
    last = launch(queue, buffer, queue + 1, before);
    sum += queue + 1;
  }
  ASSERT_TRUE(last->wait());
  for (const int queue : {2, 0, 1}) expectAscending(read(queue, buffer), sum);
}

TEST_F(ResidencyTest, PartsAreCurrentOnDifferentDevices) {
  const Ref<Buffer> buffer = ascending();
  constexpr uint64_t kHalf = kBytes / 2;
  const Ref<Buffer> low = *buffer->createSubBuffer(0, kHalf), high = *buffer->createSubBuffer(kHalf, kHalf);
  // At the same time.
  const Ref<Event> first = launch(1, low, 1000), second = launch(2, high, 1000);
  ASSERT_TRUE(first->wait());
  ASSERT_TRUE(second->wait());
  expectAscending(read(0, buffer), 1000);
  expectAscending(read(1, high), 1000 + kCount / 2);
}

TEST_F(ResidencyTest, NothingIsCopiedThatIsThere) {
  const Ref<Buffer> buffer = ascending();
  ASSERT_TRUE(launch(1, buffer, 1)->wait());
  const uint64_t before = apart[0]->submissions();
  ASSERT_TRUE(launch(1, buffer, 1)->wait());
  ASSERT_TRUE(launch(1, buffer, 1)->wait());
  EXPECT_EQ(apart[0]->submissions(), before + 2);
  // A buffer that nobody has written holds nothing to copy.
  const Ref<Buffer> fresh = make();
  ASSERT_TRUE(launch(2, fresh, 1)->wait());
  EXPECT_EQ(apart[1]->submissions(), 1u);
  // What is only read stays where it was, too.
  (void)read(0, buffer);
  const uint64_t after = apart[0]->submissions();
  (void)read(1, buffer);
  EXPECT_EQ(apart[0]->submissions(), after + 1);
}

TEST_F(ResidencyTest, MapsShowTheHostsCopy) {
  for (const int queue : {0, 1, 2}) {
    const Ref<Buffer> buffer = ascending();
    ASSERT_TRUE(launch(1, buffer, 5)->wait());
    Device &on = queues[queue]->device();
    const Expected<Mapping> mapping = buffer->map(on, 16, 64, true, true);
    ASSERT_TRUE(mapping) << mapping.error().message;
    MapCommand map;
    map.address = reinterpret_cast<uint64_t>(*buffer->addressOn(on)) + 16;
    map.size = 64;
    CommandRequest request;
    request.command = map;
    request.keep.push_back(buffer);
    ASSERT_TRUE(queues[queue]->run(std::move(request)));
    auto *const numbers = reinterpret_cast<int *>(mapping->pointer);
    EXPECT_EQ(numbers[0], 5 + 4);
    numbers[1] = -1;
    ASSERT_TRUE(buffer->unmap(mapping->pointer));
    ASSERT_TRUE(launch(2, buffer, 10)->wait());
    const std::vector<int> result = read(1, buffer);
    EXPECT_EQ(result[4], 15 + 4);
    EXPECT_EQ(result[5], 9);
    EXPECT_EQ(result[6], 15 + 6);
  }
}

TEST_F(ResidencyTest, TheApplicationsMemoryIsTheHostsCopy) {
  std::vector<int> mine(kCount);
  std::iota(mine.begin(), mine.end(), 0);
  auto *const bytes = reinterpret_cast<std::byte *>(mine.data());
  const Ref<Buffer> buffer = make({.size = kBytes, .hostMemory = HostMemory::Use, .hostPointer = bytes});
  ASSERT_TRUE(launch(1, buffer, 7)->wait());
  const Expected<Mapping> mapping = buffer->map(*apart[0], 0, kBytes, true, false);
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->pointer, bytes);
  MapCommand map;
  map.address = reinterpret_cast<uint64_t>(*buffer->addressOn(*apart[0]));
  map.size = kBytes;
  map.willWrite = false;
  CommandRequest request;
  request.command = map;
  request.keep.push_back(buffer);
  ASSERT_TRUE(queues[1]->run(std::move(request)));
  expectAscending(mine, 7);
}

TEST_F(ResidencyTest, FillsAndCopiesReplaceWhatTheyCover) {
  const Ref<Buffer> buffer = ascending();
  ASSERT_TRUE(launch(1, buffer, 0)->wait());
  FillCommand fill;
  fill.to = *buffer->addressOn(*apart[1]) + 16;
  fill.size = 16;
  fill.patternSize = 1;
  CommandRequest request;
  request.command = fill;
  request.keep.push_back(buffer);
  ASSERT_TRUE((*queues[2]->enqueue(std::move(request)))->wait());
  const std::vector<int> result = read(0, buffer);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(result[i], i >= 4 && i < 8 ? 0 : i);
}

TEST_F(ResidencyTest, EachCopyIsChargedToItsDevice) {
  const Ref<Buffer> buffer = ascending();
  ASSERT_TRUE(launch(1, buffer, 1)->wait());
  ASSERT_TRUE(launch(2, buffer, 1)->wait());
  for (FakeDevice *one : {device.get(), apart[0].get(), apart[1].get()}) EXPECT_EQ(one->memoryUsed(), kBytes);
  const Ref<Buffer> all = make({.size = 1 << 20});
  EXPECT_EQ(all->memoryOn(*apart[0]).error().code, ErrorCode::MemObjectAllocationFailure);
}

class HandedOverResidencyTest : public ResidencyTest {
protected:
  HandedOverResidencyTest() { submission = FakeDevice::Submission::HandsOver; }
};

TEST_F(HandedOverResidencyTest, WhatTheWaitListHasMovedIsBrought) {
  const Ref<Buffer> buffer = ascending();
  ASSERT_TRUE(launch(1, buffer, 1)->wait());
  LaunchCommand command;
  CommandRequest request;
  const Expected<bool> isAtHand = kernel->prepareLaunch(queues[1]->device(), command, request.keep);
  ASSERT_TRUE(isAtHand && *isAtHand);
  // That was so until another device has had the buffer, whose command has ended before this one is added.
  const Ref<Event> elsewhere = launch(0, buffer, 10);
  ASSERT_TRUE(elsewhere->wait());
  command.globalSize = {kCount, 1, 1};
  request.command = std::move(command);
  request.isAtHand = *isAtHand;
  request.waitList = {&elsewhere, 1};
  ASSERT_TRUE((*queues[1]->enqueue(std::move(request)))->wait());
  expectAscending(read(1, buffer), 12);
}

TEST_F(ResidencyTest, ALaunchTellsWhetherItMovesMemory) {
  const auto isAtHand = [&](int queue, const Ref<Buffer> &buffer) {
    EXPECT_TRUE(kernel->setBuffer(0, buffer.get()));
    LaunchCommand command;
    KeepList keep;
    return *kernel->prepareLaunch(queues[queue]->device(), command, keep);
  };
  const Ref<Buffer> buffer = ascending();
  ASSERT_TRUE(launch(1, buffer, 1)->wait());
  EXPECT_TRUE(isAtHand(1, buffer));  // it was written there
  EXPECT_FALSE(isAtHand(2, buffer)); // its contents are elsewhere
  EXPECT_EQ(read(1, buffer)[1], 2);
  EXPECT_TRUE(isAtHand(1, buffer));
  // A part that is somewhere else, too: the kernel writes.
  ASSERT_TRUE(buffer->moveToHost(0, 4, {}, Patience::Waits));
  EXPECT_FALSE(isAtHand(1, buffer));
  ASSERT_TRUE(launch(1, buffer, 1)->wait());
  EXPECT_TRUE(isAtHand(1, buffer));
}

/// How many commands a device ran for a launch that is given an image and reads, or writes, it.
uint64_t commandsForLaunch(FakeDevice &device, Queue &queue, Kernel &kernel, Image &image) {
  const uint64_t before = device.submissions();
  EXPECT_TRUE(kernel.setImage(0, image));
  LaunchCommand command;
  CommandRequest request;
  EXPECT_TRUE(kernel.prepareLaunch(device, command, request.keep));
  request.command = std::move(command);
  EXPECT_TRUE(queue.run(std::move(request)));
  return device.submissions() - before;
}

TEST(ImageResidency, OnlyWhatAKernelWritesIsCurrentNowhereElse) {
  Ref<FakeDevice> devices[2];
  for (Ref<FakeDevice> &one : devices) {
    one = FakeDevice::create({.sharesHostMemory = false, .images = true});
    for (const bool writes : {false, true}) {
      KernelInfo info = test::fakeKernelInfo(writes ? "write" : "read", {ArgumentKind::Image});
      info.arguments[0].access = writes ? AccessQualifier::WriteOnly : AccessQualifier::ReadOnly;
      one->addKernel(info, [](const test::FakeLaunch &) { return Expected<void>(); });
    }
  }
  const Ref<Context> context = Context::create({devices[0], devices[1]});
  const Ref<Queue> queues[2] = {Queue::create(*context, *devices[0], {}), Queue::create(*context, *devices[1], {})};
  const Ref<Program> program = Program::fromSource(*context, "read write");
  ASSERT_TRUE(program->build({}, ""));
  const Ref<Kernel> read = *program->createKernel("read"), write = *program->createKernel("write");
  ImageDescription description;
  description.width = description.height = 4;
  description.rowPitch = 16, description.slicePitch = 64;
  const std::byte pixels[64]{};
  const Ref<Image> image = *Image::create(*context, {.description = description, .copyFrom = pixels});
  const auto commands = [&](int device, Kernel &kernel) {
    return commandsForLaunch(*devices[device], *queues[device], kernel, *image);
  };
  EXPECT_EQ(commands(0, *read), 1u);
  EXPECT_EQ(commands(1, *read), 2u) << "the pixels come, and the launch";
  EXPECT_EQ(commands(0, *read), 1u) << "they have not left";
  EXPECT_EQ(commands(1, *read), 1u);
  EXPECT_EQ(commands(1, *write), 1u);
  EXPECT_EQ(commands(0, *read), 2u) << "they come back";
}

} // namespace
} // namespace us::core
