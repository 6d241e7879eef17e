// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues of devices that are given commands before those they depend on have ended (DeviceInfo::handsOver).
#include "tests/runtime/core/core_fixture.h"

#include <atomic>
#include <map>
#include <random>

namespace us::core {
namespace {

/// Two devices that hand over, and one that does not.
class HandOverTest : public CoreTest {
protected:
  void SetUp() override {
    CoreTest::SetUp();
    for (Ref<FakeDevice> &one : apart) {
      one = FakeDevice::create({.submission = FakeDevice::Submission::HandsOver});
      one->ignorePolls(true);
    }
    shared = FakeDevice::create();
    all = Context::create({apart[0], apart[1], shared});
    inOrder = Queue::create(*all, *apart[0], {});
  }
  void TearDown() override {
    for (Ref<FakeDevice> &one : apart) one->ignorePolls(false);
    inOrder = nullptr;
    CoreTest::TearDown();
  }
  Ref<Event> add(Queue &queue, Command command, std::vector<Ref<Event>> waitList = {}, bool isWatched = true) {
    CommandRequest request;
    request.command = std::move(command);
    request.waitList = waitList;
    request.isWatched = isWatched;
    return *queue.enqueue(std::move(request));
  }
  Expected<void> pass(Queue &queue, Command command, const Ref<Object> &kept = nullptr) {
    CommandRequest request;
    request.command = std::move(command);
    request.isAtHand = true;
    if (kept) request.keep.push_back(kept);
    return queue.add(std::move(request));
  }
  /// A launch that appends a number to `order`.
  Command note(int number) {
    return call([this, number] {
      std::lock_guard hold(mutex);
      order.push_back(number);
    });
  }
  std::vector<int> noted() {
    std::lock_guard hold(mutex);
    return order;
  }

