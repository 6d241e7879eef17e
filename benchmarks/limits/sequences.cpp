// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alignments, Fourier transforms and rays.
#include "benchmarks/limits/limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace limits;

LIMIT(smith_waterman, const uint8_t *query, const uint8_t *sequences, int *out) {
  // A byte an alignment: no score passes 192, and none is below zero.
  constexpr int kWidth = 64, kLength = 96, kMany = 4 * kLanes;
  using V = Vec<uint8_t, kMany>;
#pragma omp parallel for
  for (size_t begin = 0; begin < items; begin += kMany) {
    uint8_t letters[kLength][kMany];
    for (int l = 0; l < kMany; ++l)
      for (int r = 0; r < kLength; ++r) letters[r][l] = sequences[(begin + l) * kLength + r];
    V h[kWidth + 1] = {}, best = 0, four = 4;
    for (auto &row : letters) {
      V letter = load<V>(row), corner = 0, left = 0;
      for (int j = 1; j <= kWidth; ++j) {
        V same = reinterpret_cast<V>(letter == V(query[j - 1]));
        V v = __builtin_elementwise_sub_sat(__builtin_elementwise_add_sat(corner, same & V(3)), ~same & V(2));
        v = most(v, __builtin_elementwise_sub_sat(most(h[j], left), four));
        corner = h[j];
        h[j] = left = v;
        best = most(best, v);
      }
    }
    for (int l = 0; l < kMany; ++l) out[begin + l] = best[l];
  }
}

