// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sign: 1.0, -1.0, the zero itself with its sign, and "0.0 if x is a NaN".
#include "emulator/builtins/opencl/support.h"

#define SIGN(T)                                                                                                        \
  US_OVERLOAD T sign(T x) {                                                                                            \
    T zero = x == x ? x : (T)0;                                                                                        \
    T negative = x < (T)0 ? (T) - 1 : zero;                                                                            \
    return x > (T)0 ? (T)1 : negative;                                                                                 \
  }
#define ALL(T) US_WIDTHS(SIGN, T)
US_FLOAT_TYPES(ALL)
