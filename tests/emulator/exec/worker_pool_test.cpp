// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers: who was promised comes, no more than the pool has, and nobody burns time while there is nothing to do.
#include "emulator/exec/worker_pool.h"

#include <atomic>
#include <chrono>
#include <ctime>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace us::exec {
namespace {

using namespace std::chrono_literals;

struct Calls {
  std::atomic<unsigned> running{0}, most{0}, ended{0};
  std::chrono::microseconds each = 0us;

  void run() {
    const unsigned now = ++running;
    for (unsigned before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
    std::this_thread::sleep_for(each);
    --running;
    ++ended;
  }
  unsigned invite(unsigned threads, unsigned count) {
    return inviteWorkers({.threads = threads,
                          .awake = count,
                          .anyway = count,
                          .function = [](void *calls) { static_cast<Calls *>(calls)->run(); },
                          .argument = this});
  }
  void waitFor(unsigned count) const {
    while (ended < count) std::this_thread::yield();
  }
};

TEST(WorkerPool, WhoWasPromisedComesOnce) {
  Calls calls;
  unsigned promised = 0;
  for (int i = 0; i < 5000; ++i) {
    promised += calls.invite(4, 1 + i % 3);
    if (i % 5 == 0) calls.waitFor(promised);
    if (i % 500 == 0) std::this_thread::sleep_for(1ms); // long enough to sleep
  }
  calls.waitFor(promised);
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(calls.ended.load(), promised);
  EXPECT_GT(promised, 0u);
}

TEST(WorkerPool, HasNoMoreThreadsThanWereAskedFor) {
  Calls calls{.each = 2ms};
  unsigned promised = 0;
  for (int i = 0; i < 20; ++i) promised += calls.invite(3, 5);
  calls.waitFor(promised);
  EXPECT_LE(calls.most.load(), 2u);
}

TEST(WorkerPool, InvitationsFromSeveralThreads) {
  Calls calls;
  std::atomic<unsigned> promised = 0;
  {
    std::vector<std::jthread> callers;
    for (int t = 0; t < 3; ++t)
      callers.emplace_back([&] {
        for (int i = 0; i < 3000; ++i) promised += calls.invite(6, 3);
      });
  }
  calls.waitFor(promised);
  EXPECT_EQ(calls.ended.load(), promised.load());
}

TEST(WorkerPool, WorkersWithNothingToDoTakeNoTime) {
  Calls calls;
  for (int i = 0; i < 100; ++i) calls.waitFor(calls.ended + calls.invite(4, 3));
  std::this_thread::sleep_for(5ms);
  const auto processTime = [] {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const auto before = processTime();
  std::this_thread::sleep_for(200ms);
  EXPECT_LT(processTime() - before, 20ms);
}

} // namespace
} // namespace us::exec
