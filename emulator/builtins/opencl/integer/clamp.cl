// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clamp of integers: min(max(x, low), high); the bounds may be scalars.
#include "emulator/builtins/opencl/support.h"

#define CLAMP(T, NAME, KIND)                                                                                           \
  US_OVERLOAD T us_min(T x, T y) __asm("llvm." KIND "min." NAME);                                                      \
  US_OVERLOAD T us_max(T x, T y) __asm("llvm." KIND "max." NAME);                                                      \
  US_OVERLOAD T clamp(T x, T low, T high) { return us_min(us_max(x, low), high); }
US_NAMED_SIGNED(CLAMP, "s")
US_NAMED_UNSIGNED(CLAMP, "u")

#define SCALAR_BOUND(V, T)                                                                                             \
  US_OVERLOAD V clamp(V x, T low, T high) { return us_min(us_max(x, (V)low), (V)high); }
#define ALL(T) US_VECTORS(SCALAR_BOUND, T, T)
US_INTEGER_TYPES(ALL)
