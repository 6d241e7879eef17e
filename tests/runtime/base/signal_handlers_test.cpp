// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Behind our handlers those of the host are called as if they were the installed ones: sigaction(2) says how.
#include "runtime/base/signal_handlers.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace us {
namespace {

#if defined(__SANITIZE_THREAD__)
#define US_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define US_THREAD_SANITIZER 1
#endif
#endif

volatile int *volatile nowhere = nullptr;
std::atomic<int> calls{0};

bool leaves(int, siginfo_t *, void *) { return false; }

void install(int signal, void (*handler)(int, siginfo_t *, void *), int flags, std::initializer_list<int> masked = {}) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  for (int one : masked) sigaddset(&action.sa_mask, one);
  sigaction(signal, &action, nullptr);
}

/// In a process of its own: handlers are for good.
class SignalHandlers : public testing::Test {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
  }
};
using SignalHandlersDeathTest = SignalHandlers;

/// A stack for handlers, as large as our own.
struct AlternateStack {
  std::vector<char> memory = std::vector<char>(64 * 1024);
  AlternateStack() {
    stack_t stack{};
    stack.ss_sp = memory.data();
    stack.ss_size = memory.size();
    sigaltstack(&stack, nullptr);
  }
  ~AlternateStack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  bool holds(const volatile void *address) const {
    return size_t((const volatile char *)address - memory.data()) < memory.size();
  }
};

// "SA_RESETHAND: Restore the signal action to the default upon entry to the signal handler."
TEST_F(SignalHandlersDeathTest, AHandlerForOneCallIsCalledOnce) {
  const auto once = [](int, siginfo_t *, void *) {
    if (++calls > 1) _exit(2);
    (void)!write(STDERR_FILENO, "called\n", 7);
  };
  EXPECT_EXIT(
      {
        install(SIGSEGV, once, SA_RESETHAND);
        filterSignal(SIGSEGV, leaves);
        *nowhere = 1;
      },
      testing::KilledBySignal(SIGSEGV), "called");
  EXPECT_EXIT(
      {
        install(SIGUSR1, once, SA_RESETHAND);
        filterSignal(SIGUSR1, leaves);
        raise(SIGUSR1);
        raise(SIGUSR1);
        _exit(3);
      },
      testing::KilledBySignal(SIGUSR1), "called");
}

TEST_F(SignalHandlersDeathTest, WithoutAHandlerTheProgramEndsAsUsual) {
  for (int signal : {SIGSEGV, SIGUSR1, SIGTRAP, SIGINT})
    EXPECT_EXIT(
        {
          std::signal(signal, SIG_DFL);
          filterSignal(signal, leaves);
          raise(signal);
          _exit(3);
        },
        testing::KilledBySignal(signal), "")
        << signal;
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, SIG_DFL);
        filterSignal(SIGSEGV, leaves);
        *nowhere = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
  // It does not happen again: the program would go on behind it.
  EXPECT_EXIT(
      {
        std::signal(SIGTRAP, SIG_DFL);
        filterSignal(SIGTRAP, leaves);
        asm volatile("int3");
        _exit(3);
      },
      testing::KilledBySignal(SIGTRAP), "");
}

