// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cos. Owed: 4 ulp (f32, f64), 2 (half), for every finite argument. trig_core.h tells how arguments are reduced.
#include "emulator/builtins/opencl/math/trig_core.h"

float US_HOT cos(float x) {
  ReducedF a = reduceAngle(x);
  return sinInQuarter(sinKernel(a.r), cosKernel(a.r), a.n + 1u);
}
double US_HOT cos(double x) { return cosine(x); }
US_ALL1(cos)
