// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the math families are written down: attributes, constants, and the macros that make every vector width, the half
// version and every pointer address space from one scalar function.
#pragma once
#include "emulator/builtins/opencl/support.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// For what vectorised kernels call: a call that stays a call stops the loop vectoriser, so the packer turns `hot` into
// `alwaysinline`. (Written here as always_inline it would copy every scalar function sixteen times into the library.)
#define US_HOT __attribute__((overloadable, hot))

// A condition that few arguments have: its side is kept out of the way of the others, with what it needs in registers.
#define US_RARELY(CONDITION) __builtin_expect(CONDITION, 0)

// ---- small tools, so that no family needs another one for them -----------------------------------------------------
#define US_TOOLS(T, U, SIGN)                                                                                           \
  US_INLINE bool isNan(T x) { return x != x; }                                                                         \
  US_INLINE bool isInf(T x) { return __builtin_elementwise_abs(x) == (T)INFINITY; }                                    \
  US_INLINE bool isFinite(T x) { return __builtin_elementwise_abs(x) < (T)INFINITY; }                                  \
  US_INLINE bool isNegative(T x) { return (as_##U(x) & (U)SIGN) != 0; }                                                \
  US_INLINE T absOf(T x) { return as_##T((U)(as_##U(x) & (U) ~(U)SIGN)); }                                             \
  US_INLINE T withSign(T x, T sign) { return as_##T((U)((as_##U(x) & (U) ~(U)SIGN) | (as_##U(sign) & (U)SIGN))); }     \
  US_INLINE T flipSign(T x, T sign) { return as_##T((U)(as_##U(x) ^ (as_##U(sign) & (U)SIGN))); }
US_TOOLS(float, uint, 0x80000000u)
US_TOOLS(double, ulong, 0x8000000000000000ul)
US_TOOLS(half, ushort, 0x8000u)

US_INLINE int atLeast(int x, int low) { return x < low ? low : x; }
US_INLINE int atMost(int x, int high) { return x > high ? high : x; }
US_INLINE int within(int x, int low, int high) { return atMost(atLeast(x, low), high); }
// A NaN passes through both.
US_INLINE float within(float x, float low, float high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}
US_INLINE double within(double x, double low, double high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

#define fusedf(a, b, c) __builtin_elementwise_fma((float)(a), (float)(b), (float)(c))
#define fused(a, b, c) __builtin_elementwise_fma((double)(a), (double)(b), (double)(c))
#define nearestf(x) __builtin_elementwise_rint((float)(x))
#define nearest(x) __builtin_elementwise_rint((double)(x))

// 2^k for a k in the range of normal numbers.
US_INLINE float pow2f(int k) { return as_float((uint)(k + 127) << 23); }
US_INLINE double pow2(int k) { return as_double((ulong)(long)(k + 1023) << 52); }

// rest x^2n + … + c1 x + c0, by pairs of terms: half as many operations wait for each other.
#define US_PAIRS(T, FUSED)                                                                                             \
  US_INLINE T pairs4(T x, T x2, T rest, T c0, T c1, T c2, T c3) {                                                      \
    return FUSED(FUSED(rest, x2, FUSED(c3, x, c2)), x2, FUSED(c1, x, c0));                                             \
  }                                                                                                                    \
  US_INLINE T pairs8(T x, T x2, T rest, T c0, T c1, T c2, T c3, T c4, T c5, T c6, T c7) {                              \
    return pairs4(x, x2, pairs4(x, x2, rest, c4, c5, c6, c7), c0, c1, c2, c3);                                         \
  }
US_PAIRS(float, fusedf)
US_PAIRS(double, fused)

// ---- component by component ----------------------------------------------------------------------------------------

#define US_FOR_WIDTHS(M, ...) M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)

// R name(A): every vector width.
#define US_VECTOR1(n, NAME, R, A)                                                                                      \
  R##n US_OVERLOAD NAME(A##n x) { return (R##n)(US_EACH##n(US_CALL1, NAME)); }
#define US_VECTOR2(n, NAME, R, A, B)                                                                                   \
  R##n US_OVERLOAD NAME(A##n x, B##n y) { return (R##n)(US_EACH##n(US_CALL2, NAME)); }
#define US_VECTOR3(n, NAME, R, A, B, C)                                                                                \
  R##n US_OVERLOAD NAME(A##n x, B##n y, C##n z) { return (R##n)(US_EACH##n(US_CALL3, NAME)); }
// The second operand is one scalar for all components.
#define US_VECTOR2S(n, NAME, R, A, B)                                                                                  \
  R##n US_OVERLOAD NAME(A##n x, B y) { return (R##n)(US_EACH##n(US_CALL2S, NAME)); }

#define US_CALL1(NAME, i) NAME(x.i)
#define US_CALL2(NAME, i) NAME(x.i, y.i)
#define US_CALL3(NAME, i) NAME(x.i, y.i, z.i)
#define US_CALL2S(NAME, i) NAME(x.i, y)

#define US_EACH2(C, N) C(N, s0), C(N, s1)
#define US_EACH3(C, N) C(N, s0), C(N, s1), C(N, s2)
#define US_EACH4(C, N) C(N, s0), C(N, s1), C(N, s2), C(N, s3)
#define US_EACH8(C, N) US_EACH4(C, N), C(N, s4), C(N, s5), C(N, s6), C(N, s7)
#define US_EACH16(C, N) US_EACH8(C, N), C(N, s8), C(N, s9), C(N, sa), C(N, sb), C(N, sc), C(N, sd), C(N, se), C(N, sf)

#define US_COMPONENTS1(NAME, R, A) US_FOR_WIDTHS(US_VECTOR1, NAME, R, A)
#define US_COMPONENTS2(NAME, R, A, B) US_FOR_WIDTHS(US_VECTOR2, NAME, R, A, B)
#define US_COMPONENTS3(NAME, R, A, B, C) US_FOR_WIDTHS(US_VECTOR3, NAME, R, A, B, C)
#define US_COMPONENTS2S(NAME, R, A, B) US_FOR_WIDTHS(US_VECTOR2S, NAME, R, A, B)

// ---- half goes through float ---------------------------------------------------------------------------------------
// Rounding the float result to half is far inside the half limits (2 ulp at best) for every function computed here.
#define US_HALF1(NAME)                                                                                                 \
  half US_HOT NAME(half x) { return (half)NAME((float)x); }                                                            \
  US_COMPONENTS1(NAME, half, half)
#define US_HALF2(NAME)                                                                                                 \
  half US_HOT NAME(half x, half y) { return (half)NAME((float)x, (float)y); }                                          \
  US_COMPONENTS2(NAME, half, half, half)

// All widths of f32 and f64 whose scalar versions stand above, and half through float.
#define US_ALL1(NAME)                                                                                                  \
  US_COMPONENTS1(NAME, float, float)                                                                                   \
  US_COMPONENTS1(NAME, double, double)                                                                                 \
  US_HALF1(NAME)
#define US_ALL2(NAME)                                                                                                  \
  US_COMPONENTS2(NAME, float, float, float)                                                                            \
  US_COMPONENTS2(NAME, double, double, double)                                                                         \
  US_HALF2(NAME)

// ---- a second result through a pointer -----------------------------------------------------------------------------
// From a scalar `R US_OVERLOAD NAME(A x, __private P *out)`: every other width and address space. The private, global
// and local forms are what OpenCL C 1.x names; the generic one is OpenCL C 3.0's.
#define US_FOR_SPACES(M, ...) M(__global, __VA_ARGS__) M(__local, __VA_ARGS__) M(__generic, __VA_ARGS__)

#define US_POINTER1_PRIVATE(n, NAME, R, A, P)                                                                          \
  R##n US_OVERLOAD NAME(A##n x, __private P##n *out) {                                                                 \
    P second[16];                                                                                                      \
    R##n first = (R##n)(US_EACH##n(US_CALL_BOTH1, NAME));                                                              \
    *out = (P##n)(US_EACH##n(US_PICK, second));                                                                        \
    return first;                                                                                                      \
  }
#define US_POINTER2_PRIVATE(n, NAME, R, A, P)                                                                          \
  R##n US_OVERLOAD NAME(A##n x, A##n y, __private P##n *out) {                                                         \
    P second[16];                                                                                                      \
    R##n first = (R##n)(US_EACH##n(US_CALL_BOTH2, NAME));                                                              \
    *out = (P##n)(US_EACH##n(US_PICK, second));                                                                        \
    return first;                                                                                                      \
  }
#define US_CALL_BOTH1(NAME, i) NAME(x.i, &second[US_INDEX_##i])
#define US_CALL_BOTH2(NAME, i) NAME(x.i, y.i, &second[US_INDEX_##i])
#define US_PICK(ARRAY, i) ARRAY[US_INDEX_##i]
#define US_INDEX_s0 0
#define US_INDEX_s1 1
#define US_INDEX_s2 2
#define US_INDEX_s3 3
#define US_INDEX_s4 4
#define US_INDEX_s5 5
#define US_INDEX_s6 6
#define US_INDEX_s7 7
#define US_INDEX_s8 8
#define US_INDEX_s9 9
#define US_INDEX_sa 10
#define US_INDEX_sb 11
#define US_INDEX_sc 12
#define US_INDEX_sd 13
#define US_INDEX_se 14
#define US_INDEX_sf 15

#define US_POINTER1_SPACE(SPACE, n, NAME, R, A, P)                                                                     \
  R##n US_OVERLOAD NAME(A##n x, SPACE P##n *out) {                                                                     \
    P##n second;                                                                                                       \
    R##n first = NAME(x, &second);                                                                                     \
    *out = second;                                                                                                     \
    return first;                                                                                                      \
  }
#define US_POINTER2_SPACE(SPACE, n, NAME, R, A, P)                                                                     \
  R##n US_OVERLOAD NAME(A##n x, A##n y, SPACE P##n *out) {                                                             \
    P##n second;                                                                                                       \
    R##n first = NAME(x, y, &second);                                                                                  \
    *out = second;                                                                                                     \
    return first;                                                                                                      \
  }
#define US_POINTER1_SPACES(n, ...) US_FOR_SPACES(US_POINTER1_SPACE, n, __VA_ARGS__)
#define US_POINTER2_SPACES(n, ...) US_FOR_SPACES(US_POINTER2_SPACE, n, __VA_ARGS__)

#define US_POINTER1(...)                                                                                               \
  US_FOR_WIDTHS(US_POINTER1_PRIVATE, __VA_ARGS__)                                                                      \
  US_POINTER1_SPACES(, __VA_ARGS__)                                                                                    \
  US_FOR_WIDTHS(US_POINTER1_SPACES, __VA_ARGS__)
#define US_POINTER2(...)                                                                                               \
  US_FOR_WIDTHS(US_POINTER2_PRIVATE, __VA_ARGS__)                                                                      \
  US_POINTER2_SPACES(, __VA_ARGS__)                                                                                    \
  US_FOR_WIDTHS(US_POINTER2_SPACES, __VA_ARGS__)
