// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// min of integers; the second operand may be a scalar.
#include "emulator/builtins/opencl/support.h"

#define MIN(T, NAME, KIND)                                                                                             \
  US_OVERLOAD T us_min(T x, T y) __asm("llvm." KIND "min." NAME);                                                      \
  US_OVERLOAD T min(T x, T y) { return us_min(x, y); }
US_NAMED_SIGNED(MIN, "s")
US_NAMED_UNSIGNED(MIN, "u")

#define SCALAR_BOUND(V, T)                                                                                             \
  US_OVERLOAD V min(V x, T y) { return us_min(x, (V)y); }
#define ALL(T) US_VECTORS(SCALAR_BOUND, T, T)
US_INTEGER_TYPES(ALL)
