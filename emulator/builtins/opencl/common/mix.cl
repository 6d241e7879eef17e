// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mix: "x + (y - x) * a".
#include "emulator/builtins/opencl/support.h"

#define MIX(T)                                                                                                         \
  US_OVERLOAD T mix(T x, T y, T a) { return x + (y - x) * a; }
#define MIX_SCALAR(V, T)                                                                                               \
  US_OVERLOAD V mix(V x, V y, T a) { return x + (y - x) * a; }
#define ALL(T) US_WIDTHS(MIX, T) US_VECTORS(MIX_SCALAR, T, T)
US_FLOAT_TYPES(ALL)
