// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For test programs in OpenCL C: loops over arrays with a scalar function, and counts of where vectors differ from
// scalars.
//   US_APPLY2(F, NAME, R, A, B)  void NAME(global A *a, global B *b, global R *r, ulong n)
//   US_SAME2(F, NAME, R, A, B)   ulong NAME(global A *a, global B *b, ulong n): components of all widths that differ
#pragma once
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

// In bits, but any NaN equals any other.
#define US_DIFFER(x, y) ((x) != (y) ? !((x) != (x) && (y) != (y)) : differ((char *)&(x), (char *)&(y), sizeof(x)))
static bool differ(char *x, char *y, size_t n) {
  for (size_t i = 0; i < n; ++i)
    if (x[i] != y[i]) return true;
  return false;
}

#define US_APPLY1(F, NAME, R, A)                                                                                       \
  void NAME(global A *a, global R *r, ulong n) {                                                                       \
    for (ulong i = 0; i < n; ++i) r[i] = F(a[i]);                                                                      \
  }
#define US_APPLY2(F, NAME, R, A, B)                                                                                    \
  void NAME(global A *a, global B *b, global R *r, ulong n) {                                                          \
    for (ulong i = 0; i < n; ++i) r[i] = F(a[i], b[i]);                                                                \
  }
#define US_APPLY3(F, NAME, R, A, B, C)                                                                                 \
  void NAME(global A *a, global B *b, global C *c, global R *r, ulong n) {                                             \
    for (ulong i = 0; i < n; ++i) r[i] = F(a[i], b[i], c[i]);                                                          \
  }

// A vector whose components can be indexed.
#define US_COMPONENTS(T, N, name)                                                                                      \
  union {                                                                                                              \
    T##N v;                                                                                                            \
    T s[N];                                                                                                            \
  } name
// The body for one width; FN is the name of the vector's function (F, or convert_char4).
#define US_WIDTH1(FN, F, N, R, A)                                                                                      \
  for (ulong i = 0; i + N <= n; i += N) {                                                                              \
    US_COMPONENTS(A, N, x);                                                                                            \
    US_COMPONENTS(R, N, result);                                                                                       \
    for (uint k = 0; k < N; ++k) x.s[k] = a[i + k];                                                                    \
    result.v = FN(x.v);                                                                                                \
    for (uint k = 0; k < N; ++k) {                                                                                     \
      R expected = F(x.s[k]);                                                                                          \
      wrong += US_DIFFER(expected, result.s[k]);                                                                       \
    }                                                                                                                  \
  }
#define US_WIDTH2(FN, F, N, R, A, B)                                                                                   \
  for (ulong i = 0; i + N <= n; i += N) {                                                                              \
    US_COMPONENTS(A, N, x);                                                                                            \
    US_COMPONENTS(B, N, y);                                                                                            \
    US_COMPONENTS(R, N, result);                                                                                       \
    for (uint k = 0; k < N; ++k) x.s[k] = a[i + k], y.s[k] = b[i + k];                                                 \
    result.v = FN(x.v, y.v);                                                                                           \
    for (uint k = 0; k < N; ++k) {                                                                                     \
      R expected = F(x.s[k], y.s[k]);                                                                                  \
      wrong += US_DIFFER(expected, result.s[k]);                                                                       \
    }                                                                                                                  \
  }
#define US_WIDTH3(FN, F, N, R, A, B, C)                                                                                \
  for (ulong i = 0; i + N <= n; i += N) {                                                                              \
    US_COMPONENTS(A, N, x);                                                                                            \
    US_COMPONENTS(B, N, y);                                                                                            \
    US_COMPONENTS(C, N, z);                                                                                            \
    US_COMPONENTS(R, N, result);                                                                                       \
    for (uint k = 0; k < N; ++k) x.s[k] = a[i + k], y.s[k] = b[i + k], z.s[k] = c[i + k];                              \
    result.v = FN(x.v, y.v, z.v);                                                                                      \
    for (uint k = 0; k < N; ++k) {                                                                                     \
      R expected = F(x.s[k], y.s[k], z.s[k]);                                                                          \
      wrong += US_DIFFER(expected, result.s[k]);                                                                       \
    }                                                                                                                  \
  }
#define US_SAME1(F, NAME, R, A)                                                                                        \
  ulong NAME(global A *a, ulong n) {                                                                                   \
    ulong wrong = 0;                                                                                                   \
    US_WIDTH1(F, F, 2, R, A)                                                                                           \
    US_WIDTH1(F, F, 3, R, A)                                                                                           \
    US_WIDTH1(F, F, 4, R, A)                                                                                           \
    US_WIDTH1(F, F, 8, R, A)                                                                                           \
    US_WIDTH1(F, F, 16, R, A)                                                                                          \
    return wrong;                                                                                                      \
  }
#define US_SAME2(F, NAME, R, A, B)                                                                                     \
  ulong NAME(global A *a, global B *b, ulong n) {                                                                      \
    ulong wrong = 0;                                                                                                   \
    US_WIDTH2(F, F, 2, R, A, B)                                                                                        \
    US_WIDTH2(F, F, 3, R, A, B)                                                                                        \
    US_WIDTH2(F, F, 4, R, A, B)                                                                                        \
    US_WIDTH2(F, F, 8, R, A, B)                                                                                        \
    US_WIDTH2(F, F, 16, R, A, B)                                                                                       \
    return wrong;                                                                                                      \
  }
#define US_SAME3(F, NAME, R, A, B, C)                                                                                  \
  ulong NAME(global A *a, global B *b, global C *c, ulong n) {                                                         \
    ulong wrong = 0;                                                                                                   \
    US_WIDTH3(F, F, 2, R, A, B, C)                                                                                     \
    US_WIDTH3(F, F, 3, R, A, B, C)                                                                                     \
    US_WIDTH3(F, F, 4, R, A, B, C)                                                                                     \
    US_WIDTH3(F, F, 8, R, A, B, C)                                                                                     \
    US_WIDTH3(F, F, 16, R, A, B, C)                                                                                    \
    return wrong;                                                                                                      \
  }
