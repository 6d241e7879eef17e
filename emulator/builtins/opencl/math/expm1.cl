// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expm1. Owed: 3 ulp (f32, f64), 2 (half). 2^n (e^r - 1) + (2^n - 1), the polynomial relative to e^r - 1.
#include "emulator/builtins/opencl/math/exp_core.h"

float US_HOT expm1(float x) {
  float y = expm1Core(x > 89.0f ? 89.0f : x);
  return absOf(x) < 0x1p-26f ? x : y;
}
double US_HOT expm1(double x) {
  double y = expm1Core(x > 710.0 ? 710.0 : x);
  return absOf(x) < 0x1p-55 ? x : y;
}
US_ALL1(expm1)
