// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shuffle and shuffle2 of all lengths, for vector_data_test.cpp: each function counts the components that are wrong.
#include "widths.h"

#define SHUFFLE(T, M, N, S)                                                                                            \
  for (ulong i = 0; i + 48 <= n; ++i) {                                                                                \
    US_COMPONENTS(T, S, x);                                                                                            \
    US_COMPONENTS(T, S, y);                                                                                            \
    US_COMPONENTS(T, N, r);                                                                                            \
    US_COMPONENTS(M, N, mask);                                                                                         \
    for (uint k = 0; k < S; ++k) x.s[k] = a[i + k], y.s[k] = a[i + 16 + k];                                            \
    for (uint k = 0; k < N; ++k) mask.s[k] = m[i + k];                                                                 \
    r.v = shuffle(x.v, mask.v);                                                                                        \
    for (uint k = 0; k < N; ++k) wrong += r.s[k] != x.s[mask.s[k] % S];                                                \
    r.v = shuffle2(x.v, y.v, mask.v);                                                                                  \
    for (uint k = 0; k < N; ++k) {                                                                                     \
      uint index = mask.s[k] % (2 * S);                                                                                \
      wrong += r.s[k] != (index < S ? x.s[index] : y.s[index - S]);                                                    \
    }                                                                                                                  \
  }
#define RESULTS(T, M, S) SHUFFLE(T, M, 2, S) SHUFFLE(T, M, 4, S) SHUFFLE(T, M, 8, S) SHUFFLE(T, M, 16, S)
#define TYPE(T, M)                                                                                                     \
  ulong shuffle_##T(global T *a, global M *m, ulong n) {                                                               \
    ulong wrong = 0;                                                                                                   \
    RESULTS(T, M, 2)                                                                                                   \
    RESULTS(T, M, 4)                                                                                                   \
    RESULTS(T, M, 8)                                                                                                   \
    RESULTS(T, M, 16)                                                                                                  \
    return wrong;                                                                                                      \
  }
TYPE(char, uchar)
TYPE(ushort, ushort)
TYPE(half, ushort)
TYPE(float, uint)
TYPE(long, ulong)
