// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// native_*: f32 functions without an accuracy owed. Relative errors: native_exp, native_log, native_log2 and
// native_log10 2^-21, native_exp2 2^-22, native_powr 1e-5; native_sin and native_cos are 2^-22 off, and reduce
// arguments up to 2^16 only, as native_tan does. The ends are kept: infinities, zero for what is smaller than a normal
// number, NaN. Where the full function is as cheap, it is the full function.
#include "emulator/builtins/opencl/math/log_core.h"
#include "emulator/builtins/opencl/math/trig_core.h"

// x less the nearest multiple of pi, whose parity is bit 0 of n. Far outside the range the remainder means nothing, but
// the results stay those of a sine.
US_INLINE ReducedF lessHalfTurns(float x) {
  float t = fusedf(x, 0x1.45f306p-2f, 0x1.8p23f);
  float n = t - 0x1.8p23f;
  float r = fusedf(n, 0x1.777a5cp-24f, fusedf(n, -0x1.921fb6p+1f, x));
  ReducedF result = {within(r, -1.6f, 1.6f), as_uint(t)};
  return result;
}
US_INLINE float negateIfOdd(float x, uint n) { return as_float(as_uint(x) ^ (n << 31)); }
// The last factor is a unit in its last place too large, so that no sum is rounded to more than 1.
float US_HOT native_sin(float x) {
  ReducedF a = lessHalfTurns(x);
  float s = a.r * a.r;
  float p = fusedf(0x1.5dbceap-19f, s, -0x1.9f6feep-13f);
  p = fusedf(p, s, 0x1.110ed4p-7f);
  p = fusedf(p, s, -0x1.55554ep-3f);
  return negateIfOdd(fusedf(a.r * s, p, a.r), a.n);
}
float US_HOT native_cos(float x) {
  ReducedF a = lessHalfTurns(x);
  float s = a.r * a.r;
  float p = fusedf(0x1.8521cap-16f, s, -0x1.6b3978p-10f);
  p = fusedf(p, s, 0x1.554fb8p-5f);
  p = fusedf(p, s, -0x1.ffffd2p-2f);
  return negateIfOdd(fusedf(p, s, 1.0f), a.n);
}

US_INLINE ReducedF reduceQuickly(float x) {
  float t = fusedf(absOf(x), 0x1.45f306p-1f, 0x1.8p23f);
  float n = t - 0x1.8p23f;
  float r = fusedf(n, 0x1.777a5cp-25f, fusedf(n, -0x1.921fb6p+0f, absOf(x)));
  ReducedF result = {within(r, -0.8f, 0.8f), as_uint(t)};
  return result;
}
float US_HOT native_tan(float x) {
  ReducedF a = reduceQuickly(x);
  float s = sinKernel(a.r), c = cosKernel(a.r);
  bool odd = (a.n & 1u) != 0;
  return flipSign((odd ? -c : s) / (odd ? s : c), x);
}

// p 2^n, where t is n and a large number.
US_INLINE float shiftExponent(float p, float t) { return as_float(as_uint(p) + (as_uint(t) << 23)); }
float US_HOT native_exp(float x) {
  float t = fusedf(x, 0x1.715476p+0f, 0x1.8p23f);
  float r = fusedf(t - 0x1.8p23f, -0x1.62e43p-1f, x);
  float p = fusedf(0x1.10621ep-7f, r, 0x1.572adap-5f);
  p = fusedf(p, r, 0x1.5557bp-3f);
  p = fusedf(p, r, 0x1.fffdfap-2f);
  float y = shiftExponent(fusedf(r * r, p, r) + 1.0f, t);
  y = x < -0x1.5d589ep+6f ? 0.0f : y;
  return x > 0x1.62e43p+6f ? INFINITY : y;
}
// At both ends r is 0: the exponent alone makes the zero and the infinity.
float US_HOT native_exp2(float x) {
  x = within(x, -127.0f, 128.0f);
  float t = x + 0x1.8p23f, r = x - (t - 0x1.8p23f);
  float p = fusedf(0x1.5bba14p-10f, r, 0x1.3cea88p-7f);
  p = fusedf(p, r, 0x1.c6b752p-5f);
  p = fusedf(p, r, 0x1.ebf9bcp-3f);
  p = fusedf(p, r, 0x1.62e42ap-1f);
  return shiftExponent(fusedf(p, r, 1.0f), t);
}
float US_HOT native_exp10(float x) { return exp10(x); }

// f + f^2 P(f), and log2(1 + f) as f Q(f).
US_INLINE float quickLog(SplitF s) {
  float f = s.f;
  float p = fusedf(-0x1.9cf96ep-4f, f, 0x1.4b606ep-3f);
  p = fusedf(p, f, -0x1.612428p-3f);
  p = fusedf(p, f, 0x1.97b166p-3f);
  p = fusedf(p, f, -0x1.ff6928p-3f);
  p = fusedf(p, f, 0x1.5558f4p-2f);
  p = fusedf(p, f, -0x1.00006cp-1f);
  return fusedf(s.k, 0x1.62e43p-1f, fusedf(f * f, p, f));
}
US_INLINE float quickLog2(SplitF s) {
  float f = s.f;
  float p = fusedf(-0x1.2a9f5p-3f, f, 0x1.df519ap-3f);
  p = fusedf(p, f, -0x1.fdb328p-3f);
  p = fusedf(p, f, 0x1.25fd34p-2f);
  p = fusedf(p, f, -0x1.70e2a8p-2f);
  p = fusedf(p, f, 0x1.ec7724p-2f);
  p = fusedf(p, f, -0x1.715528p-1f);
  p = fusedf(p, f, 0x1.715474p+0f);
  return fusedf(p, f, s.k);
}
US_INLINE float quickLog10(SplitF s) { return quickLog2(s) * 0x1.344136p-2f; }
#define US_QUICK_LOGARITHM(NAME, OF)                                                                                   \
  float US_HOT NAME(float x) {                                                                                         \
    float y = OF(splitLogNormal(x));                                                                                   \
    if (US_RARELY(as_uint(x) - 0x800000u >= 0x7f000000u)) y = logSpecial(x, OF(splitLogDenormal(x)));                  \
    return y;                                                                                                          \
  }
US_QUICK_LOGARITHM(native_log, quickLog)
US_QUICK_LOGARITHM(native_log2, quickLog2)
US_QUICK_LOGARITHM(native_log10, quickLog10)

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
