// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// native_*: f32 functions without an accuracy owed. Where the full function is as cheap, it is the full function;
// native_sin, native_cos and native_tan reduce arguments up to 2^16 only, native_powr has a relative error of 1e-5.
#include "emulator/builtins/opencl/math/trig_core.h"

// Far outside the range the remainder means nothing, but the result stays a sine.
US_INLINE ReducedF reduceQuickly(float x) {
  float t = fusedf(absOf(x), 0x1.45f306p-1f, 0x1.8p23f);
  float n = t - 0x1.8p23f;
  float r = fusedf(n, 0x1.777a5cp-25f, fusedf(n, -0x1.921fb6p+0f, absOf(x)));
  ReducedF result = {within(r, -0.8f, 0.8f), as_uint(t)};
  return result;
}
float US_HOT native_sin(float x) {
  ReducedF a = reduceQuickly(x);
  return flipSign(sinInQuarter(sinKernel(a.r), cosKernel(a.r), a.n), x);
}
float US_HOT native_cos(float x) {
  ReducedF a = reduceQuickly(x);
  return sinInQuarter(sinKernel(a.r), cosKernel(a.r), a.n + 1u);
}
float US_HOT native_tan(float x) {
  ReducedF a = reduceQuickly(x);
  float s = sinKernel(a.r), c = cosKernel(a.r);
  bool odd = (a.n & 1u) != 0;
  return flipSign((odd ? -c : s) / (odd ? s : c), x);
}

#define US_NATIVE_FULL(NAME)                                                                                           \
  float US_HOT native_##NAME(float x) { return NAME(x); }
US_NATIVE_FULL(exp)
US_NATIVE_FULL(exp2)
US_NATIVE_FULL(exp10)
US_NATIVE_FULL(log)
US_NATIVE_FULL(log2)
US_NATIVE_FULL(log10)

float US_HOT native_powr(float x, float y) { return exp2(y * log2(x)); }
float US_HOT native_divide(float x, float y) { return x / y; }
float US_HOT native_recip(float x) { return 1.0f / x; }
float US_HOT native_sqrt(float x) { return __builtin_elementwise_sqrt(x); }
float US_HOT native_rsqrt(float x) { return 1.0f / __builtin_elementwise_sqrt(x); }

US_COMPONENTS1(native_cos, float, float)
US_COMPONENTS1(native_exp, float, float)
US_COMPONENTS1(native_exp10, float, float)
US_COMPONENTS1(native_exp2, float, float)
US_COMPONENTS1(native_log, float, float)
US_COMPONENTS1(native_log10, float, float)
US_COMPONENTS1(native_log2, float, float)
US_COMPONENTS1(native_recip, float, float)
US_COMPONENTS1(native_rsqrt, float, float)
US_COMPONENTS1(native_sin, float, float)
US_COMPONENTS1(native_sqrt, float, float)
US_COMPONENTS1(native_tan, float, float)
US_COMPONENTS2(native_divide, float, float, float)
US_COMPONENTS2(native_powr, float, float, float)
