// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tan. Owed: 5 ulp (f32, f64), 2 (half), for every finite argument: sin r / cos r, or -cos r / sin r in the odd
// quarters.
#include "emulator/builtins/opencl/math/trig_core.h"

#define US_TAN(T)                                                                                                      \
  T US_HOT tan(T x) {                                                                                                  \
    __typeof__(reduceAngle(x)) a = reduceAngle(x);                                                                     \
    T s = sinKernel(a.r), c = cosKernel(a.r);                                                                          \
    bool odd = (a.n & 1u) != 0;                                                                                        \
    return flipSign((odd ? -c : s) / (odd ? s : c), x);                                                                \
  }
US_TAN(float)
US_TAN(double)
US_ALL1(tan)
