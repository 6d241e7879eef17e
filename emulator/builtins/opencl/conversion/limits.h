// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of the integer types by name, for constant expressions.
#pragma once

#define US_MIN_char CHAR_MIN
#define US_MIN_uchar 0
#define US_MIN_short SHRT_MIN
#define US_MIN_ushort 0
#define US_MIN_int INT_MIN
#define US_MIN_uint 0
#define US_MIN_long LONG_MIN
#define US_MIN_ulong 0
#define US_MAX_char CHAR_MAX
#define US_MAX_uchar UCHAR_MAX
#define US_MAX_short SHRT_MAX
#define US_MAX_ushort USHRT_MAX
#define US_MAX_int INT_MAX
#define US_MAX_uint UINT_MAX
#define US_MAX_long LONG_MAX
#define US_MAX_ulong ULONG_MAX

// What both types hold: the larger minimum, the smaller maximum.
#define US_COMMON_MIN(A, B) ((long)US_MIN_##A > (long)US_MIN_##B ? (long)US_MIN_##A : (long)US_MIN_##B)
#define US_COMMON_MAX(A, B) ((ulong)US_MAX_##A < (ulong)US_MAX_##B ? (ulong)US_MAX_##A : (ulong)US_MAX_##B)