  Ref<FakeDevice> apart[2], shared;
  Ref<Context> all;
  Ref<Queue> inOrder;
  std::mutex mutex; // guards order
  std::vector<int> order;
};

TEST_F(HandOverTest, CommandsAreSubmittedBeforeThoseBeforeThemHaveEnded) {
  for (int i = 0; i < 100; ++i) add(*inOrder, note(i), {}, false);
  EXPECT_EQ(apart[0]->waiting(), 100u);
  EXPECT_EQ(inOrder->unfinished(), 100u);
  EXPECT_TRUE(noted().empty());
  ASSERT_TRUE(inOrder->finish());
  EXPECT_EQ(inOrder->unfinished(), 0u);
  std::vector<int> expected(100);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(noted(), expected);
}

TEST_F(HandOverTest, AWaitEndsNoMoreThanItMust) {
  const Ref<Event> first = add(*inOrder, note(1)), second = add(*inOrder, note(2));
  ASSERT_TRUE(first->wait());
  EXPECT_EQ(noted(), std::vector{1});
  EXPECT_FALSE(second->peekStatus().ended());
  EXPECT_EQ(second->peekStatus().state, EventState::Submitted);
  ASSERT_TRUE(second->wait());
  EXPECT_EQ(noted(), (std::vector{1, 2}));
}

TEST_F(HandOverTest, EventsOfTheSameDeviceHoldNothingBack) {
  const Ref<Queue> other = Queue::create(*all, *apart[0], {.outOfOrder = true});
  const Ref<Event> first = add(*inOrder, note(1));
  const Ref<Event> second = add(*other, note(2), {first});
  const Ref<Event> third = add(*inOrder, note(3), {second, first});
  const Ref<Event> marker = *other->enqueue({.order = CommandRequest::Order::Marker});
  EXPECT_EQ(apart[0]->waiting(), 4u);
  ASSERT_TRUE(third->wait());
  ASSERT_TRUE(marker->wait());
  EXPECT_EQ(noted(), (std::vector{1, 2, 3}));
}

TEST_F(HandOverTest, EventsOfOtherDevicesAreWaitedFor) {
  const Ref<Queue> second = Queue::create(*all, *apart[1], {}), third = Queue::create(*all, *shared, {});
  const Ref<Event> user = Event::createUser(*all);
  const Ref<Event> a = add(*inOrder, note(1), {user}), b = add(*second, note(2), {a}), c = add(*third, note(3), {b}),
                   d = add(*inOrder, note(4), {c});
  for (const Ref<FakeDevice> &one : apart) EXPECT_EQ(one->waiting(), 0u);
  ASSERT_TRUE(user->completeUser(0));
  // Nobody asks the devices but for those who wait.
  ASSERT_TRUE(d->wait());
  EXPECT_EQ(noted(), (std::vector{1, 2, 3, 4}));
}

TEST_F(HandOverTest, AFailureReachesThoseThatNameItOnly) {
  const Ref<Event> bad = add(*inOrder, failingLaunch()), follows = add(*inOrder, note(1)),
                   names = add(*inOrder, note(2), {bad}), namesThat = add(*inOrder, note(3), {names});
  EXPECT_EQ(apart[0]->waiting(), 4u);
  EXPECT_EQ(bad->wait().error().code, ErrorCode::KernelFault);
  EXPECT_TRUE(follows->wait());
  EXPECT_EQ(names->wait().error().code, ErrorCode::ExecStatusErrorInWaitList);
  EXPECT_EQ(namesThat->wait().error().code, ErrorCode::ExecStatusErrorInWaitList);
  // One that has failed already keeps later ones from running.
  const size_t before = noted().size();
  EXPECT_FALSE(add(*inOrder, note(4), {bad})->wait());
  EXPECT_EQ(noted().size(), before);
}

TEST_F(HandOverTest, CallbacksComeWithoutAnybodyAsking) {
  std::atomic<int> called{0};
  const auto count = [&](const EventStatus &status) { called += status.ended(); };
  const Ref<Event> before = add(*inOrder, note(1)), event = add(*inOrder, note(2));
  event->addCallback(EventState::Complete, count);
  EXPECT_TRUE(eventually([&] { return called == 1; }));
  // Before it could be handed over, too.
  const Ref<Event> user = Event::createUser(*all), later = add(*inOrder, note(3), {user});
  later->addCallback(EventState::Complete, count);
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_TRUE(eventually([&] { return called == 2; }));
  EXPECT_EQ(noted(), (std::vector{1, 2, 3}));
}

TEST_F(HandOverTest, OthersThatWaitAreWokenByTheDevice) {
  const Ref<Event> user = Event::createUser(*all), event = add(*inOrder, note(1), {user});
  std::thread waits([&] { EXPECT_TRUE(event->wait()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  ASSERT_TRUE(user->completeUser(0));
  waits.join();
}

TEST_F(HandOverTest, PollingEndsWhatNobodyWaitsFor) {
  const Ref<Event> event = add(*inOrder, note(1));
  EXPECT_FALSE(event->queryStatus().ended());
  apart[0]->ignorePolls(false);
  EXPECT_TRUE(eventually([&] { return event->queryStatus().ended(); }));
  // So does the ticker.
  add(*inOrder, note(2), {}, false);
  EXPECT_TRUE(eventually([&] { return inOrder->unfinished() == 0; }));
}

TEST_F(HandOverTest, ABlockingCallRunsBehindWhatTheDeviceHas) {
  add(*inOrder, note(1), {}, false);
  add(*inOrder, note(2), {}, false);
  CommandRequest request;
  request.command = note(3);
  ASSERT_TRUE(inOrder->run(std::move(request)));
  EXPECT_EQ(noted(), (std::vector{1, 2, 3}));
  // An unmap, which is lazy elsewhere, too.
  add(*inOrder, unmapCommand(), {}, false);
  EXPECT_EQ(apart[0]->waiting(), 1u);
}

TEST_F(HandOverTest, WhatNobodyAsksForIsPassedOn) {
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(pass(*inOrder, note(i)));
  EXPECT_EQ(apart[0]->waiting(), 100u);
  EXPECT_EQ(inOrder->unfinished(), 0u); // nothing of ours stands for it
  EXPECT_TRUE(noted().empty());
  ASSERT_TRUE(inOrder->finish());
  EXPECT_EQ(noted().size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(noted()));
}

TEST_F(HandOverTest, WhatIsPassedOnKeepsItsPlace) {
  const Ref<Event> first = add(*inOrder, note(1));
  ASSERT_TRUE(pass(*inOrder, note(2)));
  const Ref<Event> third = add(*inOrder, note(3));
  ASSERT_TRUE(third->wait());
  EXPECT_EQ(noted(), (std::vector{1, 2, 3}));
  // Behind what has to wait it waits, too.
  const Ref<Event> user = Event::createUser(*all), held = add(*inOrder, note(4), {user});
  ASSERT_TRUE(pass(*inOrder, note(5)));
  EXPECT_EQ(apart[0]->waiting(), 0u);
  EXPECT_EQ(inOrder->unfinished(), 2u);
  ASSERT_TRUE(user->completeUser(0));
  ASSERT_TRUE(inOrder->finish());
  EXPECT_EQ(noted(), (std::vector{1, 2, 3, 4, 5}));
}

TEST_F(HandOverTest, ARefusalOfWhatIsPassedOnIsTheCalls) {
  apart[0]->refuseNext();
  const Expected<void> refused = pass(*inOrder, note(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidWorkGroupSize);
  ASSERT_TRUE(pass(*inOrder, note(2)));
  ASSERT_TRUE(inOrder->finish());
  EXPECT_EQ(noted(), std::vector{2});
}

TEST_F(HandOverTest, ARefusalIsTheCallsWhereNothingIsBeforeIt) {
  const auto enqueue = [&](std::vector<Ref<Event>> waitList = {}) {
    CommandRequest request{.command = note(1)};
    request.waitList = waitList;
    return inOrder->enqueue(std::move(request));
  };
  apart[0]->refuseNext();
  const Expected<Ref<Event>> refused = enqueue();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidWorkGroupSize);
  EXPECT_EQ(inOrder->unfinished(), 0u);
  // Of one that has to wait the event tells.
  const Ref<Event> user = Event::createUser(*all);
  const Expected<Ref<Event>> later = enqueue({user});
  ASSERT_TRUE(later);
  apart[0]->refuseNext();
  ASSERT_TRUE(user->completeUser(0));
  EXPECT_EQ((*later)->wait().error().code, ErrorCode::InvalidWorkGroupSize);
}

TEST_F(HandOverTest, AFailureOfWhatWasPassedOnIsTheContexts) {
  std::atomic<int> failures{0};
  const Ref<Context> context =
      Context::create({apart[0]}, [&](const Error &error) { failures += error.code == ErrorCode::KernelFault; });
  const Ref<Queue> queue = Queue::create(*context, *apart[0], {});
  ASSERT_TRUE(pass(*queue, failingLaunch()));
  ASSERT_TRUE(queue->finish());
  EXPECT_TRUE(eventually([&] { return failures == 1; }));
}

TEST_F(HandOverTest, WhatWasPassedOnKeepsItsMemoryAndItsQueue) {
  struct Kept final : Object {
    explicit Kept(std::atomic<bool> &gone) : gone(gone) {}
    ~Kept() override { gone = true; }
    std::atomic<bool> &gone;
  };
  std::atomic<bool> gone{false};
  Ref<Queue> queue = Queue::create(*all, *apart[0], {});
  ASSERT_TRUE(pass(*queue, note(1), makeRef<Kept>(gone)));
  queue->releasedByApplication();
  queue = nullptr;
  EXPECT_FALSE(gone);
  apart[0]->ignorePolls(false); // the ticker asks
  EXPECT_TRUE(eventually([&] { return gone.load(); }));
  EXPECT_EQ(noted(), std::vector{1});
}

TEST_F(HandOverTest, HostCallsRunWhenEverythingBeforeHasEnded) {
  add(*inOrder, note(1), {}, false);
  add(*inOrder, hostCall([&] {
    std::lock_guard hold(mutex);
    order.push_back(2);
  }));
  const Ref<Event> last = add(*inOrder, note(3));
  ASSERT_TRUE(last->wait());
  EXPECT_EQ(noted(), (std::vector{1, 2, 3}));
}

TEST_F(HandOverTest, PropertiesChangeBetweenCommands) {
  add(*inOrder, note(1), {}, false);
  ASSERT_TRUE(inOrder->setProperties({.outOfOrder = true}));
  EXPECT_EQ(noted(), std::vector{1});
  const Ref<Event> first = add(*inOrder, note(2));
  ASSERT_TRUE(inOrder->enqueue({.order = CommandRequest::Order::Barrier}));
  const Ref<Event> last = add(*inOrder, note(3));
  EXPECT_EQ(apart[0]->waiting(), 3u);
  ASSERT_TRUE(last->wait());
  EXPECT_EQ(noted(), (std::vector{1, 2, 3}));
}

// Random graphs over queues of all devices, by several threads: nothing runs before what it waits for has, and
// everything ends.
TEST_F(HandOverTest, GraphsOverAllDevices) {
  apart[1]->ignorePolls(false);
  constexpr int kThreads = 16, kCommands = 150;
  std::vector<Ref<Queue>> queues;
  for (const Ref<FakeDevice> &one : {apart[0], apart[1], shared})
    for (const bool outOfOrder : {false, true}) queues.push_back(Queue::create(*all, *one, {.outOfOrder = outOfOrder}));
  std::atomic<int> early{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread)
    threads.emplace_back([&, thread] {
      std::mt19937 random(thread);
      struct Made {
        Ref<Event> event;
        std::shared_ptr<std::atomic<bool>> ran = std::make_shared<std::atomic<bool>>(false);
      };
      std::vector<Made> made;
      std::map<Queue *, Made> latest; // of this thread, by queues that are in order
      for (int i = 0; i < kCommands; ++i) {
        Queue &queue = *queues[random() % queues.size()];
        if (random() % 4 == 0) {
          const auto earlier = latest.find(&queue);
          EXPECT_TRUE(pass(queue, call([&early, ran = earlier == latest.end() ? nullptr : earlier->second.ran] {
                             early += ran && !ran->load();
                           })));
        }
        std::vector<Ref<Event>> waitList;
        std::vector<std::shared_ptr<std::atomic<bool>>> before;
        for (uint32_t n = made.empty() ? 0 : random() % 4; n > 0; --n) {
          const Made &one = made[made.size() - 1 - random() % std::min<size_t>(made.size(), 12)];
          waitList.push_back(one.event);
          before.push_back(one.ran);
        }
        Made one;
        one.event = add(queue, call([&early, before, ran = one.ran] {
                          for (const auto &other : before) early += !other->load();
                          ran->store(true);
                        }),
                        waitList);
        made.push_back(one);
        if (!queue.properties().outOfOrder) latest[&queue] = one;
        switch (random() % 16) {
        case 0:
          EXPECT_TRUE(made[random() % made.size()].event->wait());
          break;
        case 1:
          EXPECT_TRUE(queue.finish());
          break;
        case 2:
          EXPECT_TRUE(queue.flush());
          break;
        case 3:
          made[random() % made.size()].event->addCallback(EventState::Complete, [](const EventStatus &) {});
          break;
        default:
          break;
        }
      }
      for (const Made &one : made) EXPECT_TRUE(one.event->wait());
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(early, 0);
  for (const Ref<Queue> &queue : queues) EXPECT_TRUE(queue->finish());
  for (const Ref<Queue> &queue : queues) EXPECT_TRUE(eventually([&] { return queue->unfinished() == 0; }));
}

} // namespace
} // namespace us::core
