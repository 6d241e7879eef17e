// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tanh. Owed: 5 ulp (f32, f64), 2 (half). t / (t + 2) with t = e^2|x| - 1, which loses nothing near zero.
#include "emulator/builtins/opencl/math/exp_core.h"

float US_HOT tanh(float x) {
  float a = absOf(x);
  float t = expm1Core(a > 10.0f ? 20.0f : 2.0f * a);
  float y = t / (t + 2.0f);
  return flipSign(a < 0x1p-13f ? a : y, x);
}
double US_HOT tanh(double x) {
  double a = absOf(x);
  double t = expm1Core(a > 20.0 ? 40.0 : 2.0 * a);
  double y = t / (t + 2.0);
  return flipSign(a < 0x1p-28 ? a : y, x);
}
US_ALL1(tanh)
