// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// normalize: a vector of length 1 in the same direction, at most 2 + n ulp. "normalize(v) returns v if all elements of
// v are zero"; with infinite elements these become 1 with their sign and the others 0; a NaN gives NaN everywhere.
#include "emulator/builtins/opencl/geometric/length.h"

// What takes the place of a vector with infinite elements.
#define DIRECTION(V, T, N, ...)                                                                                        \
  US_INLINE V us_direction(V x) {                                                                                      \
    return __builtin_elementwise_abs(x) == (V)INFINITY ? __builtin_elementwise_copysign((V)1, x) : (V)0 * x;           \
  }
US_GEOMETRIC(DIRECTION, float)
US_GEOMETRIC(DIRECTION, double)

// A component over the length, in a type where no square of a finite component leaves the range.
#define NORMALIZE(V, T, N, SQRT)                                                                                       \
  US_INLINE V us_normalize(V x) {                                                                                      \
    T square = us_dot(x, x);                                                                                           \
    V y = square == (T)INFINITY ? us_direction(x) : x;                                                                 \
    square = us_dot(y, y);                                                                                             \
    T length = square == (T)0 ? (T)1 : SQRT(square);                                                                   \
    return y / length;                                                                                                 \
  }
US_GEOMETRIC(NORMALIZE, float, us_sqrtf)
US_GEOMETRIC(NORMALIZE, double, us_sqrt)

// Scaled, so that squares stay in range. Scaling down comes last: a small component beside a large one would lose its
// last bits before the division, and may be a normal number after it.
#define NORMALIZE_SCALED(V, T, N, ...)                                                                                 \
  US_OVERLOAD V normalize(V x) {                                                                                       \
    double scale = us_scale_for_squares(us_largest(x));                                                                \
    V y = x * scale;                                                                                                   \
    double square = us_dot(y, y);                                                                                      \
    return scale < 1.0 && square < INFINITY ? x / us_sqrt(square) * scale : us_normalize(y);                           \
  }
US_GEOMETRIC(NORMALIZE_SCALED, double)

US_OVERLOAD half normalize(half x) { return (half)us_normalize((float)x); }
US_OVERLOAD float normalize(float x) { return (float)us_normalize((double)x); }
#define WIDTH(N)                                                                                                       \
  US_OVERLOAD half##N normalize(half##N x) {                                                                           \
    return __builtin_convertvector(us_normalize(__builtin_convertvector(x, float##N)), half##N);                       \
  }
WIDTH(2)
WIDTH(3)
WIDTH(4)

// In float throughout, as wide as the registers are: double would halve the lanes, and four divisions cost more than
// all the rest. Squares of components between 2^-60 and 2^61 are normal numbers. A component is scaled down only after
// the division, or it would lose bits; it is scaled up before.
#define NORMALIZE_FLOAT(N, LARGEST, BY_LENGTH)                                                                         \
  US_OVERLOAD float##N normalize(float##N x) {                                                                         \
    float##N size = __builtin_elementwise_abs(x);                                                                      \
    float largest = LARGEST;                                                                                           \
    x = largest == INFINITY ? us_direction(x) : x;                                                                     \
    bool big = largest > 0x1p+60f && largest < INFINITY;                                                               \
    float down = big ? 0x1p-70f : 1.0f, up = largest < 0x1p-40f ? 0x1p+90f : 1.0f;                                     \
    x *= up;                                                                                                           \
    float##N y = x * down;                                                                                             \
    float square = us_dot(y, y);                                                                                       \
    float length = square == 0.0f ? 1.0f : us_sqrtf(square);                                                           \
    return (BY_LENGTH)*down;                                                                                           \
  }
US_INLINE float us_larger(float a, float b) { return a < b ? b : a; }
// Errors in units of 2^-24, each at most one ulp: 1 for squares of two components and 1.5 for more, 1 for the root, 1
// for each of division and product. Two components may have 4.
NORMALIZE_FLOAT(2, us_larger(size.s0, size.s1), x / length)
NORMALIZE_FLOAT(3, us_larger(us_larger(size.s0, size.s1), size.s2), x * (1.0f / length))
NORMALIZE_FLOAT(4, us_larger(us_larger(size.s0, size.s1), us_larger(size.s2, size.s3)), x * (1.0f / length))
