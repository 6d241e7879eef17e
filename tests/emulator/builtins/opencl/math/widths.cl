// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every vector width of the math functions against the scalar one: widths_<function>_<type> counts components that
// differ. US_TYPE is the type of this build.
#include "widths.h"

#define NAME2(P, F, A) P##F##_##A
#define NAME(P, F, A) NAME2(P, F, A)
#define ONE(F) US_SAME1(F, NAME(widths_, F, US_TYPE), US_TYPE, US_TYPE)
#define TWO(F) US_SAME2(F, NAME(widths_, F, US_TYPE), US_TYPE, US_TYPE, US_TYPE)
#define POWER(F) US_SAME2(F, NAME(widths_, F, US_TYPE), US_TYPE, US_TYPE, int)

#define US_UNARY(F, ...) ONE(F)
#define US_BINARY(F, ...) TWO(F)
#define US_POWER_INT(F, ...) POWER(F)
#define US_EXACT_UNARY(F) ONE(F)
#define US_EXACT_BINARY(F) TWO(F)
#include "../opencl/math/functions.def"
ONE(lgamma)
POWER(ldexp)
US_SAME1(ilogb, NAME(widths_, ilogb, US_TYPE), int, US_TYPE)
US_SAME3(fma, NAME(widths_, fma, US_TYPE), US_TYPE, US_TYPE, US_TYPE, US_TYPE)
US_SAME3(mad, NAME(widths_, mad, US_TYPE), US_TYPE, US_TYPE, US_TYPE, US_TYPE)
#ifdef US_WITH_F32_FUNCTIONS
#define US_F32_UNARY(F) ONE(F)
#define US_F32_BINARY(F) TWO(F)
#include "../opencl/math/f32_functions.def"
#endif

// Functions with a second result, in each address space: the scalar private form is the measure.
#define ONE_OPERAND(F, I, OUT) F(x.I, OUT)
#define TWO_OPERANDS(F, I, OUT) F(x.I, y.I, OUT)
#define SECOND(SPACE, F, N, A, P, CALL, MEMORY)                                                                        \
  for (ulong i = 0; i + N <= n; i += N) {                                                                              \
    US_COMPONENTS(A, N, x);                                                                                            \
    US_COMPONENTS(A, N, y);                                                                                            \
    US_COMPONENTS(A, N, first);                                                                                        \
    US_COMPONENTS(P, N, second);                                                                                       \
    for (uint k = 0; k < N; ++k) x.s[k] = a[i + k], y.s[k] = a[n - 1 - i - k];                                         \
    SPACE P##N *out = (SPACE P##N *)MEMORY;                                                                            \
    first.v = CALL(F, v, out);                                                                                         \
    second.v = *out;                                                                                                   \
    for (uint k = 0; k < N; ++k) {                                                                                     \
      P other;                                                                                                         \
      A expected = CALL(F, s[k], &other);                                                                              \
      wrong += US_DIFFER(expected, first.s[k]) + US_DIFFER(other, second.s[k]);                                        \
    }                                                                                                                  \
  }
#define SECOND_SCALAR(SPACE, F, A, P, CALL, MEMORY)                                                                    \
  for (ulong i = 0; i < n; ++i) {                                                                                      \
    struct {                                                                                                           \
      A v;                                                                                                             \
    } x = {a[i]}, y = {a[n - 1 - i]};                                                                                  \
    SPACE P *out = (SPACE P *)MEMORY;                                                                                  \
    P other;                                                                                                           \
    A first = CALL(F, v, out), expected = CALL(F, v, &other);                                                          \
    P second = *out;                                                                                                   \
    wrong += US_DIFFER(expected, first) + US_DIFFER(other, second);                                                    \
  }
#define SECOND_WIDTHS(...) SECOND_WIDTHS_(__VA_ARGS__)
#define SECOND_WIDTHS_(SPACE, F, A, P, CALL, MEMORY)                                                                   \
  SECOND_SCALAR(SPACE, F, A, P, CALL, MEMORY)                                                                          \
  SECOND(SPACE, F, 2, A, P, CALL, MEMORY)                                                                              \
  SECOND(SPACE, F, 3, A, P, CALL, MEMORY)                                                                              \
  SECOND(SPACE, F, 4, A, P, CALL, MEMORY)                                                                              \
  SECOND(SPACE, F, 8, A, P, CALL, MEMORY)                                                                              \
  SECOND(SPACE, F, 16, A, P, CALL, MEMORY)
// Any memory may play the part of any address space: all are flat.
#define SECOND_TEST(F, P, CALL)                                                                                        \
  ulong NAME(widths_, F, US_TYPE)(global US_TYPE * a, global P * memory, ulong n) {                                    \
    ulong wrong = 0;                                                                                                   \
    P place[16] __attribute__((aligned(128)));                                                                         \
    SECOND_WIDTHS(private, F, US_TYPE, P, CALL, place)                                                                 \
    SECOND_WIDTHS(global, F, US_TYPE, P, CALL, memory)                                                                 \
    SECOND_WIDTHS(local, F, US_TYPE, P, CALL, (ulong)memory)                                                           \
    SECOND_WIDTHS(generic, F, US_TYPE, P, CALL, memory)                                                                \
    return wrong;                                                                                                      \
  }
SECOND_TEST(fract, US_TYPE, ONE_OPERAND)
SECOND_TEST(modf, US_TYPE, ONE_OPERAND)
SECOND_TEST(sincos, US_TYPE, ONE_OPERAND)
SECOND_TEST(frexp, int, ONE_OPERAND)
SECOND_TEST(lgamma_r, int, ONE_OPERAND)
SECOND_TEST(remquo, int, TWO_OPERANDS)
