// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/ticker.h"

#include "runtime/base/fork_guard.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/core/queue.h"
#include "runtime/core/semaphore.h"
#include "runtime/core/worker_pool.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include <pthread.h>

namespace us::core {
namespace {
constexpr auto kPeriod = std::chrono::milliseconds(1);
// An enqueue wakes a sleeping ticker, which costs the enqueue a system call: stay up while a program is at work.
constexpr int kIdleTicksBeforeSleep = 64;
} // namespace

struct Ticker::State {
  std::atomic<bool> awake{false}, active{false};
  std::atomic<uint64_t> ticks{0};
  std::atomic<size_t> started{0};

  std::mutex mutex; // guards running, and is what the sleeping ticker waits with
  std::condition_variable wake;
  bool running = false;

  std::mutex queuesMutex; // guards queues
  std::vector<Queue *> queues;
};

// Never destroyed, and made without the heap: see worker_pool.cpp.
Ticker::State &Ticker::state() {
  alignas(State) static std::byte place[sizeof(State)];
  static State &state = *new (place) State;
  return state;
}

uint64_t Ticker::now() { return state().ticks.load(std::memory_order_relaxed); }
size_t Ticker::started() { return state().started.load(std::memory_order_relaxed); }

// The two flags are stored and read in opposite order by poke() and work(), sequentially consistent, so that one of the
// two sees the other's.
void Ticker::poke() noexcept {
  State &s = state();
  s.active.store(true);
  if (s.awake.load()) return;
  std::lock_guard hold(s.mutex);
  if (s.running) {
    s.wake.notify_one();
    return;
  }
  watchFork();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(work).detach();
    s.running = true;
    s.started.store(1, std::memory_order_relaxed);
  } catch (...) {
    // Tried again at the next call. Whoever waits for a command runs it meanwhile.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Ticker::work() {
  pthread_setname_np(pthread_self(), "us-ticker");
  State &s = state();
  int idleTicks = 0;
  for (;;) {
    s.awake.store(true);
    while (idleTicks < kIdleTicksBeforeSleep) {
      std::this_thread::sleep_for(kPeriod);
      s.ticks.fetch_add(1, std::memory_order_relaxed);
      const bool active = s.active.exchange(false);
      idleTicks = tickAll() || active ? 0 : idleTicks + 1;
    }
    s.awake.store(false);
    std::unique_lock hold(s.mutex);
    s.wake.wait(hold, [&] { return s.active.load(); });
    idleTicks = 0;
  }
}

bool Ticker::tickAll() {
  const uint64_t ticks = now();
  bool busy = false;
  const Expected<void> ticked = withoutExceptions([&]() -> Expected<void> {
    for (const Ref<Queue> &queue : queues()) busy |= queue->tick(ticks);
    busy |= Semaphore::tickShared();
    return {};
  });
  if (!ticked) busy = true; // for want of memory: at the next tick
  for (WorkerPool *pool : {&dispatchers(), &userThreads(), &background()}) busy |= pool->tick();
  return busy;
}

void Ticker::add(Queue &queue) {
  State &s = state();
  std::lock_guard hold(s.queuesMutex);
  s.queues.push_back(&queue);
}

void Ticker::remove(Queue &queue) {
  State &s = state();
  std::lock_guard hold(s.queuesMutex);
  std::erase(s.queues, &queue);
}

std::vector<Ref<Queue>> Ticker::queues() {
  State &s = state();
  std::vector<Ref<Queue>> live;
  std::lock_guard hold(s.queuesMutex);
  live.reserve(s.queues.size());
  for (Queue *queue : s.queues)
    if (queue->retainIfAlive()) live.push_back(Ref<Queue>::adopt(queue));
  return live;
}

} // namespace us::core
