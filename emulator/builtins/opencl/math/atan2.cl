// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atan2, atan2pi. Owed: 6 ulp (f32, f64), 2 (half). The angle of the smaller over the larger magnitude, then into
// its octant; the quotients 0 / 0 and inf / inf are 0 and 1, which gives every special value of the specification.
#include "emulator/builtins/opencl/math/atan_core.h"

// The angle in the first octant of |y|, |x|.
US_INLINE float octantAngle(float y, float x) {
  float a = absOf(y), b = absOf(x);
  float small = a < b ? a : b, large = a < b ? b : a;
  float q = small == large ? 1.0f : small / large;
  return atanKernel(large == 0.0f ? 0.0f : q);
}

float US_HOT atan2(float y, float x) {
  float t = octantAngle(y, x);
  t = absOf(y) > absOf(x) ? 0x1.921fb6p+0f - (t - -0x1.777a5cp-25f) : t;
  t = isNegative(x) ? 0x1.921fb6p+1f - (t - -0x1.777a5cp-24f) : t;
  return isNan(x) || isNan(y) ? x + y : flipSign(t, y);
}
float US_HOT atan2pi(float y, float x) {
  float t = octantAngle(y, x) * 0x1.45f306p-2f;
  // "atan2pi ( ±∞, +∞ ) returns ±0.25": exactly.
  t = absOf(y) == absOf(x) && x != 0.0f ? 0.25f : t;
  t = absOf(y) > absOf(x) ? 0.5f - t : t;
  t = isNegative(x) ? 1.0f - t : t;
  return isNan(x) || isNan(y) ? x + y : flipSign(t, y);
}
double US_HOT atan2(double y, double x) {
  double a = absOf(y), b = absOf(x);
  bool steep = a > b;
  double small = steep ? b : a, large = steep ? a : b;
  // Halved where a sum could overflow, doubled up where a quotient of denormals would lose bits.
  double scale = large > 0x1p1000 ? 0x1p-100 : (large < 0x1p-900 ? 0x1p100 : 1.0);
  bool equal = small == large;
  AngleD t = atanOfRatio(equal ? 1.0 : small * scale, equal ? 1.0 : large * scale);
  bool none = large == 0.0;
  t.hi = none ? 0.0 : t.hi;
  t.lo = none ? 0.0 : t.lo;
  // pi / 2 - angle, pi - angle: the high parts subtract exactly.
  t.hi = steep ? 0x1.921fb54442d18p+0 - t.hi : t.hi;
  t.lo = steep ? 0x1.1a62633145c07p-54 - t.lo : t.lo;
  t.hi = isNegative(x) ? 0x1.921fb54442d18p+1 - t.hi : t.hi;
  t.lo = isNegative(x) ? 0x1.1a62633145c07p-53 - t.lo : t.lo;
  return isNan(x) || isNan(y) ? x + y : flipSign(t.hi + t.lo, y);
}
double US_HOT atan2pi(double y, double x) { return atan2(y, x) * 0x1.45f306dc9c883p-2; }
US_ALL2(atan2)
US_ALL2(atan2pi)