TEST_F(SignalHandlersDeathTest, WhatIsIgnoredIsIgnored) {
  EXPECT_EXIT(
      {
        std::signal(SIGUSR1, SIG_IGN);
        filterSignal(SIGUSR1, leaves);
        raise(SIGUSR1);
        _exit(hostActionOf(SIGUSR1) == HostAction::Ignored ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  // But for faults.
  EXPECT_EXIT(
      {
        std::signal(SIGSEGV, SIG_IGN);
        filterSignal(SIGSEGV, leaves);
        *nowhere = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

// "sa_mask specifies a mask of signals which should be blocked […] during execution of the signal handler. In addition,
// the signal which triggered the handler will be blocked, unless the SA_NODEFER flag is used."
TEST_F(SignalHandlersDeathTest, TheMaskIsTheHandlers) {
  static sigset_t seen;
  const auto look = [](int, siginfo_t *, void *) { pthread_sigmask(SIG_BLOCK, nullptr, &seen); };
  const auto maskIs = [](std::initializer_list<int> blocked) {
    bool right = true;
    for (int signal = 1; signal < NSIG; ++signal)
      right &= sigismember(&seen, signal) != 1 || std::ranges::find(blocked, signal) != blocked.end();
    for (int signal : blocked) right &= sigismember(&seen, signal) == 1;
    return right;
  };
  EXPECT_EXIT(
      {
        sigset_t own;
        sigset_t after;
        sigemptyset(&own);
        sigaddset(&own, SIGHUP);
        pthread_sigmask(SIG_SETMASK, &own, nullptr);
        install(SIGUSR1, look, 0, {SIGUSR2});
        install(SIGUSR2, look, SA_NODEFER, {SIGALRM});
        filterSignal(SIGUSR1, leaves);
        filterSignal(SIGUSR2, leaves);
        raise(SIGUSR1);
        bool right = maskIs({SIGHUP, SIGUSR1, SIGUSR2});
        raise(SIGUSR2);
        right &= maskIs({SIGHUP, SIGALRM});
        pthread_sigmask(SIG_BLOCK, nullptr, &after);
        right &= sigismember(&after, SIGUSR1) == 0 && sigismember(&after, SIGHUP) == 1;
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// "SA_ONSTACK: Call the signal handler on an alternate signal stack": only then.
void *opened = nullptr;
const AlternateStack *alternate = nullptr;
bool wasOnAlternateStack = false;

__attribute__((noinline)) void useStack() {
  volatile char bytes[512 * 1024];
  for (volatile char &byte : bytes) byte = 7;
}

void openAndUseStack(int, siginfo_t *info, void *) {
  const volatile char here = 0;
  wasOnAlternateStack = alternate->holds(&here);
  if (wasOnAlternateStack) return;
  useStack();
  // Changes vector registers.
  asm volatile("pxor %%xmm0, %%xmm0\n pxor %%xmm7, %%xmm7\n pxor %%xmm15, %%xmm15" : : : "xmm0", "xmm7", "xmm15");
  ++calls;
  if (opened && info->si_addr == opened) mprotect(opened, 4096, PROT_READ | PROT_WRITE);
}

TEST_F(SignalHandlersDeathTest, AHandlerThatAsksForNoStackGetsTheOneThatWasInterrupted) {
#ifdef US_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer calls handlers itself";
#endif
  EXPECT_EXIT(
      {
        const AlternateStack stack;
        alternate = &stack;
        opened = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        install(SIGSEGV, openAndUseStack, 0);
        install(SIGUSR1, openAndUseStack, 0);
        filterSignal(SIGSEGV, leaves);
        filterSignal(SIGUSR1, leaves);
        // Registers come back, those of vectors too.
        double value = 0;
        uint64_t number = 0;
        asm volatile("mov $77, %%r12\n cvtsi2sd %%r12, %%xmm7\n movl $5, (%2)\n movapd %%xmm7, %0\n mov %%r12, %1"
                     : "=x"(value), "=r"(number)
                     : "r"(opened)
                     : "xmm7", "r12", "memory");
        bool right = value == 77.0 && number == 77 && *static_cast<volatile int *>(opened) == 5 && calls == 1;
        // Again and again, also from another handler.
        for (int round = 0; round < 1000; ++round) raise(SIGUSR1);
        right = right && calls == 1001;
        install(SIGUSR2, [](int, siginfo_t *, void *) { raise(SIGUSR1); }, SA_ONSTACK);
        filterSignal(SIGUSR2, leaves);
        raise(SIGUSR2);
        // There it stays where it was.
        right = right && calls == 1001 && wasOnAlternateStack;
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// A program that gets over its faults by a jump.
sigjmp_buf resume;

TEST_F(SignalHandlersDeathTest, AHandlerMayBeLeftByAJump) {
  EXPECT_EXIT(
      {
        const AlternateStack stack;
        alternate = &stack;
        for (int flags : {0, SA_ONSTACK, SA_NODEFER}) {
          std::signal(SIGSEGV, SIG_DFL);
          install(SIGSEGV, [](int, siginfo_t *, void *) { ++calls, siglongjmp(resume, 1); }, flags);
          if (flags == 0)
            filterSignal(SIGSEGV, leaves);
          else
            putInFront(SIGSEGV);
          for (volatile int round = 0; round < 100; round = round + 1)
            if (sigsetjmp(resume, 1) == 0) *nowhere = 1;
        }
        _exit(calls == 300 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// "SA_RESTART: […] making certain system calls restartable across signals": a program that does not ask for it waits
// for the interruption.
TEST_F(SignalHandlersDeathTest, ACallIsInterruptedWhereTheProgramWantsIt) {
  EXPECT_EXIT(
      {
        install(SIGUSR1, [](int, siginfo_t *, void *) { ++calls; }, 0);
        filterSignal(SIGUSR1, leaves);
        int ends[2];
        (void)!pipe(ends);
        const pthread_t self = pthread_self();
        std::thread([self] {
          while (calls < 1000) pthread_kill(self, SIGUSR1);
        }).detach();
        char byte = 0;
        _exit(read(ends[0], &byte, 1) == -1 && errno == EINTR ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// Handlers that were installed over ours take ours for what was there before. Ours may be put in front of them again.
struct sigaction replaced;

void callsTheOneBefore(int signal, siginfo_t *info, void *context) {
  if (++calls > 1) _exit(2);
  if (replaced.sa_flags & SA_SIGINFO) replaced.sa_sigaction(signal, info, context);
}
void putsTheOneBeforeBack(int signal, siginfo_t *, void *) {
  if (++calls > 1) _exit(2);
  sigaction(signal, &replaced, nullptr);
}
void putsItBackAndSendsAgain(int signal, siginfo_t *, void *) {
  if (++calls > 1) _exit(2);
  sigaction(signal, &replaced, nullptr);
  raise(signal);
}

TEST_F(SignalHandlersDeathTest, AHandlerOverOursIsCalledOnce) {
  for (const auto handler : {callsTheOneBefore, putsTheOneBeforeBack, putsItBackAndSendsAgain})
    for (int flags : {0, SA_NODEFER | SA_ONSTACK})
      EXPECT_EXIT(
          {
            std::signal(SIGSEGV, SIG_DFL);
            filterSignal(SIGSEGV, leaves);
            sigaction(SIGSEGV, nullptr, &replaced);
            install(SIGSEGV, handler, flags);
            if (!putInFront(SIGSEGV) || putInFront(SIGSEGV)) _exit(3);
            *nowhere = 1;
          },
          testing::KilledBySignal(SIGSEGV), "");
}

// Switched on and off without end: neither our handlers nor what they remember run out.
TEST_F(SignalHandlersDeathTest, OursComeBackHoweverOften) {
  static bool ours;
  EXPECT_EXIT(
      {
        std::signal(SIGUSR1, SIG_DFL);
        filterSignal(SIGUSR1, [](int, siginfo_t *, void *) { return ours = true; });
        struct sigaction before;
        bool right = true;
        for (int round = 0; round < 100; ++round) {
          // One that chains, as faulthandler does; one that does not; and none.
          sigaction(SIGUSR1, nullptr, &before);
          install(SIGUSR1, callsTheOneBefore, 0);
          right &= putInFront(SIGUSR1);
          sigaction(SIGUSR1, &before, nullptr);
          for (void (*handler)(int) : {SIG_DFL, SIG_IGN, SIG_DFL}) {
            std::signal(SIGUSR1, handler);
            right &= putInFront(SIGUSR1);
            ours = false;
            raise(SIGUSR1);
            right &= ours;
          }
        }
        _exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace us
