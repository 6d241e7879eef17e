// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mad_sat: x * y + z computed exactly, then saturated to the range of the type.
#include "emulator/builtins/opencl/integer/mul_hi.h"

// 8 to 32 bits: the wider type holds the exact result.
#define MAD_SAT_WIDER(T, WIDE, LOW, HIGH)                                                                              \
  US_OVERLOAD T mad_sat(T x, T y, T z) {                                                                               \
    WIDE exact =                                                                                                       \
        __builtin_convertvector(x, WIDE) * __builtin_convertvector(y, WIDE) + __builtin_convertvector(z, WIDE);        \
    exact = exact < (WIDE)LOW ? (WIDE)LOW : exact;                                                                     \
    return __builtin_convertvector(exact > (WIDE)HIGH ? (WIDE)HIGH : exact, T);                                        \
  }
#define MAD_SAT_WIDER_WIDTHS(T, WIDE, LOW, HIGH)                                                                       \
  US_OVERLOAD T mad_sat(T x, T y, T z) {                                                                               \
    WIDE exact = (WIDE)x * (WIDE)y + (WIDE)z;                                                                          \
    exact = exact < (WIDE)LOW ? (WIDE)LOW : exact;                                                                     \
    return (T)(exact > (WIDE)HIGH ? (WIDE)HIGH : exact);                                                               \
  }                                                                                                                    \
  US_VECTORS2(MAD_SAT_WIDER, T, WIDE, LOW, HIGH)
MAD_SAT_WIDER_WIDTHS(char, int, CHAR_MIN, CHAR_MAX)
MAD_SAT_WIDER_WIDTHS(uchar, int, 0, UCHAR_MAX)
MAD_SAT_WIDER_WIDTHS(short, long, SHRT_MIN, SHRT_MAX)
MAD_SAT_WIDER_WIDTHS(ushort, long, 0, USHRT_MAX)
MAD_SAT_WIDER_WIDTHS(int, long, INT_MIN, INT_MAX)
// 32 bits unsigned: (2^32 - 1)^2 + 2^32 - 1 still fits 64 bits.
MAD_SAT_WIDER_WIDTHS(uint, ulong, 0, UINT_MAX)

// 64 bits: the exact result as two words; it fits if the upper word is the sign of the lower one.
#define MAD_SAT_LONG(T, U)                                                                                             \
  US_OVERLOAD T mad_sat(T x, T y, T z) {                                                                               \
    U product = __builtin_astype(x, U) * __builtin_astype(y, U);                                                       \
    U sum = product + __builtin_astype(z, U);                                                                          \
    T carry = sum < product ? (T)1 : (T)0;                                                                             \
    T upper = us_mul_hi(x, y) + (z >> (T)63) + carry;                                                                  \
    T lower = __builtin_astype(sum, T);                                                                                \
    T limit = (upper >> (T)63) ^ (T)LONG_MAX;                                                                          \
    return upper == (lower >> (T)63) ? lower : limit;                                                                  \
  }
US_WIDTHS2(MAD_SAT_LONG, long, ulong)

#define MAD_SAT_ULONG(T)                                                                                               \
  US_OVERLOAD T mad_sat(T x, T y, T z) {                                                                               \
    T product = x * y, sum = product + z, upper = us_mul_hi(x, y);                                                     \
    T limited = upper == (T)0 ? sum : (T)ULONG_MAX;                                                                    \
    return sum < product ? (T)ULONG_MAX : limited;                                                                     \
  }
US_WIDTHS(MAD_SAT_ULONG, ulong)
