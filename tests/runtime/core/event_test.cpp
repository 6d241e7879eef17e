// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events: states, times, callbacks, user events.
#include "tests/runtime/core/core_fixture.h"

#include <algorithm>
#include <stdexcept>

namespace us::core {
namespace {

class EventTest : public CoreTest {};
using namespace std::chrono_literals;

TEST_F(EventTest, TimesAreInOrder) {
  auto queue = inOrder(true);
  std::vector<Ref<Event>> events;
  for (int i = 0; i < 10; ++i) events.push_back(add(*queue, call([] { std::this_thread::sleep_for(100us); })));
  auto user = Event::createUser(*context);
  events.push_back(add(*queue, call([] { std::this_thread::sleep_for(100us); }), {user}));
  EXPECT_EQ(events.back()->times().error().code, ErrorCode::ProfilingInfoNotAvailable);
  ASSERT_TRUE(user->completeUser(0));
  ASSERT_TRUE(queue->finish());
  uint64_t before = 0;
  for (const auto &event : events) {
    const auto times = event->times();
    ASSERT_TRUE(times);
    EXPECT_GT(times->queued, 0u);
    EXPECT_LE(times->queued, times->submitted);
    EXPECT_LE(times->submitted, times->started);
    EXPECT_LE(times->started + 100'000, times->ended);
    EXPECT_LE(times->ended, times->completed);
    EXPECT_LE(before, times->started);
    before = times->ended;
  }
}

TEST_F(EventTest, TimeBetweenIsTheDevicesNotTheCompilers) {
  auto queue = inOrder(true), other = inOrder(true);
  auto difference = [](const Ref<Event> &from, const Ref<Event> &to) {
    return static_cast<int64_t>(to->times()->ended - from->times()->ended);
  };
  auto first = add(*queue), elsewhere = add(*other);
  ASSERT_TRUE(other->finish());
  device->makesCode(7'000'000);
  add(*queue, call([] {}));
  auto second = add(*queue);
  add(*queue, call([] {}));
  auto third = add(*queue);
  ASSERT_TRUE(queue->finish());
  EXPECT_EQ(*Event::timeBetween(*first, *second), difference(first, second) - 7'000'000);
  EXPECT_EQ(*Event::timeBetween(*first, *third), difference(first, third) - 14'000'000);
  EXPECT_EQ(*Event::timeBetween(*third, *second), difference(third, second) + 7'000'000);
  // What another queue waited for says nothing about this one.
  EXPECT_EQ(*Event::timeBetween(*elsewhere, *third), difference(elsewhere, third));
  EXPECT_FALSE(Event::timeBetween(*first, *Event::createUser(*context)));
}

TEST_F(EventTest, NoTimesWithoutProfilingNorForUserEventsNorForFailures) {
  auto plain = inOrder(), profiled = inOrder(true);
  auto event = add(*plain), failed = add(*profiled, failingLaunch());
  auto user = Event::createUser(*context);
  ASSERT_TRUE(plain->finish());
  ASSERT_TRUE(profiled->finish());
  ASSERT_TRUE(user->completeUser(0));
  for (const auto &each : {event, failed, user})
    EXPECT_EQ(each->times().error().code, ErrorCode::ProfilingInfoNotAvailable);
}

TEST_F(EventTest, AUserEventIsSetOnce) {
  auto user = Event::createUser(*context);
  EXPECT_TRUE(user->isUser());
  EXPECT_EQ(user->completeUser(1).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(user->queryStatus().state, EventState::Submitted);
  EXPECT_TRUE(user->completeUser(-42));
  EXPECT_EQ(user->queryStatus().state, EventState::Failed);
  EXPECT_EQ(user->queryStatus().userCode, -42);
  EXPECT_EQ(user->completeUser(0).error().code, ErrorCode::InvalidOperation);
  auto queue = inOrder();
  EXPECT_EQ(add(*queue)->completeUser(0).error().code, ErrorCode::InvalidEvent);
}

TEST_F(EventTest, WaitingForAUserEventSetByAnotherThread) {
  auto user = Event::createUser(*context);
  std::thread setter([&] {
    std::this_thread::sleep_for(20ms);
    EXPECT_TRUE(user->completeUser(0));
  });
  EXPECT_TRUE(Event::waitAll(std::vector<Ref<Event>>{user}));
  setter.join();
}

TEST_F(EventTest, WaitAllReportsAnyFailureAfterAllHaveEnded) {
  auto first = inOrder(), second = inOrder();
  const std::vector<Ref<Event>> events{add(*first, failingLaunch()), add(*second)};
  const auto result = Event::waitAll(events);
  EXPECT_EQ(result.error().code, ErrorCode::ExecStatusErrorInWaitList);
  EXPECT_EQ(events[1]->peekStatus().state, EventState::Complete);
}

TEST_F(EventTest, CallbacksComeForEachStateOnARuntimeThread) {
  auto queue = inOrder();
  auto user = Event::createUser(*context);
  auto event = add(*queue, NoCommand{}, {user});
  std::mutex mutex;
  std::vector<EventState> seen;
  std::thread::id thread;
  for (const EventState state : {EventState::Complete, EventState::Submitted, EventState::Running})
    event->addCallback(state, [&](const EventStatus &status) {
      std::lock_guard hold(mutex);
      seen.push_back(status.state);
      thread = std::this_thread::get_id();
    });
  std::this_thread::sleep_for(5ms);
  {
    std::lock_guard hold(mutex);
    EXPECT_TRUE(seen.empty());
  }
  ASSERT_TRUE(user->completeUser(0)); // the callbacks have flushed the queue
  EXPECT_TRUE(eventually([&] {
    std::lock_guard hold(mutex);
    return seen.size() == 3;
  }));
  // Usually in this order; but callbacks on several threads promise none.
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<EventState>{EventState::Submitted, EventState::Running, EventState::Complete}));
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(EventTest, ACallbackAfterTheFactIsCalledToo) {
  auto queue = inOrder();
  auto event = add(*queue);
  ASSERT_TRUE(queue->finish());
  std::atomic<int> calls{0};
  for (const EventState state : {EventState::Submitted, EventState::Running, EventState::Complete})
    event->addCallback(state, [&, state](const EventStatus &status) { calls += status.state == state; });
  EXPECT_TRUE(eventually([&] { return calls == 3; }));
}

TEST_F(EventTest, ACallbackOfAFailedCommandHearsWhy) {
  auto queue = inOrder();
  auto user = Event::createUser(*context);
  auto event = add(*queue, NoCommand{}, {user});
  std::atomic<int> right{0};
  event->addCallback(EventState::Running, [&](const EventStatus &status) {
    right += status.failed() && status.error == ErrorCode::ExecStatusErrorInWaitList;
  });
  user->addCallback(EventState::Complete, [&](const EventStatus &status) { right += status.userCode == -5; });
  ASSERT_TRUE(user->completeUser(-5));
  EXPECT_TRUE(eventually([&] { return right == 2; }));
}

TEST_F(EventTest, BlockedCallbacksStopNothing) {
  auto queue = inOrder();
  Gate gate;
  std::vector<Ref<Event>> events;
  std::atomic<int> blocked{0}, called{0};
  for (int i = 0; i < 5; ++i) {
    events.push_back(add(*queue));
    events.back()->addCallback(EventState::Complete, [&](const EventStatus &) {
      ++blocked;
      EXPECT_TRUE(gate.pass());
      --blocked;
    });
  }
  ASSERT_TRUE(queue->finish());
  EXPECT_TRUE(eventually([&] { return blocked == 5; }));
  // Release, enqueue, flush, query, setting a user event: none of them waits for those.
  events.clear();
  auto user = Event::createUser(*context);
  auto event = add(*queue, NoCommand{}, {user});
  event->addCallback(EventState::Complete, [&](const EventStatus &) { ++called; });
  ASSERT_TRUE(queue->flush());
  (void)event->queryStatus();
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(event->wait());
  EXPECT_TRUE(eventually([&] { return called == 1; }));
  gate.open();
  EXPECT_TRUE(eventually([&] { return blocked == 0; }));
}

TEST_F(EventTest, ACallbackMayUseTheRuntime) {
  auto queue = inOrder();
  auto event = add(*queue);
  std::atomic<bool> done{false};
  event->addCallback(EventState::Complete, [&, queue](const EventStatus &) {
    add(*queue);
    EXPECT_TRUE(queue->finish());
    done = true;
  });
  EXPECT_TRUE(eventually([&] { return done.load(); }));
}

TEST_F(EventTest, ACallbackThatThrowsHurtsNothing) {
  auto queue = inOrder();
  std::atomic<int> called{0};
  auto event = add(*queue);
  event->addCallback(EventState::Complete, [&](const EventStatus &) {
    ++called;
    throw std::runtime_error("the application's own");
  });
  event->addCallback(EventState::Complete, [&](const EventStatus &) { ++called; });
  EXPECT_TRUE(eventually([&] { return called == 2; }));
}

TEST_F(EventTest, TheApiTagAndParentsAreKept) {
  auto queue = inOrder();
  CommandRequest request;
  request.apiTag = 0x11f3;
  auto event = *queue->enqueue(std::move(request));
  EXPECT_EQ(event->apiTag(), 0x11f3u);
  EXPECT_EQ(event->queue(), queue.get());
  EXPECT_EQ(&event->context(), context.get());
  ASSERT_TRUE(queue->finish());
}

} // namespace
} // namespace us::core
