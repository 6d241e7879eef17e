// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's narrow floating-point types, for which OpenCL C has no functions: bf16, tf32 and numbers of 8 bits. Each result
// is rounded once.
#include "emulator/builtins/opencl/ptx/ptx.h"

// Towards: 0 nearest even, 1 zero, 2 minus infinity, 3 plus infinity, 4 nearest, ties away from zero.
US_INLINE double us_rounded(double x, uint mode) {
  switch (mode) {
  case 0:
    return rint(x);
  case 1:
    return trunc(x);
  case 2:
    return floor(x);
  case 3:
    return ceil(x);
  default:
    return round(x);
  }
}
US_INLINE bool us_rounds_to_infinity(double x, uint mode) {
  return mode == 0 || mode == 4 || (mode == 2 && x < 0) || (mode == 3 && x > 0);
}
US_INLINE double us_power(int exponent) { return as_double((ulong)(exponent + 1023) << 52); }

// A number with so many bits behind its leading one, the smallest normal exponent given; what is too large stays so.
US_INLINE double us_narrowed(double x, uint mode, int bits, int smallest) {
  int exponent = (int)(as_ulong(x) >> 52 & 0x7ff) - 1023;
  int unit = (exponent < smallest ? smallest : exponent) - bits;
  return us_rounded(x * us_power(-unit), mode) * us_power(unit);
}

ushort us_ptx_to_bf16(double x, uint mode) {
  if (x != x) return 0x7fff;
  ushort sign = as_ulong(x) >> 63 ? 0x8000 : 0;
  if (fabs(x) == INFINITY) return sign | 0x7f80;
  double narrow = fabs(x) >= 0x1p128 ? x : us_narrowed(x, mode, 7, -126);
  if (fabs(narrow) >= 0x1p128) return sign | (us_rounds_to_infinity(x, mode) ? 0x7f80 : 0x7f7f);
  return sign | (as_uint((float)fabs(narrow)) >> 16);
}
// Odd where bits were lost, so that the next rounding sees that they were there.
US_INLINE double us_odd(double x, bool inexact) { return inexact ? as_double(as_ulong(x) | 1) : x; }
ushort us_ptx_long_to_bf16(long x, uint mode) {
  double towards = convert_double_rtz(x);
  return us_ptx_to_bf16(us_odd(towards, (long)towards != x), mode);
}
ushort us_ptx_ulong_to_bf16(ulong x, uint mode) {
  double towards = convert_double_rtz(x);
  return us_ptx_to_bf16(us_odd(towards, (ulong)towards != x), mode);
}

// The product has 16 bits and is exact in f64; of the sum the part that f64 loses is known too.
ushort us_ptx_fma_bf16(ushort a, ushort b, ushort c) {
  double product = (double)as_float((uint)a << 16) * (double)as_float((uint)b << 16);
  double addend = as_float((uint)c << 16), sum = product + addend;
  double back = sum - product, lost = (product - (sum - back)) + (addend - back);
  if (lost != 0 && fabs(sum) < INFINITY && (as_ulong(sum) & 1) == 0)
    sum = as_double(as_ulong(sum) + ((lost > 0) == (sum > 0) ? 1l : -1l));
  return us_ptx_to_bf16(sum, 0);
}

// tf32 is an f32 whose last 13 bits are zero.
uint us_ptx_to_tf32(float x, uint mode) {
  if (x != x) return 0x7fffffff;
  if (fabs(x) == INFINITY) return as_uint(x);
  double narrow = us_narrowed(x, mode, 10, -126);
  if (fabs(narrow) >= 0x1p128)
    narrow = us_rounds_to_infinity(x, mode) ? copysign((double)INFINITY, narrow) : copysign(0x1.ffcp127, narrow);
  return as_uint((float)narrow);
}

// Numbers of 8 bits. e4m3 has no infinity, its largest number is 448 and 0x7f is NaN; e5m2 is an f16 cut short, its
// largest number is 57344. "satfinite: what is too large becomes the largest number."
uchar us_ptx_to_f8(float x, uint is_e5m2) {
  if (x != x) return 0x7f;
  uchar sign = as_uint(x) >> 31 ? 0x80 : 0;
  double largest = is_e5m2 ? 57344.0 : 448.0, magnitude = fabs(x);
  int bits = is_e5m2 ? 2 : 3, smallest = is_e5m2 ? -14 : -6;
  double narrow = magnitude >= 0x1p17 ? largest : us_narrowed(magnitude, 0, bits, smallest);
  if (narrow > largest) narrow = largest;
  // Scaled so that its smallest normal number is f32's, the bits are where they belong.
  if (narrow < us_power(smallest)) return sign | (uchar)(narrow * us_power(bits - smallest));
  uint rebiased = as_uint((float)narrow) - ((uint)(127 - (1 - smallest)) << 23);
  return sign | (uchar)(rebiased >> (23 - bits));
}
float us_ptx_from_f8(uchar x, uint is_e5m2) {
  uint magnitude = x & 0x7f;
  int bits = is_e5m2 ? 2 : 3, smallest = is_e5m2 ? -14 : -6;
  uint exponent = magnitude >> bits, fraction = magnitude & ((1u << bits) - 1);
  float value;
  if (is_e5m2 && exponent == 31)
    value = fraction ? NAN : INFINITY;
  else if (!is_e5m2 && magnitude == 0x7f)
    value = NAN;
  else if (exponent == 0)
    value = (float)((double)fraction * us_power(smallest - bits));
  else
    value = (float)((1.0 + (double)fraction * us_power(-bits)) * us_power((int)exponent - 1 + smallest));
  return x & 0x80 ? -value : value;
}
