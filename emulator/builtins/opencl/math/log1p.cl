// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log1p. Owed: 2 ulp (f32, f64, half). k comes from 1 + x rounded; f = 2^-k (1 + x) - 1 is then found from x itself by
// an fma, so nothing of a small x is lost.
#include "emulator/builtins/opencl/math/log_core.h"

float US_HOT log1p(float x) {
  float u = 1.0f + x;
  uint bits = as_uint(u);
  int k = (int)(bits - 0x3f3504f3u) >> 23;
  // Above 2^24 1 + x is x, and 2^-k might be no normal number: f comes from the bits.
  bool large = x > 0x1p24f;
  float scale = pow2f(large ? 0 : -k);
  float f = large ? as_float(bits - ((uint)k << 23)) - 1.0f : fusedf(x, scale, scale - 1.0f);
  float y = logCore(f, (float)k);
  y = logSpecial(u, y);
  return absOf(x) < 0x1p-26f ? x : y;
}
double US_HOT log1p(double x) { return log1pCore(x); }
US_ALL1(log1p)
