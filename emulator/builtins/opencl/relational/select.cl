// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select: for scalars "c ? b : a"; components go by the most significant bit of c.
#include "emulator/builtins/opencl/support.h"

#define SCALAR(T, C)                                                                                                   \
  US_OVERLOAD T select(T a, T b, C c) { return c ? b : a; }
#define VECTOR(T, C, S)                                                                                                \
  US_OVERLOAD T select(T a, T b, C c) { return __builtin_astype(c, S) < (S)0 ? b : a; }
#define CONDITION(T, C, S) SCALAR(T, C) US_VECTORS3(VECTOR, T, C, S)
#define TYPES(T, S, U) CONDITION(T, S, S) CONDITION(T, U, S)
TYPES(char, char, uchar)
TYPES(uchar, char, uchar)
TYPES(short, short, ushort)
TYPES(ushort, short, ushort)
TYPES(int, int, uint)
TYPES(uint, int, uint)
TYPES(long, long, ulong)
TYPES(ulong, long, ulong)
TYPES(half, short, ushort)
TYPES(float, int, uint)
TYPES(double, long, ulong)
