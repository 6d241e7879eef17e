// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mul_hi: the upper half of x * y; mad_hi adds a third value to it.
#include "emulator/builtins/opencl/integer/mul_hi.h"

#define MUL_HI(T)                                                                                                      \
  US_OVERLOAD T mul_hi(T x, T y) { return us_mul_hi(x, y); }                                                           \
  US_OVERLOAD T mad_hi(T x, T y, T z) { return us_mul_hi(x, y) + z; }
#define ALL(T) US_WIDTHS(MUL_HI, T)
US_INTEGER_TYPES(ALL)
