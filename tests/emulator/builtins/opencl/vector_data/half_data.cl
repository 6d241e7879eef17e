// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vload_half and vstore_half in all their forms, for vector_data_test.cpp. What is stored must be what convert_half
// gives.
#include "widths.h"

void load_half(global half *in, global float *out, ulong n) {
  for (ulong i = 0; i < n; ++i) out[i] = vload_half(i, in);
}

// STEP is the distance of vectors in elements: n, but 4 for the a form of 3.
#define LOAD(FUNCTION, N, STEP)                                                                                        \
  for (ulong offset = 0; (offset + 1) * STEP <= n; ++offset) {                                                         \
    US_COMPONENTS(float, N, x);                                                                                        \
    x.v = FUNCTION(offset, in);                                                                                        \
    for (uint k = 0; k < N; ++k) {                                                                                     \
      float expected = (float)in[offset * STEP + k];                                                                   \
      wrong += US_DIFFER(expected, x.s[k]);                                                                            \
    }                                                                                                                  \
  }
#define LOADS(SPACE)                                                                                                   \
  ulong load_half_##SPACE(SPACE half *in, ulong n) {                                                                   \
    ulong wrong = 0;                                                                                                   \
    LOAD(vload_half2, 2, 2)                                                                                            \
    LOAD(vload_half3, 3, 3)                                                                                            \
    LOAD(vload_half4, 4, 4)                                                                                            \
    LOAD(vload_half8, 8, 8)                                                                                            \
    LOAD(vload_half16, 16, 16)                                                                                         \
    LOAD(vloada_half2, 2, 2)                                                                                           \
    LOAD(vloada_half3, 3, 4)                                                                                           \
    LOAD(vloada_half4, 4, 4)                                                                                           \
    LOAD(vloada_half8, 8, 8)                                                                                           \
    LOAD(vloada_half16, 16, 16)                                                                                        \
    return wrong;                                                                                                      \
  }
LOADS(global)
LOADS(local)
LOADS(constant)

#define STORE(F, FUNCTION, MODE, N, STEP)                                                                              \
  for (ulong offset = 0; (offset + 1) * STEP <= n; ++offset) {                                                         \
    US_COMPONENTS(F, N, x);                                                                                            \
    for (uint k = 0; k < N; ++k) x.s[k] = in[offset * N + k];                                                          \
    for (uint k = 0; k < STEP; ++k) out[offset * STEP + k] = 7.0h;                                                     \
    FUNCTION##MODE(x.v, offset, out);                                                                                  \
    for (uint k = 0; k < STEP; ++k) {                                                                                  \
      half expected = k < N ? convert_half##MODE(x.s[k]) : 7.0h, got = out[offset * STEP + k];                         \
      wrong += US_DIFFER(expected, got);                                                                               \
    }                                                                                                                  \
  }
#define MODE(F, MODE)                                                                                                  \
  for (ulong i = 0; i < n; ++i) {                                                                                      \
    half expected = convert_half##MODE(in[i]), got;                                                                    \
    vstore_half##MODE(in[i], i, out);                                                                                  \
    got = out[i];                                                                                                      \
    wrong += US_DIFFER(expected, got);                                                                                 \
  }                                                                                                                    \
  STORE(F, vstore_half2, MODE, 2, 2)                                                                                   \
  STORE(F, vstore_half3, MODE, 3, 3)                                                                                   \
  STORE(F, vstore_half4, MODE, 4, 4)                                                                                   \
  STORE(F, vstore_half8, MODE, 8, 8)                                                                                   \
  STORE(F, vstore_half16, MODE, 16, 16)                                                                                \
  STORE(F, vstorea_half2, MODE, 2, 2)                                                                                  \
  STORE(F, vstorea_half3, MODE, 3, 4)                                                                                  \
  STORE(F, vstorea_half4, MODE, 4, 4)                                                                                  \
  STORE(F, vstorea_half8, MODE, 8, 8)                                                                                  \
  STORE(F, vstorea_half16, MODE, 16, 16)
#define STORES(SPACE, F)                                                                                               \
  ulong store_half_##SPACE##_##F(global F *in, SPACE half *out, ulong n) {                                             \
    ulong wrong = 0;                                                                                                   \
    MODE(F, )                                                                                                          \
    MODE(F, _rte)                                                                                                      \
    MODE(F, _rtz)                                                                                                      \
    MODE(F, _rtp)                                                                                                      \
    MODE(F, _rtn)                                                                                                      \
    return wrong;                                                                                                      \
  }
STORES(global, float)
STORES(global, double)
STORES(local, float)
