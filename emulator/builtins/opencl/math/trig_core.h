// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Range reduction and polynomials of the trigonometric functions.
//
// |x| = n pi / 2 + r: below 2^16 (f32) or 2^30 (f64) by three fused steps, with pi / 2 in three parts; above from the
// exact product of the significand with those bits of 1 / (2 pi) that matter for the exponent. The second way is an
// `if` around pure arithmetic: scalar code skips it, a loop vectoriser can turn it into selects.
#pragma once
#include "emulator/builtins/opencl/math/widths.h"

typedef struct {
  float r;
  uint n; // only its two low bits matter
} ReducedF;
typedef struct {
  double r;
  uint n;
} ReducedD;

// The large case of f32: frac(|x| / (2 pi)) in units of 2^-64. Finite |x| >= 2^15.
US_INLINE ulong turnsOf(float x) {
  // 1 / (2 pi) in words of 32 bits, after one word of the integer part. No table: reading one where lanes differ costs
  // more than the selects.
  const uint w0 = 0u, w1 = 0x28be60dbu, w2 = 0x9391054au, w3 = 0x7f09d5f4u, w4 = 0x7d4d3770u, w5 = 0x36d8a566u,
             w6 = 0x4f10e410u, w7 = 0x7f9458eau;
  uint bits = as_uint(x);
  uint m = (bits & 0x7fffffu) | 0x800000u;
  // |x| = m 2^e. Bits of 1 / (2 pi) above 2^-e give whole turns; the window of 96 bits starts below them.
  uint start = ((bits >> 23) & 0xffu) - 150u + 32u;
  uint word = start >> 5, shift = start & 31u;
  bool by1 = (word & 1) != 0, by2 = (word & 2) != 0, by4 = (word & 4) != 0;
  uint x0 = by1 ? w1 : w0, x1 = by1 ? w2 : w1, x2 = by1 ? w3 : w2, x3 = by1 ? w4 : w3, x4 = by1 ? w5 : w4,
       x5 = by1 ? w6 : w5;
  uint y0 = by2 ? x2 : x0, y1 = by2 ? x3 : x1, y2 = by2 ? x4 : x2, y3 = by2 ? x5 : x3;
  uint z0 = by4 ? w4 : y0, z1 = by4 ? w5 : y1, z2 = by4 ? w6 : y2, z3 = by4 ? w7 : y3;
  uint a = (z0 << shift) | ((z1 >> 1) >> (31u - shift));
  uint b = (z1 << shift) | ((z2 >> 1) >> (31u - shift));
  uint c = (z2 << shift) | ((z3 >> 1) >> (31u - shift));
  return ((ulong)(m * a) << 32) + (ulong)m * b + (((ulong)m * c) >> 32);
}

US_INLINE ReducedF reduceAngle(float x) {
  float a = absOf(x);
  float t = fusedf(a, 0x1.45f306p-1f, 0x1.8p23f);
  float n = t - 0x1.8p23f;
  float r = fusedf(n, 0x1.ee59dap-50f, fusedf(n, 0x1.777a5cp-25f, fusedf(n, -0x1.921fb6p+0f, a)));
  ReducedF result = {r, as_uint(t)};
  if (US_RARELY(a >= 0x1p16f)) {
    ulong turns = turnsOf(a);
    result.n = (uint)((turns + 0x2000000000000000ul) >> 62);
    result.r = (float)((double)(long)(turns << 2) * 0x1.921fb54442d18p-64);
    result.r = a < INFINITY ? result.r : NAN;
  }
  return result;
}

// 1 / (2 pi) in words of 64 bits, after one word of the integer part.
static __constant const ulong kTurn[21] = {
    0x0000000000000000ul, 0x28be60db9391054aul, 0x7f09d5f47d4d3770ul, 0x36d8a5664f10e410ul, 0x7f9458eaf7aef158ul,
    0x6dc91b8e909374b8ul, 0x01924bba82746487ul, 0x3f877ac72c4a69cful, 0xba208d7d4baed121ul, 0x3a671c09ad17df90ul,
    0x4e64758e60d4ce7dul, 0x272117e2ef7e4a0eul, 0xc7fe25fff7816603ul, 0xfbcbc462d6829b47ul, 0xdb4d9fb3c9f2c26dul,
    0xd3d18fd9a797fa8bul, 0x5d49eeb1faf97c5eul, 0xcf41ce7de294a4baul, 0x9afed7ec47e35742ul, 0x1580cc11bf1edaeaul,
    0xfc33ef0826bd0d87ul};

