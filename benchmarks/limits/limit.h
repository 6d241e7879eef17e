// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the hand-written versions share. LIMIT(case, arguments) begins the function that a case of cases.py or unseen.py
// is compared with; measure.py calls it with the number of work-items and the kernel's arguments.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define LIMIT(name, ...)                                                                                               \
  extern "C" __attribute__((visibility("default"))) void us_limit_##name(size_t items __VA_OPT__(, ) __VA_ARGS__)

namespace limits {

template <class T, int N> using Vec __attribute__((ext_vector_type(N))) = T;
// As many as one register holds of 32 bits each, and of registers.
#if defined(__AVX512F__)
constexpr int kLanes = 16;
#else
constexpr int kLanes = 8;
#endif
using FloatV = Vec<float, kLanes>;
using IntV = Vec<int32_t, kLanes>;
using UintV = Vec<uint32_t, kLanes>;

// At any address.
template <class V, class T> inline V load(const T *from) {
  V v;
  memcpy(&v, from, sizeof v);
  return v;
}
template <class V, class T> inline void store(T *to, V v) { memcpy(to, &v, sizeof v); }

template <class V> inline V least(V a, V b) { return __builtin_elementwise_min(a, b); }
template <class V> inline V most(V a, V b) { return __builtin_elementwise_max(a, b); }

// Bits that say where a comparison holds, as a number; nonzero: somewhere.
template <class V> inline bool anywhere(V comparison) { return __builtin_reduce_or(comparison) != 0; }

template <class V, size_t... I> inline V countUp(std::index_sequence<I...>) { return V{static_cast<int>(I)...}; }
// 0, 1, 2, ...
inline IntV laneNumbers() { return countUp<IntV>(std::make_index_sequence<kLanes>()); }

// 1 / sqrt(x): an estimate and a step of Newton's, good to some 23 bits.
inline FloatV rsqrt(FloatV x) {
#if defined(__AVX512F__)
  FloatV e = _mm512_rsqrt14_ps(x);
  return e * (1.5f - 0.5f * x * e * e);
#elif defined(__AVX__)
  FloatV e = _mm256_rsqrt_ps(x);
  return e * (1.5f - 0.5f * x * e * e);
#else
  return 1.0f / __builtin_elementwise_sqrt(x);
#endif
}

// Square blocks of S x S elements, side by side in rows of N lanes, each transposed.
template <int D, int S, int N, class V, size_t... I> inline void exchange(V &a, V &b, std::index_sequence<I...>) {
  V p = a, q = b;
  a = __builtin_shufflevector(p, q, ((I & D) ? N + I - D : I)...);
  b = __builtin_shufflevector(p, q, ((I & D) ? N + I : I + D)...);
}
template <int S, int N, int D = S / 2, class V> inline void transposeBlocks(V *rows) {
  for (int r = 0; r < S; ++r)
    if (!(r & D)) exchange<D, S, N>(rows[r], rows[r + D], std::make_index_sequence<N>());
  if constexpr (D > 1) transposeBlocks<S, N, D / 2>(rows);
}

} // namespace limits
