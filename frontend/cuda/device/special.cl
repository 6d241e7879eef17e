// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that CUDA has and OpenCL C has not, computed in f64: norms, inverse error functions, normal distribution,
// Bessel functions. Methods are named beside each; there are no tables.
#include "emulator/builtins/opencl/math/widths.h"

#define US_PI 0x1.921fb54442d18p+1
#define US_SQRT_PI_HALF 0x1.c5bf891b4ef6bp-1
#define US_EULER_GAMMA 0x1.2788cfc6fb619p-1

#define US_BY_DOUBLE1(NAME)                                                                                            \
  float __nv_##NAME##f(float x) { return (float)__nv_##NAME((double)x); }

// ---- roots and norms: scaled by the largest component, so that no square overflows ------------------------------------
double __nv_rcbrt(double x) { return 1.0 / cbrt(x); }
US_BY_DOUBLE1(rcbrt)
double __nv_rhypot(double x, double y) { return 1.0 / hypot(x, y); }
float __nv_rhypotf(float x, float y) { return (float)(1.0 / sqrt(fused(x, x, (double)y * y))); }

US_INLINE double normOf4(double a, double b, double c, double d) {
  a = absOf(a), b = absOf(b), c = absOf(c), d = absOf(d);
  double largest = fmax(fmax(a, b), fmax(c, d));
  if (isInf(largest)) return INFINITY;
  if (largest == 0.0) return a + b + c + d;
  int k = ilogb(largest);
  a = ldexp(a, -k), b = ldexp(b, -k), c = ldexp(c, -k), d = ldexp(d, -k);
  return ldexp(sqrt(fused(a, a, fused(b, b, fused(c, c, d * d)))), k);
}
double __nv_norm3d(double a, double b, double c) { return normOf4(a, b, c, 0.0); }
double __nv_norm4d(double a, double b, double c, double d) { return normOf4(a, b, c, d); }
double __nv_rnorm3d(double a, double b, double c) { return 1.0 / normOf4(a, b, c, 0.0); }
double __nv_rnorm4d(double a, double b, double c, double d) { return 1.0 / normOf4(a, b, c, d); }
// f32's squares fit f64.
US_INLINE double sumOfSquares(float a, float b, float c, float d) {
  if (isInf(a) || isInf(b) || isInf(c) || isInf(d)) return INFINITY;
  return (double)a * a + (double)b * b + (double)c * c + (double)d * d;
}
float __nv_norm3df(float a, float b, float c) { return (float)sqrt(sumOfSquares(a, b, c, 0.0f)); }
float __nv_norm4df(float a, float b, float c, float d) { return (float)sqrt(sumOfSquares(a, b, c, d)); }
float __nv_rnorm3df(float a, float b, float c) { return (float)(1.0 / sqrt(sumOfSquares(a, b, c, 0.0f))); }
float __nv_rnorm4df(float a, float b, float c, float d) { return (float)(1.0 / sqrt(sumOfSquares(a, b, c, d))); }
double __nv_norm(int n, const double *p) {
  double largest = 0.0, sum = 0.0;
  bool none = false;
  for (int i = 0; i < n; ++i) {
    none |= isNan(p[i]);
    largest = fmax(largest, absOf(p[i]));
  }
  if (isInf(largest)) return INFINITY;
  if (none) return NAN;
  if (largest == 0.0) return 0.0;
  int k = ilogb(largest);
  for (int i = 0; i < n; ++i) {
    double scaled = ldexp(p[i], -k);
    sum = fused(scaled, scaled, sum);
  }
  return ldexp(sqrt(sum), k);
}
float __nv_normf(int n, const float *p) {
  double sum = 0.0;
  bool infinite = false;
  for (int i = 0; i < n; ++i) {
    infinite |= isInf(p[i]);
    sum += (double)p[i] * p[i];
  }
  return infinite ? INFINITY : (float)sqrt(sum);
}
double __nv_rnorm(int n, const double *p) { return 1.0 / __nv_norm(n, p); }
float __nv_rnormf(int n, const float *p) { return 1.0f / __nv_normf(n, p); }

// ---- error functions ---------------------------------------------------------------------------------------------------
// e^(x^2) erfc x: the product while x^2 is small, else the continued fraction 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + …))))
// over the root of pi, of which 50 terms are below the last bit from 2 on.
double __nv_erfcx(double x) {
  if (x < 2.0) {
    double square = x * x, low = fused(x, x, -square);
    double e = exp(square);
    return (isInf(e) ? e : fused(e, low, e)) * erfc(x);
  }
  double f = x;
  for (int k = 50; k > 0; --k) f = x + 0.5 * k / f;
  return isInf(x) ? 0.0 : 0x1.20dd750429b6dp-1 / f;
}
US_BY_DOUBLE1(erfcx)

