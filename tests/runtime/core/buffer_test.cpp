// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers: when memory is made and given back, maps, sub-buffers, destructor callbacks.
#include "tests/runtime/core/core_fixture.h"

#include <cstring>
#include <numeric>

namespace us::core {
namespace {

class BufferTest : public CoreTest {
protected:
  Expected<Ref<Buffer>> make(uint64_t size) { return Buffer::create(*context, {.size = size}); }
  Ref<Event> addUsing(Queue &queue, const Ref<Buffer> &buffer, Command command = NoCommand{},
                      std::vector<Ref<Event>> waitList = {}) {
    CommandRequest request;
    request.command = std::move(command);
    request.keep.push_back(buffer);
    request.waitList = waitList;
    return *queue.enqueue(std::move(request));
  }
};

TEST_F(BufferTest, MemoryIsMadeAtTheFirstUse) {
  auto buffer = *make(1000);
  EXPECT_EQ(device->memoryUsed(), 0u);
  EXPECT_FALSE(buffer->materialised());
  ASSERT_TRUE(buffer->memoryOn(*device));
  EXPECT_EQ(device->memoryUsed(), 1000u);
  EXPECT_EQ(*buffer->memoryOn(*device), *buffer->memoryOn(*device));
  EXPECT_EQ(device->memoryUsed(), 1000u);
  buffer = nullptr;
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(BufferTest, SizesAreCheckedAtCreation) {
  EXPECT_EQ(make(0).error().code, ErrorCode::InvalidBufferSize);
  EXPECT_EQ(make((1 << 20) + 1).error().code, ErrorCode::InvalidBufferSize);
  EXPECT_TRUE(make(1 << 20));
}

TEST_F(BufferTest, InitialContentsAreTakenBeforeCreationReturns) {
  std::vector<int> contents(100);
  std::iota(contents.begin(), contents.end(), 0);
  BufferRequest request{.size = 400, .copyFrom = reinterpret_cast<const std::byte *>(contents.data())};
  auto buffer = *Buffer::create(*context, request);
  contents.assign(100, -1);
  EXPECT_EQ(device->memoryUsed(), 400u);
  EXPECT_EQ(reinterpret_cast<const int *>(*buffer->addressOn(*device))[42], 42);

  auto full = *make(1 << 20);
  EXPECT_EQ(full->memoryOn(*device).error().code, ErrorCode::MemObjectAllocationFailure);
  request.size = 1 << 20;
  std::vector<std::byte> large(1 << 20);
  request.copyFrom = large.data();
  EXPECT_EQ(Buffer::create(*context, request).error().code, ErrorCode::MemObjectAllocationFailure);
}

TEST_F(BufferTest, InitialContentsReachADeviceWithItsOwnMemory) {
  useDevice({.sharesHostMemory = false});
  const int contents[2] = {7, 8};
  auto buffer = *Buffer::create(*context, {.size = 8, .copyFrom = reinterpret_cast<const std::byte *>(contents)});
  int arrived[2] = {};
  CopyCommand copy;
  copy.to = reinterpret_cast<std::byte *>(arrived);
  copy.from = *buffer->addressOn(*device);
  copy.region = {8, 1, 1};
  EXPECT_TRUE(add(*inOrder(), copy)->wait());
  EXPECT_EQ(arrived[1], 8);
}

TEST_F(BufferTest, TheHostPointerIsTheMemory) {
  int mine[4] = {1, 2, 3, 4};
  auto *bytes = reinterpret_cast<std::byte *>(mine);
  auto buffer = *Buffer::create(*context, {.size = 16, .hostMemory = HostMemory::Use, .hostPointer = bytes});
  EXPECT_EQ(*buffer->addressOn(*device), bytes);
  EXPECT_EQ(buffer->map(*device, 4, 4, true, true)->pointer, bytes + 4);
}

TEST_F(BufferTest, DevicesThatShareTheHostsMemoryShareTheAllocation) {
  auto second = FakeDevice::create();
  auto both = Context::create({device, second, device});
  ASSERT_EQ(both->devices().size(), 2u);
  auto buffer = *Buffer::create(*both, {.size = 64});
  EXPECT_EQ(*buffer->addressOn(*second), *buffer->addressOn(*device));
  EXPECT_EQ(second->memoryUsed(), 64u);
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(BufferTest, ReleasedBuffersOfPendingCommandsAreReclaimedBeforeFailing) {
  auto queue = inOrder();
  auto first = *make(1 << 20);
  ASSERT_TRUE(first->memoryOn(*device));
  auto event = addUsing(*queue, first, unmapCommand()); // which only an explicit flush would run
  auto second = *make(1 << 20);
  EXPECT_EQ(second->memoryOn(*device).error().code, ErrorCode::MemObjectAllocationFailure);
  EXPECT_EQ(event->peekStatus().state, EventState::Queued); // not released: not touched
  first->releasedByApplication();
  first = nullptr;
  EXPECT_TRUE(second->memoryOn(*device));
  EXPECT_EQ(event->peekStatus().state, EventState::Complete);
}

TEST_F(BufferTest, ReclaimingNeverWaitsForTheApplication) {
  auto queue = inOrder(), other = outOfOrder();
  auto user = Event::createUser(*context);
  auto first = *make(1 << 20);
  ASSERT_TRUE(first->memoryOn(*device));
  auto gate = add(*queue, NoCommand{}, {user});
  addUsing(*other, first, NoCommand{}, {gate}); // behind a user event through another queue
  first->releasedByApplication();
  first = nullptr;
  auto second = *make(1 << 20);
  EXPECT_EQ(second->memoryOn(*device).error().code, ErrorCode::MemObjectAllocationFailure);
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(second->memoryOn(*device));
}

TEST_F(BufferTest, ReclaimingWaitsForARunningCommand) {
  auto queue = inOrder();
  auto first = *make(1 << 20);
  ASSERT_TRUE(first->memoryOn(*device));
  Gate gate;
  addUsing(*queue, first, call([&] { gate.pass(); }));
  ASSERT_TRUE(queue->flush());
  ASSERT_TRUE(gate.waitUntilReached());
  first->releasedByApplication();
  first = nullptr;
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    gate.open();
  });
  auto second = *make(1 << 20);
  EXPECT_TRUE(second->memoryOn(*device));
  opener.join();
}

TEST_F(BufferTest, SubBuffersShareTheParentsMemory) {
  auto buffer = *make(1024);
  auto part = *buffer->createSubBuffer(256, 128);
  EXPECT_EQ(part->parent(), buffer.get());
  EXPECT_EQ(*part->addressOn(*device), *buffer->addressOn(*device) + 256);
  EXPECT_EQ(buffer->extraReferences(), 1u);
  auto neighbour = *buffer->createSubBuffer(384, 128);
  EXPECT_EQ(buffer->extraReferences(), 2u);
  EXPECT_TRUE(part->overlaps(*buffer));
  EXPECT_FALSE(part->overlaps(*neighbour));
  EXPECT_FALSE(part->overlaps(**make(1024)));
  neighbour = nullptr;
  EXPECT_EQ(buffer->extraReferences(), 1u);
  const uint64_t used = device->memoryUsed();
  buffer = nullptr; // the part keeps it
  EXPECT_EQ(device->memoryUsed(), used);
  part = nullptr;
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(BufferTest, SubBuffersAreChecked) {
  auto buffer = *make(1024);
  EXPECT_EQ(buffer->createSubBuffer(0, 0).error().code, ErrorCode::InvalidBufferSize);
  EXPECT_EQ(buffer->createSubBuffer(1024, 1).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(buffer->createSubBuffer(~0ull, 2).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(buffer->createSubBuffer(64, 64).error().code, ErrorCode::MisalignedSubBufferOffset); // 1024 bits
  auto part = *buffer->createSubBuffer(128, 512);
  EXPECT_EQ(part->createSubBuffer(0, 128).error().code, ErrorCode::InvalidMemObject);
}

TEST_F(BufferTest, MapsAreCountedAndChecked) {
  auto buffer = *make(1024);
  auto part = *buffer->createSubBuffer(512, 256);
  auto mapped = *buffer->map(*device, 128, 64, true, false);
  EXPECT_EQ(mapped.pointer, *buffer->addressOn(*device) + 128);
  auto again = *buffer->map(*device, 128, 64, true, false);
  EXPECT_EQ(again.pointer, mapped.pointer);
  auto ofPart = *part->map(*device, 0, 256, false, true);
  EXPECT_EQ(ofPart.pointer, *buffer->addressOn(*device) + 512);
  EXPECT_EQ(buffer->mapCount(), 2u);
  EXPECT_EQ(part->mapCount(), 1u);
  EXPECT_EQ(buffer->map(*device, 100, 40, false, true).error().code, ErrorCode::InvalidOperation);
  EXPECT_EQ(buffer->map(*device, 700, 40, true, false).error().code, ErrorCode::InvalidOperation);
  EXPECT_EQ(buffer->map(*device, 1000, 25, true, false).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(buffer->map(*device, 0, 0, true, false).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(buffer->unmap(ofPart.pointer).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(buffer->unmap(nullptr).error().code, ErrorCode::InvalidValue);
  EXPECT_TRUE(buffer->unmap(mapped.pointer));
  EXPECT_TRUE(buffer->unmap(mapped.pointer));
  EXPECT_EQ(buffer->unmap(mapped.pointer).error().code, ErrorCode::InvalidValue);
  EXPECT_TRUE(part->unmap(ofPart.pointer)->write);
  EXPECT_EQ(buffer->mapCount() + part->mapCount(), 0u);
}

TEST_F(BufferTest, AnUnfinishedUnmapIsAReference) {
  auto queue = inOrder();
  auto buffer = *make(64);
  auto mapped = *buffer->map(*device, 0, 64, true, true);
  EXPECT_EQ(buffer->extraReferences(), 0u);
  ASSERT_TRUE(buffer->unmap(mapped.pointer));
  CommandRequest request;
  request.command = unmapCommand();
  request.keep.push_back(buffer);
  request.beforeComplete = buffer->countUnmap();
  auto event = *queue->enqueue(std::move(request));
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(buffer->extraReferences(), 1u);
  EXPECT_TRUE(event->wait());
  EXPECT_EQ(buffer->extraReferences(), 0u);
  EXPECT_TRUE(buffer->unique()); // nothing of the command is left
}

TEST_F(BufferTest, DestructorCallbacksComeInReverseOrderAfterTheLastCommandWhileTheMemoryIsThere) {
  auto queue = inOrder();
  auto buffer = *make(64);
  ASSERT_TRUE(buffer->memoryOn(*device));
  std::mutex mutex;
  std::vector<int> order;
  std::vector<uint64_t> memory;
  Ref<Event> event;
  EventState atCallback{};
  for (int i = 0; i < 3; ++i)
    buffer->addDestructorCallback([&, i] {
      std::lock_guard hold(mutex);
      order.push_back(i);
      memory.push_back(device->memoryUsed());
      atCallback = event->peekStatus().state;
    });
  auto user = Event::createUser(*context);
  {
    std::lock_guard hold(mutex);
    event = addUsing(*queue, buffer, NoCommand{}, {user});
  }
  buffer->releasedByApplication();
  buffer = nullptr;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  {
    std::lock_guard hold(mutex);
    EXPECT_TRUE(order.empty());
  }
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(event->wait());
  EXPECT_TRUE(eventually([&] { return device->memoryUsed() == 0; }));
  std::lock_guard hold(mutex);
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(memory, (std::vector<uint64_t>{64, 64, 64}));
  EXPECT_EQ(atCallback, EventState::Complete);
}

TEST_F(BufferTest, ContextsHaveDestructorCallbacksToo) {
  std::atomic<int> calls{0};
  auto other = Context::create({device});
  other->addDestructorCallback([&] { EXPECT_EQ(calls++, 1); });
  other->addDestructorCallback([&] { EXPECT_EQ(calls++, 0); });
  auto buffer = *Buffer::create(*other, {.size = 4});
  other = nullptr;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(calls, 0); // children hold their context
  buffer = nullptr;
  EXPECT_TRUE(eventually([&] { return calls == 2; }));
}

} // namespace
} // namespace us::core
