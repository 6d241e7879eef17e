// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sum of the products, in the order of the components.
#pragma once
#include "emulator/builtins/opencl/support.h"

#define US_DOT(T)                                                                                                      \
  US_INLINE T us_dot(T x, T y) { return x * y; }                                                                       \
  US_INLINE T us_dot(T##2 x, T##2 y) { return x.s0 * y.s0 + x.s1 * y.s1; }                                             \
  US_INLINE T us_dot(T##3 x, T##3 y) { return x.s0 * y.s0 + x.s1 * y.s1 + x.s2 * y.s2; }                               \
  US_INLINE T us_dot(T##4 x, T##4 y) { return (x.s0 * y.s0 + x.s1 * y.s1) + (x.s2 * y.s2 + x.s3 * y.s3); }
US_DOT(half)
US_DOT(float)
US_DOT(double)

double us_sqrt(double x) __asm("llvm.sqrt.f64");
float us_sqrtf(float x) __asm("llvm.sqrt.f32");

// The chapter's functions exist for scalars and vectors of up to four components.
#define US_GEOMETRIC(X, T, ...)                                                                                        \
  X(T, T, 1, __VA_ARGS__) X(T##2, T, 2, __VA_ARGS__) X(T##3, T, 3, __VA_ARGS__) X(T##4, T, 4, __VA_ARGS__)
