// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that go wrong: the launch ends with an error that says what happened, the process lives, and signals that are
// not ours reach whoever had them before.
#include "emulator/exec/launch.h"
#include "emulator/exec/sanitizer_fibers.h"
#include "emulator/exec/signals.h"
#include "emulator/memory/address_space.h"
#include "runtime/device/device.h"
#include "tests/emulator/exec/kernel_code.h"
#include "tests/emulator/exec/test_scheduler.h"

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#ifdef US_ADDRESS_SANITIZER
#include <sanitizer/lsan_interface.h>
#endif

namespace us::exec {
namespace {

struct Arguments {
  volatile char *pointer = nullptr;
  uint64_t faultyGroup = 0;
  std::atomic<uint64_t> *done = nullptr;
};

const Arguments &argumentsOf(const abi::LaunchContext *launch) {
  return *reinterpret_cast<const Arguments *>(launch->arguments);
}

template <class Entry> LaunchPlan planFor(Entry entry, const Arguments &arguments, uint64_t groups = 1) {
  LaunchPlan plan;
  plan.entry = reinterpret_cast<void *>(entry);
  plan.shape = std::is_same_v<Entry, abi::ItemEntry> ? abi::EntryShape::Item : abi::EntryShape::Range;
  plan.kernelName = "broken";
  plan.globalSize = {groups * 8, 1, 1};
  plan.localSize = {8, 1, 1};
  plan.arguments = reinterpret_cast<const std::byte *>(&arguments);
  plan.sourceLine = [](void *, uint64_t) { return abi::SourceLine{"broken", "broken.cl", 7}; };
  return plan;
}

void expectError(const Expected<void> &result, ErrorCode code, std::initializer_list<std::string> clauses) {
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, code) << errorName(result.error().code);
  for (const std::string &clause : clauses)
    EXPECT_NE(result.error().message.find(clause), std::string::npos)
        << "no '" << clause << "' in: " << result.error().message;
}

void writeThere(abi::LaunchContext *launch, abi::GroupContext *group, uint64_t first, uint64_t last) {
  const Arguments &arguments = argumentsOf(launch);
  for (uint64_t i = first; i < last; ++i) {
    group->linearGroup = i;
    if (i == arguments.faultyGroup) *arguments.pointer = 1;
    if (arguments.done) arguments.done->fetch_add(1);
  }
}

void readThere(abi::LaunchContext *launch, abi::GroupContext *, uint64_t, uint64_t) {
  (void)*argumentsOf(launch).pointer;
}

TEST(Faults, ANullPointer) {
  expectError(runLaunch(planFor(readThere, {.pointer = nullptr})), ErrorCode::KernelFault,
              {"kernel 'broken' read from 0x0, a null pointer, at broken.cl:7", "work-group (0)"});
}

TEST(Faults, PastTheEnd) {
  auto &space = memory::AddressSpace::instance();
  // With the slack, whole pages.
  std::byte *buffer = space.allocate(memory::RangeKind::Buffer, 8192 - memory::kSlack);
  Arguments arguments{.pointer = reinterpret_cast<volatile char *>(buffer) + 8192, .faultyGroup = 3};
  expectError(runLaunch(planFor(writeThere, arguments, 5)), ErrorCode::KernelFault,
              {"wrote to 0x", "128 bytes past the end of a 8064-byte buffer", "work-group (3)"});
  LaunchPlan fused = planFor(writeThere, arguments, 5);
  fused.fusedGroups = true;
  fused.globalSize = {38, 1, 1};
  fused.globalOffset = {100, 0, 0};
  expectError(runLaunch(fused), ErrorCode::KernelFault, {"in one of the work-items (124) to (13"});
  // The kernel's argument through which it knows the memory.
  arguments.done = reinterpret_cast<std::atomic<uint64_t> *>(buffer + 16);
  ArgumentInfo first, second;
  first.size = 8;
  second.kind = ArgumentKind::GlobalPointer;
  second.offset = offsetof(Arguments, done);
  second.name = "done";
  const ArgumentInfo parameters[] = {first, second};
  LaunchPlan described = planFor(writeThere, arguments, 5);
  described.parameters = parameters;
  expectError(runLaunch(described), ErrorCode::KernelFault,
              {", 128 bytes past the end of a 8064-byte buffer, its argument 1 'done', at broken.cl:7, in"});

  struct Observer final : CommandObserver {
    void started(uint64_t) override {}
    void finished(uint64_t, Expected<void>) override {}
    void found(const Finding &finding) override { findings.push_back(finding); }
    std::vector<Finding> findings;
  } observer;
  described.observer = &observer;
  EXPECT_FALSE(runLaunch(described));
  ASSERT_EQ(observer.findings.size(), 1u);
  const Finding &finding = observer.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::Write);
  EXPECT_EQ(finding.kernel, "broken");
  EXPECT_EQ(finding.place, (SourcePlace{"broken.cl", 7}));
  EXPECT_EQ(finding.items.known, FoundItems::Known::Group);
  EXPECT_EQ(finding.items.group, (Size3{3, 0, 0}));
  EXPECT_EQ(finding.address, reinterpret_cast<uint64_t>(buffer) + 8192);
  EXPECT_EQ(finding.memory.base, reinterpret_cast<uint64_t>(buffer));
  EXPECT_EQ(finding.memory.size, 8064u);
  EXPECT_EQ(finding.memory.argument, "argument 1 'done'");
  space.release(buffer);
}

