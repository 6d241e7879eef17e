// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues: when commands are submitted, who runs them, and in which order.
#include "tests/runtime/core/core_fixture.h"

#include <atomic>
#include <numeric>

namespace us::core {
namespace {

class QueueTest : public CoreTest {};
using Order = CommandRequest::Order;
using namespace std::chrono_literals;

EventState stateOf(const Ref<Event> &event) { return event->peekStatus().state; }

TEST_F(QueueTest, FinishRunsEverythingInOrderOnTheCallingThread) {
  auto queue = inOrder();
  const auto self = std::this_thread::get_id();
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  bool elsewhere = true;
  // A thread that is held up for a millisecond before it comes to finish() finds that the timer was there first.
  for (int attempt = 0; attempt < 200 && elsewhere; ++attempt) {
    elsewhere = false;
    std::vector<int> order;
    for (int i = 0; i < 100; ++i)
      add(*queue, call([&, i] {
        order.push_back(i);
        elsewhere |= std::this_thread::get_id() != self;
      }));
    ASSERT_TRUE(queue->finish());
    EXPECT_EQ(order, expected);
    EXPECT_EQ(queue->unfinished(), 0u);
  }
  EXPECT_FALSE(elsewhere);
}

TEST_F(QueueTest, ACommandStaysQueuedUntilTheTimerSubmitsIt) {
  auto queue = inOrder();
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<bool> ran{false};
  auto event = add(*queue, call([&] { ran = true; }));
  const EventState atFirst = stateOf(event);
  const bool atOnce = std::chrono::steady_clock::now() - begin < 1ms; // this thread may have been held up
  EXPECT_TRUE(atFirst == EventState::Queued || !atOnce);
  EXPECT_TRUE(eventually([&] { return ran.load(); }));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 1ms);
}

TEST_F(QueueTest, FlushSubmitsAndNobodyHasToWait) {
  auto queue = inOrder();
  std::atomic<bool> ran{false};
  add(*queue, call([&] { ran = true; }));
  ASSERT_TRUE(queue->flush());
  EXPECT_TRUE(eventually([&] { return ran.load(); }));
}

struct Watch final : CommandWatch {
  explicit Watch(bool refuses = false) : refuses(refuses) {}
  Expected<void> begins() override {
    ++begun;
    if (refuses) return fail(ErrorCode::InvalidValue, "no");
    return {};
  }
  void ends(bool hasSucceeded) override { ++(hasSucceeded ? succeeded : failed); }
  const bool refuses;
  std::atomic<int> begun{0}, succeeded{0}, failed{0};
};

TEST_F(QueueTest, WhoWatchesACommandHearsOfItsBeginningAndItsEnd) {
  auto queue = inOrder();
  const auto watch = makeRef<Watch>();
  CommandRequest request{.watch = watch};
  auto event = queue->enqueue(std::move(request));
  ASSERT_TRUE(event);
  EXPECT_EQ((*event)->watch(), watch.get());
  ASSERT_TRUE(queue->finish());
  EXPECT_EQ(watch->begun, 1);
  EXPECT_EQ(watch->succeeded, 1);
  // A blocking call may have no event.
  ASSERT_TRUE(queue->run({.watch = watch}));
  EXPECT_EQ(watch->begun, 2);
  EXPECT_EQ(watch->succeeded, 2);
  EXPECT_EQ(watch->failed, 0);
}

TEST_F(QueueTest, WhoWatchesACommandMayEndItWithAnErrorBeforeItBegins) {
  auto queue = inOrder();
  const auto watch = makeRef<Watch>(true);
  bool ran = false;
  CommandRequest request{.command = call([&] { ran = true; }), .watch = watch};
  auto event = queue->enqueue(std::move(request));
  ASSERT_TRUE(event);
  ASSERT_TRUE(queue->finish());
  EXPECT_EQ((*event)->failure().message, "no");
  EXPECT_EQ(queue->run({.watch = watch}).error().message, "no");
  EXPECT_FALSE(ran);
  EXPECT_EQ(watch->failed, 2);
  // What waits for it does not begin.
  const auto next = makeRef<Watch>();
  const Ref<Event> list[] = {*event};
  ASSERT_TRUE(queue->enqueue({.waitList = list, .watch = next}));
  ASSERT_TRUE(queue->finish());
  EXPECT_EQ(next->begun, 0);
  EXPECT_EQ(next->failed, 1);
}

TEST_F(QueueTest, ReleaseByTheApplicationFlushesAndTheCommandsGoOn) {
  std::atomic<bool> ran{false};
  {
    auto queue = inOrder();
    add(*queue, call([&] { ran = true; }));
    queue->releasedByApplication();
  }
  EXPECT_TRUE(eventually([&] { return ran.load(); }));
}

TEST_F(QueueTest, AQueuedUnmapIsLeftAloneByTheTimer) {
  auto queue = inOrder();
  auto before = add(*queue);
  auto unmap = add(*queue, unmapCommand());
  EXPECT_TRUE(eventually([&] { return stateOf(before) == EventState::Complete; }));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(stateOf(unmap), EventState::Queued);
  // Something enqueued behind it shows that the program has gone on.
  auto after = add(*queue);
  EXPECT_TRUE(eventually([&] { return stateOf(after) == EventState::Complete; }));
  EXPECT_EQ(stateOf(unmap), EventState::Complete);
}

TEST_F(QueueTest, AnUnmapRunsAtFlush) {
  auto queue = inOrder();
  auto unmap = add(*queue, unmapCommand());
  ASSERT_TRUE(queue->flush());
  EXPECT_TRUE(eventually([&] { return stateOf(unmap) == EventState::Complete; }));
}

TEST_F(QueueTest, TheTimerWakesUpAgainAfterALongSleep) {
  auto queue = inOrder();
  for (int round = 0; round < 3; ++round) {
    auto event = add(*queue);
    EXPECT_TRUE(eventually([&] { return stateOf(event) == EventState::Complete; }));
    std::this_thread::sleep_for(120ms);
  }
}

TEST_F(QueueTest, TheFirstStatusQueryAnswersQueuedAndTheSecondFlushes) {
  auto queue = inOrder();
  Gate gate;
  auto first = add(*queue, call([&] { gate.pass(); }));
  auto unmap = add(*queue, unmapCommand()); // the timer alone would never submit it
  EXPECT_EQ(unmap->queryStatus().state, EventState::Queued);
  EXPECT_NE(unmap->queryStatus().state, EventState::Queued);
  gate.open();
  EXPECT_TRUE(eventually([&] { return unmap->queryStatus().state == EventState::Complete; }));
}

TEST_F(QueueTest, OneStatusQueryFlushesSoon) {
  auto queue = inOrder();
  auto unmap = add(*queue, unmapCommand());
  EXPECT_EQ(unmap->queryStatus().state, EventState::Queued);
  EXPECT_TRUE(eventually([&] { return stateOf(unmap) == EventState::Complete; }));
}

TEST_F(QueueTest, BehindAnOpenDependencyACommandStaysQueuedEvenAfterAFlush) {
  auto queue = inOrder();
  auto user = Event::createUser(*context);
  EXPECT_EQ(user->queryStatus().state, EventState::Submitted);
  auto blocked = add(*queue, NoCommand{}, {user});
  auto behind = add(*queue);
  ASSERT_TRUE(queue->flush());
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(blocked->queryStatus().state, EventState::Queued);
  EXPECT_EQ(behind->queryStatus().state, EventState::Queued);
  EXPECT_EQ(behind->queryStatus().state, EventState::Queued);
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(behind->wait());
  EXPECT_EQ(stateOf(blocked), EventState::Complete);
}

TEST_F(QueueTest, BehindARunningCommandAFlushedOneIsSubmitted) {
  auto queue = inOrder();
  Gate gate;
  auto running = add(*queue, call([&] { gate.pass(); }));
  auto behind = add(*queue);
  ASSERT_TRUE(queue->flush());
  ASSERT_TRUE(gate.waitUntilReached());
  EXPECT_EQ(stateOf(running), EventState::Running);
  EXPECT_EQ(stateOf(behind), EventState::Submitted);
  gate.open();
  ASSERT_TRUE(queue->finish());
}

TEST_F(QueueTest, AWaitListOfAnotherQueueFlushesThatQueue) {
  auto first = inOrder(), second = inOrder();
  auto unmap = add(*first, unmapCommand());
  auto dependent = add(*second, unmapCommand(), {unmap});
  EXPECT_TRUE(eventually([&] { return stateOf(unmap) == EventState::Complete; }));
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(stateOf(dependent), EventState::Queued);
  EXPECT_TRUE(second->finish());
  EXPECT_EQ(stateOf(dependent), EventState::Complete);
}

TEST_F(QueueTest, WaitingHelpsAlongAChainOfQueues) {
  std::vector<Ref<Queue>> queues;
  for (int i = 0; i < 4; ++i) queues.push_back(inOrder());
  std::atomic<int> ran{0};
  Ref<Event> last;
  for (int i = 0; i < 400; ++i)
    last = add(*queues[i % 4], call([&, i] { EXPECT_EQ(ran++, i); }),
               last ? std::vector<Ref<Event>>{last} : std::vector<Ref<Event>>{});
  EXPECT_TRUE(last->wait());
  EXPECT_EQ(ran, 400);
}

TEST_F(QueueTest, SeveralQueuesProgressWhileOthersAreBlocked) {
  Gate gate;
  std::vector<Ref<Queue>> blocked;
  for (int i = 0; i < 12; ++i) { // more than the dispatchers that start at once
    blocked.push_back(inOrder());
    add(*blocked.back(), call([&] { gate.pass(); }));
    ASSERT_TRUE(blocked.back()->flush());
  }
  auto queue = inOrder();
  auto event = add(*queue);
  ASSERT_TRUE(queue->flush());
  EXPECT_TRUE(eventually([&] { return stateOf(event) == EventState::Complete; }));
  gate.open();
  for (auto &each : blocked) EXPECT_TRUE(each->finish());
}

TEST_F(QueueTest, AnOutOfOrderQueueRunsPastABlockedCommand) {
  auto queue = outOfOrder();
  auto user = Event::createUser(*context);
  auto blocked = add(*queue, NoCommand{}, {user});
  auto free = add(*queue);
  EXPECT_TRUE(free->wait());
  EXPECT_EQ(stateOf(blocked), EventState::Queued);
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(queue->finish());
}

TEST_F(QueueTest, OutOfOrderCommandsRunAtTheSameTime) {
  auto queue = outOfOrder();
  Gate a, b;
  add(*queue, call([&] {
    a.open();
    EXPECT_TRUE(b.pass());
  }));
  add(*queue, call([&] {
    b.open();
    EXPECT_TRUE(a.pass());
  }));
  EXPECT_TRUE(queue->finish());
}

TEST_F(QueueTest, AMarkerWaitsForAllBeforeAndABarrierHoldsBackWhatFollows) {
  auto queue = outOfOrder();
  auto user = Event::createUser(*context);
  auto blocked = add(*queue, NoCommand{}, {user});
  auto marker = add(*queue, NoCommand{}, {}, Order::Marker);
  auto afterMarker = add(*queue);
  EXPECT_TRUE(afterMarker->wait());
  EXPECT_EQ(stateOf(marker), EventState::Queued);
  auto barrier = add(*queue, NoCommand{}, {}, Order::Barrier);
  auto afterBarrier = add(*queue);
  ASSERT_TRUE(queue->flush());
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(stateOf(barrier), EventState::Queued);
  EXPECT_EQ(stateOf(afterBarrier), EventState::Queued);
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(afterBarrier->wait());
  EXPECT_EQ(stateOf(marker), EventState::Complete);
  EXPECT_EQ(stateOf(barrier), EventState::Complete);
}

TEST_F(QueueTest, ABarrierWithAWaitListWaitsForThatOnly) {
  auto queue = outOfOrder();
  auto user = Event::createUser(*context), other = Event::createUser(*context);
  auto unrelated = add(*queue, NoCommand{}, {user});
  auto barrier = add(*queue, NoCommand{}, {other}, Order::Barrier);
  auto after = add(*queue);
  ASSERT_TRUE(queue->flush());
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(stateOf(after), EventState::Queued);
  ASSERT_TRUE(other->completeUser(0));
  EXPECT_TRUE(after->wait());
  EXPECT_EQ(stateOf(unrelated), EventState::Queued);
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(queue->finish());
}

TEST_F(QueueTest, AFailureEndsItsDependentsAndTellsTheContextOnce) {
  auto first = inOrder(), second = outOfOrder();
  auto failing = add(*first, failingLaunch());
  auto dependent = add(*second, NoCommand{}, {failing});
  auto indirect = add(*first, NoCommand{}, {dependent});
  auto unrelated = add(*first);
  EXPECT_TRUE(first->finish());
  EXPECT_TRUE(second->finish());
  EXPECT_EQ(failing->queryStatus().error, ErrorCode::KernelFault);
  EXPECT_EQ(failing->failure().message, "touched nothing good");
  EXPECT_EQ(dependent->queryStatus().error, ErrorCode::ExecStatusErrorInWaitList);
  EXPECT_EQ(indirect->queryStatus().error, ErrorCode::ExecStatusErrorInWaitList);
  EXPECT_EQ(unrelated->queryStatus().state, EventState::Complete);
  EXPECT_TRUE(eventually([&] { return errorCount() == 1; }));
  EXPECT_EQ(errors.front().message, "touched nothing good");
  const auto late = add(*second, NoCommand{}, {failing});
  EXPECT_EQ(late->wait().error().code, ErrorCode::ExecStatusErrorInWaitList);
}

TEST_F(QueueTest, ACommandEndsThoughItsDeviceThrows) {
  for (const bool isOutOfOrder : {false, true}) {
    auto queue = isOutOfOrder ? outOfOrder() : inOrder();
    for (Command &command : std::vector<Command>{call([] {}), hostCall([] {})}) {
      device->throwAtNextSubmission();
      auto thrown = add(*queue, std::move(command)), after = add(*queue, NoCommand{}, {thrown});
      EXPECT_EQ(thrown->wait().error().code, ErrorCode::OutOfHostMemory);
      EXPECT_EQ(after->wait().error().code, ErrorCode::ExecStatusErrorInWaitList);
    }
    device->throwAtNextSubmission();
    EXPECT_EQ(queue->run({}).error().code, ErrorCode::OutOfHostMemory);
    EXPECT_TRUE(add(*queue)->wait());
  }
}

TEST_F(QueueTest, ABlockingRunReturnsItsFailure) {
  auto queue = inOrder();
  CommandRequest bad;
  bad.command = failingLaunch();
  EXPECT_EQ(queue->run(std::move(bad)).error().code, ErrorCode::KernelFault);
  auto user = Event::createUser(*context);
  ASSERT_TRUE(user->completeUser(-7));
  CommandRequest waiting;
  const std::vector<Ref<Event>> list{user};
  waiting.waitList = list;
  Ref<Event> event;
  EXPECT_EQ(queue->run(std::move(waiting), &event).error().code, ErrorCode::ExecStatusErrorInWaitList);
  ASSERT_TRUE(event);
  EXPECT_TRUE(event->queryStatus().failed());
}

TEST_F(QueueTest, BlockingRunsGoThroughTheDeviceAndKeepTheOrder) {
  auto queue = inOrder();
  std::vector<int> order;
  add(*queue, call([&] { order.push_back(1); }));
  CommandRequest second;
  second.command = call([&] { order.push_back(2); });
  bool counted = false;
  second.beforeComplete = [&] { counted = true; };
  ASSERT_TRUE(queue->run(std::move(second)));
  EXPECT_TRUE(counted);
  CommandRequest third;
  third.command = call([&] { order.push_back(3); });
  Ref<Event> event;
  ASSERT_TRUE(queue->run(std::move(third), &event));
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(event->queryStatus().state, EventState::Complete);
  EXPECT_EQ(device->submissions(), 3u);
}

TEST_F(QueueTest, ManyThreadsOfBlockingRunsNeverOverlapOnAnInOrderQueue) {
  auto queue = inOrder();
  std::atomic<int> inside{0}, ran{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        CommandRequest request;
        request.command = call([&] {
          EXPECT_EQ(inside.fetch_add(1), 0);
          ++ran;
          inside.fetch_sub(1);
        });
        if (i % 3 == 0)
          EXPECT_TRUE(queue->enqueue(std::move(request)));
        else
          EXPECT_TRUE(queue->run(std::move(request)));
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_TRUE(queue->finish());
  EXPECT_EQ(ran, 2000);
}

TEST_F(QueueTest, FinishWaitsForABlockingCallOfAnotherThread) {
  auto queue = inOrder();
  Gate gate;
  std::atomic<bool> done{false};
  std::thread other([&] {
    CommandRequest request;
    request.command = call([&] { gate.pass(); });
    request.beforeComplete = [&] { done = true; };
    EXPECT_TRUE(queue->run(std::move(request)));
  });
  ASSERT_TRUE(gate.waitUntilReached());
  std::thread opener([&] {
    std::this_thread::sleep_for(10ms);
    gate.open();
  });
  EXPECT_TRUE(queue->finish());
  EXPECT_TRUE(done);
  other.join();
  opener.join();
}

TEST_F(QueueTest, NativeKernelsRunOnAThreadOfTheRuntimeInOrder) {
  auto queue = inOrder();
  std::thread::id thread;
  std::vector<int> order;
  add(*queue, call([&] { order.push_back(1); }));
  add(*queue, hostCall([&] {
    thread = std::this_thread::get_id();
    order.push_back(2);
  }));
  add(*queue, call([&] { order.push_back(3); }));
  EXPECT_TRUE(queue->finish());
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(QueueTest, BlockedNativeKernelsStopNothingElse) {
  Gate gate;
  std::vector<Ref<Queue>> blocked;
  for (int i = 0; i < 5; ++i) {
    blocked.push_back(inOrder());
    add(*blocked.back(), hostCall([&] { gate.pass(); }));
    ASSERT_TRUE(blocked.back()->flush());
  }
  auto queue = inOrder();
  std::atomic<bool> called{false};
  auto event = add(*queue, hostCall([&] { called = true; }));
  EXPECT_TRUE(event->wait());
  EXPECT_TRUE(called);
  gate.open();
  for (auto &each : blocked) EXPECT_TRUE(each->finish());
}

TEST_F(QueueTest, PropertiesChangeAfterWhatWasEnqueued) {
  auto queue = inOrder();
  auto before = add(*queue);
  ASSERT_TRUE(queue->setProperties({true, true}));
  EXPECT_EQ(stateOf(before), EventState::Complete);
  EXPECT_EQ(queue->properties(), (QueueProperties{true, true}));
  auto user = Event::createUser(*context);
  auto blocked = add(*queue, NoCommand{}, {user});
  EXPECT_TRUE(add(*queue)->wait());
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(blocked->wait());
  EXPECT_TRUE(blocked->times());
}

TEST_F(QueueTest, AnAsynchronousDeviceRunsTheSameGraphs) {
  useDevice({.submission = FakeDevice::Submission::Returns});
  auto first = inOrder(true), second = outOfOrder(true);
  std::atomic<int> ran{0};
  Ref<Event> last;
  for (int i = 0; i < 300; ++i) {
    Queue &queue = i % 2 ? *first : *second;
    last = add(queue, call([&, i] { EXPECT_EQ(ran++, i); }),
               last ? std::vector<Ref<Event>>{last} : std::vector<Ref<Event>>{});
  }
  EXPECT_TRUE(first->finish());
  EXPECT_TRUE(second->finish());
  EXPECT_EQ(ran, 300);
  CommandRequest blocking;
  blocking.command = call([&] { ++ran; });
  EXPECT_TRUE(first->run(std::move(blocking)));
  EXPECT_EQ(ran, 301);
}

// More than are released at once.
TEST_F(QueueTest, TheTimerSubmitsALongRow) {
  auto queue = inOrder();
  std::atomic<int> ran{0};
  for (int i = 0; i < 1000; ++i) add(*queue, call([&, i] { EXPECT_EQ(ran++, i); }));
  EXPECT_TRUE(eventually([&] { return queue->unfinished() == 0; }));
  EXPECT_EQ(ran, 1000);
}

TEST_F(QueueTest, OneInTheMiddleOfALongRowIsWaitedFor) {
  auto queue = inOrder();
  std::atomic<int> ran{0};
  Ref<Event> middle;
  for (int i = 0; i < 1000; ++i) {
    auto event = add(*queue, call([&, i] { EXPECT_EQ(ran++, i); }));
    if (i == 500) middle = event;
  }
  std::thread other([&] { EXPECT_TRUE(queue->finish()); });
  EXPECT_TRUE(middle->wait());
  EXPECT_GE(ran, 501);
  other.join();
  EXPECT_EQ(ran, 1000);
}

TEST_F(QueueTest, ALaunchBehindOthersIsPreparedOnce) {
  auto queue = inOrder();
  auto user = Event::createUser(*context);
  add(*queue, call([] {}), {user});
  EXPECT_EQ(device->preparations(), 0u); // nothing is before it
  std::atomic<int> ran{0};
  const Command second = call([&] { ++ran; });
  add(*queue, second);
  EXPECT_EQ(device->preparations(), 1u);
  add(*queue, second);
  add(*queue);
  EXPECT_EQ(device->preparations(), 1u);
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(queue->finish());
  EXPECT_EQ(ran, 2);
}

TEST_F(QueueTest, LongChainsEndAndGoWithoutRecursion) {
  for (const bool isOutOfOrder : {false, true}) {
    auto queue = isOutOfOrder ? outOfOrder() : inOrder();
    auto user = Event::createUser(*context);
    constexpr int kLength = 1'000'000;
    Ref<Event> last = user;
    for (int i = 0; i < kLength; ++i) last = add(*queue, NoCommand{}, {last});
    ASSERT_TRUE(user->completeUser(-1));
    EXPECT_EQ(last->wait().error().code, ErrorCode::ExecStatusErrorInWaitList);
    EXPECT_TRUE(queue->finish());
    EXPECT_EQ(queue->unfinished(), 0u);
  }
}

} // namespace
} // namespace us::core
