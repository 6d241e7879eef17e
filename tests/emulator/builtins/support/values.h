// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands for the tests of builtins: OpenCL's names of the types, and lists with the edge values of a type.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace us::test {

using uchar = std::uint8_t;
using ushort = std::uint16_t;
using uint = std::uint32_t;
using ulong = std::uint64_t;
using half = _Float16;

/// std::numeric_limits, also for half, which the standard library may not know.
template <typename T> struct Limits : std::numeric_limits<T> {};
template <> struct Limits<half> {
  static half fromBits(ushort bits) { return std::bit_cast<half>(bits); }
  static half infinity() { return fromBits(0x7c00); }
  static half quiet_NaN() { return fromBits(0x7e00); }
  static half max() { return fromBits(0x7bff); }
  static half min() { return fromBits(0x0400); }
  static half denorm_min() { return fromBits(0x0001); }
};

/// Where the type's behaviour changes, and what lies beside it; then random values of every magnitude up to n in all.
/// 8-bit types: all their values, over and over.
template <typename T> std::vector<T> integers(std::size_t n, unsigned seed) {
  std::vector<T> values;
  if constexpr (sizeof(T) == 1) {
    // With seeds 0, 1, 2 the lists run through all pairs at different speeds.
    for (std::size_t i = 0; i < n; ++i)
      values.push_back(static_cast<T>(seed == 0 ? i : seed == 1 ? i >> 8 : i * 167 >> 3));
    return values;
  }
  const T edges[] = {std::numeric_limits<T>::min(),
                     std::numeric_limits<T>::max(),
                     T(0),
                     T(1),
                     T(-1),
                     T(2),
                     T(-2),
                     T(std::numeric_limits<T>::max() / 2),
                     T(std::numeric_limits<T>::max() / 2 + 1),
                     T(std::numeric_limits<T>::min() + 1),
                     T(std::numeric_limits<T>::max() - 1)};
  std::mt19937_64 random(seed);
  const std::size_t count = std::size(edges);
  while (values.size() < n) {
    std::size_t i = values.size();
    if (i < count * count * count)
      values.push_back(edges[seed == 0 ? i % count : seed == 1 ? i / count % count : i / count / count]);
    else
      values.push_back(static_cast<T>(static_cast<std::int64_t>(random()) >> (random() % 64)));
  }
  return values;
}

} // namespace us::test
