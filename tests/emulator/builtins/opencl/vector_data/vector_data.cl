// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector loads, stores and shuffles in every address space, for vector_data_test.cpp: each function counts its
// mistakes. The arrays begin at odd elements, so that vectors are aligned like one element only.
#include "widths.h"

// Reads vectors of all widths through `in`, writes them through `out`, looks at what came out and at its surroundings.
#define LOADS(SPACE, KIND, T, N)                                                                                       \
  for (ulong offset = 0; (offset + 1) * N <= n; ++offset) {                                                            \
    US_COMPONENTS(T, N, x);                                                                                            \
    x.v = vload##N(offset, in);                                                                                        \
    for (uint k = 0; k < N; ++k) wrong += US_DIFFER(x.s[k], data[offset * N + k]);                                     \
  }
#define STORES(SPACE, KIND, T, N)                                                                                      \
  for (ulong offset = 0; (offset + 1) * N <= n; ++offset) {                                                            \
    for (uint k = 0; k < n; ++k) out[k] = 0;                                                                           \
    vstore##N(vload##N(offset, in), offset, out);                                                                      \
    for (uint k = 0; k < n; ++k) {                                                                                     \
      T expected = k / N == offset ? data[k] : 0, got = out[k];                                                        \
      wrong += US_DIFFER(expected, got);                                                                               \
    }                                                                                                                  \
  }
#define EACH(X, SPACE, KIND, T)                                                                                        \
  X(SPACE, KIND, T, 2) X(SPACE, KIND, T, 3) X(SPACE, KIND, T, 4) X(SPACE, KIND, T, 8) X(SPACE, KIND, T, 16)
#define READ_WRITE(SPACE, T)                                                                                           \
  ulong SPACE##_##T(SPACE T *in, SPACE T *out, ulong n) {                                                              \
    ulong wrong = 0;                                                                                                   \
    T data[64];                                                                                                        \
    for (uint k = 0; k < n; ++k) data[k] = in[k];                                                                      \
    EACH(LOADS, SPACE, , T)                                                                                            \
    EACH(STORES, SPACE, , T)                                                                                           \
    return wrong;                                                                                                      \
  }
#define READ(T)                                                                                                        \
  ulong constant_##T(constant T *in, constant T *unused, ulong n) {                                                    \
    ulong wrong = 0;                                                                                                   \
    T data[64];                                                                                                        \
    for (uint k = 0; k < n; ++k) data[k] = in[k];                                                                      \
    EACH(LOADS, constant, , T)                                                                                         \
    return wrong;                                                                                                      \
  }
// With the generic address space Clang chooses the generic form for every pointer but a constant one: the named forms,
// for programs of OpenCL C 1.x, are declared here.
#define DECLARE(SPACE, T, N)                                                                                           \
  __attribute__((overloadable)) T##N vload##N(size_t, const SPACE T *);                                                \
  __attribute__((overloadable)) void vstore##N(T##N, size_t, SPACE T *);
#define DECLARE_CONSTANT(SPACE, T, N) __attribute__((overloadable)) T##N vload##N(size_t, const constant T *);
#define TYPE(T)                                                                                                        \
  EACH(DECLARE_, global, , T)                                                                                          \
  EACH(DECLARE_, local, , T)                                                                                           \
  EACH(DECLARE_, private, , T)                                                                                         \
  EACH(DECLARE_, generic, , T)                                                                                         \
  EACH(DECLARE_CONSTANT_, constant, , T)                                                                               \
  READ_WRITE(global, T)                                                                                                \
  READ_WRITE(local, T)                                                                                                 \
  READ_WRITE(private, T)                                                                                               \
  READ_WRITE(generic, T)                                                                                               \
  READ(T)
#define DECLARE_(SPACE, KIND, T, N) DECLARE(SPACE, T, N)
#define DECLARE_CONSTANT_(SPACE, KIND, T, N) DECLARE_CONSTANT(SPACE, T, N)
#define generic __generic
TYPE(char)
TYPE(uchar)
TYPE(short)
TYPE(ushort)
TYPE(int)
TYPE(uint)
TYPE(long)
TYPE(ulong)
TYPE(half)
TYPE(float)
TYPE(double)
