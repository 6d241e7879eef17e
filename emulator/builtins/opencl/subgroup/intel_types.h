// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SHUFFLE(T) for the types of Intel's shuffles. No #pragma once: each family includes it behind its macro.
#define US_SHUFFLES(T) US_VECTORS(US_READ_LANE, T) US_WIDTHS(SHUFFLE, T)
US_SHUFFLES(char)
US_SHUFFLES(uchar)
US_SHUFFLES(short)
US_SHUFFLES(ushort)
US_SHUFFLES(int)
US_SHUFFLES(uint)
US_SHUFFLES(float)
SHUFFLE(long)
SHUFFLE(ulong)
SHUFFLE(half)
SHUFFLE(double)