// Halley's iteration from Winitzki's approximation, whose error of 2e-3 becomes 1e-8 and then less than the last bit.
// p = erfc of the result, for 0 < p <= 1; in this form small p keep all their digits.
US_INLINE double erfcinvSmall(double p) {
  double l = log(p * (2.0 - p));
  double a = 4.330746750799873 + 0.5 * l;
  double x = sqrt(sqrt(fused(a, a, -l * 6.802721088435374)) - a);
  for (int i = 0; i < 3; ++i) {
    double slope = 0x1.20dd750429b6dp+0 * exp(-x * x);
    double r = slope > 0.0 ? (erfc(x) - p) / slope : 0.0;
    x += r / (1.0 - x * r);
  }
  return x;
}
US_INLINE double erfinvNearZero(double y) {
  // The same, for |y| <= 1/2 and erf, because erfc near 1 has lost the digits of y.
  double l = log1p(-y * y);
  double a = 4.330746750799873 + 0.5 * l;
  double x = withSign(sqrt(fmax(sqrt(fused(a, a, -l * 6.802721088435374)) - a, 0.0)), y);
  if (absOf(y) < 0x1p-20) x = y * US_SQRT_PI_HALF;
  for (int i = 0; i < 3; ++i) {
    double r = (y - erf(x)) / (0x1.20dd750429b6dp+0 * exp(-x * x));
    x += r / (1.0 + x * r);
  }
  return y == 0.0 ? y : x;
}
double __nv_erfinv(double y) {
  double a = absOf(y);
  if (!(a <= 1.0)) return NAN;
  if (a == 1.0) return withSign((double)INFINITY, y);
  return a <= 0.5 ? erfinvNearZero(y) : withSign(erfcinvSmall(1.0 - a), y);
}
double __nv_erfcinv(double y) {
  if (!(y >= 0.0 && y <= 2.0)) return NAN;
  if (y == 0.0) return INFINITY;
  if (y == 2.0) return -INFINITY;
  if (y < 0.5) return erfcinvSmall(y);
  return y > 1.5 ? -erfcinvSmall(2.0 - y) : erfinvNearZero(1.0 - y);
}
// erfc(-x / root 2) / 2, the quotient in two parts: what its low part adds is the derivative times it.
double __nv_normcdf(double x) {
  x = within(x, -40.0, 40.0);
  double high = -x * 0x1.6a09e667f3bcdp-1;
  double low = fused(-x, 0x1.6a09e667f3bcdp-1, -high) + x * 0x1.bdd3413b26456p-55;
  double y = erfc(high);
  return 0.5 * fused(-0x1.20dd750429b6dp+0 * exp(-high * high), low, y);
}
double __nv_normcdfinv(double p) { return -0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2.0 * p); }
US_BY_DOUBLE1(erfinv)
US_BY_DOUBLE1(erfcinv)
US_BY_DOUBLE1(normcdf)
US_BY_DOUBLE1(normcdfinv)

// ---- Bessel functions --------------------------------------------------------------------------------------------------
// Below 25: Miller's backward recurrence for all J_k at once, normalised by J0 + 2 J2 + 2 J4 + … = 1; Y0 and Y1 from
// Neumann's series over them. From 25 on: Hankel's asymptotic series, whose smallest term is then below the last bit.
typedef struct {
  double j0, j1, jn, y0, y1;
} Bessel;

