// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sub_sat: x - y, saturated to the range of the type.
#include "emulator/builtins/opencl/support.h"

#define SUB_SAT(T, NAME, KIND)                                                                                         \
  US_OVERLOAD T us_sub_sat(T x, T y) __asm("llvm." KIND "sub.sat." NAME);                                              \
  US_OVERLOAD T sub_sat(T x, T y) { return us_sub_sat(x, y); }
US_NAMED_SIGNED(SUB_SAT, "s")
US_NAMED_UNSIGNED(SUB_SAT, "u")
