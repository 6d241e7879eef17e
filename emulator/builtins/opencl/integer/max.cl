// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// max of integers; the second operand may be a scalar.
#include "emulator/builtins/opencl/support.h"

#define MAX(T, NAME, KIND)                                                                                             \
  US_OVERLOAD T us_max(T x, T y) __asm("llvm." KIND "max." NAME);                                                      \
  US_OVERLOAD T max(T x, T y) { return us_max(x, y); }
US_NAMED_SIGNED(MAX, "s")
US_NAMED_UNSIGNED(MAX, "u")

#define SCALAR_BOUND(V, T)                                                                                             \
  US_OVERLOAD V max(V x, T y) { return us_max(x, (V)y); }
#define ALL(T) US_VECTORS(SCALAR_BOUND, T, T)
US_INTEGER_TYPES(ALL)
