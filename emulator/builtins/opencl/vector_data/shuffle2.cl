// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shuffle2: components picked by a mask; only as many low bits of an index count as two sources need.
#include "emulator/builtins/opencl/support.h"

#define US_PICK_2(M) US_PICK(M, mask.s0), US_PICK(M, mask.s1)
#define US_PICK_4(M) US_PICK(M, mask.s0), US_PICK(M, mask.s1), US_PICK(M, mask.s2), US_PICK(M, mask.s3)
#define US_PICK_8(M)                                                                                                   \
  US_PICK(M, mask.s0), US_PICK(M, mask.s1), US_PICK(M, mask.s2), US_PICK(M, mask.s3), US_PICK(M, mask.s4),             \
      US_PICK(M, mask.s5), US_PICK(M, mask.s6), US_PICK(M, mask.s7)
#define US_PICK_16(M)                                                                                                  \
  US_PICK(M, mask.s0), US_PICK(M, mask.s1), US_PICK(M, mask.s2), US_PICK(M, mask.s3), US_PICK(M, mask.s4),             \
      US_PICK(M, mask.s5), US_PICK(M, mask.s6), US_PICK(M, mask.s7), US_PICK(M, mask.s8), US_PICK(M, mask.s9),         \
      US_PICK(M, mask.sa), US_PICK(M, mask.sb), US_PICK(M, mask.sc), US_PICK(M, mask.sd), US_PICK(M, mask.se),         \
      US_PICK(M, mask.sf)
#define SHUFFLE(T, U, N, M)                                                                                            \
  US_OVERLOAD T##N shuffle2(T##M x, T##M y, U##N mask) { return (T##N)(US_PICK_##N(M)); }
#define US_PICK(M, index) US_EITHER(M, (index))
#define US_EITHER(M, index) ((index & M) ? y[index & (M - 1)] : x[index & (M - 1)])
#define SOURCES(T, U, N) SHUFFLE(T, U, N, 2) SHUFFLE(T, U, N, 4) SHUFFLE(T, U, N, 8) SHUFFLE(T, U, N, 16)
#define TYPES(T, U) SOURCES(T, U, 2) SOURCES(T, U, 4) SOURCES(T, U, 8) SOURCES(T, U, 16)
TYPES(char, uchar)
TYPES(uchar, uchar)
TYPES(short, ushort)
TYPES(ushort, ushort)
TYPES(int, uint)
TYPES(uint, uint)
TYPES(long, ulong)
TYPES(ulong, ulong)
TYPES(half, ushort)
TYPES(float, uint)
TYPES(double, ulong)
