// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt: owed 3 ulp (f32), correctly rounded (f64); ours is correctly rounded, llvm.sqrt.
// rsqrt: owed 2 ulp; 1 / sqrt(x) with both steps correctly rounded is within 1.5 ulp for f32 and f64.
#include "emulator/builtins/opencl/math/widths.h"

float US_HOT sqrt(float x) { return __builtin_elementwise_sqrt(x); }
double US_HOT sqrt(double x) { return __builtin_elementwise_sqrt(x); }
US_ALL1(sqrt)

float US_HOT rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }
double US_HOT rsqrt(double x) { return 1.0 / __builtin_elementwise_sqrt(x); }
US_ALL1(rsqrt)