US_INLINE ulong highProduct(ulong a, ulong b) {
  ulong a0 = a & 0xfffffffful, a1 = a >> 32, b0 = b & 0xfffffffful, b1 = b >> 32;
  ulong middle = a1 * b0 + ((a0 * b0) >> 32);
  ulong other = a0 * b1 + (middle & 0xfffffffful);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

typedef struct {
  ulong high, low;
} Turns;

// The large case of f64: the 128 bits after the point of |x| / (2 pi); the closest that a double comes to a multiple of
// pi / 2 leaves more than 64 of them. Finite |x| >= 2^12.
US_INLINE Turns largeTurns(double x) {
  ulong bits = as_ulong(x);
  ulong m = (bits & 0xffffffffffffful) | 0x10000000000000ul;
  uint start = ((uint)(bits >> 52) & 0x7ffu) - 1075u + 64u;
  uint word = start >> 6;
  word = word > 17u ? 17u : word; // infinity and NaN: any readable place
  ulong shift = start & 63u;
  ulong z0 = kTurn[word], z1 = kTurn[word + 1], z2 = kTurn[word + 2], z3 = kTurn[word + 3];
  ulong a = (z0 << shift) | ((z1 >> 1) >> (63ul - shift));
  ulong b = (z1 << shift) | ((z2 >> 1) >> (63ul - shift));
  ulong c = (z2 << shift) | ((z3 >> 1) >> (63ul - shift));
  ulong middle = m * b;
  ulong low = middle + highProduct(m, c);
  ulong high = m * a + highProduct(m, b) + (low < middle ? 1ul : 0ul);
  Turns result = {high, low};
  return result;
}

US_INLINE ReducedD reduceLargeAngle(double x) {
  Turns turns = largeTurns(x);
  long quarter = (long)((turns.high << 2) | (turns.low >> 62)); // the signed distance to the nearest quarter turn
  ulong rest = turns.low << 2;
  double r = ((double)quarter + (double)rest * 0x1p-64) * 0x1.921fb54442d18p-64;
  ReducedD result = {x < (double)INFINITY ? r : (double)NAN, (uint)((turns.high + 0x2000000000000000ul) >> 62)};
  return result;
}

US_INLINE ReducedD reduceAngle(double x) {
  double a = absOf(x);
  double t = fused(a, 0x1.45f306dc9c883p-1, 0x1.8p52);
  double n = t - 0x1.8p52;
  double r = fused(n, 0x1.f1976b7ed9p-110, fused(n, -0x1.1a62633145c07p-54, fused(n, -0x1.921fb54442d18p+0, a)));
  ReducedD result = {r, (uint)as_ulong(t)};
  if (US_RARELY(a >= 0x1p30)) result = reduceLargeAngle(a);
  return result;
}

// sin r and cos r for |r| <= pi / 4; relative errors 2^-27.8 and 2^-32 (f32), 2^-57 and 2^-63 (f64).
US_INLINE float sinKernel(float r) {
  float s = r * r;
  float p = fusedf(-0x1.991c98p-13f, s, 0x1.1106c6p-7f);
  p = fusedf(p, s, -0x1.555544p-3f);
  return fusedf(r * s, p, r);
}
US_INLINE float cosKernel(float r) {
  float s = r * r;
  float p = fusedf(0x1.99de6ap-16f, s, -0x1.6c0c14p-10f);
  p = fusedf(p, s, 0x1.55554ap-5f);
  p = fusedf(p, s, -0.5f);
  return fusedf(p, s, 1.0f);
}
US_INLINE double sinKernel(double r) {
  double s = r * r;
  double p = fused(0x1.5d7c5c2c0848p-33, s, -0x1.ae5e1a5452fe9p-26);
  p = fused(p, s, 0x1.71de351a4bb8fp-19);
  p = fused(p, s, -0x1.a01a019baad12p-13);
  p = fused(p, s, 0x1.111111110f572p-7);
  p = fused(p, s, -0x1.5555555555547p-3);
  return fused(r * s, p, r);
}
US_INLINE double cosKernel(double r) {
  double s = r * r;
  double p = fused(-0x1.8f8b9a87cbc91p-37, s, 0x1.1ee9a7bf15a45p-29);
  p = fused(p, s, -0x1.27e4f7a4ec295p-22);
  p = fused(p, s, 0x1.a01a019c24ec8p-16);
  p = fused(p, s, -0x1.6c16c16c14bcfp-10);
  p = fused(p, s, 0x1.5555555555549p-5);
  p = fused(p, s, -0.5);
  return fused(p, s, 1.0);
}

// From the quarter n: sin is ±sin r or ±cos r, cos a quarter further.
US_INLINE float sinInQuarter(float sine, float cosine, uint n) {
  return as_float(as_uint((n & 1u) != 0 ? cosine : sine) ^ ((n & 2u) << 30));
}
US_INLINE double sinInQuarter(double sine, double cosine, uint n) {
  return as_double(as_ulong((n & 1u) != 0 ? cosine : sine) ^ ((ulong)(n & 2u) << 62));
}

// In f64 one polynomial for half a turn is less work than two for a quarter: |x| = n pi + r, or n pi - pi / 2 + r for
// cos, |r| <= pi / 2. The same two ways there.
typedef struct {
  double r;
  ulong n; // only its lowest bit matters
} HalfTurn;

US_INLINE HalfTurn reduceLargeToHalf(double x, ulong ahead) {
  Turns turns = largeTurns(x);
  ulong high = turns.high + ahead;
  long half_ = (long)((high << 1) | (turns.low >> 63)); // the signed distance to the nearest half turn
  double r = ((double)half_ + (double)(turns.low << 1) * 0x1p-64) * 0x1.921fb54442d18p-63;
  HalfTurn result = {x < (double)INFINITY ? r : (double)NAN, (high + 0x4000000000000000ul) >> 63};
  return result;
}

// sin r for |r| <= pi / 2, relative error 2^-61.
US_INLINE double sinOfHalfTurn(double r) {
  double s = r * r;
  double p = fused(0x1.88350eda62585p-49, s, -0x1.ae4397f7d52c8p-41);
  p = fused(p, s, 0x1.6123cd4467b69p-33);
  p = fused(p, s, -0x1.ae6454d52b4dbp-26);
  p = fused(p, s, 0x1.71de3a52a1b3fp-19);
  p = fused(p, s, -0x1.a01a01a014d80p-13);
  p = fused(p, s, 0x1.11111111110c8p-7);
  p = fused(p, s, -0x1.5555555555555p-3);
  return fused(r * s, p, r);
}

US_INLINE double sine(double x) {
  double a = absOf(x);
  double t = fused(a, 0x1.45f306dc9c883p-2, 0x1.8p52);
  double n = t - 0x1.8p52;
  double r = fused(n, 0x1.f1976b7ed9p-109, fused(n, -0x1.1a62633145c07p-53, fused(n, -0x1.921fb54442d18p+1, a)));
  HalfTurn turn = {r, as_ulong(t)};
  if (US_RARELY(a >= 0x1p30)) turn = reduceLargeToHalf(a, 0ul);
  return as_double(as_ulong(sinOfHalfTurn(turn.r)) ^ ((as_ulong(x) ^ (turn.n << 63)) & 0x8000000000000000ul));
}

US_INLINE double cosine(double x) {
  double a = absOf(x);
  double t = fused(a, 0x1.45f306dc9c883p-2, -0.5) + 0x1.8p52;
  double n = fused(t - 0x1.8p52, 2.0, 1.0); // of quarters
  double r = fused(n, 0x1.f1976b7ed9p-110, fused(n, -0x1.1a62633145c07p-54, fused(n, -0x1.921fb54442d18p+0, a)));
  HalfTurn turn = {r, as_ulong(t) + 1ul};
  if (US_RARELY(a >= 0x1p30)) turn = reduceLargeToHalf(a, 0x4000000000000000ul);
  return as_double(as_ulong(sinOfHalfTurn(turn.r)) ^ (turn.n << 63));
}
