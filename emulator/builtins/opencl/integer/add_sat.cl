// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// add_sat: x + y, saturated to the range of the type.
#include "emulator/builtins/opencl/support.h"

#define ADD_SAT(T, NAME, KIND)                                                                                         \
  US_OVERLOAD T us_add_sat(T x, T y) __asm("llvm." KIND "add.sat." NAME);                                              \
  US_OVERLOAD T add_sat(T x, T y) { return us_add_sat(x, y); }
US_NAMED_SIGNED(ADD_SAT, "s")
US_NAMED_UNSIGNED(ADD_SAT, "u")
