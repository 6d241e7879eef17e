// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_extended_bit_ops: insert and extract count bits at an offset. Undefined if offset + count exceeds the width.
#include "emulator/builtins/opencl/support.h"

// A shift count is taken modulo the width, so count 0 needs its own answer.
#define BITFIELD(T, S, U, BITS)                                                                                        \
  US_OVERLOAD T bitfield_insert(T base, T insert, uint offset, uint count) {                                           \
    if (count == 0) return base;                                                                                       \
    U mask = ((U)(U) ~(U)0 >> (U)(BITS - count)) << (U)offset;                                                         \
    U shifted = __builtin_astype(insert, U) << (U)offset;                                                              \
    return __builtin_astype((U)((__builtin_astype(base, U) & ~mask) | (shifted & mask)), T);                           \
  }                                                                                                                    \
  US_OVERLOAD S bitfield_extract_signed(T base, uint offset, uint count) {                                             \
    if (count == 0) return (S)0;                                                                                       \
    S top = __builtin_astype((U)(__builtin_astype(base, U) << (U)(BITS - offset - count)), S);                         \
    return top >> (S)(BITS - count);                                                                                   \
  }                                                                                                                    \
  US_OVERLOAD U bitfield_extract_unsigned(T base, uint offset, uint count) {                                           \
    if (count == 0) return (U)0;                                                                                       \
    U top = __builtin_astype(base, U) << (U)(BITS - offset - count);                                                   \
    return top >> (U)(BITS - count);                                                                                   \
  }
#define BOTH(S, U, BITS) BITFIELD(S, S, U, BITS) BITFIELD(U, S, U, BITS)
US_WIDTHS2(BOTH, char, uchar, 8)
US_WIDTHS2(BOTH, short, ushort, 16)
US_WIDTHS2(BOTH, int, uint, 32)
US_WIDTHS2(BOTH, long, ulong, 64)
