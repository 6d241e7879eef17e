// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ctz: trailing zeros; of 0, the width of the type.
#include "emulator/builtins/opencl/support.h"

#define COUNT(T, NAME)                                                                                                 \
  US_OVERLOAD T us_ctz(T x, bool poison) __asm("llvm.cttz." NAME);                                                     \
  US_OVERLOAD T ctz(T x) { return us_ctz(x, false); }
US_NAMED_SIGNED(COUNT)
US_NAMED_UNSIGNED(COUNT)
