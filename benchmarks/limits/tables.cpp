// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting, sorting, and walks along edges.
#include "benchmarks/limits/limit.h"

#include <algorithm>
#include <omp.h>
#include <vector>

using namespace limits;

namespace {

// Four tables, as equal neighbours would wait for each other.
void countBytes(const uint8_t *a, size_t n, uint32_t (&count)[256]) {
  uint32_t own[4][256] = {};
  for (size_t i = 0; i < n; i += 8) {
    auto eight = load<uint64_t>(a + i);
    for (int byte = 0; byte < 8; ++byte) ++own[byte % 4][eight >> 8 * byte & 255];
  }
  for (int v = 0; v < 256; ++v) count[v] = own[0][v] + own[1][v] + own[2][v] + own[3][v];
}

// One pass of a radix sort, called by each thread of a team: all count a part, and put it where it belongs.
template <int kBits> class RadixPass {
public:
  RadixPass() : counts_(omp_get_max_threads()) {}

  void run(const uint32_t *a, uint32_t *b, size_t n, uint32_t shift) {
    const size_t threads = omp_get_num_threads(), own = omp_get_thread_num();
    const size_t begin = n * own / threads, end = n * (own + 1) / threads;
    Counts &mine = counts_[own];
    std::fill(mine.at, mine.at + kDigits, 0);
    for (size_t i = begin; i < end; ++i) ++mine.at[a[i] >> shift & (kDigits - 1)];
#pragma omp barrier
    uint32_t to[kDigits], sum = 0;
    for (size_t d = 0; d < kDigits; ++d)
      for (size_t t = 0; t < threads; ++t) {
        if (t == own) to[d] = sum;
        sum += counts_[t].at[d];
      }
    for (size_t i = begin; i < end; ++i) b[to[a[i] >> shift & (kDigits - 1)]++] = a[i];
#pragma omp barrier
  }

private:
  static constexpr size_t kDigits = 1 << kBits;
  struct alignas(64) Counts {
    uint32_t at[kDigits];
  };
  std::vector<Counts> counts_;
};

} // namespace

LIMIT(hist_local, const uint8_t *a, uint32_t *out) {
#pragma omp parallel for
  for (size_t group = 0; group < items / 256; ++group)
    countBytes(a + group * 16384, 16384, *reinterpret_cast<uint32_t(*)[256]>(out + group * 256));
}

LIMIT(atomics_global, const uint32_t *a, uint32_t *h) {
  constexpr size_t kValues = 4096;
#pragma omp parallel
  {
    std::vector<uint32_t> own(kValues);
#pragma omp for nowait
    for (size_t i = 0; i < items; ++i) ++own[a[i]];
#pragma omp critical
    for (size_t v = 0; v < kValues; ++v) h[v] += own[v];
  }
}

LIMIT(equalize, const uint8_t *a, uint8_t *b) {
  constexpr size_t kPart = 1 << 16;
  uint32_t count[256] = {};
#pragma omp parallel for reduction(+ : count)
  for (size_t begin = 0; begin < items; begin += kPart) {
    uint32_t own[256];
    countBytes(a + begin, std::min(kPart, items - begin), own);
    for (int v = 0; v < 256; ++v) count[v] += own[v];
  }
  uint32_t sum = 0, first = 0;
  uint8_t table[256];
  for (int v = 0; v < 256; ++v) {
    sum += count[v];
    if (!first) first = sum;
    table[v] = first ? static_cast<uint8_t>((sum - first) * 255 / (items - first)) : 0;
  }
#pragma omp parallel for
  for (size_t i = 0; i < items; i += 64) {
#if defined(__AVX512VBMI__)
    __m512i t[4], v = _mm512_loadu_si512(a + i);
    for (int q = 0; q < 4; ++q) t[q] = _mm512_loadu_si512(table + 64 * q);
    __m512i low = _mm512_permutex2var_epi8(t[0], v, t[1]), high = _mm512_permutex2var_epi8(t[2], v, t[3]);
    _mm512_storeu_si512(b + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), low, high));
#else
    for (size_t j = i; j < std::min(i + 64, items); ++j) b[j] = table[a[j]];
#endif
  }
}

LIMIT(bitonic, uint32_t *a) {
  std::vector<uint32_t> other(items);
  RadixPass<11> sort;
#pragma omp parallel
  {
    sort.run(a, other.data(), items, 0);
    sort.run(other.data(), a, items, 11);
    sort.run(a, other.data(), items, 22);
#pragma omp for
    for (size_t i = 0; i < items; ++i) a[i] = other[i];
  }
}

LIMIT(radix_pass, const uint32_t *a, uint32_t *b, uint32_t shift) {
  RadixPass<4> pass;
#pragma omp parallel
  pass.run(a, b, items, shift);
}

LIMIT(bfs, const int *start, const int *to, int *distance) {
  // One thread: who was met are bits in its nearest cache, which others would take away. A vertex is put at the queue's
  // end whether or not it is new, and stays there if it is.
  std::vector<uint64_t> met((items + 63) / 64);
  std::vector<int> queue(items + 1);
  size_t end = 1;
  met[0] = 1;
  for (size_t at = 0, last = 1, level = 1; at < end; ++level, last = end)
    for (; at < last; ++at)
      for (int e = start[queue[at]]; e < start[queue[at] + 1]; ++e) {
        uint64_t &word = met[to[e] / 64], bit = word >> to[e] % 64 & 1;
        word |= uint64_t{1} << to[e] % 64;
        queue[end] = to[e];
        end += 1 - bit;
        distance[to[e]] = bit ? distance[to[e]] : static_cast<int>(level);
      }
}