TEST(Faults, AnImpossibleAddress) {
  Arguments arguments{.pointer = reinterpret_cast<volatile char *>(0x8000'0000'0000'0000)};
  expectError(runLaunch(planFor(readThere, arguments)), ErrorCode::KernelFault, {"an address that no memory can have"});
}

#ifdef __x86_64__
void readVectorThere(abi::LaunchContext *launch, abi::GroupContext *, uint64_t, uint64_t) {
  asm volatile("movaps (%0), %%xmm0" : : "r"(argumentsOf(launch).pointer) : "xmm0", "memory");
}

TEST(Faults, AMisalignedVector) {
  alignas(16) static volatile char memory[32];
  expectError(runLaunch(planFor(readVectorThere, {.pointer = memory + 2})), ErrorCode::KernelFault,
              {"not aligned for the vector there, at broken.cl:7"});
}
#endif

TEST(Faults, InsideALibraryFunction) {
  auto copy = [](abi::LaunchContext *launch, abi::GroupContext *group, uint64_t, uint64_t) {
    memcpy(const_cast<char *>(argumentsOf(launch).pointer), group, sizeof *group);
  };
  expectError(runLaunch(planFor<abi::RangeEntry>(copy, {.pointer = reinterpret_cast<volatile char *>(64)})),
              ErrorCode::KernelFault, {"wrote to 0x", "after a null pointer"});
}

void callThere(abi::LaunchContext *launch, abi::GroupContext *, uint64_t, uint64_t) {
  reinterpret_cast<void (*)()>(const_cast<char *>(argumentsOf(launch).pointer))();
}

TEST(Faults, AWildCall) {
  Arguments arguments{.pointer = reinterpret_cast<volatile char *>(4096)};
  expectError(runLaunch(planFor(callThere, arguments)), ErrorCode::KernelFault, {"called a function at 0x1000"});
}

TEST(Faults, LaterGroupsAreSkippedAndTheNextLaunchWorks) {
  std::atomic<uint64_t> done = 0;
  constexpr uint64_t kGroups = 1'000'000;
  Arguments arguments{.faultyGroup = 0, .done = &done};
  expectError(runLaunch(planFor(writeThere, arguments, kGroups)), ErrorCode::KernelFault, {});
  EXPECT_LT(done.load(), kGroups);
  done = 0;
  arguments.faultyGroup = kGroups;
  EXPECT_TRUE(runLaunch(planFor(writeThere, arguments, kGroups)));
  EXPECT_EQ(done.load(), kGroups);
}

TEST(Faults, ATrapInstruction) {
  expectError(runLaunch(planFor(makeCode<abi::RangeEntry>(kTrapInstruction), {})), ErrorCode::KernelTrap,
              {"trap instruction at broken.cl:7"});
}

void trapItself(abi::LaunchContext *launch, abi::GroupContext *group, uint64_t, uint64_t) {
  launch->runtime->trap(group, 17);
}

TEST(Faults, AnExplicitTrap) {
  expectError(runLaunch(planFor(trapItself, {})), ErrorCode::KernelTrap, {"trap 17 at broken.cl:7", "work-group (0)"});
}

__attribute__((noinline)) int recurse(int depth) {
  volatile char frame[256];
  frame[depth % 256] = static_cast<char>(depth);
  return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

void overflow(abi::LaunchContext *launch, abi::GroupContext *, uint64_t, uint64_t) {
  if (recurse(0)) argumentsOf(launch).done->fetch_add(1);
}

TEST(Faults, AStackOverflow) {
  expectError(runLaunch(planFor(overflow, {})), ErrorCode::KernelStackOverflow, {"overflowed its stack of"});
}

void overflowItem(abi::ItemContext *item) {
  if (item->localId[0] == 5) recurse(0);
}

TEST(Faults, AStackOverflowOfAWorkItem) {
  expectError(runLaunch(planFor(overflowItem, {}, 2)), ErrorCode::KernelStackOverflow,
              {"overflowed its stack of", "work-item (5) of work-group (0)"});
}

void faultItem(abi::ItemContext *item) {
  item->group->launch->runtime->barrier(item, 1, 1, 1);
  if (item->localId[0] == 6 && item->group->groupId[0] == 1) *argumentsOf(item->group->launch).pointer = 1;
  item->group->launch->runtime->barrier(item, 1, 1, 2);
}

TEST(Faults, AFaultOfAWorkItem) {
  for (int round = 0; round < 3; ++round)
    expectError(runLaunch(planFor(faultItem, {}, 2)), ErrorCode::KernelFault, {"work-item (6) of work-group (1)"});
}

TEST(Faults, OnSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) {
        auto result = runLaunch(planFor(readThere, {.pointer = nullptr}, 3));
        wrong += result || result.error().code != ErrorCode::KernelFault;
      }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

// test rdx, rdx; jne 1f; jmp .; 1: ud2 — the first group never ends, the others trap.
TEST(Faults, OneThreadsFaultEndsTheOthers) {
#ifdef US_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer delivers no signal inside such a loop";
#endif
  if (testThreads() < 2) GTEST_SKIP() << "one thread only";
  LaunchPlan plan =
      planFor(makeCode<abi::RangeEntry>({0x48, 0x85, 0xd2, 0x75, 0x02, 0xeb, 0xfe, 0x0f, 0x0b}), Arguments());
  plan.globalSize = {2048, 1, 1};
  plan.localSize = {1024, 1, 1};
  plan.timeLimit = 20'000; // only so that a failure ends
  expectError(runLaunch(plan), ErrorCode::KernelTrap, {"trap instruction", "work-group (1)"});
}

TEST(TimeLimit, EndsAnEndlessKernel) {
#ifdef US_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer delivers no signal inside such a loop";
#endif
  LaunchPlan plan = planFor(makeCode<abi::RangeEntry>(kEndlessLoop), {}, 50);
  plan.timeLimit = 100;
  auto begin = std::chrono::steady_clock::now();
  expectError(runLaunch(plan), ErrorCode::KernelTimeout, {"time limit of 100 ms at broken.cl:7", "work-group"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(TimeLimit, EndsAnEndlessWorkItem) {
#ifdef US_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer delivers no signal inside such a loop";
#endif
  LaunchPlan plan = planFor(makeCode<abi::ItemEntry>(kEndlessLoop), {}, 50);
  plan.timeLimit = 50;
  expectError(runLaunch(plan), ErrorCode::KernelTimeout, {"time limit of 50 ms", "work-item (0) of work-group"});
}

TEST(TimeLimit, LeavesAQuickKernelAlone) {
  std::atomic<uint64_t> done = 0;
  Arguments arguments{.faultyGroup = ~0ull, .done = &done};
  LaunchPlan plan = planFor(writeThere, arguments, 10);
  plan.timeLimit = 60'000;
  EXPECT_TRUE(runLaunch(plan));
  EXPECT_EQ(done.load(), 10u);
}

// Ctrl-C reaches the kernel and then the host's handler.
TEST(Interrupt, CtrlCEndsAKernel) {
#ifdef US_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer delivers no signal inside such a loop";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        static std::atomic<int> seen = 0;
        signal(SIGINT, [](int) { ++seen; });
        std::thread([] {
          std::this_thread::sleep_for(std::chrono::milliseconds(100));
          kill(getpid(), SIGINT);
        }).detach();
        LaunchPlan plan = planFor(makeCode<abi::RangeEntry>(kEndlessLoop), Arguments(), 20);
        plan.interruptible = true;
        auto result = runLaunch(plan);
        bool right = !result && result.error().code == ErrorCode::KernelInterrupted && seen == 1;
        // Without a kernel it is the host's alone.
        raise(SIGINT);
        right = right && seen == 2;
        // A kernel can run again.
        std::atomic<uint64_t> done = 0;
        Arguments arguments{};
        arguments.faultyGroup = ~0ull;
        arguments.done = &done;
        right = right && runLaunch(planFor(writeThere, arguments, 10)) && done == 10;
        _exit(right ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(Exit, WhileKernelsRun) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        for (int t = 0; t < 3; ++t)
          std::thread([] {
#ifdef US_ADDRESS_SANITIZER
            // What a thread holds on a kernel's stack looks like a leak at exit.
            __lsan_disable();
#endif
            std::atomic<uint64_t> done = 0;
            Arguments arguments{};
            arguments.faultyGroup = ~0ull;
            arguments.done = &done;
            while (true) (void)!!runLaunch(planFor(writeThere, arguments, 100'000));
          }).detach();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        exit(0);
      },
      ::testing::ExitedWithCode(0), "");
}

// A fault of the host itself must reach the host's handler.
sigjmp_buf hostResume;
std::atomic<int> hostSignal = 0;

TEST(HostSignals, GoToTheHostsHandler) {
  // Before the first launch of the process, so in a child that executes nothing but this.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        struct sigaction action{};
        action.sa_handler = [](int signal) {
          hostSignal = signal;
          siglongjmp(hostResume, 1);
        };
        sigaction(SIGSEGV, &action, nullptr);
        bool failed = !!runLaunch(planFor(readThere, {.pointer = nullptr}));
        if (sigsetjmp(hostResume, 1) == 0) *static_cast<volatile int *>(nullptr) = 1;
        failed |= hostSignal != SIGSEGV;
        // And after that kernels are still guarded.
        failed |= !!runLaunch(planFor(readThere, {.pointer = nullptr}));
        _exit(failed);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(HostSignals, WithoutAHandlerTheProcessEndsAsUsual) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        (void)!!runLaunch(planFor(readThere, {.pointer = nullptr}));
        *static_cast<volatile int *>(nullptr) = 1;
      },
      // A sanitizer's handler was there before ours: it reports and exits.
      [](int status) { return (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) || WEXITSTATUS(status) != 0; }, "");
}

TEST(HostSignals, KeepTheirAlternateStack) {
  std::thread([] {
    std::vector<char> memory(1 << 16);
    stack_t own{};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    ASSERT_EQ(sigaltstack(&own, nullptr), 0);
    expectError(runLaunch(planFor(overflow, {})), ErrorCode::KernelStackOverflow, {});
    stack_t after{};
    sigaltstack(nullptr, &after);
    EXPECT_EQ(after.ss_sp, own.ss_sp);
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }).join();
}

TEST(HostSignals, KeepTheirMask) {
  std::thread([] {
    sigset_t all, after;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    for (int round = 0; round < 2; ++round)
      expectError(runLaunch(planFor(readThere, {.pointer = nullptr})), ErrorCode::KernelFault, {});
    pthread_sigmask(SIG_BLOCK, nullptr, &after);
    EXPECT_EQ(sigismember(&after, SIGSEGV), 1);
    EXPECT_EQ(sigismember(&after, SIGTERM), 1);
  }).join();
}

TEST(HostSignals, ASmallAlternateStackIsReplacedMeanwhile) {
  std::thread([] {
    std::vector<char> memory(8192);
    stack_t own{};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    if (sigaltstack(&own, nullptr) != 0) GTEST_SKIP() << "the machine allows none so small";
    for (int round = 0; round < 2; ++round)
      expectError(runLaunch(planFor(overflow, {})), ErrorCode::KernelStackOverflow, {});
    stack_t after{};
    sigaltstack(nullptr, &after);
    EXPECT_EQ(after.ss_sp, own.ss_sp);
    sigaltstack(&none, nullptr);
  }).join();
}

TEST(Fork, TheChildGetsAnError) {
  std::atomic<uint64_t> done = 0;
  Arguments arguments{.faultyGroup = ~0ull, .done = &done};
  ASSERT_TRUE(runLaunch(planFor(writeThere, arguments, 100)));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto result = runLaunch(planFor(writeThere, arguments, 100));
    bool refused = !result && result.error().code == ErrorCode::DeviceNotAvailable &&
                   !memory::AddressSpace::instance().allocate(memory::RangeKind::Buffer, 100);
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_TRUE(runLaunch(planFor(writeThere, arguments, 100)));
}

TEST(CompilerGuard, TurnsACrashIntoASentence) {
  std::string sentence;
  EXPECT_TRUE(guardedCompiler([] {}, sentence));
  EXPECT_EQ(sentence, "");
  EXPECT_FALSE(guardedCompiler([] { *static_cast<volatile int *>(nullptr) = 1; }, sentence));
  EXPECT_EQ(sentence, "the compiler ended with an invalid memory access");
  EXPECT_FALSE(guardedCompiler([] { abort(); }, sentence));
  EXPECT_EQ(sentence, "the compiler ended with a failed check");
  EXPECT_FALSE(guardedCompiler([] { recurse(0); }, sentence));
}

} // namespace
} // namespace us::exec
