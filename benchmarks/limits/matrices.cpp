// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear algebra, and what has its loops.
#include "benchmarks/limits/limit.h"

#include <algorithm>
#include <vector>

using namespace limits;

namespace {

// Smaller matrices are done before threads have met at the barriers between blocks.
constexpr int kWorthThreads = 512;

// As many rows of two registers as there are registers for their sums.
constexpr int kRows = kLanes == 16 ? 8 : 4;

// c = a b: `kRows` rows and two vectors of columns at a time, with the columns of b next to each other.
template <class T> void product(int n, const T *a, const T *b, T *c) {
  constexpr int kWide = kLanes * 4 / sizeof(T);
  using V = Vec<T, kWide>;
#pragma omp parallel for
  for (int x = 0; x < n; x += 2 * kWide) {
    std::vector<V> columns(2 * n);
    for (int k = 0; k < n; ++k)
      for (int v = 0; v < 2; ++v) columns[2 * k + v] = load<V>(b + size_t(k) * n + x + v * kWide);
    for (int y = 0; y < n; y += kRows) {
      V sums[kRows][2] = {};
      for (int k = 0; k < n; ++k)
#pragma clang loop unroll(full)
        for (int r = 0; r < kRows; ++r) {
          V factor = a[size_t(y + r) * n + k];
          sums[r][0] += factor * columns[2 * k];
          sums[r][1] += factor * columns[2 * k + 1];
        }
      for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < 2; ++v) store(c + size_t(y + r) * n + x + v * kWide, sums[r][v]);
    }
  }
}

// Each of p with all of q; `kTogether` vectors of them hide the square root.
void attract(int n, const float *p, float *out) {
  constexpr int kTogether = 2, kStep = kTogether * kLanes;
#pragma omp parallel for
  for (int begin = 0; begin < n; begin += kStep) {
    FloatV at[3][kTogether], force[3][kTogether] = {};
    for (int u = 0; u < kTogether; ++u)
      for (int l = 0; l < kLanes; ++l)
        for (int d = 0; d < 3; ++d) at[d][u][l] = p[4 * (begin + u * kLanes + l) + d];
    for (int j = 0; j < n; ++j) {
      FloatV ox = p[4 * j], oy = p[4 * j + 1], oz = p[4 * j + 2], w = p[4 * j + 3];
#pragma clang loop unroll(full)
      for (int u = 0; u < kTogether; ++u) {
        FloatV x = ox - at[0][u], y = oy - at[1][u], z = oz - at[2][u], s = rsqrt(x * x + y * y + z * z + 0.01f);
        FloatV f = w * s * (s * s);
        force[0][u] += x * f;
        force[1][u] += y * f;
        force[2][u] += z * f;
      }
    }
    for (int i = 0; i < kStep; ++i)
      for (int d = 0; d < 4; ++d) out[4 * (begin + i) + d] = d < 3 ? force[d][i / kLanes][i % kLanes] : 0;
  }
}

} // namespace

LIMIT(mm_naive, const float *a, const float *b, float *c, int n) { product(n, a, b, c); }
LIMIT(mm_tiled, const float *a, const float *b, float *c, int n) { product(n, a, b, c); }
LIMIT(mm_reg, const float *a, const float *b, float *c, int n) { product(n, a, b, c); }
LIMIT(mm_naive_f64, const double *a, const double *b, double *c, int n) { product(n, a, b, c); }

LIMIT(nbody, const float *p, float *out, int n) { attract(n, p, out); }
LIMIT(nbody_tile, const float *p, float *out, int n) { attract(n, p, out); }

LIMIT(spmv, const int *start, const int *column, const float *value, const float *x, float *y) {
#pragma omp parallel for
  for (size_t r = 0; r < items; ++r) {
#if defined(__AVX512F__)
    __m512 sum = _mm512_setzero_ps();
    for (int i = start[r]; i < start[r + 1]; i += 16) {
      auto mask = static_cast<__mmask16>(_bzhi_u32(0xffff, std::min(start[r + 1] - i, 16)));
      __m512i at = _mm512_maskz_loadu_epi32(mask, column + i);
      __m512 met = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, at, x, 4);
      sum = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, value + i), met, sum);
    }
    y[r] = _mm512_reduce_add_ps(sum);
