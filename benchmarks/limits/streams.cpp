// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reads and writes memory once, or nearly.
#include "benchmarks/limits/limit.h"

#include <cmath>

using namespace limits;

namespace {

// Fewer elements are done before other threads have woken up.
constexpr size_t kWorthThreads = 1 << 18;

void addScaled(size_t n, const float *a, const float *b, float *c) {
#pragma omp parallel for simd if (parallel : n >= kWorthThreads)
  for (size_t i = 0; i < n; ++i) c[i] = a[i] + 3.0f * b[i];
}

} // namespace

LIMIT(triad, const float *a, const float *b, float *c) { addScaled(items, a, b, c); }
LIMIT(triad_nolws, const float *a, const float *b, float *c) { addScaled(items, a, b, c); }
LIMIT(triad_l2, const float *a, const float *b, float *c) { addScaled(items, a, b, c); }
LIMIT(triad_l2_int, const float *a, const float *b, float *c) { addScaled(items, a, b, c); }
LIMIT(triad_l2_group, const float *a, const float *b, float *c) { addScaled(items, a, b, c); }
LIMIT(wg1, const float *a, const float *b, float *c) { addScaled(items, a, b, c); }
LIMIT(wgsmall, const float *a, const float *b, float *c) { addScaled(items, a, b, c); }

LIMIT(soa4, const float *a, float *b) {
#pragma omp parallel for simd
  for (size_t i = 0; i < items; ++i) b[i] = a[4 * i] * a[4 * i + 1] + a[4 * i + 2] * a[4 * i + 3];
}

LIMIT(aos3, const float *a, float *b) {
#pragma omp parallel for simd
  for (size_t i = 0; i < items; ++i) b[i] = a[3 * i] + 2 * a[3 * i + 1] + 3 * a[3 * i + 2];
}

LIMIT(normalize4, const float *a, float *b) {
  // Each lane gets the sum of its four by two additions of neighbours; nothing is taken apart.
#pragma omp parallel for
  for (size_t i = 0; i < 4 * items; i += 16) {
    using V = Vec<float, 16>;
    V v = load<V>(a + i), s = v * v;
    s += __builtin_shufflevector(s, s, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
    s += __builtin_shufflevector(s, s, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
#if defined(__AVX512F__)
    store(b + i, v * rsqrt(s));
#else
    store(b + i, v / __builtin_elementwise_sqrt(s));
#endif
  }
}

LIMIT(reduce, const uint32_t *a, uint32_t *out) {
#pragma omp parallel for
  for (size_t group = 0; group < items / 256; ++group) {
    uint32_t sum = 0;
    for (size_t i = 0; i < 256; ++i) sum += a[group * 256 + i];
    out[group] = sum;
  }
}

LIMIT(scan, const uint32_t *a, uint32_t *out) {
  // Four steps within a vector of 16, and the sum so far.
  using V = Vec<uint32_t, 16>;
  const V zero = 0;
#pragma omp parallel for
  for (size_t group = 0; group < items; group += 256) {
    V carry = 0;
    for (size_t i = group; i < group + 256; i += 16) {
      V v = load<V>(a + i);
      v += __builtin_shufflevector(zero, v, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
      v += __builtin_shufflevector(zero, v, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
      v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27);
      v += __builtin_shufflevector(zero, v, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23);
      v += carry;
      store(out + i, v);
      carry = v[15];
    }
  }
}

LIMIT(transpose, const float *a, float *b, int n) {
  constexpr int kSide = 16;
#pragma omp parallel for
  for (int x = 0; x < n; x += kSide)
    for (int y = 0; y < n; y += kSide) {
      Vec<float, kSide> rows[kSide];
      for (int j = 0; j < kSide; ++j) rows[j] = load<Vec<float, kSide>>(a + size_t(y + j) * n + x);
      transposeBlocks<kSide, kSide>(rows);
      for (int j = 0; j < kSide; ++j) store(b + size_t(x + j) * n + y, rows[j]);
    }
}
