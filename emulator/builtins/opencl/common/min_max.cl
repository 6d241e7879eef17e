// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// min, max and clamp of floating-point values. "Returns y if x < y, otherwise it returns x": written as that
// comparison, one instruction on the host; NaN operands are undefined.
#include "emulator/builtins/opencl/support.h"

#define MIN_MAX(T)                                                                                                     \
  US_OVERLOAD T min(T x, T y) { return y < x ? y : x; }                                                                \
  US_OVERLOAD T max(T x, T y) { return x < y ? y : x; }                                                                \
  US_OVERLOAD T clamp(T x, T low, T high) { return min(max(x, low), high); }
#define SCALAR_BOUND(V, T)                                                                                             \
  US_OVERLOAD V min(V x, T y) { return min(x, (V)y); }                                                                 \
  US_OVERLOAD V max(V x, T y) { return max(x, (V)y); }                                                                 \
  US_OVERLOAD V clamp(V x, T low, T high) { return min(max(x, (V)low), (V)high); }
#define ALL(T) US_WIDTHS(MIN_MAX, T) US_VECTORS(SCALAR_BOUND, T, T)
US_FLOAT_TYPES(ALL)
