// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers, and loops that end at different times. A few vectors are worked on together, as each waits for itself.
#include "benchmarks/limits/limit.h"

#include <algorithm>
#include <bit>

using namespace limits;

namespace {

template <class V> inline V rotated(V v, int left) { return v << left | v >> (32 - left); }

} // namespace

LIMIT(sha_rounds, const uint32_t *a, uint32_t *b) {
  constexpr int kTogether = 4;
#pragma omp parallel for
  for (size_t i = 0; i < items; i += kTogether * kLanes) {
    UintV x[kTogether], y[kTogether], z[kTogether];
    for (int u = 0; u < kTogether; ++u) {
      x[u] = load<UintV>(a + i + u * kLanes);
      y[u] = 0x6a09e667u;
      z[u] = 0xbb67ae85u;
    }
    for (uint32_t r = 0; r < 64; ++r)
#pragma clang loop unroll(full)
      for (int u = 0; u < kTogether; ++u) {
        x[u] += (rotated(y[u], 7) ^ rotated(y[u], 18) ^ y[u] >> 3) + ((y[u] & z[u]) ^ (~y[u] & x[u])) + 0x428a2f98u * r;
        UintV t = z[u];
        z[u] = y[u];
        y[u] = x[u] ^ rotated(t, 13);
      }
    for (int u = 0; u < kTogether; ++u) store(b + i + u * kLanes, x[u] + y[u] + z[u]);
  }
}

LIMIT(sha256, const uint32_t *m, const uint32_t *t, uint32_t *out) {
#pragma omp parallel for
  for (size_t i = 0; i < items; i += kLanes) {
    // A lane a message; the schedule is a window of 16 words that rolls.
    UintV w[16], s[8];
    for (int half = 0; half < 16; half += kLanes) {
      for (int l = 0; l < kLanes; ++l) w[half + l] = load<UintV>(m + (i + l) * 16 + half);
      transposeBlocks<kLanes, kLanes>(w + half);
    }
    for (int j = 0; j < 8; ++j) s[j] = t[64 + j];
    for (int begin = 0; begin < 64; begin += 16)
#pragma clang loop unroll(full)
      for (int j = 0; j < 16; ++j) {
        UintV e = s[4], a = s[0];
        UintV x =
            s[7] + (rotated(e, 26) ^ rotated(e, 21) ^ rotated(e, 7)) + ((e & s[5]) ^ (~e & s[6])) + t[begin + j] + w[j];
        UintV y = (rotated(a, 30) ^ rotated(a, 19) ^ rotated(a, 10)) + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        for (int v = 7; v > 0; --v) s[v] = s[v - 1];
        s[4] += x;
        s[0] = x + y;
        UintV p = w[(j + 1) % 16], q = w[(j + 14) % 16];
        w[j] +=
            (rotated(p, 25) ^ rotated(p, 14) ^ p >> 3) + w[(j + 9) % 16] + (rotated(q, 15) ^ rotated(q, 13) ^ q >> 10);
      }
    uint32_t made[8][kLanes];
    for (int j = 0; j < 8; ++j) store(made[j], s[j] + t[64 + j]);
    for (int l = 0; l < kLanes; ++l)
      for (int j = 0; j < 8; ++j) out[(i + l) * 8 + j] = made[j][l];
  }
}

LIMIT(aes, const uint8_t *in, const uint32_t *table, const uint32_t *box, const uint8_t *keys, uint8_t *out) {
#if defined(__VAES__) && defined(__AVX512F__)
  constexpr size_t kTogether = 4, kBlocks = 4 * kTogether;
  __m512i key[11];
  for (int r = 0; r < 11; ++r) key[r] = _mm512_broadcast_i32x4(load<__m128i>(keys + 16 * r));
#pragma omp parallel for
  for (size_t i = 0; i < items; i += kBlocks) {
    __m512i s[kTogether];
    for (size_t u = 0; u < kTogether; ++u) s[u] = _mm512_xor_si512(load<__m512i>(in + (i + 4 * u) * 16), key[0]);
    for (int r = 1; r < 10; ++r)
#pragma clang loop unroll(full)
      for (size_t u = 0; u < kTogether; ++u) s[u] = _mm512_aesenc_epi128(s[u], key[r]);
    for (size_t u = 0; u < kTogether; ++u) store(out + (i + 4 * u) * 16, _mm512_aesenclast_epi128(s[u], key[10]));
  }
#elif defined(__AES__)
  constexpr size_t kTogether = 8;
  __m128i key[11];
  for (int r = 0; r < 11; ++r) key[r] = load<__m128i>(keys + 16 * r);
#pragma omp parallel for
  for (size_t i = 0; i < items; i += kTogether) {
    __m128i s[kTogether];
    for (size_t u = 0; u < kTogether; ++u) s[u] = _mm_xor_si128(load<__m128i>(in + (i + u) * 16), key[0]);
    for (int r = 1; r < 10; ++r)
#pragma clang loop unroll(full)
      for (size_t u = 0; u < kTogether; ++u) s[u] = _mm_aesenc_si128(s[u], key[r]);
    for (size_t u = 0; u < kTogether; ++u) store(out + (i + u) * 16, _mm_aesenclast_si128(s[u], key[10]));
  }
#else
#pragma omp parallel for
  for (size_t i = 0; i < items; ++i) {
    using Block = Vec<uint32_t, 4>;
    auto byte = [](uint32_t v, int at) { return v >> 8 * at & 255; };
    Block s = load<Block>(in + 16 * i) ^ load<Block>(keys), n = 0;
    for (int r = 1; r < 11; ++r) {
      for (int j = 0; j < 4; ++j) {
        n[j] = 0;
        for (int v = 0; v < 4; ++v) {
          uint32_t at = byte(s[(j + v) % 4], v);
          n[j] ^= r < 10 ? std::rotl(table[at], 8 * v) : box[at] << 8 * v;
        }
      }
      s = n ^ load<Block>(keys + 16 * r);
    }
    store(out + 16 * i, s);
  }
#endif
}

