// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The relational functions, for relational_test.cpp. A vector's component must be minus what the scalar form says.
#include "widths.h"

#define ONE_WIDTH(F, T, I, N)                                                                                          \
  for (ulong i = 0; i + N <= n; i += N) {                                                                              \
    US_COMPONENTS(T, N, x);                                                                                            \
    US_COMPONENTS(I, N, r);                                                                                            \
    for (uint k = 0; k < N; ++k) x.s[k] = a[i + k];                                                                    \
    r.v = F(x.v);                                                                                                      \
    for (uint k = 0; k < N; ++k) wrong += r.s[k] != -F(x.s[k]);                                                        \
  }
#define TWO_WIDTH(F, T, I, N)                                                                                          \
  for (ulong i = 0; i + N <= n; i += N) {                                                                              \
    US_COMPONENTS(T, N, x);                                                                                            \
    US_COMPONENTS(T, N, y);                                                                                            \
    US_COMPONENTS(I, N, r);                                                                                            \
    for (uint k = 0; k < N; ++k) x.s[k] = a[i + k], y.s[k] = b[i + k];                                                 \
    r.v = F(x.v, y.v);                                                                                                 \
    for (uint k = 0; k < N; ++k) wrong += r.s[k] != -F(x.s[k], y.s[k]);                                                \
  }
#define WIDTHS(WIDTH, F, T, I)                                                                                         \
  WIDTH(F, T, I, 2) WIDTH(F, T, I, 3) WIDTH(F, T, I, 4) WIDTH(F, T, I, 8) WIDTH(F, T, I, 16)
#define ONE(F, T, I)                                                                                                   \
  US_APPLY1(F, test_##F##_##T, int, T)                                                                                 \
  ulong widths_##F##_##T(global T *a, ulong n) {                                                                       \
    ulong wrong = 0;                                                                                                   \
    WIDTHS(ONE_WIDTH, F, T, I)                                                                                         \
    return wrong;                                                                                                      \
  }
#define TWO(F, T, I)                                                                                                   \
  US_APPLY2(F, test_##F##_##T, int, T, T)                                                                              \
  ulong widths_##F##_##T(global T *a, global T *b, ulong n) {                                                          \
    ulong wrong = 0;                                                                                                   \
    WIDTHS(TWO_WIDTH, F, T, I)                                                                                         \
    return wrong;                                                                                                      \
  }
#include "../opencl/relational/functions.def"

#define ANY_ALL(T)                                                                                                     \
  int any_##T(global T *a, uint n) {                                                                                   \
    switch (n) {                                                                                                       \
    case 1:                                                                                                            \
      return any(a[0]);                                                                                                \
    case 2:                                                                                                            \
      return any(vload2(0, a));                                                                                        \
    case 3:                                                                                                            \
      return any(vload3(0, a));                                                                                        \
    case 4:                                                                                                            \
      return any(vload4(0, a));                                                                                        \
    case 8:                                                                                                            \
      return any(vload8(0, a));                                                                                        \
    default:                                                                                                           \
      return any(vload16(0, a));                                                                                       \
    }                                                                                                                  \
  }                                                                                                                    \
  int all_##T(global T *a, uint n) {                                                                                   \
    switch (n) {                                                                                                       \
    case 1:                                                                                                            \
      return all(a[0]);                                                                                                \
    case 2:                                                                                                            \
      return all(vload2(0, a));                                                                                        \
    case 3:                                                                                                            \
      return all(vload3(0, a));                                                                                        \
    case 4:                                                                                                            \
      return all(vload4(0, a));                                                                                        \
    case 8:                                                                                                            \
      return all(vload8(0, a));                                                                                        \
    default:                                                                                                           \
      return all(vload16(0, a));                                                                                       \
    }                                                                                                                  \
  }
ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

// select and bitselect: how many components are wrong, for all widths; M is the mask's type, I its signed form.
#define SELECT_WIDTH(T, M, I, N)                                                                                       \
  for (ulong i = 0; i + N <= n; i += N) {                                                                              \
    US_COMPONENTS(T, N, x);                                                                                            \
    US_COMPONENTS(T, N, y);                                                                                            \
    US_COMPONENTS(T, N, r);                                                                                            \
    US_COMPONENTS(M, N, c);                                                                                            \
    for (uint k = 0; k < N; ++k) x.s[k] = a[i + k], y.s[k] = b[i + k], c.s[k] = m[i + k];                              \
    r.v = select(x.v, y.v, c.v);                                                                                       \
    for (uint k = 0; k < N; ++k) {                                                                                     \
      T expected = (I)c.s[k] < 0 ? y.s[k] : x.s[k];                                                                    \
      wrong += US_DIFFER(expected, r.s[k]);                                                                            \
    }                                                                                                                  \
  }
#define SELECT(T, M, I)                                                                                                \
  ulong select_##T##_##M(global T *a, global T *b, global M *m, ulong n) {                                             \
    ulong wrong = 0;                                                                                                   \
    for (ulong i = 0; i < n; ++i) {                                                                                    \
      T expected = m[i] ? b[i] : a[i], r = select(a[i], b[i], m[i]);                                                   \
      wrong += US_DIFFER(expected, r);                                                                                 \
    }                                                                                                                  \
    SELECT_WIDTH(T, M, I, 2)                                                                                           \
    SELECT_WIDTH(T, M, I, 3)                                                                                           \
    SELECT_WIDTH(T, M, I, 4)                                                                                           \
    SELECT_WIDTH(T, M, I, 8)                                                                                           \
    SELECT_WIDTH(T, M, I, 16)                                                                                          \
    return wrong;                                                                                                      \
  }
SELECT(char, char, char)
SELECT(char, uchar, char)
SELECT(ushort, short, short)
SELECT(half, ushort, short)
SELECT(float, int, int)
SELECT(float, uint, int)
SELECT(uint, uint, int)
SELECT(double, long, long)
SELECT(long, ulong, long)

#define BITSELECT(T)                                                                                                   \
  US_APPLY3(bitselect, test_bitselect_##T, T, T, T, T) US_SAME3(bitselect, widths_bitselect_##T, T, T, T, T)
BITSELECT(uchar)
BITSELECT(short)
BITSELECT(half)
BITSELECT(int)
BITSELECT(float)
BITSELECT(ulong)
BITSELECT(double)
