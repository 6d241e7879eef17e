// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and the host's own signals: what the host changes after the first launch, handlers that run while a kernel
// does, and signals that a thread cannot take at once.
#include "emulator/exec/signals.h"

#include "emulator/exec/launch.h"
#include "emulator/exec/sanitizer_fibers.h"
#include "tests/emulator/exec/kernel_code.h"
#include "tests/emulator/exec/test_scheduler.h"

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace us::exec {
namespace {

template <class Entry> LaunchPlan planFor(Entry entry, uint64_t groups = 1, uint64_t items = 8) {
  LaunchPlan plan;
  plan.entry = reinterpret_cast<void *>(entry);
  plan.shape = std::is_same_v<Entry, abi::ItemEntry> ? abi::EntryShape::Item : abi::EntryShape::Range;
  plan.kernelName = "signals";
  plan.globalSize = {groups * items, 1, 1};
  plan.localSize = {items, 1, 1};
  return plan;
}

volatile int *volatile nowhere = nullptr;

void fault(abi::LaunchContext *, abi::GroupContext *, uint64_t, uint64_t) { *nowhere = 1; }
void nothing(abi::LaunchContext *, abi::GroupContext *, uint64_t, uint64_t) {}
__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[256];
  frame[depth % 256] = static_cast<char>(depth);
  return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}
void overflow(abi::LaunchContext *, abi::GroupContext *, uint64_t, uint64_t) { *nowhere = recurse(0); }

bool ends(const LaunchPlan &plan, ErrorCode code) {
  const Expected<void> result = runLaunch(plan);
  if (!result && result.error().code == code) return true;
  std::fprintf(stderr, "it ended with: %s\n", result ? "success" : result.error().message.c_str());
  return false;
}

/// A thread that is at it all the time looks for what the host has changed now and then only.
void letLookAgain() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  while (std::chrono::steady_clock::now() < until) {
  }
}

struct sigaction handlerOf(void (*handler)(int), int flags = 0) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return action;
}

class Signals : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using SignalsDeathTest = Signals;

#ifdef US_THREAD_SANITIZER
#define US_SKIP_LOOPS() GTEST_SKIP() << "the thread sanitizer delivers no signal inside such a loop"
#else
#define US_SKIP_LOOPS()
#endif

// --- what the host changes after the first launch ---

// Python's faulthandler.disable() puts back what was there before it.
TEST_F(SignalsDeathTest, AHandlerThatIsRemovedTakesOursWithIt) {
  EXPECT_EXIT(
      {
        bool right = ends(planFor(fault), ErrorCode::KernelFault);
        for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) std::signal(signal, SIG_DFL);
        letLookAgain();
        right = right && ends(planFor(fault), ErrorCode::KernelFault) &&
                ends(planFor(makeCode<abi::RangeEntry>(kTrapInstruction)), ErrorCode::KernelTrap);
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

struct sigaction replaced;
std::atomic<int> hostsFaults{0};

// faulthandler.enable(): says where the program was, puts back what was there before and sends the signal again.
void faultHandler(int signal) {
  if (hostsFaults.fetch_add(1) > 3) _exit(2);
  sigaction(signal, &replaced, nullptr);
  raise(signal);
}

TEST_F(SignalsDeathTest, AHandlerThatIsInstalledLaterIsForTheHostsFaults) {
  EXPECT_EXIT(
      {
        bool right = ends(planFor(nothing), ErrorCode::KernelFault) || runLaunch(planFor(nothing));
        for (int round = 0; round < 20; ++round) {
          const struct sigaction own = handlerOf(faultHandler, SA_NODEFER | SA_ONSTACK);
          sigaction(SIGSEGV, &own, &replaced);
          letLookAgain();
          right = right && ends(planFor(fault), ErrorCode::KernelFault) && hostsFaults == 0;
          sigaction(SIGSEGV, &replaced, nullptr);
          letLookAgain();
          right = right && ends(planFor(fault), ErrorCode::KernelFault);
        }
        const struct sigaction own = handlerOf(faultHandler, SA_NODEFER | SA_ONSTACK);
        sigaction(SIGSEGV, &own, &replaced);
        letLookAgain();
        right = right && ends(planFor(fault), ErrorCode::KernelFault);
        if (!right) _exit(3);
        std::fprintf(stderr, "all kernels were guarded\n");
        *nowhere = 1;
      },
      // Once, not without end. A sanitizer's handler, which was there before all of them, exits.
      [](int status) { return WIFSIGNALED(status) ? WTERMSIG(status) == SIGSEGV : WEXITSTATUS(status) != 2; },
      "all kernels were guarded");
}

TEST_F(Signals, ThatAreBlockedLaterAreUnblockedMeanwhile) {
  std::thread([] {
    EXPECT_TRUE(ends(planFor(fault), ErrorCode::KernelFault));
    sigset_t all, after;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    letLookAgain();
    EXPECT_TRUE(ends(planFor(fault), ErrorCode::KernelFault));
    EXPECT_TRUE(ends(planFor(fault), ErrorCode::KernelFault));
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGSEGV), 1);
    EXPECT_EQ(sigismember(&after, SIGTERM), 1);
    sigemptyset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    letLookAgain();
    EXPECT_TRUE(ends(planFor(fault), ErrorCode::KernelFault));
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGSEGV), 0);
  }).join();
}

