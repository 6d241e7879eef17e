// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command buffers: recorded once, submitted as one command, kept alive while they are pending.
#include "runtime/core/command_buffer.h"

#include "tests/runtime/core/core_fixture.h"

namespace us::core {
namespace {

class CommandBufferTest : public CoreTest {
protected:
  Expected<Ref<Event>> submit(CommandBuffer &buffer, Queue &queue, std::vector<Ref<Event>> waitList = {}) {
    US_TRY(std::vector<CommandBuffer::Part> parts, buffer.prepare());
    EXPECT_EQ(parts.size(), 1u);
    CommandRequest request;
    request.command = std::move(parts[0].command);
    request.keep = std::move(parts[0].keep);
    request.waitList = waitList;
    return queue.enqueue(std::move(request));
  }
};

TEST_F(CommandBufferTest, CommandsRunInOrderOnAnyQueue) {
  for (const Ref<Queue> &queue : {inOrder(), outOfOrder()}) {
    std::vector<int> seen;
    Ref<CommandBuffer> buffer = CommandBuffer::create();
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
  Ref<CommandBuffer> buffer = CommandBuffer::create();
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
  Ref<CommandBuffer> buffer = CommandBuffer::create();
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
  Ref<CommandBuffer> buffer = CommandBuffer::create();
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
  Ref<CommandBuffer> buffer = CommandBuffer::create();
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
  Ref<CommandBuffer> buffer = CommandBuffer::create();
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

/// What each part is: its queue, what it waits for, how many commands it has.
using Shape = std::vector<std::tuple<uint32_t, std::vector<uint32_t>, size_t>>;
Shape shapeOf(CommandBuffer &buffer) {
  Shape shape;
  auto parts = buffer.prepare();
  if (!parts) return shape;
  for (const CommandBuffer::Part &part : *parts)
    shape.emplace_back(part.queue, part.after, part.command.list->commands.size());
  return shape;
}

TEST_F(CommandBufferTest, QueuesWaitForEachOtherOnlyWhereASyncPointSaysSo) {
  using Points = std::vector<CommandBuffer::SyncPoint>;
  Ref<CommandBuffer> buffer = CommandBuffer::create(2);
  const auto record = [&](uint32_t queue, const Points &after = {}) {
    return *buffer->record({NoCommand{}, {}}, {.queue = queue, .after = after});
  };
  const auto a = record(0); // part 0
  record(1);                // part 1
  const auto b = record(0);
  record(1, {a}); // part 2: what was recorded for queue 0 from here on is none of its business
  record(0);      // part 3
  record(1, {b}); // part 2 has waited for that
  record(0, {3}); // its own queue's
  ASSERT_TRUE(buffer->finalize());
  EXPECT_EQ(shapeOf(*buffer), (Shape{{0, {}, 2}, {1, {}, 1}, {1, {0, 1}, 2}, {0, {0}, 2}}));
}

TEST_F(CommandBufferTest, BarriersAreForAllQueues) {
  Ref<CommandBuffer> buffer = CommandBuffer::create(3);
  const auto record = [&](uint32_t queue, bool isBarrier = false) {
    return *buffer->record({NoCommand{}, {}}, {.queue = queue, .isBarrier = isBarrier});
  };
  record(0);       // part 0
  record(1);       // part 1
  record(1, true); // part 2, behind both
  record(1);
  record(2); // part 3, behind part 2
  record(0); // part 4
  record(2);
  ASSERT_TRUE(buffer->finalize());
  EXPECT_EQ(shapeOf(*buffer), (Shape{{0, {}, 1}, {1, {}, 1}, {1, {0, 1}, 2}, {2, {2}, 2}, {0, {0, 2}, 1}}));
}

TEST_F(CommandBufferTest, OneQueueIsOnePart) {
  Ref<CommandBuffer> empty = CommandBuffer::create(), buffer = CommandBuffer::create();
  const CommandBuffer::SyncPoint first = *buffer->record({NoCommand{}, {}});
  ASSERT_TRUE(buffer->record({NoCommand{}, {}}, {.isBarrier = true}));
  ASSERT_TRUE(buffer->record({NoCommand{}, {}}, {.after = {&first, 1}}));
  ASSERT_TRUE(empty->finalize());
  ASSERT_TRUE(buffer->finalize());
  EXPECT_EQ(shapeOf(*empty), (Shape{{0, {}, 0}}));
  EXPECT_EQ(shapeOf(*buffer), (Shape{{0, {}, 3}}));
}

} // namespace
} // namespace us::core
