// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ceil, floor, rint, round, trunc: correctly rounded; one LLVM intrinsic each.
#include "emulator/builtins/opencl/math/widths.h"

float US_HOT ceil(float x) { return __builtin_elementwise_ceil(x); }
double US_HOT ceil(double x) { return __builtin_elementwise_ceil(x); }
US_ALL1(ceil)

float US_HOT floor(float x) { return __builtin_elementwise_floor(x); }
double US_HOT floor(double x) { return __builtin_elementwise_floor(x); }
US_ALL1(floor)

float US_HOT rint(float x) { return __builtin_elementwise_rint(x); }
double US_HOT rint(double x) { return __builtin_elementwise_rint(x); }
US_ALL1(rint)

float US_HOT round(float x) { return __builtin_elementwise_round(x); }
double US_HOT round(double x) { return __builtin_elementwise_round(x); }
US_ALL1(round)

float US_HOT trunc(float x) { return __builtin_elementwise_trunc(x); }
double US_HOT trunc(double x) { return __builtin_elementwise_trunc(x); }
US_ALL1(trunc)
