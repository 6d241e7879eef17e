// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures and grids.
#include "benchmarks/limits/limit.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace limits;

namespace {

// Sums of M x M products at kTall rows and two vectors of columns; what is read of a row serves all rows that need it.
constexpr int kTall = 4, kBroad = 2 * kLanes;
template <int M> inline void window(const float *const *rows, const float *mask, int x, FloatV (&sums)[kTall][2]) {
  for (auto &row : sums) row[0] = row[1] = 0;
  auto tap = [&](int q, int r, FloatV p0, FloatV p1, int i) {
    FloatV weight = mask[(q - r) * M + i];
    sums[r][0] += weight * p0;
    sums[r][1] += weight * p1;
  };
  for (int q = 0; q < M + kTall - 1; ++q) {
    const float *from = rows[q] + x;
    if (q >= kTall - 1 && q < M)
      for (int i = 0; i < M; ++i) {
        auto p0 = load<FloatV>(from + i), p1 = load<FloatV>(from + i + kLanes);
#pragma clang loop unroll(full)
        for (int r = 0; r < kTall; ++r) tap(q, r, p0, p1, i);
      }
    else
      for (int i = 0; i < M; ++i) {
        auto p0 = load<FloatV>(from + i), p1 = load<FloatV>(from + i + kLanes);
#pragma clang loop unroll(full)
        for (int r = 0; r < kTall; ++r)
          if (q >= r && q - r < M) tap(q, r, p0, p1, i);
      }
  }
}

// 3x3 reads of an image with four channels, each read a sum of neighbours: by rows of `weights` and columns of them, in
// whole numbers whose unit is 1 / `unit`. Taps begin one pixel before.
template <int Taps> void imageTaps(int w, const uint8_t *image, float *out, const uint16_t (&weights)[Taps], int unit) {
  const float scale = 1.0f / (9.0f * 255 * unit * unit);
#pragma omp parallel
  {
    std::vector<uint16_t> sums((w + Taps) * 4);
#pragma omp for
    for (int y = 0; y < w; ++y) {
      const uint8_t *rows[Taps];
      for (int t = 0; t < Taps; ++t) rows[t] = image + size_t(std::clamp(y + t - 1, 0, w - 1)) * w * 4;
#pragma omp simd
      for (int i = 0; i < 4 * w; ++i) {
        uint16_t sum = 0;
        for (int t = 0; t < Taps; ++t) sum += rows[t][i] * weights[t];
        sums[4 + i] = sum;
      }
      for (int c = 0; c < 4; ++c) {
        sums[c] = sums[4 + c];
        for (int t = 0; t < Taps - 2; ++t) sums[4 + 4 * (w + t) + c] = sums[4 * w + c];
      }
      float *to = out + size_t(y) * w * 4;
#pragma omp simd
      for (int i = 0; i < 4 * w; ++i) {
        uint16_t sum = 0;
        for (int t = 0; t < Taps; ++t) sum += sums[i + 4 * t] * weights[t];
        to[i] = static_cast<float>(static_cast<int>(sum)) * scale;
      }
    }
  }
}

template <class V> inline void sort2(V &a, V &b) {
  V low = least(a, b);
  b = most(a, b);
  a = low;
}

// Puts the least of v[0, N) first and the greatest last.
template <int N, class V> inline void spread(V *v) {
  for (int i = 0; i < N / 2; ++i) sort2(v[i], v[N - 1 - i]);
  for (int i = 1; i < (N + 1) / 2; ++i) {
    sort2(v[0], v[i]);
    sort2(v[N - 1 - i], v[N - 1]);
  }
}
// Neither the least nor the greatest of the first half and one more is the median: each goes, and one more comes.
template <int N, class V, class Next> inline V median(V *v, Next next) {
  spread<N>(v);
  if constexpr (N == 3)
    return v[1];
  else {
    v[0] = next();
    return median<N - 1>(v, next);
  }
}

} // namespace

LIMIT(stencil, const float *a, float *b, int w) {
#pragma omp parallel for
  for (int y = 1; y < w - 1; ++y) {
    const float *row = a + size_t(y) * w;
#pragma omp simd
    for (int x = 1; x < w - 1; ++x)
      b[size_t(y) * w + x] = 0.2f * (row[x] + row[x - 1] + row[x + 1] + row[x - w] + row[x + w]);
  }
}

