// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin. Owed: 4 ulp (f32, f64), 2 (half), for every finite argument. trig_core.h tells how arguments are reduced.
#include "emulator/builtins/opencl/math/trig_core.h"

float US_HOT sin(float x) {
  ReducedF a = reduceAngle(x);
  return flipSign(sinInQuarter(sinKernel(a.r), cosKernel(a.r), a.n), x);
}
double US_HOT sin(double x) { return sine(x); }
US_ALL1(sin)
