// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fast_length, fast_distance and fast_normalize: the formulas as written, without care for overflow (8192 ulp are
// allowed).
#include "emulator/builtins/opencl/geometric/dot.h"

#define FAST(V, T, N, ...)                                                                                             \
  US_OVERLOAD float fast_length(V x) { return us_sqrtf(us_dot(x, x)); }                                                \
  US_OVERLOAD float fast_distance(V x, V y) { return us_sqrtf(us_dot(x - y, x - y)); }                                 \
  US_OVERLOAD V fast_normalize(V x) {                                                                                  \
    float square = us_dot(x, x);                                                                                       \
    return square == 0.0f ? x : x * (1.0f / us_sqrtf(square));                                                         \
  }
US_GEOMETRIC(FAST, float)