US_INLINE Bessel besselBelow25(double x, int n) {
  int first = 2 * ((atLeast((int)x, n) + 44) / 2);
  double next = 0.0, here = 0x1p-500, sum = 0.0, neumann0 = 0.0, neumann1 = 0.0;
  Bessel b = {0.0, 0.0, 0.0, 0.0, 0.0};
  for (int k = first; k > 0; --k) {
    // here is J_k up to a factor.
    if (k == n) b.jn = here;
    if (k == 1) b.j1 = here;
    double m = (double)(k / 2);
    double sign = (k / 2) % 2 == 0 ? 1.0 : -1.0;
    if (k % 2 == 0) {
      sum += 2.0 * here;
      neumann0 += sign * here / m;
    } else if (k > 1) {
      neumann1 += sign * (2.0 * m + 1.0) / (m * (m + 1.0)) * here;
    }
    double previous = 2.0 * k / x * here - next;
    next = here;
    here = previous;
    if (absOf(here) > 0x1p+500) {
      here *= 0x1p-600, next *= 0x1p-600, sum *= 0x1p-600, neumann0 *= 0x1p-600, neumann1 *= 0x1p-600;
      b.jn *= 0x1p-600, b.j1 *= 0x1p-600;
    }
  }
  double scale = 1.0 / (sum + here);
  b.j0 = here * scale;
  b.j1 *= scale;
  b.jn = n == 0 ? b.j0 : b.jn * scale;
  double l = log(0.5 * x) + US_EULER_GAMMA;
  b.y0 = 2.0 / US_PI * (l * b.j0 - 2.0 * neumann0 * scale);
  b.y1 = 2.0 / US_PI * ((l - 1.0) * b.j1 - b.j0 / x - neumann1 * scale);
  return b;
}
US_INLINE void hankel(double x, double order, double *j, double *y) {
  double mu = 4.0 * order * order, term = 1.0, p = 1.0, q = 0.0;
  for (int k = 1; k < 40; ++k) {
    double factor = (mu - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * x);
    if (absOf(factor) >= 1.0) break;
    term *= factor;
    double signedTerm = k / 2 % 2 == 0 ? term : -term;
    if (k % 2 == 0)
      p += signedTerm;
    else
      q += signedTerm;
  }
  // The angle x - (order / 2 + 1 / 4) pi, by the addition theorems: x keeps its digits.
  double c, s = sincos(x, &c), root = 0x1.6a09e667f3bcdp-1;
  double cosine = order == 0.0 ? (c + s) * root : (s - c) * root;
  double sine = order == 0.0 ? (s - c) * root : -(s + c) * root;
  double scale = sqrt(2.0 / (US_PI * x));
  *j = scale * (p * cosine - q * sine);
  *y = scale * (p * sine + q * cosine);
}
US_INLINE Bessel bessel(double x, int n) {
  if (x < 25.0) return besselBelow25(x, n);
  Bessel b;
  hankel(x, 0.0, &b.j0, &b.y0);
  hankel(x, 1.0, &b.j1, &b.y1);
  b.jn = n == 0 ? b.j0 : b.j1;
  return b;
}
double __nv_jn(int n, double x) {
  double a = absOf(x);
  if (n < 0 || isNan(x)) return NAN;
  if (isInf(x)) return 0.0;
  if (a == 0.0) return n == 0 ? 1.0 : 0.0;
  // Small arguments: the leading term; the recurrence would overflow.
  if (a < 0x1p-27) {
    double term = n > 40 ? 0.0 : 1.0;
    for (int k = 1; k <= n && n <= 40; ++k) term *= 0.5 * x / k;
    return term;
  }
  double result;
  if (n < 2 || a < 25.0 || n >= a)
    result = n < 2 ? (n == 0 ? bessel(a, 0).j0 : bessel(a, 1).j1) : besselBelow25(a, n).jn;
  else {
    Bessel b = bessel(a, 1);
    double before = b.j0;
    result = b.j1;
    for (int k = 1; k < n; ++k) {
      double after = 2.0 * k / a * result - before;
      before = result;
      result = after;
    }
  }
  return x < 0.0 && n % 2 != 0 ? -result : result;
}
double __nv_yn(int n, double x) {
  if (n < 0 || isNan(x) || x < 0.0) return NAN;
  if (x == 0.0) return -INFINITY;
  if (isInf(x)) return 0.0;
  Bessel b;
  if (x < 0x1p-27) {
    b.y0 = 2.0 / US_PI * (log(0.5 * x) + US_EULER_GAMMA);
    b.y1 = -2.0 / (US_PI * x);
  } else
    b = bessel(x, 1);
  double before = b.y0, here = b.y1;
  for (int k = 1; k < n; ++k) {
    double after = 2.0 * k / x * here - before;
    before = here;
    here = after;
    if (isInf(here)) break;
  }
  return n == 0 ? b.y0 : here;
}
double __nv_j0(double x) { return __nv_jn(0, x); }
double __nv_j1(double x) { return __nv_jn(1, x); }
double __nv_y0(double x) { return __nv_yn(0, x); }
double __nv_y1(double x) { return __nv_yn(1, x); }
US_BY_DOUBLE1(j0)
US_BY_DOUBLE1(j1)
US_BY_DOUBLE1(y0)
US_BY_DOUBLE1(y1)
float __nv_jnf(int n, float x) { return (float)__nv_jn(n, (double)x); }
float __nv_ynf(int n, float x) { return (float)__nv_yn(n, (double)x); }

// I0 and I1: the power series, all of one sign, below 30; Hankel's series from there on.
US_INLINE double modifiedBessel(double x, double order) {
  double a = absOf(x);
  if (a < 30.0) {
    double quarter = 0.25 * a * a, term = order == 0.0 ? 1.0 : 0.5 * a, sum = term;
    for (int k = 1; k < 90; ++k) {
      term *= quarter / (k * (k + order));
      sum += term;
    }
    return sum;
  }
  if (isInf(a)) return a;
  double mu = 4.0 * order * order, term = 1.0, sum = 1.0;
  for (int k = 1; k < 40; ++k) {
    double factor = -(mu - (2.0 * k - 1.0) * (2.0 * k - 1.0)) / (8.0 * k * a);
    if (absOf(factor) >= 1.0) break;
    term *= factor;
    sum += term;
  }
  // In two factors: e^x alone overflows before the product does.
  double half_ = exp(0.5 * a);
  return half_ * (half_ * (sum / sqrt(2.0 * US_PI * a)));
}
double __nv_cyl_bessel_i0(double x) { return isNan(x) ? x : modifiedBessel(x, 0.0); }
double __nv_cyl_bessel_i1(double x) { return isNan(x) ? x : withSign(modifiedBessel(x, 1.0), x); }
US_BY_DOUBLE1(cyl_bessel_i0)
US_BY_DOUBLE1(cyl_bessel_i1)
