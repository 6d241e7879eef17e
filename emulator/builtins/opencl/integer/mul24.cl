// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mul24 and mad24: for operands outside 24 bits the result is implementation-defined, ours is the full product.
#include "emulator/builtins/opencl/support.h"

#define MUL24(T)                                                                                                       \
  US_OVERLOAD T mul24(T x, T y) { return x * y; }                                                                      \
  US_OVERLOAD T mad24(T x, T y, T z) { return x * y + z; }
US_WIDTHS(MUL24, int)
US_WIDTHS(MUL24, uint)
