// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What benchmarks have in common: a clock, and calls that have to succeed.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace us::benchmarks {

using Clock = std::chrono::steady_clock;

inline double microseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

/// Of OpenCL and of CUDA, 0 is success.
template <class Code> void check(Code code, const char *what) {
  if (code == Code{}) return;
  std::fprintf(stderr, "%s failed: %d\n", what, static_cast<int>(code));
  std::exit(1);
}

} // namespace us::benchmarks