LIMIT(conv, const float *a, const float *m, float *b, int w) {
  constexpr int kSize = 7, kReach = 3;
  const int wide = w + 2 * kReach + kBroad;
#pragma omp parallel
  {
    // Rows with their borders, found again for the next rows.
    std::vector<float> kept(size_t(kSize + kTall - 1) * wide);
    const float *rows[kSize + kTall - 1];
#pragma omp for
    for (int y = 0; y < w; y += kTall) {
      for (int q = 0; q < kSize + kTall - 1; ++q) {
        float *to = kept.data() + size_t(q) * wide;
        const float *from = a + size_t(std::clamp(y + q - kReach, 0, w - 1)) * w;
        std::fill_n(to, kReach, from[0]);
        std::copy_n(from, w, to + kReach);
        std::fill_n(to + kReach + w, kReach, from[w - 1]);
        rows[q] = to;
      }
      for (int x = 0; x < w; x += kBroad) {
        FloatV sums[kTall][2];
        window<kSize>(rows, m, x, sums);
        for (int r = 0; r < kTall; ++r)
          for (int v = 0; v < 2; ++v) store(b + size_t(y + r) * w + x + v * kLanes, sums[r][v]);
      }
    }
  }
}

LIMIT(correlate, const float *a, const float *t, float *out, int w) {
  // The sums over the window are of columns, then of neighbours by doubling.
  constexpr int kSize = 16;
  const int size = w - kSize;
#pragma omp parallel
  {
    std::vector<float> columns(w + kSize), squares(w + kSize);
#pragma omp for
    for (int y = 0; y < size; y += kTall) {
      const float *rows[kSize + kTall - 1];
      for (int q = 0; q < kSize + kTall - 1; ++q) rows[q] = a + size_t(y + q) * w;
      for (int x = 0; x < size; x += kBroad) {
        int begin = std::min(x, size - kBroad);
        FloatV sums[kTall][2];
        window<kSize>(rows, t, begin, sums);
        for (int r = 0; r < kTall; ++r)
          for (int v = 0; v < 2; ++v) store(out + size_t(y + r) * size + begin + v * kLanes, sums[r][v]);
      }
      for (int r = 0; r < kTall; ++r) {
        float *s = columns.data(), *q = squares.data(), *to = out + size_t(y + r) * size;
#pragma omp simd
        for (int x = 0; x < w; ++x) {
          float sum = 0, square = 0;
          for (int j = 0; j < kSize; ++j) {
            float v = rows[r + j][x];
            sum += v;
            square += v * v;
          }
          s[x] = sum;
          q[x] = square;
        }
        for (int step = 1; step < kSize; step *= 2)
#pragma omp simd
          for (int x = 0; x < w; ++x) {
            s[x] = s[x] + s[x + step];
            q[x] = q[x] + q[x + step];
          }
#pragma omp simd
        for (int x = 0; x < size; ++x) to[x] /= __builtin_sqrtf(q[x] - s[x] * s[x] / 256);
      }
    }
  }
}

LIMIT(sobel, const uint8_t *a, uint8_t *b, int w) {
  constexpr int kStep = 2 * kLanes;
  using Bytes = Vec<uint8_t, kStep>;
  using V = Vec<int16_t, kStep>;
#pragma omp parallel for
  for (int y = 1; y < w - 1; ++y)
    for (int at = 4; at < 4 * (w - 1); at += kStep) {
      int x = std::min(at, 4 * (w - 1) - kStep);
      auto pixel = [&](int i, int j) {
        return __builtin_convertvector(load<Bytes>(a + size_t(y + j) * 4 * w + x + 4 * i), V);
      };
      V nw = pixel(-1, -1), ne = pixel(1, -1), sw = pixel(-1, 1), se = pixel(1, 1), d = se - nw, e = ne - sw;
      V gx = d + e + 2 * (pixel(1, 0) - pixel(-1, 0)), gy = d - e + 2 * (pixel(0, 1) - pixel(0, -1));
      V sum = (__builtin_elementwise_abs(gx) + __builtin_elementwise_abs(gy)) >> 1;
      store(b + size_t(y) * 4 * w + x, __builtin_convertvector(least(sum, V(255)), Bytes));
    }
}

