// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of shuffle and shuffle2: for every source and result type, SHUFFLE(T, U, N, M) gives the function from
// sources of M components T by a mask of N components U; US_PICK_N(M) lists its result, each by US_PICK(M, index).
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
#define US_SOURCES(T, U, N) SHUFFLE(T, U, N, 2) SHUFFLE(T, U, N, 4) SHUFFLE(T, U, N, 8) SHUFFLE(T, U, N, 16)
#define US_SHUFFLES(T, U) US_SOURCES(T, U, 2) US_SOURCES(T, U, 4) US_SOURCES(T, U, 8) US_SOURCES(T, U, 16)
#define US_ALL_SHUFFLES                                                                                                \
  US_SHUFFLES(char, uchar)                                                                                             \
  US_SHUFFLES(uchar, uchar)                                                                                            \
  US_SHUFFLES(short, ushort)                                                                                           \
  US_SHUFFLES(ushort, ushort)                                                                                          \
  US_SHUFFLES(int, uint)                                                                                               \
  US_SHUFFLES(uint, uint)                                                                                              \
  US_SHUFFLES(long, ulong)                                                                                             \
  US_SHUFFLES(ulong, ulong)                                                                                            \
  US_SHUFFLES(half, ushort)                                                                                            \
  US_SHUFFLES(float, uint)                                                                                             \
  US_SHUFFLES(double, ulong)
