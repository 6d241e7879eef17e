// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin. Owed: 4 ulp (f32, f64), 2 (half), for every finite argument. trig_core.h tells how arguments are reduced.
#include "emulator/builtins/opencl/math/trig_core.h"

#define US_SIN(T)                                                                                                      \
  T US_HOT sin(T x) {                                                                                                  \
    __typeof__(reduceAngle(x)) a = reduceAngle(x);                                                                     \
    return flipSign(sinInQuarter(sinKernel(a.r), cosKernel(a.r), a.n), x);                                             \
  }
US_SIN(float)
US_SIN(double)
US_ALL1(sin)
