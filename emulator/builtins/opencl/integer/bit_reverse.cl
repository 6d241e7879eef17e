// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bit_reverse of cl_khr_extended_bit_ops.
#include "emulator/builtins/opencl/support.h"

#define COUNT(T, NAME)                                                                                                 \
  US_OVERLOAD T us_bit_reverse(T x) __asm("llvm.bitreverse." NAME);                                                    \
  US_OVERLOAD T bit_reverse(T x) { return us_bit_reverse(x); }
US_NAMED_SIGNED(COUNT)
US_NAMED_UNSIGNED(COUNT)