TEST_F(Signals, BlockedLaterDoNotTakeTheTimeLimitAway) {
  US_SKIP_LOOPS();
  std::thread([] {
    EXPECT_TRUE(runLaunch(planFor(nothing)));
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    letLookAgain();
    LaunchPlan plan = planFor(makeCode<abi::RangeEntry>(kEndlessLoop));
    plan.timeLimit = 20;
    EXPECT_TRUE(ends(plan, ErrorCode::KernelTimeout));
  }).join();
}

TEST_F(Signals, AnAlternateStackThatIsTakenAwayLaterIsReplaced) {
  std::thread([] {
    EXPECT_TRUE(ends(planFor(overflow), ErrorCode::KernelStackOverflow));
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    letLookAgain();
    EXPECT_TRUE(ends(planFor(overflow), ErrorCode::KernelStackOverflow));
  }).join();
}

// A Go runtime has handlers for all of them.
TEST_F(SignalsDeathTest, ThatTakeEveryNumberLeaveTheTimeLimit) {
  US_SKIP_LOOPS();
  EXPECT_EXIT(
      {
        static std::atomic<int> seen{0};
        const struct sigaction own = handlerOf([](int) { ++seen; }, SA_ONSTACK | SA_RESTART);
        for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) sigaction(signal, &own, nullptr);
        LaunchPlan plan = planFor(makeCode<abi::RangeEntry>(kEndlessLoop), 20);
        plan.timeLimit = 50;
        bool right = ends(plan, ErrorCode::KernelTimeout) && seen == 0;
        for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) raise(signal);
        right = right && seen == SIGRTMAX - SIGRTMIN + 1;
        // Taken again: what was on its way may be lost, the time limit is not.
        for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) sigaction(signal, &own, nullptr);
        right = right && ends(plan, ErrorCode::KernelTimeout);
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// --- handlers that run while a kernel does ---

void useStack(int) {
  volatile char bytes[100 * 1024];
  for (volatile char &byte : bytes) byte = 7;
}

void signalInTheMiddle(abi::ItemContext *item) {
  item->group->launch->runtime->barrier(item, 1, 1, 1);
  if (item->linearLocalId == 3) raise(SIGUSR1);
  item->group->launch->runtime->barrier(item, 1, 1, 2);
}

