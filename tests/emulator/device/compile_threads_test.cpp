// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/compile_threads.h"

#include "tests/support/comma_locale.h"

#include <alloca.h>
#include <atomic>
#include <cfenv>
#include <gtest/gtest.h>
#include <latch>
#include <new>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace us::emulator {
namespace {

TEST(CompileThreads, HaveDeepStacks) {
  uint64_t sum = 0;
  ASSERT_TRUE(runOnCompileThread([&] {
    auto *bytes = static_cast<volatile char *>(alloca(48 << 20));
    for (size_t at = 0; at < 48 << 20; at += 4096) bytes[at] = 1, sum += bytes[at];
  }));
  EXPECT_EQ(sum, (48u << 20) / 4096);
}

TEST(CompileThreads, RunSeveralThingsAtOnce) {
  // Each waits for all: fewer than three threads would hang.
  std::latch all(3);
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&] { EXPECT_TRUE(runOnCompileThread([&] { all.arrive_and_wait(); })); });
  for (std::thread &caller : callers) caller.join();
}

TEST(CompileThreads, ServeManyCallers) {
  std::atomic<int> count{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) EXPECT_TRUE(runOnCompileThread([&] { ++count; }));
    });
  for (std::thread &caller : callers) caller.join();
  EXPECT_EQ(count, 2000);
}

TEST(CompileThreads, RunWhatIsPosted) {
  std::latch all(50);
  for (int i = 0; i < 50; ++i) postToCompileThread(4, [&] { all.count_down(); });
  all.wait();
}

TEST(CompileThreads, OutliveWhatIsThrown) {
  const Expected<void> result = runOnCompileThread([] { throw std::bad_alloc(); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::OutOfHostMemory);
  postToCompileThread(4, [] { throw std::bad_alloc(); });
  std::latch later(1);
  postToCompileThread(4, [&] { later.count_down(); });
  later.wait();
  EXPECT_TRUE(runOnCompileThread([] {}));
}

// What is compiled is kept for other programs.
TEST(CompileThreads, KnowNeitherLocaleNorRoundingOfTheProgram) {
  const test::CommaLocale locale;
  if (!locale.isSet()) GTEST_SKIP() << "localedef made no locale with a comma";
  std::fesetround(FE_UPWARD);
  // At once, so that some of the threads are new ones.
  constexpr int kThreads = 12;
  std::latch all(kThreads);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < kThreads; ++i)
    callers.emplace_back([&] {
      EXPECT_TRUE(runOnCompileThread([&] {
        all.arrive_and_wait();
        wrong += *std::localeconv()->decimal_point != '.' || std::fegetround() != FE_TONEAREST;
      }));
    });
  for (std::thread &caller : callers) caller.join();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(wrong, 0);
}

TEST(CompileThreads, CallThemselvesInPlace) {
  std::thread::id outer, inner;
  ASSERT_TRUE(runOnCompileThread([&] {
    outer = std::this_thread::get_id();
    EXPECT_TRUE(runOnCompileThread([&] { inner = std::this_thread::get_id(); }));
  }));
  EXPECT_EQ(outer, inner);
  EXPECT_NE(outer, std::this_thread::get_id());
}

TEST(CompileThreads, RefuseInAForkedChild) {
  ASSERT_TRUE(runOnCompileThread([] {}));
  pid_t child = fork();
  if (child == 0) _exit(runOnCompileThread([] {}) ? 1 : 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace
} // namespace us::emulator
