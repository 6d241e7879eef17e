// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sincos: sin returned and cos stored, with one reduction; accuracy and results as sin and cos.
#include "emulator/builtins/opencl/math/trig_core.h"

#define US_SINCOS(T)                                                                                                   \
  T US_HOT sincos(T x, __private T *cosine) {                                                                          \
    __typeof__(reduceAngle(x)) a = reduceAngle(x);                                                                     \
    T s = sinKernel(a.r), c = cosKernel(a.r);                                                                          \
    *cosine = sinInQuarter(s, c, a.n + 1u);                                                                            \
    return flipSign(sinInQuarter(s, c, a.n), x);                                                                       \
  }
US_SINCOS(float)
US_SINCOS(double)

half US_HOT sincos(half x, __private half *cosine) {
  float c;
  half s = (half)sincos((float)x, &c);
  *cosine = (half)c;
  return s;
}
US_POINTER1(sincos, float, float, float)
US_POINTER1(sincos, double, double, double)
US_POINTER1(sincos, half, half, half)