TEST_F(Signals, HaveRoomOnAWorkItemsStack) {
  const struct sigaction own = handlerOf(useStack);
  sigaction(SIGUSR1, &own, nullptr);
  for (uint64_t frameBytes : {0, 256, 20'000}) {
    LaunchPlan plan = planFor(signalInTheMiddle, 3);
    plan.frameBytes = frameBytes;
    plan.maxThreads = 1; // others block the host's signals
    EXPECT_TRUE(runLaunch(plan)) << frameBytes;
  }
}

TEST_F(Signals, HaveRoomOnStacksThatLieSideBySide) {
  const struct sigaction own = handlerOf(useStack);
  sigaction(SIGUSR1, &own, nullptr);
  // Each has its own there; a handler that needs more would write into the next one.
  static std::atomic<uint64_t> wrong{0};
  const auto keep = [](abi::ItemContext *item) {
    volatile uint64_t mine[4] = {item->group->linearGroup, item->linearLocalId, 1, 2};
    signalInTheMiddle(item);
    if (mine[0] != item->group->linearGroup || mine[1] != item->linearLocalId || mine[2] != 1 || mine[3] != 2) ++wrong;
  };
  LaunchPlan plan = planFor<abi::ItemEntry>(keep, 66, 256);
  plan.allTogether = true;
  plan.frameBytes = 1024;
  plan.maxThreads = 1;
  EXPECT_TRUE(runLaunch(plan));
  EXPECT_EQ(wrong, 0u);
}

// A profiler's handler that reads what may not be there, and gets over it by a handler of its own.
sigjmp_buf backInTheHandler;
std::atomic<int> survived{0};

void readWildly(int) {
  static volatile size_t size = 16;
  char bytes[16];
  if (sigsetjmp(backInTheHandler, 1) != 0) {
    ++survived;
    return;
  }
  memcpy(bytes, reinterpret_cast<const void *>(64), size);
  asm volatile("" : : "r"(bytes) : "memory");
}

void raiseInTheLoop(abi::LaunchContext *, abi::GroupContext *, uint64_t, uint64_t) { raise(SIGUSR1); }
void raiseInAnItem(abi::ItemContext *item) {
  if (item->linearLocalId == 3) raise(SIGUSR1);
}

__attribute__((noinline)) void copyOverIt() {
  static volatile size_t size = 300'000;
  char bytes[300'000];
  memcpy(bytes, reinterpret_cast<const void *>(64), size);
  asm volatile("" : : "r"(bytes) : "memory");
}
void raiseAndCopy(abi::LaunchContext *, abi::GroupContext *, uint64_t, uint64_t) {
  raise(SIGUSR1);
  copyOverIt();
}

TEST_F(SignalsDeathTest, MayFaultThemselves) {
  EXPECT_EXIT(
      {
        const struct sigaction recovers = handlerOf([](int) { siglongjmp(backInTheHandler, 1); });
        sigaction(SIGSEGV, &recovers, nullptr);
        bool right = true;
        int rounds = 0;
        for (int flags : {0, SA_ONSTACK, SA_ONSTACK | SA_NODEFER}) {
          const struct sigaction reads = handlerOf(readWildly, flags);
          sigaction(SIGUSR1, &reads, nullptr);
          right = right && runLaunch(planFor(raiseInTheLoop)) && survived == ++rounds;
          right = right && runLaunch(planFor(raiseInAnItem)) && survived == ++rounds;
          // What the handler left on the stack takes no fault from a kernel.
          right = right && ends(planFor(raiseAndCopy), ErrorCode::KernelFault) && survived == ++rounds;
          sigset_t mask;
          pthread_sigmask(SIG_BLOCK, nullptr, &mask);
          right = right && !sigismember(&mask, SIGUSR1) && !sigismember(&mask, SIGSEGV);
        }
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// --- signals that a thread cannot take at once ---

// As one that gets no processor for most of a second: what has been sent meanwhile comes when it goes on.
void takeNoSignal(abi::LaunchContext *launch, abi::GroupContext *, uint64_t, uint64_t) {
  static const auto loop = makeCode(kEndlessLoop);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (!std::atomic_ref(launch->abortWord).load()) {
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(800);
  while (std::chrono::steady_clock::now() < until) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  loop();
}

TEST_F(Signals, OfTheWatchdogDoNotPileUp) {
  US_SKIP_LOOPS();
  LaunchPlan plan = planFor(takeNoSignal);
  plan.timeLimit = 20;
  EXPECT_TRUE(ends(plan, ErrorCode::KernelTimeout));
  EXPECT_TRUE(ends(plan, ErrorCode::KernelTimeout));
}

// --- Ctrl-C ---

TEST_F(SignalsDeathTest, CtrlCIsLeftToAProgramThatIgnoresIt) {
  US_SKIP_LOOPS();
  EXPECT_EXIT(
      {
        signal(SIGINT, SIG_IGN);
        std::thread([] {
          while (true) kill(getpid(), SIGINT);
        }).detach();
        LaunchPlan plan = planFor(makeCode<abi::RangeEntry>(kEndlessLoop));
        plan.timeLimit = 100;
        plan.interruptible = true;
        _exit(ends(plan, ErrorCode::KernelTimeout) ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// From a terminal it says that it comes from the system, as a fault does.
void pressCtrlC() {
  siginfo_t info{};
  info.si_signo = SIGINT;
  info.si_code = SI_KERNEL;
  syscall(SYS_rt_sigqueueinfo, getpid(), SIGINT, &info);
}

TEST_F(SignalsDeathTest, CtrlCBetweenKernelsEndsTheProgramAtOnce) {
  EXPECT_EXIT(
      {
        LaunchPlan plan = planFor(nothing);
        plan.interruptible = true;
        (void)!!runLaunch(plan);
        pressCtrlC();
        _exit(1);
      },
      testing::KilledBySignal(SIGINT), "");
}

} // namespace
} // namespace us::exec