LIMIT(privarr, const float *a, float *b, int w) {
  // Columns are sorted once; the median is that of the greatest low, the middle middle and the least high one.
#pragma omp parallel
  {
    std::vector<float> low(w), middle(w), high(w);
#pragma omp for
    for (int y = 1; y < w - 1; ++y) {
      const float *row = a + size_t(y) * w;
      auto min = [](float p, float q) { return p < q ? p : q; };
      auto max = [](float p, float q) { return p > q ? p : q; };
#pragma omp simd
      for (int x = 0; x < w; ++x) {
        float p = row[x - w], q = row[x], r = row[x + w], s = min(p, q), t = max(p, q);
        low[x] = min(s, r);
        high[x] = max(t, r);
        middle[x] = max(s, min(t, r));
      }
#pragma omp simd
      for (int x = 1; x < w - 1; ++x) {
        auto median = [&](float p, float q, float r) { return max(min(p, q), min(max(p, q), r)); };
        b[size_t(y) * w + x] =
            median(max(max(low[x - 1], low[x]), low[x + 1]), median(middle[x - 1], middle[x], middle[x + 1]),
                   min(min(high[x - 1], high[x]), high[x + 1]));
      }
    }
  }
}

LIMIT(median5, const uint8_t *a, uint8_t *b, int w) {
  using V = Vec<uint8_t, 4 * kLanes>;
#pragma omp parallel for
  for (int y = 2; y < w - 2; ++y)
    for (int at = 2; at < w - 2; at += 4 * kLanes) {
      int x = std::min(at, w - 2 - 4 * kLanes), taken = 0;
      auto next = [&] {
        V v = load<V>(a + size_t(y + taken / 5 - 2) * w + x + taken % 5 - 2);
        ++taken;
        return v;
      };
      V v[14];
      for (V &each : v) each = next();
      store(b + size_t(y) * w + x, median<14>(v, next));
    }
}

LIMIT(img_linear, const uint8_t *image, float *out, int w, float offset) { imageTaps(w, image, out, {3, 4, 4, 1}, 4); }
LIMIT(img_nearest, const uint8_t *image, float *out, int w, float offset) { imageTaps(w, image, out, {1, 1, 1}, 1); }

LIMIT(dct8, const uint8_t *a, const int *c, int16_t *out, int w) {
  // Two blocks a vector of 16. All numbers are below 2^24, so that float is exact; rows of the matrix are symmetric or
  // antisymmetric.
  using V = Vec<float, 16>;
  using Ints = Vec<int32_t, 16>;
  auto pass = [c](V *v) {
    V sum[4], difference[4];
    for (int j = 0; j < 4; ++j) {
      sum[j] = v[j] + v[7 - j];
      difference[j] = v[j] - v[7 - j];
    }
    for (int r = 0; r < 8; ++r) {
      V s = 1024.0f;
      for (int j = 0; j < 4; ++j) s += static_cast<float>(c[r * 8 + j]) * (r % 2 ? difference[j] : sum[j]);
      v[r] = __builtin_convertvector(__builtin_convertvector(s, Ints) >> 11, V);
    }
  };
#pragma omp parallel for
  for (int y = 0; y < w; y += 8)
    for (int x = 0; x < w; x += 16) {
      V v[8];
      for (int j = 0; j < 8; ++j)
        v[j] = __builtin_convertvector(load<Vec<uint8_t, 16>>(a + size_t(y + j) * w + x), V) - 128.0f;
      pass(v);
      transposeBlocks<8, 16>(v);
      pass(v);
      transposeBlocks<8, 16>(v);
      for (int j = 0; j < 8; ++j)
        store(out + size_t(y + j) * w + x,
              __builtin_convertvector(__builtin_convertvector(v[j], Ints), Vec<int16_t, 16>));
    }
}

LIMIT(hotspot, float *heat, float *other, const float *power, int w, int steps) {
#pragma omp parallel
  for (int step = 0; step < steps; ++step) {
    const float *a = step % 2 ? other : heat;
    float *b = step % 2 ? heat : other;
#pragma omp for
    for (int y = 0; y < w; ++y) {
      const float *row = a + size_t(y) * w, *up = y ? row - w : row, *down = y < w - 1 ? row + w : row;
      auto cell = [&](int x, int left, int right) {
        float c = row[x];
        b[size_t(y) * w + x] = c + 0.1f * (up[x] + down[x] - 2 * c) + 0.1f * (row[left] + row[right] - 2 * c) +
                               0.01f * (0.5f - c) + 0.05f * power[size_t(y) * w + x];
      };
      cell(0, 0, 1);
#pragma omp simd
      for (int x = 1; x < w - 1; ++x) cell(x, x - 1, x + 1);
      cell(w - 1, w - 2, w - 1);
    }
  }
}
