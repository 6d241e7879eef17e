// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/host_places.h"

#include <gtest/gtest.h>

#include <dlfcn.h>

namespace us::check {
namespace {

/// The call to the function is taken for the function itself.
uint64_t behindCallIn(const void *function) { return reinterpret_cast<uint64_t>(function) + 1; }
void ofTheProgram() {}

std::vector<abi::SourceLine> linesOf(const std::string &file, uint64_t) {
  if (file == "/proc/self/exe") return {{"main", "/home/me/main.c", 12}};
  return {{"__libc_start_call_main", "sysdeps/nptl/libc_start_call_main.h", 58}};
}

std::vector<uint64_t> returnsTo(bool program) {
  std::vector<uint64_t> returns{behindCallIn(dlsym(RTLD_DEFAULT, "getenv"))};
  if (program) returns.insert(returns.begin(), behindCallIn(reinterpret_cast<const void *>(&ofTheProgram)));
  return returns;
}

// Distributions have debug information of the C library, which calls main(), for programs that have none themselves.
TEST(HostPlaces, OfTheCLibraryAreNone) {
  HostPlaces places(linesOf);
  const CallSite known{.call = "clFinish", .returns = returnsTo(true)};
  EXPECT_EQ(places.of(known).size(), 1u);
  EXPECT_EQ(places.textOf(known), "clFinish at /home/me/main.c:12, in 'main'");
  const CallSite unknown{.call = "clFinish", .returns = returnsTo(false)};
  EXPECT_TRUE(places.of(unknown).empty());
  EXPECT_EQ(places.textOf(unknown), "clFinish somewhere");
}

} // namespace
} // namespace us::check
