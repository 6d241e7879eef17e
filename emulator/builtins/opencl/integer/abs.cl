// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// abs: |x|, as the unsigned type, so that the smallest value has an absolute value.
#include "emulator/builtins/opencl/support.h"

#define ABS(T, NAME, U)                                                                                                \
  US_OVERLOAD T us_abs(T x, bool poison) __asm("llvm.abs." NAME);                                                      \
  US_OVERLOAD U abs(T x) { return __builtin_astype(us_abs(x, false), U); }
#define ABS_WIDTHS(T, U, NAME)                                                                                         \
  ABS(T, NAME, U)                                                                                                      \
  ABS(T##2, "v2" NAME, U##2)                                                                                           \
  ABS(T##3, "v3" NAME, U##3)                                                                                           \
  ABS(T##4, "v4" NAME, U##4)                                                                                           \
  ABS(T##8, "v8" NAME, U##8)                                                                                           \
  ABS(T##16, "v16" NAME, U##16)
ABS_WIDTHS(char, uchar, "i8")
ABS_WIDTHS(short, ushort, "i16")
ABS_WIDTHS(int, uint, "i32")
ABS_WIDTHS(long, ulong, "i64")

#define ABS_UNSIGNED(T)                                                                                                \
  US_OVERLOAD T abs(T x) { return x; }
US_WIDTHS(ABS_UNSIGNED, uchar)
US_WIDTHS(ABS_UNSIGNED, ushort)
US_WIDTHS(ABS_UNSIGNED, uint)
US_WIDTHS(ABS_UNSIGNED, ulong)