LIMIT(needleman, const uint8_t *p, const uint8_t *q, int *s) {
  // A row: what comes from above; then, with 4 a step added, the greatest so far. It takes less time than threads take
  // to meet.
  using V = Vec<int32_t, 16>;
  const V none = -(1 << 30);
  const int n = static_cast<int>(items), w = n + 1;
  const V steps = countUp<V>(std::make_index_sequence<16>());
  for (int y = 1; y <= n; ++y) {
    const int *above = s + size_t(y - 1) * w;
    int *row = s + size_t(y) * w;
    V carry = row[0];
    const Vec<uint8_t, 16> letter = p[y - 1];
    for (int x = 1; x <= n; x += 16) {
      V same = __builtin_convertvector(load<Vec<uint8_t, 16>>(q + x - 1) == letter, V);
      V offset = (steps + x) * 4;
      V v = most(load<V>(above + x - 1) + (same ? V(5) : V(-3)), load<V>(above + x) - 4) + offset;
      v = most(v, __builtin_shufflevector(none, v, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30));
      v = most(v, __builtin_shufflevector(none, v, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29));
      v = most(v, __builtin_shufflevector(none, v, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
      v = most(v, __builtin_shufflevector(none, v, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23));
      v = most(v, carry);
      carry = v[15];
      store(row + x, v - offset);
    }
  }
}

namespace {

struct Complex {
  FloatV re, im;
};
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex times(Complex a, float re, float im) { return {a.re * re - a.im * im, a.re * im + a.im * re}; }

inline void three(Complex &a, Complex &b, Complex &c) {
  Complex p = b + c, d = b - c, q = {a.re - 0.5f * p.re, a.im - 0.5f * p.im};
  Complex r = {0.866025404f * d.im, -0.866025404f * d.re};
  a = a + p;
  b = q + r;
  c = q - r;
}

// The results of a first index that counts by threes are where they belong after a second pass by ones.
inline void nine(Complex (&x)[9], const float *w) {
  for (int b = 0; b < 3; ++b) three(x[b], x[3 + b], x[6 + b]);
  auto turn = [&](int at, int power) { x[at] = times(x[at], w[2 * 81 * power], w[2 * 81 * power + 1]); };
  turn(4, 1);
  turn(5, 2);
  turn(7, 2);
  turn(8, 4);
  for (int k = 0; k < 3; ++k) three(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
}

} // namespace

LIMIT(fft3, const float *in, const float *w, float *out) {
  // A transform a lane, in three passes of radix 9.
  constexpr int kPoints = 729, kNumbers = 2 * kPoints;
  const int batch = static_cast<int>(items / (kPoints / 3));
#pragma omp parallel
  {
    std::vector<Complex> kept(2 * kPoints);
#pragma omp for
    for (int begin = 0; begin < batch; begin += kLanes) {
      Complex *from = kept.data(), *to = from + kPoints;
      auto between = [&](const float *source, float *target, Complex *lanes) {
        for (int at = 0; at < kNumbers; at += kLanes) {
          int number = std::min(at, kNumbers - kLanes);
          auto *mine = reinterpret_cast<FloatV *>(lanes) + number;
          FloatV rows[kLanes];
          for (int l = 0; l < kLanes; ++l)
            rows[l] = source ? load<FloatV>(source + size_t(begin + l) * kNumbers + number) : mine[l];
          transposeBlocks<kLanes, kLanes>(rows);
          for (int l = 0; l < kLanes; ++l)
            if (source)
              mine[l] = rows[l];
            else
              store(target + size_t(begin + l) * kNumbers + number, rows[l]);
        }
      };
      between(in, nullptr, from);
      for (int m = 1; m < kPoints; m *= 9) {
        for (int l = 0; l < kPoints / 9; ++l) {
          int j = l % m, o = (l - j) * 9 + j, s = j * (81 / m);
          Complex x[9];
          for (int a = 0; a < 9; ++a) {
            x[a] = from[l + 81 * a];
            if (m > 1 && a) x[a] = times(x[a], w[2 * a * s], w[2 * a * s + 1]);
          }
          nine(x, w);
          for (int k = 0; k < 3; ++k)
            for (int q = 0; q < 3; ++q) to[o + (k + 3 * q) * m] = x[3 * k + q];
        }
        std::swap(from, to);
      }
      between(nullptr, out, from);
    }
  }
}

LIMIT(spheres, const float *low, const float *high, const int *links, const float *balls, float *out, int w) {
  // Neighbouring rays go through the boxes together, the nearer of two boxes first.
  constexpr int kHigh = kLanes / 4;
#pragma omp parallel for schedule(dynamic)
  for (int y = 0; y < w; y += kHigh)
    for (int x = 0; x < w; x += 4) {
      const float origin[3] = {0, 0, -3};
      FloatV d[3], inverse[3], nearest = 1e30f;
      float scale = static_cast<float>(w);
      d[0] = (__builtin_convertvector((laneNumbers() & 3) + x, FloatV) + 0.5f) * 2.0f / scale - 1.0f;
      d[1] = (__builtin_convertvector((laneNumbers() >> 2) + y, FloatV) + 0.5f) * 2.0f / scale - 1.0f;
      d[2] = 2.0f;
      FloatV length = __builtin_elementwise_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      for (int a = 0; a < 3; ++a) {
        d[a] /= length;
        inverse[a] = 1.0f / d[a];
      }
      int stack[64], top = 0;
      stack[top++] = 0;
      while (top > 0) {
        int node = stack[--top], first = links[2 * node], count = links[2 * node + 1];
        FloatV enter = 0, leave = nearest;
        for (int a = 0; a < 3; ++a) {
          FloatV p = (low[4 * node + a] - origin[a]) * inverse[a], q = (high[4 * node + a] - origin[a]) * inverse[a];
          enter = most(enter, least(p, q));
          leave = least(leave, most(p, q));
        }
        if (!anywhere(enter <= leave)) continue;
        if (count == 0) {
          int other = low[4 * first + 2] < low[4 * first + 6];
          stack[top++] = first + other;
          stack[top++] = first + 1 - other;
        }
        for (const float *ball = balls + 4 * first; ball < balls + 4 * (first + count); ball += 4) {
          float to[3], distance = 0;
          for (int a = 0; a < 3; ++a) {
            to[a] = ball[a] - origin[a];
            distance += to[a] * to[a];
          }
          FloatV b = to[0] * d[0] + to[1] * d[1] + to[2] * d[2], under = b * b - (distance - ball[3] * ball[3]);
          if (!anywhere(under >= 0.0f)) continue;
          FloatV t = b - __builtin_elementwise_sqrt(most(under, FloatV(0.0f)));
          nearest = ((under >= 0.0f) & (t > 0.0f)) ? least(nearest, t) : nearest;
        }
      }
      for (int l = 0; l < kLanes; ++l) out[size_t(y + l / 4) * w + x + l % 4] = nearest[l];
    }
}
