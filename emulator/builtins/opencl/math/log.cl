// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log2, log10. Owed: 3 ulp (f32, f64), 2 (half). x = 2^k (1 + f); a polynomial in f for f32, the atanh series for
// f64; the factors 1/ln 2 and 1/ln 10 are kept to twice the precision, so that nothing is lost near 1.
#include "emulator/builtins/opencl/math/log_core.h"

// NAME, from NAME##Of of a split number; what is denormal, zero, negative, infinite or a NaN is an `if`.
#define US_LOGARITHM(NAME)                                                                                             \
  float US_HOT NAME(float x) {                                                                                         \
    float y = NAME##Of(splitLogNormal(x));                                                                             \
    if (US_RARELY(as_uint(x) - 0x800000u >= 0x7f000000u)) y = logSpecial(x, NAME##Of(splitLogDenormal(x)));            \
    return y;                                                                                                          \
  }                                                                                                                    \
  double US_HOT NAME(double x) {                                                                                       \
    double y = NAME##Of(splitLogNormal(x));                                                                            \
    if (US_RARELY(as_ulong(x) - 0x10000000000000ul >= 0x7fe0000000000000ul))                                           \
      y = logSpecial(x, NAME##Of(splitLogDenormal(x)));                                                                \
    return y;                                                                                                          \
  }                                                                                                                    \
  US_ALL1(NAME)

US_INLINE float logOf(SplitF s) { return logCore(s.f, s.k); }
US_INLINE double logOf(SplitD s) { return logCore(s.f, s.k); }
US_LOGARITHM(log)

US_INLINE float log2Of(SplitF s) {
  float f = s.f;
  float p = fusedf(-0x1.c7d5cep-4f, f, 0x1.80efb6p-3f);
  p = fusedf(p, f, -0x1.8862dp-3f);
  p = fusedf(p, f, 0x1.a2b886p-3f);
  p = fusedf(p, f, -0x1.ea9546p-3f);
  p = fusedf(p, f, 0x1.277e6ap-2f);
  p = fusedf(p, f, -0x1.715b04p-2f);
  p = fusedf(p, f, 0x1.ec7096p-2f);
  p = fusedf(p, f, -0x1.71547p-1f);
  p = fusedf(p, f, 0x1.49dea8p-26f);
  return fusedf(f, 0x1.715476p+0f, p * f) + s.k;
}

US_INLINE double log2Of(SplitD s) {
  double y = logCore(s.f, 0.0);
  return fused(y, 0x1.71547652b82fep+0, fused(y, 0x1.777d0ffda0d24p-56, s.k));
}
US_LOGARITHM(log2)

US_INLINE float log10Of(SplitF s) {
  float f = s.f;
  float p = fusedf(-0x1.16cb0cp-5f, f, 0x1.d2c9b6p-5f);
  p = fusedf(p, f, -0x1.d8c372p-5f);
  p = fusedf(p, f, 0x1.f7f8b6p-5f);
  p = fusedf(p, f, -0x1.275704p-4f);
  p = fusedf(p, f, 0x1.63ce96p-4f);
  p = fusedf(p, f, -0x1.bcbf68p-4f);
  p = fusedf(p, f, 0x1.287a72p-3f);
  p = fusedf(p, f, -0x1.bcb7aap-3f);
  p = fusedf(p, f, -0x1.5bbec2p-27f);
  float y = fusedf(f, 0x1.bcb7b2p-2f, p * f);
  return fusedf(s.k, 0x1.344136p-2f, fusedf(s.k, -0x1.ec10cp-27f, y));
}
US_INLINE double log10Of(SplitD s) {
  double y = logCore(s.f, 0.0);
  double low = fused(s.k, -0x1.9dc1da994fd21p-59, y * 0x1.95355baaafad3p-57);
  return fused(s.k, 0x1.34413509f79ffp-2, fused(y, 0x1.bcb7b1526e50ep-2, low));
}
US_LOGARITHM(log10)
