// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// popcount: the number of one bits.
#include "emulator/builtins/opencl/support.h"

#define COUNT(T, NAME)                                                                                                 \
  US_OVERLOAD T us_popcount(T x) __asm("llvm.ctpop." NAME);                                                            \
  US_OVERLOAD T popcount(T x) { return us_popcount(x); }
US_NAMED_SIGNED(COUNT)
US_NAMED_UNSIGNED(COUNT)
