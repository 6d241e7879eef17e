// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common and geometric functions as loops over arrays, for common_test.cpp.
#include "widths.h"

#define FUNCTIONS(T)                                                                                                   \
  US_APPLY2(min, test_min_##T, T, T, T)                                                                                \
  US_SAME2(min, widths_min_##T, T, T, T) US_APPLY2(max, test_max_##T, T, T, T) US_SAME2(max, widths_max_##T, T, T, T)  \
      US_APPLY3(clamp, test_clamp_##T, T, T, T, T) US_SAME3(clamp, widths_clamp_##T, T, T, T, T)                       \
          US_APPLY1(degrees, test_degrees_##T, T, T) US_SAME1(degrees, widths_degrees_##T, T, T)                       \
              US_APPLY1(radians, test_radians_##T, T, T) US_SAME1(radians, widths_radians_##T, T, T)                   \
                  US_APPLY1(sign, test_sign_##T, T, T) US_SAME1(sign, widths_sign_##T, T, T)                           \
                      US_APPLY2(step, test_step_##T, T, T, T) US_SAME2(step, widths_step_##T, T, T, T)                 \
                          US_APPLY3(mix, test_mix_##T, T, T, T, T) US_SAME3(mix, widths_mix_##T, T, T, T, T)           \
                              US_APPLY3(smoothstep, test_smoothstep_##T, T, T, T, T)                                   \
                                  US_SAME3(smoothstep, widths_smoothstep_##T, T, T, T, T)                              \
                                      ulong scalar_forms_##T(global T *a, ulong n) {                                   \
    ulong wrong = 0;                                                                                                   \
    for (ulong i = 0; i + 6 <= n; ++i) {                                                                               \
      T##4 x = vload4(0, a + i);                                                                                       \
      T s = a[i + 4], t = a[i + 5];                                                                                    \
      wrong += any(min(x, s) != min(x, (T##4)s)) + any(max(x, s) != max(x, (T##4)s));                                  \
      wrong += any(clamp(x, s, t) != clamp(x, (T##4)s, (T##4)t)) + any(step(s, x) != step((T##4)s, x));                \
      wrong += any(mix(x, x.wzyx, s) != mix(x, x.wzyx, (T##4)s));                                                      \
      wrong += any(smoothstep(s, t + (T)1, x) != smoothstep((T##4)s, (T##4)t + (T)1, x));                              \
    }                                                                                                                  \
    return wrong;                                                                                                      \
  }
FUNCTIONS(half)
FUNCTIONS(float)
FUNCTIONS(double)

// Vectors of 1 to 4 components; out holds dot, length, distance, then the components of normalize.
#define GEOMETRIC(T, V, N, LOAD, STORE)                                                                                \
  void geometric_##T##_##N(global T *a, global T *b, global T *out) {                                                  \
    V x = LOAD(a), y = LOAD(b);                                                                                        \
    out[0] = dot(x, y);                                                                                                \
    out[1] = length(x);                                                                                                \
    out[2] = distance(x, y);                                                                                           \
    STORE(normalize(x), out + 3);                                                                                      \
  }
#define FAST(V, N, LOAD, STORE)                                                                                        \
  void fast_##N(global float *a, global float *b, global float *out) {                                                 \
    V x = LOAD(a), y = LOAD(b);                                                                                        \
    out[1] = fast_length(x);                                                                                           \
    out[2] = fast_distance(x, y);                                                                                      \
    STORE(fast_normalize(x), out + 3);                                                                                 \
  }
#define LOAD1(p) (*(p))
#define STORE1(v, p) (*(p) = (v))
#define LOAD2(p) vload2(0, p)
#define STORE2(v, p) vstore2(v, 0, p)
#define LOAD3(p) vload3(0, p)
#define STORE3(v, p) vstore3(v, 0, p)
#define LOAD4(p) vload4(0, p)
#define STORE4(v, p) vstore4(v, 0, p)
#define ALL(T)                                                                                                         \
  GEOMETRIC(T, T, 1, LOAD1, STORE1)                                                                                    \
  GEOMETRIC(T, T##2, 2, LOAD2, STORE2)                                                                                 \
  GEOMETRIC(T, T##3, 3, LOAD3, STORE3)                                                                                 \
  GEOMETRIC(T, T##4, 4, LOAD4, STORE4)                                                                                 \
  void cross_##T(global T *a, global T *b, global T *out) {                                                            \
    vstore3(cross(vload3(0, a), vload3(0, b)), 0, out);                                                                \
    vstore4(cross(vload4(0, a), vload4(0, b)), 0, out + 3);                                                            \
  }
ALL(half)
ALL(float)
ALL(double)
FAST(float, 1, LOAD1, STORE1)
FAST(float2, 2, LOAD2, STORE2)
FAST(float3, 3, LOAD3, STORE3)
FAST(float4, 4, LOAD4, STORE4)
