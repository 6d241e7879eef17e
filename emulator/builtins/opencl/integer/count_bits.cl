// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clz, ctz, popcount, and bit_reverse of cl_khr_extended_bit_ops. clz and ctz of 0 are the width of the type.
#include "emulator/builtins/opencl/support.h"

#define COUNT(T, NAME)                                                                                                 \
  US_OVERLOAD T us_clz(T x, bool poison) __asm("llvm.ctlz." NAME);                                                     \
  US_OVERLOAD T us_ctz(T x, bool poison) __asm("llvm.cttz." NAME);                                                     \
  US_OVERLOAD T us_popcount(T x) __asm("llvm.ctpop." NAME);                                                            \
  US_OVERLOAD T us_bit_reverse(T x) __asm("llvm.bitreverse." NAME);                                                    \
  US_OVERLOAD T clz(T x) { return us_clz(x, false); }                                                                  \
  US_OVERLOAD T ctz(T x) { return us_ctz(x, false); }                                                                  \
  US_OVERLOAD T popcount(T x) { return us_popcount(x); }                                                               \
  US_OVERLOAD T bit_reverse(T x) { return us_bit_reverse(x); }
US_NAMED_SIGNED(COUNT)
US_NAMED_UNSIGNED(COUNT)
