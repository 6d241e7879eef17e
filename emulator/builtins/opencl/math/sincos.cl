// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sincos: sin returned and cos stored, with one reduction in f32; accuracy and results as sin and cos.
#include "emulator/builtins/opencl/math/trig_core.h"

float US_HOT sincos(float x, __private float *cosine) {
  ReducedF a = reduceAngle(x);
  float s = sinKernel(a.r), c = cosKernel(a.r);
  *cosine = sinInQuarter(s, c, a.n + 1u);
  return flipSign(sinInQuarter(s, c, a.n), x);
}
double US_HOT sincos(double x, __private double *out) {
  *out = cosine(x);
  return sine(x);
}

half US_HOT sincos(half x, __private half *cosine) {
  float c;
  half s = (half)sincos((float)x, &c);
  *cosine = (half)c;
  return s;
}
US_POINTER1(sincos, float, float, float)
US_POINTER1(sincos, double, double, double)
US_POINTER1(sincos, half, half, half)
