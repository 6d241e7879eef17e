// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and their arguments: checks, packing, snapshots, lifetimes.
#include "tests/runtime/core/core_fixture.h"

namespace us::core {
namespace {

class KernelTest : public CoreTest {
protected:
  void SetUp() override {
    CoreTest::SetUp();
    // add(buffer, int, local): buffer[0] += int
    KernelInfo info =
        test::fakeKernelInfo("add", {ArgumentKind::GlobalPointer, ArgumentKind::Value, ArgumentKind::LocalPointer});
    info.localMemory = 20;
    device->addKernel(info, [](const test::FakeLaunch &launch) {
      if (int *to = launch.argument<int *>(0)) *to += launch.argument<int>(1);
      return Expected<void>();
    });
    program = Program::fromSource(*context, "add");
    ASSERT_TRUE(program->build({}, ""));
    kernel = *program->createKernel("add");
    const int zero[16] = {};
    buffer = *Buffer::create(*context, {.size = 64, .copyFrom = reinterpret_cast<const std::byte *>(zero)});
  }
  void TearDown() override {
    kernel = nullptr;
    program = nullptr;
    buffer = nullptr;
    CoreTest::TearDown();
  }
  Expected<void> setInt(Kernel &kernel, int value) { return kernel.setValue(1, std::as_bytes(std::span(&value, 1))); }
  void setAll() {
    ASSERT_TRUE(kernel->setBuffer(0, buffer.get()));
    ASSERT_TRUE(setInt(*kernel, 1));
    ASSERT_TRUE(kernel->setLocal(2, 100));
  }
  Ref<Event> launch(Queue &queue, Kernel &kernel, std::vector<Ref<Event>> waitList = {}) {
    CommandRequest request;
    LaunchCommand command;
    EXPECT_TRUE(kernel.prepareLaunch(*device, command, request.keep));
    request.command = std::move(command);
    request.waitList = waitList;
    return *queue.enqueue(std::move(request));
  }
  ErrorCode prepareError() {
    LaunchCommand command;
    KeepList keep;
    return kernel->prepareLaunch(*device, command, keep).error().code;
  }
  int contents() { return *reinterpret_cast<const int *>(*buffer->addressOn(*device)); }

