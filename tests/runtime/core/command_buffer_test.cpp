// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers: recorded once, submitted as one command, kept alive while they are pending.
#include "runtime/core/command_buffer.h"

#include "tests/runtime/core/core_fixture.h"

namespace us::core {
namespace {

class CommandBufferTest : public CoreTest {
protected:
  Expected<Ref<Event>> submit(CommandBuffer &buffer, Queue &queue, std::vector<Ref<Event>> waitList = {}) {
    CommandRequest request;
    US_CHECK(buffer.prepare(request));
    request.waitList = waitList;
    return queue.enqueue(std::move(request));
  }
};

TEST_F(CommandBufferTest, CommandsRunInOrderOnAnyQueue) {
  for (const Ref<Queue> &queue : {inOrder(), outOfOrder()}) {
    std::vector<int> seen;
    Ref<CommandBuffer> buffer = CommandBuffer::create(*queue);
    for (int i = 0; i < 4; ++i) {
      EXPECT_FALSE(buffer->has(i + 1));
      EXPECT_EQ(*buffer->record({call([&, i] { seen.push_back(i); }), {}}), i + 1u);
      EXPECT_TRUE(buffer->has(i + 1));
    }
    EXPECT_FALSE(buffer->has(0));
    EXPECT_EQ(buffer->state(), CommandBufferState::Recording);
    EXPECT_EQ(submit(*buffer, *queue).error().code, ErrorCode::InvalidOperation);
    ASSERT_TRUE(buffer->finalize());
    EXPECT_EQ(buffer->finalize().error().code, ErrorCode::InvalidOperation);
    EXPECT_EQ(buffer->record({NoCommand{}, {}}).error().code, ErrorCode::InvalidOperation);
    const uint64_t before = device->submissions();
    ASSERT_TRUE((*submit(*buffer, *queue))->wait());
    ASSERT_TRUE((*submit(*buffer, *queue))->wait());
    EXPECT_EQ(device->submissions(), before + 2);
    EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));
  }
}

TEST_F(CommandBufferTest, ASubmissionRunsWhatWasThereWhenItWasMade) {
  Ref<Queue> queue = inOrder();
  Ref<Event> gate = Event::createUser(*context);
  std::vector<int> seen;
  const auto says = [&](int what) {
    return CommandBuffer::Recorded{call([&seen, what] { seen.push_back(what); }), {}};
  };
  Ref<CommandBuffer> buffer = CommandBuffer::create(*queue);
  ASSERT_TRUE(buffer->record(says(1)));
  ASSERT_TRUE(buffer->record(says(2)));
  const auto change = [&](int what) {
    std::vector<std::pair<CommandBuffer::SyncPoint, CommandBuffer::Recorded>> changes;
    changes.emplace_back(2, says(what));
    return buffer->replace(std::move(changes));
  };
  EXPECT_EQ(change(9).error().code, ErrorCode::InvalidOperation); // it is being recorded
  ASSERT_TRUE(buffer->finalize());
  ASSERT_TRUE(submit(*buffer, *queue, {gate}));
  ASSERT_TRUE(change(3));
  ASSERT_TRUE(submit(*buffer, *queue));
  ASSERT_TRUE(gate->completeUser(0));
  ASSERT_TRUE(queue->finish());
  EXPECT_EQ(seen, (std::vector<int>{1, 2, 1, 3}));
}

TEST_F(CommandBufferTest, WhatLacksArgumentsCannotBeSubmitted) {
  Ref<Queue> queue = inOrder();
  bool ran = false;
  Ref<CommandBuffer> buffer = CommandBuffer::create(*queue);
  ASSERT_TRUE(buffer->record({NoCommand{}, {}, false}));
  ASSERT_TRUE(buffer->finalize());
  EXPECT_EQ(buffer->state(), CommandBufferState::Finalized);
  EXPECT_EQ(submit(*buffer, *queue).error().code, ErrorCode::InvalidOperation);
  std::vector<std::pair<CommandBuffer::SyncPoint, CommandBuffer::Recorded>> changes;
  changes.emplace_back(1, CommandBuffer::Recorded{call([&] { ran = true; }), {}});
  ASSERT_TRUE(buffer->replace(std::move(changes)));
  EXPECT_EQ(buffer->state(), CommandBufferState::Executable);
  ASSERT_TRUE((*submit(*buffer, *queue))->wait());
  EXPECT_TRUE(ran);
}

TEST_F(CommandBufferTest, TheFirstFailureEndsItAndIsItsOwn) {
  Ref<Queue> queue = inOrder();
  bool ran = false;
  Ref<CommandBuffer> buffer = CommandBuffer::create(*queue);
  ASSERT_TRUE(buffer->record({failingLaunch(), {}}));
  ASSERT_TRUE(buffer->record({call([&] { ran = true; }), {}}));
  ASSERT_TRUE(buffer->finalize());
  Ref<Event> event = *submit(*buffer, *queue);
  EXPECT_EQ(event->wait().error().code, ErrorCode::KernelFault);
  EXPECT_FALSE(ran);
  EXPECT_EQ(buffer->state(), CommandBufferState::Executable);
}

TEST_F(CommandBufferTest, APendingSubmissionKeepsEverything) {
  Ref<Queue> queue = inOrder();
  Ref<Event> gate = Event::createUser(*context);
  Ref<Buffer> memory = *Buffer::create(*context, {.size = 64});
  ASSERT_TRUE(memory->memoryOn(*device));
  Ref<CommandBuffer> buffer = CommandBuffer::create(*queue);
  KeepList keep;
  keep.push_back(memory);
  memory = nullptr;
  ASSERT_TRUE(buffer->record({NoCommand{}, std::move(keep)}));
  ASSERT_TRUE(buffer->finalize());
  Ref<Event> event = *submit(*buffer, *queue, {gate});
  buffer = nullptr;
  EXPECT_EQ(device->memoryUsed(), 64u);
  ASSERT_TRUE(gate->completeUser(0));
  ASSERT_TRUE(event->wait());
  EXPECT_EQ(device->memoryUsed(), 0u);
}

TEST_F(CommandBufferTest, SeveralThreadsSubmitOne) {
  Ref<Queue> queue = outOfOrder();
  std::atomic<int> runs{0};
  Ref<CommandBuffer> buffer = CommandBuffer::create(*queue);
  ASSERT_TRUE(buffer->record({call([&] { ++runs; }), {}}));
  ASSERT_TRUE(buffer->finalize());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 100; ++round) {
        Expected<Ref<Event>> event = submit(*buffer, *queue);
        ASSERT_TRUE(event);
        if (round % 10 == 0) ASSERT_TRUE((*event)->wait());
        (void)buffer->state();
      }
    });
  for (std::thread &thread : threads) thread.join();
  ASSERT_TRUE(queue->finish());
  EXPECT_EQ(runs.load(), 400);
  EXPECT_EQ(buffer->state(), CommandBufferState::Executable);
}

} // namespace
} // namespace us::core
