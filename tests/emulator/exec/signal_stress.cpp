// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What only shows after a while on a busy machine. Usage: us_signal_stress starved|handlers [SECONDS]
//
//   starved   threads that hardly get a processor run kernels that must be ended from outside, by time limits and by
//             other threads' faults: signals to them must not pile up
//   handlers  timers of the host go off while kernels run, and their handlers need as much stack as those of programs
//   do
//
// It has failed if it dies, or a launch ends as it should not.
#include "emulator/exec/launch.h"
#include "emulator/exec/signals.h"
#include "tests/emulator/exec/kernel_code.h"
#include "tests/emulator/exec/test_scheduler.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <sched.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace us::exec {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kHandlerBytes = 40 * 1024;
std::atomic<bool> isOver{false};
std::atomic<uint64_t> launches{0}, handled{0}, wrong{0};

template <class Entry> LaunchPlan planFor(Entry entry, uint64_t groups, uint64_t items) {
  LaunchPlan plan;
  plan.entry = reinterpret_cast<void *>(entry);
  plan.shape = std::is_same_v<Entry, abi::ItemEntry> ? abi::EntryShape::Item : abi::EntryShape::Range;
  plan.kernelName = "stress";
  plan.globalSize = {groups * items, 1, 1};
  plan.localSize = {items, 1, 1};
  return plan;
}

void expect(const Expected<void> &result, std::initializer_list<ErrorCode> codes) {
  launches.fetch_add(1);
  bool right = result && codes.size() == 0;
  for (ErrorCode code : codes) right |= !result && result.error().code == code;
  if (right) return;
  wrong.fetch_add(1);
  std::fprintf(stderr, "%s\n", result ? "the launch succeeded" : result.error().message.c_str());
}

// --- starved ---

void faultInTheLastItem(abi::ItemContext *item) {
  const abi::GroupContext &group = *item->group;
  group.launch->runtime->barrier(item, 1, 1, 1);
  if (group.groupId[0] + 1 == group.launch->numGroups[0]) *static_cast<volatile int *>(nullptr) = 1;
}

/// The second group's fault ends the first, which waits for ever: test rdx, rdx; jne 1f; jmp .; 1: ud2
const std::initializer_list<uint8_t> kFirstWaits = {0x48, 0x85, 0xd2, 0x75, 0x02, 0xeb, 0xfe, 0x0f, 0x0b};

void runStarved() {
  const sched_param none{};
  sched_setscheduler(0, SCHED_IDLE, &none);
  LaunchPlan endless = planFor(makeCode<abi::RangeEntry>(kEndlessLoop), 50, 8);
  endless.timeLimit = 5;
  LaunchPlan endlessItem = planFor(makeCode<abi::ItemEntry>(kEndlessLoop), 50, 8);
  endlessItem.timeLimit = 5;
  LaunchPlan waits = planFor(makeCode<abi::RangeEntry>(kFirstWaits), 2, 1024);
  waits.timeLimit = 20;
  const LaunchPlan faulty = planFor(faultInTheLastItem, 100, 64);
  while (!isOver) {
    expect(runLaunch(endless), {ErrorCode::KernelTimeout});
    expect(runLaunch(waits), {ErrorCode::KernelTrap, ErrorCode::KernelTimeout});
    expect(runLaunch(endlessItem), {ErrorCode::KernelTimeout});
    expect(runLaunch(faulty), {ErrorCode::KernelFault});
  }
}

void starve(std::vector<std::thread> &threads) {
  for (int t = 0; t < 5; ++t) threads.emplace_back(runStarved);
  for (unsigned t = 0; t < 2 * testThreads(); ++t)
    threads.emplace_back([] {
      while (!isOver) {
      }
    });
}

// --- handlers ---

void useStack(int) {
  volatile char bytes[kHandlerBytes];
  for (size_t i = 0; i < sizeof bytes; i += 64) bytes[i] = 1;
  handled.fetch_add(1, std::memory_order_relaxed);
}

void sum(abi::ItemContext *item) {
  const abi::LaunchContext &launch = *item->group->launch;
  std::atomic_ref<uint64_t> total(**reinterpret_cast<uint64_t *const *>(launch.arguments));
  for (uint32_t round = 1; round <= 3; ++round) {
    launch.runtime->barrier(item, 1, 1, round);
    for (volatile int spin = 0; spin < 200; spin = spin + 1) {
    }
    total.fetch_add(1, std::memory_order_relaxed);
  }
}

void runWithHandlers() {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGALRM;
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  const itimerspec interval{{0, 300'000}, {0, 300'000}};
  timer_settime(timer, 0, &interval, nullptr);
  uint64_t total = 0;
  uint64_t *const argument = &total;
  LaunchPlan plan = planFor(sum, 20, 256);
  plan.arguments = reinterpret_cast<const std::byte *>(&argument);
  LaunchPlan dense = planFor(sum, 66, 256);
  dense.arguments = plan.arguments;
  dense.allTogether = true;
  for (LaunchPlan *one : {&plan, &dense}) one->frameBytes = 1024;
  while (!isOver)
    for (const LaunchPlan *one : {&plan, &plan, &plan, &plan, &dense}) {
      total = 0;
      expect(runLaunch(*one), {});
      if (total != 3 * one->globalSize[0] && wrong.fetch_add(1) == 0) std::fprintf(stderr, "the sum is wrong\n");
    }
  timer_delete(timer);
}

void handle(std::vector<std::thread> &threads) {
  struct sigaction action{};
  action.sa_handler = useStack;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  for (int t = 0; t < 3; ++t) threads.emplace_back(runWithHandlers);
}

} // namespace
} // namespace us::exec

int main(int count, char **words) {
  using namespace us::exec;
  const std::string mode = count > 1 ? words[1] : "";
  std::vector<std::thread> threads;
  if (mode == "starved")
    starve(threads);
  else if (mode == "handlers")
    handle(threads);
  else
    return std::fprintf(stderr, "usage: us_signal_stress starved|handlers [SECONDS]\n"), 2;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(count > 2 ? std::atoi(words[2]) : 3);
  while (Clock::now() < end && wrong == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  isOver = true;
  for (std::thread &thread : threads) thread.join();
  std::printf("%llu launches, %llu signals of the host handled, %llu wrong\n",
              static_cast<unsigned long long>(launches), static_cast<unsigned long long>(handled),
              static_cast<unsigned long long>(wrong));
  return wrong ? 1 : 0;
}
