// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math functions as loops over arrays, for the tests of this folder: test_<function>_<type>.
#include "widths.h"

#define TYPES(M, F) M(F, float) M(F, double) M(F, half)
#define ONE(F, A) US_APPLY1(F, test_##F##_##A, A, A)
#define TWO(F, A) US_APPLY2(F, test_##F##_##A, A, A, A)
#define POWER(F, A) US_APPLY2(F, test_##F##_##A, A, A, int)

#define US_UNARY(F, ...) TYPES(ONE, F)
#define US_BINARY(F, ...) TYPES(TWO, F)
#define US_POWER_INT(F, ...) TYPES(POWER, F)
#define US_EXACT_UNARY(F) TYPES(ONE, F)
#define US_EXACT_BINARY(F) TYPES(TWO, F)
#include "../opencl/math/functions.def"
TYPES(ONE, lgamma)
TYPES(POWER, ldexp)

#define ILOGB(F, A) US_APPLY1(ilogb, test_ilogb_##A, int, A)
TYPES(ILOGB, ilogb)
#define FUSED(F, A) US_APPLY3(F, test_##F##_##A, A, A, A, A)
TYPES(FUSED, fma)
TYPES(FUSED, mad)

// With a second result.
#define SECOND1(F, A, P)                                                                                               \
  void test_##F##_##A(global A *a, global A *first, global P *second, ulong n) {                                       \
    for (ulong i = 0; i < n; ++i) {                                                                                    \
      P other;                                                                                                         \
      first[i] = F(a[i], &other);                                                                                      \
      second[i] = other;                                                                                               \
    }                                                                                                                  \
  }
#define SECOND2(F, A, P)                                                                                               \
  void test_##F##_##A(global A *a, global A *b, global A *first, global P *second, ulong n) {                          \
    for (ulong i = 0; i < n; ++i) {                                                                                    \
      P other;                                                                                                         \
      first[i] = F(a[i], b[i], &other);                                                                                \
      second[i] = other;                                                                                               \
    }                                                                                                                  \
  }
#define SECONDS(A)                                                                                                     \
  SECOND1(fract, A, A)                                                                                                 \
  SECOND1(modf, A, A)                                                                                                  \
  SECOND1(sincos, A, A)                                                                                                \
  SECOND1(frexp, A, int)                                                                                               \
  SECOND1(lgamma_r, A, int)                                                                                            \
  SECOND2(remquo, A, int)
SECONDS(float)
SECONDS(double)
SECONDS(half)

// f32 only.
#define US_F32_UNARY(F) ONE(F, float)
#define US_F32_BINARY(F) TWO(F, float)
#include "../opencl/math/f32_functions.def"

void test_nan(global uint *a, global float *f, global ulong *b, global double *d, global ushort *c, global half *h) {
  *f = nan(*a);
  *d = nan(*b);
  *h = nan(*c);
}
