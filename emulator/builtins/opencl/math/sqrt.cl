// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt: owed 3 ulp (f32), correctly rounded (f64); ours is correctly rounded, llvm.sqrt.
// rsqrt: owed 2 ulp. 1 / sqrt(x) would be within 1.5 ulp, but vectors wait long for both. Where x is normal: a first guess
// by the bits, within 3.5 %, one or two steps of third order and one of second, within 1.1 ulp.
#include "emulator/builtins/opencl/math/widths.h"

float US_HOT sqrt(float x) { return __builtin_elementwise_sqrt(x); }
double US_HOT sqrt(double x) { return __builtin_elementwise_sqrt(x); }
US_ALL1(sqrt)

US_INLINE float closerRsqrt(float x, float y) {
  float h = fusedf(-x * y, y, 1.0f);
  return fusedf(y * h, fusedf(0.375f, h, 0.5f), y);
}
US_INLINE double closerRsqrt(double x, double y) {
  double h = fused(-x * y, y, 1.0);
  return fused(y * h, fused(0.375, h, 0.5), y);
}
float US_HOT rsqrt(float x) {
  float y = closerRsqrt(x, as_float(0x5f3759dfu - (as_uint(x) >> 1)));
  y = fusedf(y * 0.5f, fusedf(-x * y, y, 1.0f), y);
  if (as_uint(x) - 0x800000u >= 0x7f000000u) y = 1.0f / __builtin_elementwise_sqrt(x);
  return y;
}
double US_HOT rsqrt(double x) {
  double y = closerRsqrt(x, closerRsqrt(x, as_double(0x5fe6eb50c7b537a9ul - (as_ulong(x) >> 1))));
  y = fused(y * 0.5, fused(-x * y, y, 1.0), y);
  if (as_ulong(x) - 0x10000000000000ul >= 0x7fe0000000000000ul) y = 1.0 / __builtin_elementwise_sqrt(x);
  return y;
}
US_ALL1(rsqrt)
