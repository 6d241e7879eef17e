// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device functions of Clang's CUDA headers (names beginning with __nv_) that OpenCL C has under its own names.
#define US_FORWARD1(NAME, TARGET)                                                                                      \
  float __nv_##NAME##f(float x) { return TARGET(x); }                                                                  \
  double __nv_##NAME(double x) { return TARGET(x); }
#define US_FORWARD2(NAME, TARGET)                                                                                      \
  float __nv_##NAME##f(float x, float y) { return TARGET(x, y); }                                                      \
  double __nv_##NAME(double x, double y) { return TARGET(x, y); }
#define US_SAME1(NAME) US_FORWARD1(NAME, NAME)
#define US_SAME2(NAME) US_FORWARD2(NAME, NAME)

US_SAME1(acos)
US_SAME1(acosh)
US_SAME1(asin)
US_SAME1(asinh)
US_SAME1(atan)
US_SAME1(atanh)
US_SAME1(cbrt)
US_SAME1(ceil)
US_SAME1(cos)
US_SAME1(cosh)
US_SAME1(cospi)
US_SAME1(erf)
US_SAME1(erfc)
US_SAME1(exp)
US_SAME1(exp10)
US_SAME1(exp2)
US_SAME1(expm1)
US_SAME1(fabs)
US_SAME1(floor)
US_SAME1(lgamma)
US_SAME1(log)
US_SAME1(log10)
US_SAME1(log1p)
US_SAME1(log2)
US_SAME1(logb)
US_SAME1(rint)
US_SAME1(round)
US_SAME1(rsqrt)
US_SAME1(sin)
US_SAME1(sinh)
US_SAME1(sinpi)
US_SAME1(sqrt)
US_SAME1(tan)
US_SAME1(tanh)
US_SAME1(tgamma)
US_SAME1(trunc)
US_FORWARD1(nearbyint, rint)

US_SAME2(atan2)
US_SAME2(copysign)
US_SAME2(fdim)
US_SAME2(fmax)
US_SAME2(fmin)
US_SAME2(fmod)
US_SAME2(hypot)
US_SAME2(nextafter)
US_SAME2(pow)
US_SAME2(remainder)

#define US_MORE(S, T, I)                                                                                               \
  T __nv_fma##S(T x, T y, T z) { return fma(x, y, z); }                                                                \
  T __nv_frexp##S(T x, int *exponent) { return frexp(x, exponent); }                                                   \
  T __nv_modf##S(T x, T *whole) { return modf(x, whole); }                                                             \
  T __nv_remquo##S(T x, T y, int *quotient) { return remquo(x, y, quotient); }                                         \
  T __nv_ldexp##S(T x, int n) { return ldexp(x, n); }                                                                  \
  T __nv_scalbn##S(T x, int n) { return ldexp(x, n); }                                                                 \
  T __nv_powi##S(T x, int n) { return pown(x, n); }                                                                    \
  int __nv_ilogb##S(T x) { return ilogb(x); }                                                                          \
  void __nv_sincos##S(T x, T *sine, T *cosine) { *sine = sincos(x, cosine); }                                          \
  void __nv_sincospi##S(T x, T *sine, T *cosine) {                                                                     \
    *sine = sinpi(x);                                                                                                  \
    *cosine = cospi(x);                                                                                                \
  }                                                                                                                    \
  T __nv_nan##S(const char *payload) { return (T)NAN; }
US_MORE(, double, long)
US_MORE(f, float, int)

int __nv_isnanf(float x) { return isNan(x); }
int __nv_isnand(double x) { return isNan(x); }
int __nv_isinff(float x) { return isInf(x); }
int __nv_isinfd(double x) { return isInf(x); }
int __nv_finitef(float x) { return isFinite(x); }
int __nv_isfinited(double x) { return isFinite(x); }
int __nv_signbitf(float x) { return isNegative(x); }
int __nv_signbitd(double x) { return isNegative(x); }