#else
    float sum[4] = {};
    int i = start[r];
    for (; i + 4 <= start[r + 1]; i += 4)
      for (int l = 0; l < 4; ++l) sum[l] += value[i + l] * x[column[i + l]];
    for (; i < start[r + 1]; ++i) sum[0] += value[i] * x[column[i]];
    y[r] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
#endif
  }
}

LIMIT(trisolve, const int *order, const int *start, const int *column, const float *value, const float *diagonal,
      const float *b, float *x) {
  // One after the other in the rows' own order, which needs no levels: a few hundred rows are done before threads have
  // met, and the next row's loads do not wait for this one's sum.
  for (size_t r = 0; r < items; ++r) {
    float sum[2] = {b[r], 0};
    for (int i = start[r]; i < start[r + 1]; ++i) sum[i & 1] -= value[i] * x[column[i]];
    x[r] = (sum[0] + sum[1]) / diagonal[r];
  }
}

LIMIT(atax, const float *a, const float *x, float *y) {
  // A row is still in the cache for the second product.
  size_t n = items;
  std::fill_n(y, n, 0.0f);
#pragma omp parallel
  {
    std::vector<float> own(n);
#pragma omp for nowait
    for (size_t i = 0; i < n; i += 4) {
      float sum[4];
      for (size_t r = 0; r < 4; ++r) {
        float s = 0;
#pragma omp simd reduction(+ : s)
        for (size_t j = 0; j < n; ++j) s += a[(i + r) * n + j] * x[j];
        sum[r] = s;
      }
#pragma omp simd
      for (size_t j = 0; j < n; ++j)
        own[j] += (a[i * n + j] * sum[0] + a[(i + 1) * n + j] * sum[1]) +
                  (a[(i + 2) * n + j] * sum[2] + a[(i + 3) * n + j] * sum[3]);
    }
#pragma omp critical
    for (size_t j = 0; j < n; ++j) y[j] += own[j];
  }
}

LIMIT(floyd_warshall, int *d) {
  // Blocks: the one on the diagonal, those of its row and column, then all others, each of which is then a product.
  constexpr int kBlock = 32, kWide = kBlock / kLanes;
  const int n = static_cast<int>(items), blocks = n / kBlock;
  auto relax = [=](int to, int left, int right, bool depends) {
    // Rows of `to` by way of `left` in its row and `right` in its column.
    for (int y = 0; y < kBlock; y += 4) {
      if (depends) break;
      IntV best[4][kWide];
      for (int r = 0; r < 4; ++r)
        for (int v = 0; v < kWide; ++v) best[r][v] = load<IntV>(d + to + (y + r) * n + v * kLanes);
      for (int k = 0; k < kBlock; ++k)
#pragma clang loop unroll(full)
        for (int r = 0; r < 4; ++r) {
          IntV first = d[left + (y + r) * n + k];
#pragma clang loop unroll(full)
          for (int v = 0; v < kWide; ++v)
            best[r][v] = least(best[r][v], first + load<IntV>(d + right + k * n + v * kLanes));
        }
      for (int r = 0; r < 4; ++r)
        for (int v = 0; v < kWide; ++v) store(d + to + (y + r) * n + v * kLanes, best[r][v]);
    }
    if (!depends) return;
    for (int k = 0; k < kBlock; ++k)
      for (int y = 0; y < kBlock; ++y) {
        IntV first = d[left + y * n + k];
        for (int v = 0; v < kWide; ++v) {
          int *at = d + to + y * n + v * kLanes;
          store(at, least(load<IntV>(at), first + load<IntV>(d + right + k * n + v * kLanes)));
        }
      }
  };
  auto block = [=](int y, int x) { return (y * n + x) * kBlock; };
#pragma omp parallel if (n >= kWorthThreads)
  for (int b = 0; b < blocks; ++b) {
#pragma omp single
    relax(block(b, b), block(b, b), block(b, b), true);
#pragma omp for
    for (int i = 0; i < 2 * blocks; ++i) {
      int other = i / 2;
      if (other == b) continue;
      if (i % 2)
        relax(block(b, other), block(b, b), block(b, other), true);
      else
        relax(block(other, b), block(other, b), block(b, b), true);
    }
#pragma omp for
    for (int i = 0; i < blocks * blocks; ++i)
      if (i / blocks != b && i % blocks != b)
        relax(block(i / blocks, i % blocks), block(i / blocks, b), block(b, i % blocks), false);
  }
}

