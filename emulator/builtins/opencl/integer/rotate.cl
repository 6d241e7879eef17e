// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rotate: a left shift whose bits come back on the right; the count is taken modulo the width.
#include "emulator/builtins/opencl/support.h"

#define ROTATE(T, NAME)                                                                                                \
  US_OVERLOAD T us_funnel_shift(T high, T low, T count) __asm("llvm.fshl." NAME);                                      \
  US_OVERLOAD T rotate(T x, T count) { return us_funnel_shift(x, x, count); }
US_NAMED_SIGNED(ROTATE)
US_NAMED_UNSIGNED(ROTATE)
