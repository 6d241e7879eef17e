// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands for the math tests: where functions change their behaviour, and random ones in bits and in plain ranges.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace us::test {

using half = _Float16;
template <typename T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
template <typename T> T fromBits(std::uint64_t bits) { return std::bit_cast<T>(static_cast<BitsOf<T>>(bits)); }
template <typename T> BitsOf<T> bitsOf(T x) { return std::bit_cast<BitsOf<T>>(x); }

/// Zeros, infinities, NaN, denormals, the largest, integers, halves, multiples of pi, and the neighbours of all those,
/// with both signs.
template <typename T> std::vector<T> edgeOperands() {
  const double centres[] = {0.25,
                            0.5,
                            1,
                            1.5,
                            2,
                            2.5,
                            3,
                            4,
                            5,
                            7.5,
                            10,
                            20,
                            33,
                            36,
                            89,
                            100,
                            104,
                            127,
                            128,
                            149,
                            171,
                            184,
                            709.78,
                            745.2,
                            1023,
                            1024,
                            1075,
                            65504,
                            65536,
                            16777216,
                            1e9,
                            1073741824.0,
                            4e18,
                            1e30,
                            0.7853981633974483,
                            1.5707963267948966,
                            2.356194490192345,
                            3.141592653589793,
                            6.283185307179586,
                            0.7071067811865476,
                            1.4142135623730951,
                            0.6931471805599453,
                            1e-3,
                            1e-5,
                            1e-8,
                            1e-17,
                            1e-30};
  std::vector<T> values;
  auto add = [&](T x) {
    for (T v : {x, fromBits<T>(bitsOf(x) + 1), fromBits<T>(bitsOf(x) - 1)})
      for (T s : {v, static_cast<T>(-v)}) values.push_back(s);
  };
  for (double x : centres) add(static_cast<T>(x));
  const int mantissa = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10;
  const BitsOf<T> one = bitsOf(static_cast<T>(1)), sign = static_cast<BitsOf<T>>(BitsOf<T>(1) << (8 * sizeof(T) - 1));
  const BitsOf<T> infinity =
      static_cast<BitsOf<T>>((one | (BitsOf<T>(1) << (8 * sizeof(T) - 2))) & ~((BitsOf<T>(1) << mantissa) - 1));
  const BitsOf<T> positive[] = {0,
                                1,
                                2,
                                static_cast<BitsOf<T>>((BitsOf<T>(1) << mantissa) - 1),
                                static_cast<BitsOf<T>>(BitsOf<T>(1) << mantissa),
                                static_cast<BitsOf<T>>(infinity - 1),
                                infinity,
                                static_cast<BitsOf<T>>(infinity | (BitsOf<T>(1) << (mantissa - 1)))};
  for (BitsOf<T> bits : positive) {
    values.push_back(fromBits<T>(bits));
    values.push_back(fromBits<T>(bits | sign));
  }
  return values;
}

/// The edges, then n random operands: any bits, and values up to 2, 20, 1000 and near 1.
template <typename T> std::vector<T> operands(std::size_t n, unsigned seed) {
  std::vector<T> values = edgeOperands<T>();
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (std::size_t i = 0; i < n; ++i) switch (i % 6) {
    case 0:
    case 1:
      values.push_back(fromBits<T>(random() >> (64 - 8 * sizeof(T))));
      break;
    case 2:
      values.push_back(static_cast<T>(2 * unit(random)));
      break;
    case 3:
      values.push_back(static_cast<T>(20 * unit(random)));
      break;
    case 4:
      values.push_back(static_cast<T>(1000 * unit(random)));
      break;
    default:
      values.push_back(static_cast<T>(1 + unit(random) / (1 << (random() % 20))));
      break;
    }
  return values;
}
/// half has few: a fifth of all of them.
template <> inline std::vector<half> operands<half>(std::size_t, unsigned) {
  std::vector<half> values = edgeOperands<half>();
  for (std::uint32_t bits = 0; bits < 0x10000; bits += 5) values.push_back(fromBits<half>(bits));
  return values;
}

} // namespace us::test
