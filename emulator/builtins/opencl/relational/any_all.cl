// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// any, all: whether the most significant bit is set in any or in all components.
#include "emulator/builtins/opencl/support.h"

#define SCALAR(T)                                                                                                      \
  US_OVERLOAD int any(T x) { return x < 0; }                                                                           \
  US_OVERLOAD int all(T x) { return x < 0; }
#define VECTOR(T)                                                                                                      \
  US_OVERLOAD int any(T x) { return __builtin_reduce_or(x) < 0; }                                                      \
  US_OVERLOAD int all(T x) { return __builtin_reduce_and(x) < 0; }
#define ALL(T) SCALAR(T) US_VECTORS(VECTOR, T)
US_SIGNED_TYPES(ALL)
