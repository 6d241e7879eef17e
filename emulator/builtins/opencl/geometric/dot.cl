// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot.
#include "emulator/builtins/opencl/geometric/dot.h"

#define DOT(V, T, N, ...)                                                                                              \
  US_OVERLOAD T dot(V x, V y) { return us_dot(x, y); }
US_GEOMETRIC(DOT, half)
US_GEOMETRIC(DOT, float)
US_GEOMETRIC(DOT, double)
