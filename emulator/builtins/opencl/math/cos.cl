// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cos. Owed: 4 ulp (f32, f64), 2 (half), for every finite argument. trig_core.h tells how arguments are reduced.
#include "emulator/builtins/opencl/math/trig_core.h"

#define US_COS(T)                                                                                                      \
  T US_HOT cos(T x) {                                                                                                  \
    __typeof__(reduceAngle(x)) a = reduceAngle(x);                                                                     \
    return sinInQuarter(sinKernel(a.r), cosKernel(a.r), a.n + 1u);                                                     \
  }
US_COS(float)
US_COS(double)
US_ALL1(cos)
