// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2, exp10. Owed: 3 ulp (f32, f64), 2 (half). Reduction to |r| <= ln 2 / 2 and one polynomial, no table. A
// result that is not normal is an `if` (scaleResult).
#include "emulator/builtins/opencl/math/exp_core.h"

float US_HOT exp(float x) {
  RoundedF n = roundProduct(x, 0x1.715476p+0f);
  float r = lessLn2(x, n.n);
  return scaleResult(fusedf(fusedf(expTail(r), r, 1.0f), r, 1.0f), n, x, 87.0f, -104.0f, 89.0f);
}
double US_HOT exp(double x) {
  RoundedD n = roundProduct(x, 0x1.71547652b82fep+0);
  double r = lessLn2(x, n.n);
  return scaleResult(fused(r * r, expTail(r), r) + 1.0, n, x, 708.0, -746.0, 710.0);
}
US_ALL1(exp)

float US_HOT exp2(float x) {
  RoundedF n = roundProduct(x, 1.0f);
  return scaleResult(exp2Kernel(x - n.n), n, x, 125.0f, -151.0f, 129.0f);
}
double US_HOT exp2(double x) {
  RoundedD n = roundProduct(x, 1.0);
  // (2^f - 1) / f, relative error of the whole 2^-57.
  double f = x - n.n, f2 = f * f;
  double rest = fused(0x1.ec6b1f5cde91p-32, f2, fused(0x1.e60597db048a8p-28, f, 0x1.b5233607b95ccp-24));
  double p = pairs8(f, f2, rest, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c598p-3, 0x1.c6b08d704a1d3p-5, 0x1.3b2ab6fba1ec3p-7,
                    0x1.5d87fe7874949p-10, 0x1.43091309445ep-13, 0x1.ffcbfd47945bap-17, 0x1.62bfd4de2d338p-20);
  return scaleResult(fused(p, f, 1.0), n, x, 1021.0, -1076.0, 1025.0);
}
US_ALL1(exp2)

float US_HOT exp10(float x) {
  RoundedF n = roundProduct(x, 0x1.a934fp+1f);
  float r = fusedf(n.n, 0x1.ec10cp-27f, fusedf(n.n, -0x1.344136p-2f, x));
  float p = fusedf(0x1.7cf53ap-3f, r, 0x1.156476p-1f);
  p = fusedf(p, r, 0x1.2c0406p+0f);
  p = fusedf(p, r, 0x1.046fa4p+1f);
  p = fusedf(p, r, 0x1.535224p+1f);
  p = fusedf(p, r, 0x1.26bb1cp+1f);
  return scaleResult(fusedf(p, r, 1.0f), n, x, 37.0f, -46.0f, 39.0f);
}
double US_HOT exp10(double x) {
  RoundedD n = roundProduct(x, 0x1.a934f0979a371p+1);
  double f = fused(n.n, -0x1.34413509f79ffp-2, x);
  f = fused(n.n, 0x1.9dc1da994fd21p-59, f);
  // (10^f - 1) / f, relative error of the whole 2^-57.
  double f2 = f * f;
  double rest = fused(0x1.f4fe0a7095469p-13, f2, fused(0x1.2f670fd028c31p-10, f, 0x1.489b057006203p-8));
  double p = pairs8(f, f2, rest, 0x1.26bb1bbb55516p+1, 0x1.53524c73cea6fp+1, 0x1.0470591de2afap+1, 0x1.2bd7609fd6b35p+0,
                    0x1.1429ffd23a53fp-1, 0x1.a7ed709aa83f9p-3, 0x1.16e4de89a407dp-4, 0x1.41166a35fc364p-6);
  return scaleResult(fused(p, f, 1.0), n, x, 307.0, -324.0, 309.0);
}
US_ALL1(exp10)
