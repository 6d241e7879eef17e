// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every family of the builtin library starts with: the macros that write one body for all types and widths.
#pragma once
#include "emulator/builtins/opencl/machine.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define US_OVERLOAD __attribute__((overloadable))
#define US_INLINE static inline __attribute__((always_inline, overloadable))

// X(T, …) for the vectors of T, for T and its vectors, for T at the widths of the geometric chapter.
#define US_VECTORS(X, T, ...)                                                                                          \
  X(T##2 __VA_OPT__(, ) __VA_ARGS__)                                                                                   \
  X(T##3 __VA_OPT__(, ) __VA_ARGS__)                                                                                   \
  X(T##4 __VA_OPT__(, ) __VA_ARGS__)                                                                                   \
  X(T##8 __VA_OPT__(, ) __VA_ARGS__)                                                                                   \
  X(T##16 __VA_OPT__(, ) __VA_ARGS__)
#define US_WIDTHS(X, T, ...) X(T __VA_OPT__(, ) __VA_ARGS__) US_VECTORS(X, T __VA_OPT__(, ) __VA_ARGS__)

// X(T, U) for T and a second type of the same width: US_WIDTHS2(X, int, uint) is X(int, uint) X(int2, uint2) …
#define US_VECTORS2(X, T, U, ...)                                                                                      \
  X(T##2, U##2 __VA_OPT__(, ) __VA_ARGS__)                                                                             \
  X(T##3, U##3 __VA_OPT__(, ) __VA_ARGS__)                                                                             \
  X(T##4, U##4 __VA_OPT__(, ) __VA_ARGS__)                                                                             \
  X(T##8, U##8 __VA_OPT__(, ) __VA_ARGS__)                                                                             \
  X(T##16, U##16 __VA_OPT__(, ) __VA_ARGS__)
#define US_WIDTHS2(X, T, U, ...) X(T, U __VA_OPT__(, ) __VA_ARGS__) US_VECTORS2(X, T, U __VA_OPT__(, ) __VA_ARGS__)
#define US_VECTORS3(X, T, U, V, ...)                                                                                   \
  X(T##2, U##2, V##2 __VA_OPT__(, ) __VA_ARGS__)                                                                       \
  X(T##3, U##3, V##3 __VA_OPT__(, ) __VA_ARGS__)                                                                       \
  X(T##4, U##4, V##4 __VA_OPT__(, ) __VA_ARGS__)                                                                       \
  X(T##8, U##8, V##8 __VA_OPT__(, ) __VA_ARGS__)                                                                       \
  X(T##16, U##16, V##16 __VA_OPT__(, ) __VA_ARGS__)

#define US_SIGNED_TYPES(X, ...)                                                                                        \
  X(char __VA_OPT__(, ) __VA_ARGS__)                                                                                   \
  X(short __VA_OPT__(, ) __VA_ARGS__)                                                                                  \
  X(int __VA_OPT__(, ) __VA_ARGS__)                                                                                    \
  X(long __VA_OPT__(, ) __VA_ARGS__)
#define US_UNSIGNED_TYPES(X, ...)                                                                                      \
  X(uchar __VA_OPT__(, ) __VA_ARGS__)                                                                                  \
  X(ushort __VA_OPT__(, ) __VA_ARGS__)                                                                                 \
  X(uint __VA_OPT__(, ) __VA_ARGS__)                                                                                   \
  X(ulong __VA_OPT__(, ) __VA_ARGS__)
#define US_INTEGER_TYPES(X, ...)                                                                                       \
  US_SIGNED_TYPES(X __VA_OPT__(, ) __VA_ARGS__) US_UNSIGNED_TYPES(X __VA_OPT__(, ) __VA_ARGS__)
#define US_FLOAT_TYPES(X, ...)                                                                                         \
  X(half __VA_OPT__(, ) __VA_ARGS__)                                                                                   \
  X(float __VA_OPT__(, ) __VA_ARGS__)                                                                                  \
  X(double __VA_OPT__(, ) __VA_ARGS__)
#define US_ALL_TYPES(X, ...) US_INTEGER_TYPES(X __VA_OPT__(, ) __VA_ARGS__) US_FLOAT_TYPES(X __VA_OPT__(, ) __VA_ARGS__)

// An LLVM intrinsic is declared with its name as label: US_NAMED_WIDTHS passes each type's part of that name.
//   #define F(T, NAME) US_OVERLOAD T us_popcount(T x) __asm("llvm.ctpop." NAME);
#define US_NAMED_WIDTHS(X, T, NAME, ...)                                                                               \
  X(T, NAME __VA_OPT__(, ) __VA_ARGS__)                                                                                \
  X(T##2, "v2" NAME __VA_OPT__(, ) __VA_ARGS__)                                                                        \
  X(T##3, "v3" NAME __VA_OPT__(, ) __VA_ARGS__)                                                                        \
  X(T##4, "v4" NAME __VA_OPT__(, ) __VA_ARGS__)                                                                        \
  X(T##8, "v8" NAME __VA_OPT__(, ) __VA_ARGS__)                                                                        \
  X(T##16, "v16" NAME __VA_OPT__(, ) __VA_ARGS__)
#define US_NAMED_SIGNED(X, ...)                                                                                        \
  US_NAMED_WIDTHS(X, char, "i8" __VA_OPT__(, ) __VA_ARGS__)                                                            \
  US_NAMED_WIDTHS(X, short, "i16" __VA_OPT__(, ) __VA_ARGS__)                                                          \
  US_NAMED_WIDTHS(X, int, "i32" __VA_OPT__(, ) __VA_ARGS__)                                                            \
  US_NAMED_WIDTHS(X, long, "i64" __VA_OPT__(, ) __VA_ARGS__)
#define US_NAMED_UNSIGNED(X, ...)                                                                                      \
  US_NAMED_WIDTHS(X, uchar, "i8" __VA_OPT__(, ) __VA_ARGS__)                                                           \
  US_NAMED_WIDTHS(X, ushort, "i16" __VA_OPT__(, ) __VA_ARGS__)                                                         \
  US_NAMED_WIDTHS(X, uint, "i32" __VA_OPT__(, ) __VA_ARGS__)                                                           \
  US_NAMED_WIDTHS(X, ulong, "i64" __VA_OPT__(, ) __VA_ARGS__)
#define US_NAMED_FLOATS(X, ...)                                                                                        \
  US_NAMED_WIDTHS(X, half, "f16" __VA_OPT__(, ) __VA_ARGS__)                                                           \
  US_NAMED_WIDTHS(X, float, "f32" __VA_OPT__(, ) __VA_ARGS__)                                                          \
  US_NAMED_WIDTHS(X, double, "f64" __VA_OPT__(, ) __VA_ARGS__)
