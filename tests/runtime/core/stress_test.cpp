// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many threads use everything at once; and what is left of the runtime after a fork, and while the process exits.
#include "tests/runtime/core/core_fixture.h"

#include <random>

#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define US_SANITIZED 1
#endif
#endif
#ifndef US_SANITIZED
#define US_SANITIZED 0
#endif

namespace us::core {
namespace {

class StressTest : public CoreTest {};

/// Random graphs over shared queues: every command that waits for others checks that they have ended, and in-order
/// queues that they run one at a time.
void runRandomGraphs(const Ref<Context> &context, const Ref<FakeDevice> &device, int perThread) {
  struct Slot {
    Ref<Queue> queue;
    bool inOrder;
    std::atomic<int> inside{0};
  };
  std::vector<std::unique_ptr<Slot>> slots;
  for (int i = 0; i < 4; ++i)
    slots.emplace_back(new Slot{Queue::create(*context, *device, {i % 2 == 1, i >= 2}), i % 2 == 0, {}});
  std::atomic<int> ran{0}, callbacks{0}, wrong{0}, enqueued{0};

  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Ref<Event>> recent;
    for (int i = 0; i < perThread; ++i) {
      Slot &slot = *slots[random() % slots.size()];
      std::vector<Ref<Event>> waitList;
      for (unsigned k = random() % 3; k > 0 && !recent.empty(); --k)
        waitList.push_back(recent[random() % recent.size()]);
      CommandRequest request;
      request.command = HostCallCommand{};
      const auto body = [&, waitList] {
        if (slot.inOrder && slot.inside.fetch_add(1) != 0) ++wrong;
        for (const auto &event : waitList)
          if (!event->peekStatus().ended()) ++wrong;
        ++ran;
        if (slot.inOrder) slot.inside.fetch_sub(1);
      };
      if (random() % 8 == 0)
        request.command = HostCallCommand{body};
      else
        request.command = call(body);
      request.waitList = waitList;
      if (random() % 16 == 0 && !slot.inOrder) request.order = CommandRequest::Order::Barrier;
      ++enqueued;
      Ref<Event> event;
      if (random() % 10 == 0) {
        EXPECT_TRUE(slot.queue->run(std::move(request), random() % 2 ? &event : nullptr));
      } else {
        event = *slot.queue->enqueue(std::move(request));
        if (random() % 8 == 0) event->addCallback(EventState::Complete, [&](const EventStatus &) { ++callbacks; });
        if (random() % 8 == 0) (void)event->queryStatus();
      }
      if (event) recent.push_back(std::move(event));
      if (recent.size() > 20) recent.erase(recent.begin());
      switch (random() % 30) {
      case 0:
        EXPECT_TRUE(slot.queue->flush());
        break;
      case 1:
        EXPECT_TRUE(slot.queue->finish());
        break;
      case 2:
        EXPECT_TRUE(Event::waitAll(recent));
        break;
      case 3:
        recent.clear();
        break;
      default:
        break;
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) threads.emplace_back(work, t + 1);
  for (auto &thread : threads) thread.join();
  for (auto &slot : slots) EXPECT_TRUE(slot->queue->finish());
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(ran, enqueued);
  for (auto &slot : slots) EXPECT_EQ(slot->queue->unfinished(), 0u);
  // Callbacks refer to this frame.
  EXPECT_TRUE(eventually([&] {
    for (auto &slot : slots)
      if (!slot->queue->unique()) return false;
    return true;
  }));
}

TEST_F(StressTest, RandomGraphs) { runRandomGraphs(context, device, US_SANITIZED ? 1000 : 3000); }

TEST_F(StressTest, RandomGraphsOnAnAsynchronousDevice) {
  useDevice({.submission = FakeDevice::Submission::Returns});
  runRandomGraphs(context, device, US_SANITIZED ? 1000 : 3000);
}

TEST_F(StressTest, UserEventsSetAndWaitedForEverywhere) {
  auto queue = inOrder(), other = outOfOrder();
  for (int round = 0; round < 200; ++round) {
    auto user = Event::createUser(*context);
    auto first = add(*queue, NoCommand{}, {user});
    auto second = add(*other, NoCommand{}, {first, user});
    std::atomic<int> won{0};
    std::vector<std::thread> threads;
    threads.emplace_back([&] { won += user->completeUser(0).has_value(); });
    threads.emplace_back([&] { won += user->completeUser(0).has_value(); });
    threads.emplace_back([&] { EXPECT_TRUE(second->wait()); });
    EXPECT_TRUE(first->wait());
    for (auto &thread : threads) thread.join();
    EXPECT_EQ(won, 1);
  }
}

TEST_F(StressTest, ObjectsComeAndGoOnEveryThread) {
  std::vector<std::thread> threads;
  std::atomic<int> gone{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 300; ++i) {
        auto mine = Context::create({device});
        auto queue = Queue::create(*mine, *device, {i % 2 == 0, false});
        auto buffer = *Buffer::create(*mine, {.size = 16});
        buffer->addDestructorCallback([&] { ++gone; });
        ASSERT_TRUE(buffer->memoryOn(*device));
        CommandRequest request;
        request.keep.push_back(buffer);
        auto event = *queue->enqueue(std::move(request));
        buffer = nullptr;
        if (i % 3 == 0)
          queue->releasedByApplication();
        else
          EXPECT_TRUE(queue->finish());
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_TRUE(eventually([&] { return gone == 1200 && device->memoryUsed() == 0; }));
}

// The death tests' style is not used: the point is the runtime's state in a real child.
TEST_F(StressTest, AForkedChildGetsCleanErrors) {
#if US_SANITIZED
  GTEST_SKIP() << "the sanitizers dislike a fork of a threaded process";
#endif
  auto queue = inOrder();
  auto buffer = *Buffer::create(*context, {.size = 16});
  auto user = Event::createUser(*context);
  auto program = Program::fromSource(*context, "");
  add(*queue);
  ASSERT_TRUE(queue->finish());
  auto pending = add(*queue);
  EXPECT_FALSE(runtimeDead());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(10); // a hang is a failure
    const auto dead = [](const auto &result) { return !result && result.error().code == ErrorCode::OutOfResources; };
    CommandRequest request, blocking;
    bool ok = runtimeDead();
    ok &= dead(queue->enqueue(std::move(request)));
    ok &= dead(queue->run(std::move(blocking)));
    ok &= dead(queue->flush()) && dead(queue->finish());
    ok &= dead(pending->wait()) && dead(user->completeUser(0));
    ok &= dead(buffer->memoryOn(*device)) && dead(buffer->unmap(nullptr));
    ok &= dead(Buffer::create(*context, {.size = 1}));
    ok &= dead(program->build({}, ""));
    (void)pending->queryStatus();
    pending = nullptr;
    queue = nullptr;
    buffer = nullptr;
    user = nullptr;
    program = nullptr;
    _exit(ok ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(queue->finish());
}

// Used from a destructor of a static object, made before the runtime's own.
struct UsesTheRuntimeAtExit {
  Ref<FakeDevice> device;
  Ref<Context> context;
  Ref<Queue> queue;
  ~UsesTheRuntimeAtExit() {
    if (!queue) return;
    std::atomic<bool> called{false};
    CommandRequest request;
    auto event = *queue->enqueue(std::move(request));
    event->addCallback(EventState::Complete, [&](const EventStatus &) { called = true; });
    const bool ok = queue->finish() && eventually([&] { return called.load(); });
    _exit(ok ? 0 : 1);
  }
};
UsesTheRuntimeAtExit usesTheRuntimeAtExit;

/// Runs one of the tests below in a fresh process (a forked child's runtime would be dead); how it exited.
int exitStatusOf(const char *name) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("US_CORE_TEST_EXIT", "1", 1);
    execl("/proc/self/exe", "core_test", ("--gtest_filter=AtExit." + std::string(name)).c_str(), nullptr);
    _exit(2);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

TEST_F(StressTest, TheRuntimeWorksWhileStaticObjectsGo) {
#if US_SANITIZED
  GTEST_SKIP() << "the sanitizers dislike a fork of a threaded process";
#endif
  EXPECT_EQ(exitStatusOf("UseLate"), 0);
}

TEST_F(StressTest, TheProcessMayExitWhileEverythingRuns) {
#if US_SANITIZED
  GTEST_SKIP() << "the sanitizers dislike a fork of a threaded process";
#endif
  for (int i = 0; i < 10; ++i) EXPECT_EQ(exitStatusOf("ExitWhileBusy"), 0);
}

bool inExitTest() { return getenv("US_CORE_TEST_EXIT") != nullptr; }

TEST(AtExit, UseLate) {
  if (!inExitTest()) GTEST_SKIP() << "run by StressTest.TheRuntimeWorksWhileStaticObjectsGo";
  usesTheRuntimeAtExit.device = FakeDevice::create();
  usesTheRuntimeAtExit.context = Context::create({usesTheRuntimeAtExit.device});
  usesTheRuntimeAtExit.queue = Queue::create(*usesTheRuntimeAtExit.context, *usesTheRuntimeAtExit.device, {});
  alarm(30);
}

TEST(AtExit, ExitWhileBusy) {
  if (!inExitTest()) GTEST_SKIP() << "run by StressTest.TheProcessMayExitWhileEverythingRuns";
  alarm(30);
  auto device = FakeDevice::create();
  device->onBuild([] { std::this_thread::sleep_for(std::chrono::seconds(60)); });
  auto context = Context::create({device});
  auto program = Program::fromSource(*context, "");
  ASSERT_TRUE(program->build({}, "", [] {}));
  for (int i = 0; i < 3; ++i) {
    auto queue = Queue::create(*context, *device, {i == 1, false});
    for (int k = 0; k < 1000; ++k) {
      CommandRequest request;
      if (k % 10 == 9)
        request.command = hostCall([] {});
      else
        request.command = call([] { std::this_thread::sleep_for(std::chrono::microseconds(10)); });
      auto event = *queue->enqueue(std::move(request));
      event->addCallback(EventState::Complete, [](const EventStatus &) { std::this_thread::yield(); });
    }
  }
  exit(0); // in the middle of it
}

} // namespace
} // namespace us::core
