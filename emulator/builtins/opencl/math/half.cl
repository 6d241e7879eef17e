// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// half_*: f32 functions owed 8192 ulp. Each is the full function: the cheaper form would save little and surprise many.
#include "emulator/builtins/opencl/math/widths.h"

#define US_HALF_PRECISION1(NAME)                                                                                       \
  float US_HOT half_##NAME(float x) { return NAME(x); }                                                                \
  US_COMPONENTS1(half_##NAME, float, float)

US_HALF_PRECISION1(cos)
US_HALF_PRECISION1(exp)
US_HALF_PRECISION1(exp10)
US_HALF_PRECISION1(exp2)
US_HALF_PRECISION1(log)
US_HALF_PRECISION1(log10)
US_HALF_PRECISION1(log2)
US_HALF_PRECISION1(rsqrt)
US_HALF_PRECISION1(sin)
US_HALF_PRECISION1(sqrt)
US_HALF_PRECISION1(tan)

float US_HOT half_divide(float x, float y) { return x / y; }
float US_HOT half_powr(float x, float y) { return powr(x, y); }
float US_HOT half_recip(float x) { return 1.0f / x; }
US_COMPONENTS2(half_divide, float, float, float)
US_COMPONENTS2(half_powr, float, float, float)
US_COMPONENTS1(half_recip, float, float)
