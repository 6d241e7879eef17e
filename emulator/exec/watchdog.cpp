// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread, started when it is first needed and never joined.
#include "emulator/exec/watchdog.h"

#include "runtime/base/clock.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <utility>
#include <vector>

namespace us::exec {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
/// Between two signals to a thread that did not leave.
constexpr uint64_t kRetry = 10 * kMillisecond;

/// Read and set by the Ctrl-C handler.
std::atomic<uint32_t> interruptibleLaunches{0};
std::atomic<bool> ctrlC{false};
sem_t *wakeUp = nullptr;

} // namespace

struct Watchdog {
  std::mutex mutex; ///< guards launches and their members
  std::vector<Watched *> launches;
  sem_t wake;

  static Watchdog &instance() {
    static Watchdog &watchdog = *new Watchdog;
    return watchdog;
  }

  Watchdog() {
    sem_init(&wake, 0, 0);
    wakeUp = &wake;
    // The thread inherits the mask: no signal of the host is handled here.
    HostSignalsBlocked blocked;
    std::thread([this] { run(); }).detach();
  }

  void add(Watched &launch) {
    if (!std::exchange(launch.watched_, true)) launches.push_back(&launch);
  }

  [[noreturn]] void run() {
    while (true) {
      uint64_t until = ~0ull;
      {
        std::lock_guard lock(mutex);
        const uint64_t time = monotonicNanoseconds();
        const bool interrupt = ctrlC.exchange(false);
        for (Watched *launch : launches) {
          if (!launch->ending_ && interrupt && launch->interruptible_) {
            launch->ending_ = true;
            launch->interrupted();
          }
          if (!launch->ending_ && launch->deadline_ <= time) {
            launch->ending_ = true;
            launch->timeLimitPassed();
          }
          if (launch->ending_) launch->interruptAll();
          until = std::min(until, launch->ending_ ? time + kRetry : launch->deadline_);
        }
      }
      waitUntil(until);
    }
  }

  void waitUntil(uint64_t time) {
    if (time == ~0ull) {
      while (sem_wait(&wake) != 0 && errno == EINTR) {
      }
      return;
    }
    timespec at{static_cast<time_t>(time / 1'000'000'000), static_cast<long>(time % 1'000'000'000)};
    while (sem_clockwait(&wake, CLOCK_MONOTONIC, &at) != 0 && errno == EINTR) {
    }
  }
};

Participant::Participant(Watched &launch) : launch_(launch) {
  std::lock_guard lock(launch_.mutex_);
  next_ = launch_.participants_;
  launch_.participants_ = this;
}

Participant::~Participant() {
  std::lock_guard lock(launch_.mutex_);
  Participant **link = &launch_.participants_;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

bool Watched::hasParticipants() {
  std::lock_guard lock(mutex_);
  return participants_ != nullptr;
}

void Watched::interruptAll() {
  // A thread stays alive as long as it is listed, and cannot leave the list meanwhile.
  std::lock_guard lock(mutex_);
  for (Participant *one = participants_; one; one = one->next_) interruptKernel(one->thread_);
}

void watch(Watched &launch, uint64_t milliseconds, bool interruptible) {
  Watchdog &dog = Watchdog::instance();
  if (interruptible)
    watchCtrlC([] { return interruptibleLaunches.load() != 0; },
               [] {
                 ctrlC.store(true);
                 sem_post(wakeUp);
               });
  std::lock_guard lock(dog.mutex);
  dog.add(launch);
  launch.interruptible_ = interruptible;
  interruptibleLaunches.fetch_add(interruptible);
  if (!milliseconds) return;
  launch.deadline_ = monotonicNanoseconds() + milliseconds * kMillisecond;
  sem_post(&dog.wake);
}

void endSoon(Watched &launch) {
  Watchdog &dog = Watchdog::instance();
  std::lock_guard lock(dog.mutex);
  dog.add(launch);
  launch.ending_ = true;
  sem_post(&dog.wake);
}

void unwatch(Watched &launch) {
  if (!launch.watched_) return;
  Watchdog &dog = Watchdog::instance();
  std::lock_guard lock(dog.mutex);
  launch.watched_ = false;
  std::erase(dog.launches, &launch);
  interruptibleLaunches.fetch_sub(launch.interruptible_);
}

} // namespace us::exec
