// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Direction vectors follow Bratley and Fox (1988): dimension 0 is van der Corput's sequence; each other one has a
// primitive polynomial over GF(2) of its own, in the order of their values, whose recurrence extends odd starting
// values. Those of the first 21 dimensions are the ones that Joe and Kuo published (2008); of the others they are
// hashed from the dimension: the sequences are Sobol's, but not with Joe and Kuo's values.
#include "icd/curand/direction_vectors.h"

#include <array>
#include <cstdint>
#include <vector>

namespace us::curand {

namespace {

/// Dimensions 1 to 20.
constexpr unsigned kPublished[20][7] = {{1},
                                        {1, 3},
                                        {1, 3, 1},
                                        {1, 1, 1},
                                        {1, 1, 3, 3},
                                        {1, 3, 5, 13},
                                        {1, 1, 5, 5, 17},
                                        {1, 1, 5, 5, 5},
                                        {1, 1, 7, 11, 19},
                                        {1, 1, 5, 1, 1},
                                        {1, 1, 1, 3, 11},
                                        {1, 3, 5, 5, 31},
                                        {1, 3, 3, 9, 7, 49},
                                        {1, 1, 1, 15, 21, 21},
                                        {1, 3, 1, 13, 27, 49},
                                        {1, 1, 1, 15, 7, 5},
                                        {1, 3, 1, 15, 13, 25},
                                        {1, 1, 5, 5, 19, 61},
                                        {1, 3, 7, 11, 23, 15, 103},
                                        {1, 3, 7, 13, 13, 15, 69}};

/// a times b modulo a polynomial of this degree; bit i is the coefficient of x^i.
uint32_t multiply(uint32_t a, uint32_t b, uint32_t polynomial, unsigned degree) {
  uint32_t product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a <<= 1;
    if (a >> degree & 1) a ^= polynomial;
  }
  return product;
}

/// Is x^n = 1?
bool isOne(uint32_t n, uint32_t polynomial, unsigned degree) {
  uint32_t result = 1, base = degree == 1 ? 1 : 2;
  for (; n != 0; n >>= 1) {
    if (n & 1) result = multiply(result, base, polynomial, degree);
    base = multiply(base, base, polynomial, degree);
  }
  return result == 1;
}

/// The order of x is 2^degree - 1: 1 at that power, and at none of it divided by a prime.
bool isPrimitive(uint32_t polynomial, unsigned degree) {
  const uint32_t order = (1u << degree) - 1;
  if (!isOne(order, polynomial, degree)) return false;
  uint32_t rest = order;
  for (uint32_t prime = 2; prime * prime <= rest; ++prime) {
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    if (isOne(order / prime, polynomial, degree)) return false;
  }
  return rest == 1 || rest == order || !isOne(order / rest, polynomial, degree);
}

/// SplitMix's mixing function.
uint64_t hashOf(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

template <class Word> using Vectors = std::array<Word, sizeof(Word) * 8>;

template <class Word> std::vector<Vectors<Word>> makeVectors() {
  constexpr unsigned bits = sizeof(Word) * 8;
  std::vector<Vectors<Word>> all(kDimensions);
  for (unsigned k = 0; k < bits; ++k) all[0][k] = Word{1} << (bits - 1 - k);
  unsigned dimension = 1;
  for (unsigned degree = 1; dimension < kDimensions; ++degree)
    for (uint32_t polynomial = (1u << degree) + 1; polynomial < 2u << degree && dimension < kDimensions;
         polynomial += 2) {
      if (!isPrimitive(polynomial, degree)) continue;
      Vectors<Word> &v = all[dimension];
      // m_k is odd and below 2^(k + 1); v_k is it, shifted to the top.
      for (unsigned k = 0; k < degree && k < bits; ++k) {
        const Word hashed = (Word(hashOf(uint64_t{dimension} << 32 | k)) & ((Word{1} << k) * 2 - 1)) | 1;
        const Word m = dimension <= 20 ? kPublished[dimension - 1][k] : hashed;
        v[k] = m << (bits - 1 - k);
      }
      for (unsigned k = degree; k < bits; ++k) {
        v[k] = v[k - degree] ^ v[k - degree] >> degree;
        for (unsigned i = 1; i < degree; ++i)
          if (polynomial >> (degree - i) & 1) v[k] ^= v[k - i];
      }
      ++dimension;
    }
  return all;
}

template <class Word> std::vector<Word> makeConstants() {
  std::vector<Word> constants(kDimensions);
  for (unsigned i = 0; i < kDimensions; ++i) constants[i] = Word(hashOf(0x5c7a3b1e00000000 | i));
  return constants;
}

} // namespace

const unsigned *directionVectors32() {
  static const auto table = makeVectors<unsigned>();
  return table.data()->data();
}
const unsigned long long *directionVectors64() {
  static const auto table = makeVectors<unsigned long long>();
  return table.data()->data();
}
const unsigned *scrambleConstants32() {
  static const auto table = makeConstants<unsigned>();
  return table.data();
}
const unsigned long long *scrambleConstants64() {
  static const auto table = makeConstants<unsigned long long>();
  return table.data();
}

} // namespace us::curand
