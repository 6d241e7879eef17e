// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHUFFLE(T) for the types of Intel's shuffles. No #pragma once: each family includes it behind its macro.
US_WIDTHS(SHUFFLE, char)
US_WIDTHS(SHUFFLE, uchar)
US_WIDTHS(SHUFFLE, short)
US_WIDTHS(SHUFFLE, ushort)
US_WIDTHS(SHUFFLE, int)
US_WIDTHS(SHUFFLE, uint)
US_WIDTHS(SHUFFLE, float)
SHUFFLE(long)
SHUFFLE(ulong)
SHUFFLE(half)
SHUFFLE(double)
