// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hadd: (x + y) >> 1, rhadd: (x + y + 1) >> 1, without modulo overflow of the sum.
#include "emulator/builtins/opencl/support.h"

// x + y is twice the common bits plus the differing bits, and also twice all bits minus the differing bits.
#define HADD(T)                                                                                                        \
  US_OVERLOAD T hadd(T x, T y) { return (x & y) + ((x ^ y) >> (T)1); }                                                 \
  US_OVERLOAD T rhadd(T x, T y) { return (x | y) - ((x ^ y) >> (T)1); }
#define ALL(T) US_WIDTHS(HADD, T)
US_INTEGER_TYPES(ALL)
