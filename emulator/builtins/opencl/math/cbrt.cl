// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cbrt. Owed: 2 ulp (f32, f64, half). A guess from a third of the exponent bits, then Halley steps, each of which
// triples the number of right bits; in f64 for f32 (two steps), in f64 with a corrected last step for f64.
#include "emulator/builtins/opencl/math/widths.h"

// a positive and normal; about 16 (one step) or 47 bits (two steps) are right.
US_INLINE double halleyStep(double y, double a) {
  double cube = y * y * y;
  return y * ((cube + a + a) / (cube + cube + a));
}
US_INLINE double cbrtGuess(double a) {
  uint high = (uint)(as_ulong(a) >> 32);
  return as_double((ulong)(high / 3u + 715094163u) << 32);
}

float US_HOT cbrt(float x) {
  double a = absOf((double)x);
  double y = halleyStep(halleyStep(cbrtGuess(a), a), a);
  return flipSign(x == 0.0f || !isFinite(x) ? absOf(x) : (float)y, x);
}
double US_HOT cbrt(double x) {
  double given = absOf(x);
  bool tiny = given < 0x1p-900, huge = given > 0x1p900;
  double a = tiny ? given * 0x1p300 : (huge ? given * 0x1p-300 : given);
  double y = halleyStep(halleyStep(cbrtGuess(a), a), a);
  // One Newton step for the remaining error, with the residue y^3 - a exact to twice the precision.
  double square = y * y;
  double residue = fused(square, y, -a) + fused(y, y, -square) * y;
  y = y - residue / (3.0 * square);
  y = tiny ? y * 0x1p-100 : (huge ? y * 0x1p100 : y);
  return flipSign(x == 0.0 || !isFinite(x) ? given : y, x);
}
US_ALL1(cbrt)