  Ref<Program> program;
  Ref<Kernel> kernel;
  Ref<Buffer> buffer;
};

TEST_F(KernelTest, ADeviceThatChecksIsToldWhatTheHostGave) {
  LaunchCommand command;
  KeepList keep;
  setAll();
  ASSERT_TRUE(kernel->prepareLaunch(*device, command, keep));
  EXPECT_EQ(command.argumentMemory, nullptr) << "this one does not";

  const Ref<FakeDevice> checking = FakeDevice::create({.checksArguments = true});
  checking->addKernel(kernel->info(), [](const test::FakeLaunch &) { return Expected<void>(); });
  const Ref<Context> other = Context::create({checking});
  const Ref<Program> built = Program::fromSource(*other, "add");
  ASSERT_TRUE(built->build({}, ""));
  const Ref<Kernel> add = *built->createKernel("add");
  const Ref<Buffer> whole = *Buffer::create(*other, {.size = 1024, .access = {.reads = false}});
  const Ref<Buffer> part = *whole->createSubBuffer(0, 64, {.reads = false, .writes = true});
  ASSERT_TRUE(add->setBuffer(0, part.get()));
  ASSERT_TRUE(setInt(*add, 1));
  ASSERT_TRUE(add->setLocal(2, 100));
  ASSERT_TRUE(add->prepareLaunch(*checking, command, keep));
  ASSERT_NE(command.argumentMemory, nullptr);
  const std::vector<ArgumentMemory> &given = *command.argumentMemory;
  ASSERT_EQ(given.size(), 3u);
  EXPECT_EQ(given[0].size, 64u);
  EXPECT_FALSE(given[0].access.reads);
  EXPECT_TRUE(given[0].access.writes);
  EXPECT_EQ(given[1].size, ArgumentMemory::kUnknown);
  EXPECT_EQ(given[2].size, 100u) << "not what alignment makes of it";
}

TEST_F(KernelTest, ArgumentsAreChecked) {
  const std::byte eight[8] = {};
  EXPECT_EQ(kernel->setValue(3, eight).error().code, ErrorCode::InvalidArgIndex);
  EXPECT_EQ(kernel->setBuffer(3, nullptr).error().code, ErrorCode::InvalidArgIndex);
  EXPECT_EQ(kernel->setValue(1, eight).error().code, ErrorCode::InvalidArgSize);
  EXPECT_EQ(kernel->setValue(0, eight).error().code, ErrorCode::InvalidArgValue);
  EXPECT_EQ(kernel->setBuffer(1, buffer.get()).error().code, ErrorCode::InvalidArgValue);
  EXPECT_EQ(kernel->setLocal(1, 4).error().code, ErrorCode::InvalidArgValue);
}

TEST_F(KernelTest, UnsetArgumentsAreNamed) {
  LaunchCommand command;
  KeepList keep;
  ASSERT_TRUE(kernel->setBuffer(0, buffer.get()));
  const auto result = kernel->prepareLaunch(*device, command, keep);
  EXPECT_EQ(result.error().code, ErrorCode::InvalidKernelArgs);
  EXPECT_NE(result.error().message.find("argument 1 of add"), std::string::npos);
}

TEST_F(KernelTest, ALaunchSeesTheArgumentsOfItsEnqueue) {
  auto queue = inOrder();
  setAll();
  launch(*queue, *kernel);
  ASSERT_TRUE(setInt(*kernel, 100));
  launch(*queue, *kernel);
  ASSERT_TRUE(setInt(*kernel, 1000));
  EXPECT_TRUE(queue->finish());
  EXPECT_EQ(contents(), 101);
}

TEST_F(KernelTest, ANullBufferIsANullPointer) {
  auto queue = inOrder();
  setAll();
  ASSERT_TRUE(kernel->setBuffer(0, nullptr));
  EXPECT_TRUE(launch(*queue, *kernel)->wait());
  EXPECT_EQ(contents(), 0);
}

// Sizes that no device has must not add up to one that fits.
TEST_F(KernelTest, HugeLocalArgumentsStayHuge) {
  setAll();
  for (const uint64_t size : {UINT64_MAX, UINT64_MAX - 31, uint64_t{1} << 63}) {
    ASSERT_TRUE(kernel->setLocal(2, size));
    EXPECT_GT(*kernel->localMemoryOn(*device), uint64_t{1} << 39) << size;
    EXPECT_EQ(prepareError(), ErrorCode::OutOfResources) << size;
  }
}

TEST_F(KernelTest, LocalMemoryIsPlacedAfterTheStaticOneAndCounted) {
  EXPECT_EQ(*kernel->localMemoryOn(*device), 20u);
  setAll();
  EXPECT_EQ(*kernel->localMemoryOn(*device), 132u); // 20, up to 32, and 100
  LaunchCommand command;
  KeepList keep;
  ASSERT_TRUE(kernel->prepareLaunch(*device, command, keep));
  EXPECT_EQ(command.localMemory, 132u);
  uint64_t place = 0;
  memcpy(&place, command.arguments.data() + kernel->info().arguments[2].offset, sizeof place);
  EXPECT_EQ(place, 32u);
  ASSERT_TRUE(kernel->setLocal(2, 0));
  EXPECT_EQ(*kernel->localMemoryOn(*device), 32u);
  ASSERT_TRUE(kernel->setLocal(2, 4096));
  EXPECT_EQ(prepareError(), ErrorCode::OutOfResources);
}

TEST_F(KernelTest, ACloneHasArgumentsOfItsOwn) {
  auto queue = inOrder();
  setAll();
  auto clone = kernel->clone();
  ASSERT_TRUE(setInt(*kernel, 10));
  launch(*queue, *clone);
  launch(*queue, *kernel);
  EXPECT_TRUE(queue->finish());
  EXPECT_EQ(contents(), 11);
}

TEST_F(KernelTest, ArgumentsKeepNoBufferAliveButLaunchesDo) {
  auto queue = inOrder();
  setAll();
  EXPECT_TRUE(buffer->unique());
  auto user = Event::createUser(*context);
  auto event = launch(*queue, *kernel, {user});
  const Ref<WeakLink<Buffer>> link = buffer->weak();
  buffer = nullptr;
  kernel = nullptr;
  program = nullptr;
  EXPECT_TRUE(link->lock());
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(event->wait());
  EXPECT_FALSE(link->lock());
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(KernelTest, AReleasedBufferIsAnUnsetArgument) {
  setAll();
  buffer = nullptr;
  EXPECT_EQ(prepareError(), ErrorCode::InvalidKernelArgs);
}

TEST_F(KernelTest, MemoryIsMadeWhenTheLaunchIsPreparedAndItsFailureIsReturned) {
  auto fresh = *Buffer::create(*context, {.size = 1000});
  setAll();
  ASSERT_TRUE(kernel->setBuffer(0, fresh.get()));
  const uint64_t before = device->memoryUsed();
  LaunchCommand command;
  KeepList keep;
  ASSERT_TRUE(kernel->prepareLaunch(*device, command, keep));
  EXPECT_EQ(keep.size(), 1u);
  EXPECT_EQ(device->memoryUsed(), before + 1000);
  auto large = *Buffer::create(*context, {.size = 1 << 20});
  ASSERT_TRUE(kernel->setBuffer(0, large.get()));
  EXPECT_EQ(prepareError(), ErrorCode::MemObjectAllocationFailure);
}

TEST_F(KernelTest, ArgumentsMayBeSetWhileOthersLaunch) {
  auto queue = inOrder();
  setAll();
  std::thread setter([&] {
    for (int i = 0; i < 2000; ++i) EXPECT_TRUE(setInt(*kernel, 1 + i % 2));
  });
  for (int i = 0; i < 2000; ++i) launch(*queue, *kernel);
  setter.join();
  EXPECT_TRUE(queue->finish());
  EXPECT_GE(contents(), 2000);
  EXPECT_LE(contents(), 4000);
}

} // namespace
} // namespace us::core
