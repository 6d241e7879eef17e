// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bitselect: "Each bit of the result is the corresponding bit of a if the corresponding bit of c is 0. Otherwise [...]
// of b."
#include "emulator/builtins/opencl/support.h"

#define BITSELECT(T, U)                                                                                                \
  US_OVERLOAD T bitselect(T a, T b, T c) {                                                                             \
    U x = __builtin_astype(a, U), y = __builtin_astype(b, U), mask = __builtin_astype(c, U);                           \
    return __builtin_astype((U)((x & ~mask) | (y & mask)), T);                                                         \
  }
#define TYPES(U, S, F) US_WIDTHS2(BITSELECT, U, U) US_WIDTHS2(BITSELECT, S, U) US_WIDTHS2(BITSELECT, F, U)
US_WIDTHS2(BITSELECT, uchar, uchar)
US_WIDTHS2(BITSELECT, char, uchar)
TYPES(ushort, short, half)
TYPES(uint, int, float)
TYPES(ulong, long, double)
