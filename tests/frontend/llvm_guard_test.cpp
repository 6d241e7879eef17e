// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fatal error of LLVM leaves the guarded work with a sentence, and the process lives.
#include "frontend/llvm_guard.h"

#include "runtime/base/work_limit.h"

#include <gtest/gtest.h>
#include <llvm/Support/ErrorHandling.h>

#include <thread>

namespace us::frontend {
namespace {

TEST(RunGuarded, OrdinaryWorkReturnsNothing) {
  bool ran = false;
  EXPECT_EQ(runGuarded([&] { ran = true; }), "");
  EXPECT_TRUE(ran);
}

TEST(RunGuarded, AFatalErrorBecomesASentence) {
  EXPECT_EQ(runGuarded([] { llvm::report_fatal_error("cannot select this"); }), "cannot select this");
  EXPECT_EQ(runGuarded([] {}), "");
}

TEST(RunGuarded, Nests) {
  std::string inner;
  const std::string outer = runGuarded([&] {
    inner = runGuarded([] { llvm::report_fatal_error("inner"); });
    llvm::report_fatal_error("outer");
  });
  EXPECT_EQ(inner, "inner");
  EXPECT_EQ(outer, "outer");
}

TEST(RunGuarded, WorkThatTakesTooLongIsLeftAtAStep) {
  const std::string reason = runGuarded(
      [] {
        for (;;) workStep();
      },
      20);
  EXPECT_NE(reason.find("20 milliseconds"), std::string::npos) << reason;
  EXPECT_EQ(runGuarded([] { workStep(); }, 100000), "");
  EXPECT_FALSE(workIsLimited());
}

TEST(RunGuarded, EachThreadHasItsOwn) {
  std::string reasons[2];
  std::thread a([&] { reasons[0] = runGuarded([] { llvm::report_fatal_error("a"); }); });
  std::thread b([&] { reasons[1] = runGuarded([] { llvm::report_fatal_error("b"); }); });
  a.join();
  b.join();
  EXPECT_EQ(reasons[0], "a");
  EXPECT_EQ(reasons[1], "b");
}

} // namespace
} // namespace us::frontend
