// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt: owed 3 ulp (f32), correctly rounded (f64); ours is correctly rounded, llvm.sqrt.
// rsqrt: owed 2 ulp. 1 / sqrt(x) would be within 1.5 ulp, but vectors wait long for both. Where x is normal: a first
// guess y by the bits, within 3.5 %. f32: y times (1 - h)^(-1/2), h = 1 - x y^2 between -0.07 and 0.068, by a
// polynomial (relative error 2^-25.3), within 1.35 ulp. f64: two steps of third order and one of second, within 1.1
// ulp.
#include "emulator/builtins/opencl/math/widths.h"

float US_HOT sqrt(float x) { return __builtin_elementwise_sqrt(x); }
double US_HOT sqrt(double x) { return __builtin_elementwise_sqrt(x); }
US_ALL1(sqrt)

US_INLINE double closerRsqrt(double x, double y) {
  double h = fused(-x * y, y, 1.0);
  return fused(y * h, fused(0.375, h, 0.5), y);
}
float US_HOT rsqrt(float x) {
  float y = as_float(0x5f3759dfu - (as_uint(x) >> 1)), h = fusedf(-x * y, y, 1.0f);
  float p = fusedf(fusedf(0x1.183136p-2f, h, 0x1.417bb6p-2f), h, 0x1.800078p-2f);
  y = fusedf(y * h, fusedf(p, h, 0x1.ffff8ep-2f), y);
  if (US_RARELY(as_uint(x) - 0x800000u >= 0x7f000000u)) y = 1.0f / __builtin_elementwise_sqrt(x);
  return y;
}
double US_HOT rsqrt(double x) {
  double y = closerRsqrt(x, closerRsqrt(x, as_double(0x5fe6eb50c7b537a9ul - (as_ulong(x) >> 1))));
  y = fused(y * 0.5, fused(-x * y, y, 1.0), y);
  if (US_RARELY(as_ulong(x) - 0x10000000000000ul >= 0x7fe0000000000000ul)) y = 1.0 / __builtin_elementwise_sqrt(x);
  return y;
}
US_ALL1(rsqrt)
