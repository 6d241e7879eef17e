// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// min and max for every pair of arithmetic types, of the host too, and the f32 forms of functions that CUDA overloads
// by type.
#pragma once

#include "crt/host_defines.h"

#define US_DEVICE static __device__ __forceinline__
#define US_BOTH static __host__ __device__ __forceinline__

// For device code Clang's header has these.
static __host__ __forceinline__ int min(int a, int b) { return a < b ? a : b; }
static __host__ __forceinline__ int max(int a, int b) { return a < b ? b : a; }

// clang-format off
#define US_LEAST(T, A, B)                                                                                              \
  US_BOTH T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }                                                        \
  US_BOTH T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
#define US_LEAST_UNSIGNED(T, S) US_LEAST(T, T, T) US_LEAST(T, T, S) US_LEAST(T, S, T)
US_LEAST_UNSIGNED(unsigned int, int)
US_LEAST(long, long, long)
US_LEAST_UNSIGNED(unsigned long, long)
US_LEAST(long long, long long, long long)
US_LEAST_UNSIGNED(unsigned long long, long long)
#undef US_LEAST_UNSIGNED
#undef US_LEAST

// "fminf" and "fmaxf": of a number and a NaN, the number.
#define US_LEAST(T, A, B, S)                                                                                           \
  US_BOTH T min(A a, B b) { return fmin##S((T)a, (T)b); }                                                              \
  US_BOTH T max(A a, B b) { return fmax##S((T)a, (T)b); }
US_LEAST(float, float, float, f)
US_LEAST(double, double, double, )
US_LEAST(double, float, double, )
US_LEAST(double, double, float, )
#undef US_LEAST
// clang-format on

#define US_FLOAT_FORM(NAME)                                                                                            \
  US_DEVICE float NAME(float x) { return NAME##f(x); }
US_FLOAT_FORM(acosh)
US_FLOAT_FORM(asinh)
US_FLOAT_FORM(atanh)
US_FLOAT_FORM(cbrt)
US_FLOAT_FORM(erf)
US_FLOAT_FORM(erfc)
US_FLOAT_FORM(exp2)
US_FLOAT_FORM(expm1)
US_FLOAT_FORM(lgamma)
US_FLOAT_FORM(log1p)
US_FLOAT_FORM(log2)
US_FLOAT_FORM(logb)
US_FLOAT_FORM(nearbyint)
US_FLOAT_FORM(rint)
US_FLOAT_FORM(round)
US_FLOAT_FORM(tgamma)
US_FLOAT_FORM(trunc)
US_FLOAT_FORM(rsqrt)
US_FLOAT_FORM(rcbrt)
US_FLOAT_FORM(sinpi)
US_FLOAT_FORM(cospi)
US_FLOAT_FORM(erfinv)
US_FLOAT_FORM(erfcinv)
US_FLOAT_FORM(normcdf)
US_FLOAT_FORM(normcdfinv)
US_FLOAT_FORM(erfcx)
US_FLOAT_FORM(exp10)
US_FLOAT_FORM(j0)
US_FLOAT_FORM(j1)
US_FLOAT_FORM(y0)
US_FLOAT_FORM(y1)
US_FLOAT_FORM(cyl_bessel_i0)
US_FLOAT_FORM(cyl_bessel_i1)
#undef US_FLOAT_FORM
#define US_FLOAT_FORM(NAME)                                                                                            \
  US_DEVICE float NAME(float x, float y) { return NAME##f(x, y); }
US_FLOAT_FORM(copysign)
US_FLOAT_FORM(fdim)
US_FLOAT_FORM(fmax)
US_FLOAT_FORM(fmin)
US_FLOAT_FORM(nextafter)
US_FLOAT_FORM(remainder)
#undef US_FLOAT_FORM
US_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
US_DEVICE int ilogb(float x) { return ilogbf(x); }
US_DEVICE long lrint(float x) { return lrintf(x); }
US_DEVICE long lround(float x) { return lroundf(x); }
US_DEVICE long long llrint(float x) { return llrintf(x); }
US_DEVICE long long llround(float x) { return llroundf(x); }
US_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
US_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
US_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
US_DEVICE double nan(const char *payload) { return __nv_nan((const signed char *)payload); }
US_DEVICE float nanf(const char *payload) { return __nv_nanf((const signed char *)payload); }
US_DEVICE float jn(int n, float x) { return jnf(n, x); }
US_DEVICE float yn(int n, float x) { return ynf(n, x); }
US_DEVICE float hypot(float x, float y) { return hypotf(x, y); }
US_DEVICE float rhypot(float x, float y) { return rhypotf(x, y); }
US_DEVICE float norm3d(float a, float b, float c) { return norm3df(a, b, c); }
US_DEVICE float norm4d(float a, float b, float c, float d) { return norm4df(a, b, c, d); }
US_DEVICE float rnorm3d(float a, float b, float c) { return rnorm3df(a, b, c); }
US_DEVICE float rnorm4d(float a, float b, float c, float d) { return rnorm4df(a, b, c, d); }
US_DEVICE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }
US_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
US_DEVICE unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
US_DEVICE int mul24(int x, int y) { return __mul24(x, y); }
US_DEVICE float saturate(float x) { return __saturatef(x); }
US_DEVICE int mulhi(int x, int y) { return __mulhi(x, y); }
US_DEVICE unsigned int mulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
US_DEVICE long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
US_DEVICE unsigned long long mul64hi(unsigned long long x, unsigned long long y) { return __umul64hi(x, y); }
US_DEVICE int float_as_int(float x) { return __float_as_int(x); }
US_DEVICE float int_as_float(int x) { return __int_as_float(x); }

#if UNDERSTUDY_ARCH >= 610
// Four bytes, or two halves with two bytes, multiplied and summed up.
#define US_DOT(NAME, OPERATION, R, A, B)                                                                               \
  US_DEVICE R NAME(A a, B b, R c) {                                                                                    \
    R d;                                                                                                               \
    asm(OPERATION " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                                              \
    return d;                                                                                                          \
  }
US_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
US_DOT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
US_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
US_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
US_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
US_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
#undef US_DOT
#endif

#if UNDERSTUDY_ARCH >= 700
US_DEVICE void __nanosleep(unsigned int nanoseconds) { asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds)); }
#endif

#undef US_BOTH
#undef US_DEVICE
