// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// abs_diff: |x - y| without modulo overflow, as the unsigned type.
#include "emulator/builtins/opencl/support.h"

#define ABS_DIFF(T, U)                                                                                                 \
  US_OVERLOAD U abs_diff(T x, T y) {                                                                                   \
    U a = __builtin_astype(x, U), b = __builtin_astype(y, U);                                                          \
    return x > y ? a - b : b - a;                                                                                      \
  }
#define BOTH(T, U) US_WIDTHS2(ABS_DIFF, T, U) US_WIDTHS2(ABS_DIFF, U, U)
BOTH(char, uchar)
BOTH(short, ushort)
BOTH(int, uint)
BOTH(long, ulong)
