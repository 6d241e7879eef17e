// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clz: leading zeros; of 0, the width of the type.
#include "emulator/builtins/opencl/support.h"

#define COUNT(T, NAME)                                                                                                 \
  US_OVERLOAD T us_clz(T x, bool poison) __asm("llvm.ctlz." NAME);                                                     \
  US_OVERLOAD T clz(T x) { return us_clz(x, false); }
US_NAMED_SIGNED(COUNT)
US_NAMED_UNSIGNED(COUNT)
