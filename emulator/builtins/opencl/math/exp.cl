// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2, exp10. Owed: 3 ulp (f32, f64), 2 (half). Reduction to |r| <= ln 2 / 2 and one polynomial, no table; the
// argument is first clamped to where the result leaves the format, so no other special case is left (NaN passes
// through).
#include "emulator/builtins/opencl/math/exp_core.h"

float US_HOT exp(float x) { return expScaled(within(x, -104.0f, 89.0f), 0); }
double US_HOT exp(double x) { return expScaled(within(x, -746.0, 710.0), 0); }
US_ALL1(exp)

float US_HOT exp2(float x) {
  x = within(x, -151.0f, 129.0f);
  RoundedF n = roundProduct(x, 1.0f);
  return scaleBy(exp2Kernel(x - n.n), n.k);
}
double US_HOT exp2(double x) {
  x = within(x, -1076.0, 1025.0);
  RoundedD n = roundProduct(x, 1.0);
  double f = x - n.n;
  double r = f * 0x1.62e42fefa39efp-1;
  double lost = fused(f, 0x1.62e42fefa39efp-1, -r) + f * 0x1.abc9e3b39803fp-56;
  double p = fused(r * r, expTail(r), lost) + r + 1.0;
  return scaleBy(p, n.k);
}
US_ALL1(exp2)

float US_HOT exp10(float x) {
  x = within(x, -46.0f, 39.0f);
  RoundedF n = roundProduct(x, 0x1.a934fp+1f);
  float r = fusedf(n.n, 0x1.ec10cp-27f, fusedf(n.n, -0x1.344136p-2f, x));
  float p = fusedf(0x1.7cf53ap-3f, r, 0x1.156476p-1f);
  p = fusedf(p, r, 0x1.2c0406p+0f);
  p = fusedf(p, r, 0x1.046fa4p+1f);
  p = fusedf(p, r, 0x1.535224p+1f);
  p = fusedf(p, r, 0x1.26bb1cp+1f);
  return scaleBy(fusedf(p, r, 1.0f), n.k);
}
double US_HOT exp10(double x) {
  x = within(x, -324.0, 309.0);
  RoundedD n = roundProduct(x, 0x1.a934f0979a371p+1);
  double f = fused(n.n, -0x1.34413509f79ffp-2, x);
  f = fused(n.n, 0x1.9dc1da994fd21p-59, f);
  double r = f * 0x1.26bb1bbb55516p+1;
  double lost = fused(f, 0x1.26bb1bbb55516p+1, -r) + f * -0x1.f48ad494ea3e9p-53;
  double p = fused(r * r, expTail(r), lost) + r + 1.0;
  return scaleBy(p, n.k);
}
US_ALL1(exp10)
