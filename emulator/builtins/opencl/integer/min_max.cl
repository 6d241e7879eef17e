// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// min, max and clamp of integers; the bounds may be scalars.
#include "emulator/builtins/opencl/support.h"

#define MIN_MAX(T, NAME, KIND)                                                                                         \
  US_OVERLOAD T us_min(T x, T y) __asm("llvm." KIND "min." NAME);                                                      \
  US_OVERLOAD T us_max(T x, T y) __asm("llvm." KIND "max." NAME);                                                      \
  US_OVERLOAD T min(T x, T y) { return us_min(x, y); }                                                                 \
  US_OVERLOAD T max(T x, T y) { return us_max(x, y); }                                                                 \
  US_OVERLOAD T clamp(T x, T low, T high) { return us_min(us_max(x, low), high); }
US_NAMED_SIGNED(MIN_MAX, "s")
US_NAMED_UNSIGNED(MIN_MAX, "u")

#define SCALAR_BOUND(V, T)                                                                                             \
  US_OVERLOAD V min(V x, T y) { return us_min(x, (V)y); }                                                              \
  US_OVERLOAD V max(V x, T y) { return us_max(x, (V)y); }                                                              \
  US_OVERLOAD V clamp(V x, T low, T high) { return us_min(us_max(x, (V)low), (V)high); }
#define ALL(T) US_VECTORS(SCALAR_BOUND, T, T)
US_INTEGER_TYPES(ALL)
