// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which collective functions combine values, the same in every tier: a fixed tree over the participants in
// the order of their linear ids, numbered densely 0 to n - 1.
//   reduction      neighbours are paired, then neighbouring pairs, and so on; what has no partner waits for the next
//   round:
//                  7 values give ((0 1) (2 3)) ((4 5) 6)
//   inclusive scan element i combines the complete subtrees that make up 0 to i, the largest first:
//                  element 6 is ((0 1 2 3) (4 5)) 6
// One work-item computes it for all. The functions are not inlined: they need nothing of the machine, and kernels stay
// small.
#pragma once
#include "emulator/builtins/opencl/workitem/linear.h"

#define US_COMBINE_add(T, a, b) (T)((a) + (b))
#define US_COMBINE_mul(T, a, b) (T)((a) * (b))
#define US_COMBINE_min(T, a, b) ((b) < (a) ? (b) : (a))
#define US_COMBINE_max(T, a, b) ((a) < (b) ? (b) : (a))
#define US_COMBINE_and(T, a, b) (T)((a) & (b))
#define US_COMBINE_or(T, a, b) (T)((a) | (b))
#define US_COMBINE_xor(T, a, b) (T)((a) ^ (b))
#define US_COMBINE_logical_and(T, a, b) (T)((a) && (b))
#define US_COMBINE_logical_or(T, a, b) (T)((a) || (b))
#define US_COMBINE_logical_xor(T, a, b) (T)(!(a) != !(b))

// What an exclusive scan gives the first participant.
#define US_IDENTITY_add(T) (T)0
#define US_IDENTITY_mul(T) (T)1
#define US_IDENTITY_min(T) US_HIGHEST_##T
#define US_IDENTITY_max(T) US_LOWEST_##T
#define US_IDENTITY_and(T) (T) ~(T)0
#define US_IDENTITY_or(T) (T)0
#define US_IDENTITY_xor(T) (T)0
#define US_IDENTITY_logical_and(T) (T)1
#define US_IDENTITY_logical_or(T) (T)0
#define US_IDENTITY_logical_xor(T) (T)0
#define US_HIGHEST_char CHAR_MAX
#define US_HIGHEST_uchar UCHAR_MAX
#define US_HIGHEST_short SHRT_MAX
#define US_HIGHEST_ushort USHRT_MAX
#define US_HIGHEST_int INT_MAX
#define US_HIGHEST_uint UINT_MAX
#define US_HIGHEST_long LONG_MAX
#define US_HIGHEST_ulong ULONG_MAX
#define US_HIGHEST_half (half) INFINITY
#define US_HIGHEST_float INFINITY
#define US_HIGHEST_double (double)INFINITY
#define US_LOWEST_char CHAR_MIN
#define US_LOWEST_uchar 0
#define US_LOWEST_short SHRT_MIN
#define US_LOWEST_ushort 0
#define US_LOWEST_int INT_MIN
#define US_LOWEST_uint 0
#define US_LOWEST_long LONG_MIN
#define US_LOWEST_ulong 0
#define US_LOWEST_half (half) - INFINITY
#define US_LOWEST_float -INFINITY
#define US_LOWEST_double (double)-INFINITY

#define US_OUT_OF_LINE static __attribute__((noinline, overloadable))

// Both work in place.
#define US_TREE_REDUCE(SPACE, T, OPERATION)                                                                            \
  US_OUT_OF_LINE T us_tree_reduce_##OPERATION(SPACE T *values, uint n) {                                               \
    for (uint stride = 1; stride < n; stride *= 2)                                                                     \
      for (uint i = 0; i + stride < n; i += 2 * stride)                                                                \
        values[i] = US_COMBINE_##OPERATION(T, values[i], values[i + stride]);                                          \
    return values[0];                                                                                                  \
  }
#define US_TREE_SCAN(SPACE, T, OPERATION)                                                                              \
  US_OUT_OF_LINE void us_tree_scan_##OPERATION(SPACE T *values, uint n) {                                              \
    uint stride = 1;                                                                                                   \
    for (; stride < n; stride *= 2)                                                                                    \
      for (uint i = 2 * stride - 1; i < n; i += 2 * stride)                                                            \
        values[i] = US_COMBINE_##OPERATION(T, values[i - stride], values[i]);                                          \
    for (; stride > 0; stride /= 2)                                                                                    \
      for (uint i = 3 * stride - 1; i < n; i += 2 * stride)                                                            \
        values[i] = US_COMBINE_##OPERATION(T, values[i - stride], values[i]);                                          \
  }
