// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// upsample: (high << width) | low, in the next wider type.
#include "emulator/builtins/opencl/support.h"

#define UPSAMPLE(T, U, WIDE, BITS)                                                                                     \
  US_OVERLOAD WIDE upsample(T high, U low) {                                                                           \
    return (__builtin_convertvector(high, WIDE) << (WIDE)BITS) | __builtin_convertvector(low, WIDE);                   \
  }
#define UPSAMPLE_WIDTHS(T, U, WIDE, BITS)                                                                              \
  US_OVERLOAD WIDE upsample(T high, U low) { return (WIDE)((WIDE)((WIDE)high << BITS) | (WIDE)low); }                  \
  US_VECTORS3(UPSAMPLE, T, U, WIDE, BITS)
UPSAMPLE_WIDTHS(char, uchar, short, 8)
UPSAMPLE_WIDTHS(uchar, uchar, ushort, 8)
UPSAMPLE_WIDTHS(short, ushort, int, 16)
UPSAMPLE_WIDTHS(ushort, ushort, uint, 16)
UPSAMPLE_WIDTHS(int, uint, long, 32)
UPSAMPLE_WIDTHS(uint, uint, ulong, 32)
