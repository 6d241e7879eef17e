// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_integer_dot_product: products of four bytes, summed exactly, accumulated with saturation.
#include "emulator/builtins/opencl/support.h"

#define DOT(R, A, B)                                                                                                   \
  US_INLINE R us_dot(A x, B y) {                                                                                       \
    R##4 p = __builtin_convertvector(x, R##4) * __builtin_convertvector(y, R##4);                                      \
    return p.s0 + p.s1 + p.s2 + p.s3;                                                                                  \
  }                                                                                                                    \
  US_OVERLOAD R dot(A x, B y) { return us_dot(x, y); }                                                                 \
  US_OVERLOAD R dot_acc_sat(A x, B y, R accumulator) { return us_add_sat(us_dot(x, y), accumulator); }
#define DOT_PACKED(R, A, B, KIND)                                                                                      \
  US_OVERLOAD R dot_4x8packed_##KIND(uint x, uint y) {                                                                 \
    return us_dot(__builtin_astype(x, A), __builtin_astype(y, B));                                                     \
  }                                                                                                                    \
  US_OVERLOAD R dot_acc_sat_4x8packed_##KIND(uint x, uint y, R accumulator) {                                          \
    return us_add_sat(us_dot(__builtin_astype(x, A), __builtin_astype(y, B)), accumulator);                            \
  }
US_OVERLOAD int us_add_sat(int x, int y) __asm("llvm.sadd.sat.i32");
US_OVERLOAD uint us_add_sat(uint x, uint y) __asm("llvm.uadd.sat.i32");

DOT(uint, uchar4, uchar4)
DOT(int, char4, char4)
DOT(int, uchar4, char4)
DOT(int, char4, uchar4)
DOT_PACKED(uint, uchar4, uchar4, uu_uint)
DOT_PACKED(int, char4, char4, ss_int)
DOT_PACKED(int, uchar4, char4, us_int)
DOT_PACKED(int, char4, uchar4, su_int)