LIMIT(ttable, const uint32_t *a, const uint32_t *t, uint32_t *b) {
#pragma omp parallel for
  for (size_t begin = 0; begin < items; begin += 1024) {
    uint32_t x[1024];
    memcpy(x, a + begin, sizeof x);
    for (int r = 0; r < 10; ++r)
#pragma omp simd
      for (int i = 0; i < 1024; ++i)
        x[i] = t[x[i] & 255] ^ std::rotl(t[x[i] >> 8 & 255], 8) ^ std::rotl(t[x[i] >> 16 & 255], 16) ^ t[x[i] >> 24];
    memcpy(b + begin, x, sizeof x);
  }
}

LIMIT(branchy, const uint32_t *a, uint32_t *b) {
  constexpr int kTogether = 4;
#pragma omp parallel for schedule(dynamic, 64)
  for (size_t i = 0; i < items; i += kTogether * kLanes) {
    UintV x[kTogether];
    IntV n[kTogether] = {};
    for (int u = 0; u < kTogether; ++u) x[u] = load<UintV>(a + i + u * kLanes);
    for (int steps = 0; steps < 100; steps += 4) {
      IntV going = 0;
#pragma clang loop unroll(full)
      for (int step = 0; step < 4; ++step)
#pragma clang loop unroll(full)
        for (int u = 0; u < kTogether; ++u) {
          IntV on = x[u] != 1u, odd = (x[u] & 1u) != 0u;
          UintV next = odd ? 3u * x[u] + 1u : x[u] >> 1;
          x[u] = on ? next : x[u];
          n[u] -= on;
          going |= on;
        }
      if (!anywhere(going)) break;
    }
    for (int u = 0; u < kTogether; ++u) store(b + i + u * kLanes, n[u]);
  }
}

LIMIT(mandelbrot, int *out, int w, int limit) {
  // What has left the circle does not come back, and what is no number is not inside: nothing needs to be held.
  constexpr int kTogether = 3, kStep = kTogether * kLanes;
#pragma omp parallel for schedule(dynamic)
  for (int row = 0; row < w; ++row)
    for (int begin = 0; begin < w; begin += kStep) {
      FloatV cx[kTogether], x[kTogether] = {}, y[kTogether] = {};
      IntV n[kTogether] = {};
      float cy = -1.5f + static_cast<float>(row) * (3.0f / 768);
      for (int u = 0; u < kTogether; ++u)
        cx[u] = -2.0f + __builtin_convertvector(laneNumbers() + (begin + u * kLanes), FloatV) * (3.0f / 768);
      for (int steps = 0; steps < limit; steps += 4) {
        IntV going = 0;
#pragma clang loop unroll(full)
        for (int step = 0; step < 4; ++step)
#pragma clang loop unroll(full)
          for (int u = 0; u < kTogether; ++u) {
            FloatV xx = x[u] * x[u], yy = y[u] * y[u];
            IntV inside = xx + yy < 4.0f;
            y[u] = (x[u] + x[u]) * y[u] + cy;
            x[u] = xx - yy + cx[u];
            n[u] -= inside;
            going |= inside;
          }
        if (!anywhere(going)) break;
      }
      for (int u = 0; u < kTogether; ++u) {
        int many = std::min(kLanes, w - begin - u * kLanes);
        if (many == kLanes)
          store(out + size_t(row) * w + begin + u * kLanes, n[u]);
        else
          for (int l = 0; l < many; ++l) out[size_t(row) * w + begin + u * kLanes + l] = n[u][l];
      }
    }
}

namespace {

// Ways to fill the rows that are left; the last one is as many as there are places.
int ways(uint32_t all, int rows, uint32_t columns, uint32_t left, uint32_t right) {
  uint32_t open = all & ~(columns | left | right);
  if (rows == 1) return std::popcount(open);
  int found = 0;
  for (; open; open &= open - 1) {
    uint32_t bit = open & -open;
    found += ways(all, rows - 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
}

} // namespace

LIMIT(queens, int *out, int n) {
  // A beginning and its mirror image have as many ways.
  const uint32_t all = (1u << n) - 1;
#pragma omp parallel for schedule(dynamic, 8)
  for (size_t i = 0; i < items; ++i) {
    int rows[3] = {int(i % n), int(i / n % n), int(i / n / n)};
    if (rows[0] > n - 1 - rows[0]) continue;
    uint32_t columns = 0, left = 0, right = 0;
    bool good = true;
    size_t mirrored = 0, unit = 1;
    for (int row : rows) {
      uint32_t bit = 1u << row;
      good = good && !((columns | left | right) & bit);
      columns |= bit;
      left = (left | bit) << 1;
      right = (right | bit) >> 1;
      mirrored += (n - 1 - row) * unit;
      unit *= n;
    }
    int found = good ? ways(all, n - 3, columns, left, right) : 0;
    out[i] = found;
    if (rows[0] != n - 1 - rows[0]) out[mirrored] = found;
  }
}
