// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that runs out, at every allocation there is: a call may fail, but what was enqueued ends, what it held is
// released, and the queues go on.
#include "tests/runtime/core/core_fixture.h"

#include <cstdlib>
#include <new>

namespace {
std::atomic<int64_t> untilFailure{INT64_MAX}; ///< the allocation, of any thread, that brings it to 0 fails
}

void *operator new(size_t size) {
  if (untilFailure.fetch_sub(1, std::memory_order_relaxed) == 1) throw std::bad_alloc();
  if (void *memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }

namespace us::core {
namespace {
using Order = CommandRequest::Order;

/// What a command needs alive.
struct Kept final : Object {
  explicit Kept(std::atomic<int> &alive) : alive(alive) { ++alive; }
  ~Kept() override { --alive; }
  std::atomic<int> &alive;
};

/// One round: what it uses is made before memory runs out.
struct Round {
  Ref<Queue> first, second;
  Ref<Event> user;
  Command good, bad, host;
  std::atomic<int> &alive;
  std::vector<Ref<Event>> events;

  /// As an entry point calls the core: a thrown exception is the call's error.
  template <class Call> void attempt(Call &&call) {
    try {
      call();
    } catch (const std::bad_alloc &) {
    }
  }
  void enqueue(Queue &queue, const Command &command, Ref<Event> after = nullptr, Order order = Order::Plain) {
    attempt([&] {
      CommandRequest request;
      request.command = command;
      request.keep.push_back(makeRef<Kept>(alive));
      request.order = order;
      if (after) request.waitList = std::span(&after, 1);
      events.push_back(*queue.enqueue(std::move(request)));
    });
  }
  Ref<Event> latest() const { return events.empty() ? user : events.back(); }
  void onEnd(const Ref<Event> &event) {
    attempt([&] { event->addCallback(EventState::Complete, [](const EventStatus &) {}); });
  }
};

struct Scenario {
  const char *name;
  bool outOfOrder;
  void (*run)(Round &);
};

const Scenario kScenarios[] = {
    {"AChainOverTwoQueues", false,
     [](Round &round) {
       round.enqueue(*round.first, round.good, round.user);
       round.enqueue(*round.second, round.good, round.latest());
       round.onEnd(round.latest());
       round.enqueue(*round.first, round.bad, round.latest());
       round.onEnd(round.latest());
       round.enqueue(*round.second, round.good, round.latest());
       round.attempt([&] { (void)round.user->completeUser(0); });
       round.attempt([&] { (void)round.first->flush(); });
     }},
    {"AWaitThatHelps", false,
     [](Round &round) {
       round.attempt([&] { (void)round.user->completeUser(0); });
       round.enqueue(*round.first, round.bad, round.user);
       round.enqueue(*round.second, round.good, round.latest());
       round.attempt([&] { (void)round.latest()->wait(); });
       round.attempt([&] { (void)round.first->finish(); });
     }},
    {"BarriersAndMarkers", true,
     [](Round &round) {
       round.enqueue(*round.first, round.good, round.user);
       round.enqueue(*round.first, round.good);
       round.enqueue(*round.first, NoCommand{}, nullptr, Order::Marker);
       round.enqueue(*round.first, NoCommand{}, nullptr, Order::Barrier);
       round.enqueue(*round.first, round.good);
       round.onEnd(round.latest());
       round.attempt([&] { (void)round.first->flush(); });
       round.attempt([&] { (void)round.user->completeUser(-1); });
       round.attempt([&] { (void)round.user->completeUser(0); }); // if the other could not
       round.attempt([&] { (void)round.first->finish(); });
     }},
    {"CallsOfTheHost", false,
     [](Round &round) {
       round.enqueue(*round.first, round.host);
       round.enqueue(*round.first, round.good, round.latest());
       round.attempt([&] { (void)round.first->flush(); });
     }},
    {"BlockingCalls", false,
     [](Round &round) {
       for (const Command *command : {&round.good, &round.bad})
         round.attempt([&] {
           CommandRequest request;
           request.command = *command;
           request.beforeComplete = [] { delete new int; };
           (void)round.first->run(std::move(request));
         });
     }},
};

class AllocationFailureTest : public CoreTest, public testing::WithParamInterface<Scenario> {
protected:
  /// False where the round ended without having allocated `failing` times.
  bool run(int64_t failing) {
    Round round{.first = Queue::create(*context, *device, {GetParam().outOfOrder, false}),
                .second = Queue::create(*context, *device, {GetParam().outOfOrder, false}),
                .user = Event::createUser(*context),
                .good = call([] { delete new int; }),
                .bad = failingLaunch(),
                .host = hostCall([] { delete new int; }),
                .alive = alive,
                .events = {}};
    round.events.reserve(16);
    untilFailure = failing;
    GetParam().run(round);
    // What does not allocate at all, or has done what it is for before it does.
    round.attempt([&] { (void)round.user->completeUser(0); });
    (void)round.first->flush();
    (void)round.second->flush();
    const auto over = [&] { return round.first->unfinished() == 0 && round.second->unfinished() == 0; };
    for (int i = 0; i < 5000 && !over(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const bool reached = untilFailure.exchange(INT64_MAX) <= 0;
    EXPECT_TRUE(over()) << "allocation " << failing;
    for (const Ref<Event> &event : round.events) EXPECT_TRUE(event->peekStatus().ended()) << "allocation " << failing;
    // They go on.
    EXPECT_TRUE(add(*round.first)->wait());
    EXPECT_TRUE(round.second->finish());
    EXPECT_TRUE(eventually([&] { return alive == 0; })) << "allocation " << failing;
    return reached;
  }
  std::atomic<int> alive{0};
};

TEST_P(AllocationFailureTest, NothingIsTakenForEver) {
  int64_t failing = 1;
  while (!HasFailure() && run(failing)) ++failing;
  EXPECT_GT(failing, 3);
}

INSTANTIATE_TEST_SUITE_P(, AllocationFailureTest, testing::ValuesIn(kScenarios),
                         [](const auto &scenario) { return scenario.param.name; });

} // namespace
} // namespace us::core
