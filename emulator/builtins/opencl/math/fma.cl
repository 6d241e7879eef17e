// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fma: correctly rounded, the llvm.fma intrinsic (hardware or the C library's exact fallback).
// mad: the specification lets it be anything between; ours is fma, so that it never depends on the tier.
#include "emulator/builtins/opencl/math/widths.h"

float US_HOT fma(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
double US_HOT fma(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }

// In f64 the sum of a half product and a half is exact whenever it could be near a rounding boundary of half. The way
// down to half goes through float with the lost bits kept as a sticky bit, so that only one rounding happens.
half US_HOT fma(half x, half y, half z) {
  ulong bits = as_ulong(__builtin_elementwise_fma((double)x, (double)y, (double)z));
  ulong lost = bits & 0x1ffffffful;
  ulong sticky = lost != 0 ? 0x20000000ul : 0ul;
  double odd = as_double((bits & ~0x1ffffffful) | sticky);
  return (half)(float)odd;
}
US_COMPONENTS3(fma, float, float, float, float)
US_COMPONENTS3(fma, double, double, double, double)
US_COMPONENTS3(fma, half, half, half, half)

float US_HOT mad(float x, float y, float z) { return __builtin_elementwise_fma(x, y, z); }
double US_HOT mad(double x, double y, double z) { return __builtin_elementwise_fma(x, y, z); }
half US_HOT mad(half x, half y, half z) { return (half)((float)x * (float)y + (float)z); }
US_COMPONENTS3(mad, float, float, float, float)
US_COMPONENTS3(mad, double, double, double, double)
US_COMPONENTS3(mad, half, half, half, half)