LIMIT(lud, float *a) {
  // The diagonal block's columns by all rows below, then its row of blocks, then the rest as a product.
  constexpr int kBlock = 16, kWide = kBlock / kLanes;
  const int n = static_cast<int>(items);
#pragma omp parallel if (n >= kWorthThreads)
  for (int b = 0; b < n; b += kBlock) {
    float *corner = a + b * n + b;
#pragma omp single
    {
      for (int k = 0; k < kBlock - 1; ++k) {
        float inverse = 1 / corner[k * n + k];
        for (int y = k + 1; y < kBlock; ++y) {
          float factor = corner[y * n + k] *= inverse;
          for (int x = k + 1; x < kBlock; ++x) corner[y * n + x] -= factor * corner[k * n + x];
        }
      }
    }
    int rest = n - b - kBlock;
#pragma omp for
    for (int i = 0; i < 2 * rest / kLanes; ++i) {
      if (i < rest / kLanes) { // rows of U, some columns of them
        float *to = corner + kBlock + i * kLanes;
        FloatV row[kBlock];
        for (int j = 0; j < kBlock; ++j) {
          row[j] = load<FloatV>(to + j * n);
          for (int k = 0; k < j; ++k) row[j] -= corner[j * n + k] * row[k];
          store(to + j * n, row[j]);
        }
      } else { // rows of L, a lane each
        float *to = corner + (kBlock + (i - rest / kLanes) * kLanes) * n;
        FloatV column[kBlock];
        for (int j = 0; j < kBlock; ++j) {
          for (int l = 0; l < kLanes; ++l) column[j][l] = to[l * n + j];
          for (int k = 0; k < j; ++k) column[j] -= column[k] * corner[k * n + j];
          column[j] *= 1 / corner[j * n + j];
        }
        for (int l = 0; l < kLanes; ++l)
          for (int j = 0; j < kBlock; ++j) to[l * n + j] = column[j][l];
      }
    }
#pragma omp for
    for (int y = kBlock; y < n - b; y += 4)
      for (int x = kBlock; x < n - b; x += kBlock) {
        FloatV sums[4][kWide];
        for (int r = 0; r < 4; ++r)
          for (int v = 0; v < kWide; ++v) sums[r][v] = load<FloatV>(corner + (y + r) * n + x + v * kLanes);
        for (int k = 0; k < kBlock; ++k)
#pragma clang loop unroll(full)
          for (int r = 0; r < 4; ++r)
#pragma clang loop unroll(full)
            for (int v = 0; v < kWide; ++v)
              sums[r][v] -= corner[(y + r) * n + k] * load<FloatV>(corner + k * n + x + v * kLanes);
        for (int r = 0; r < 4; ++r)
          for (int v = 0; v < kWide; ++v) store(corner + (y + r) * n + x + v * kLanes, sums[r][v]);
      }
  }
}

LIMIT(kmeans, const float *p, const float *c, int *out, int n, int features, int clusters) {
  // Four centres at a time share the loads.
#pragma omp parallel for
  for (int i = 0; i < n; i += kLanes) {
    FloatV nearest = 3.4e38f;
    IntV best = 0;
    for (int j = 0; j < clusters; j += 4) {
      FloatV distance[4] = {};
      for (int f = 0; f < features; ++f) {
        auto point = load<FloatV>(p + size_t(f) * n + i);
#pragma clang loop unroll(full)
        for (int u = 0; u < 4; ++u) {
          FloatV v = point - c[(j + u) * features + f];
          distance[u] += v * v;
        }
      }
      for (int u = 0; u < 4; ++u) {
        IntV nearer = distance[u] < nearest;
        best = nearer ? IntV(j + u) : best;
        nearest = least(nearest, distance[u]);
      }
    }
    store(out + i, best);
  }
}
