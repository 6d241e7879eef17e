// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions of libcurand. Direction vectors follow Bratley and Fox (1988): dimension 0 is van der Corput's
// sequence; each other one has a primitive polynomial over GF(2) of its own, in the order of their values, whose
// recurrence extends odd starting values. These are hashed from the dimension: the sequences are Sobol's, but not with
// Joe and Kuo's values.
#include "icd/cuda/include/curand.h"

#include <array>
#include <cstdint>
#include <vector>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

namespace us::curand {
namespace {

constexpr unsigned kDimensions = 20000;
constexpr int kVersion = 10400;

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
        const Word m = (Word(hashOf(uint64_t{dimension} << 32 | k)) & ((Word{1} << k) * 2 - 1)) | 1;
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
} // namespace us::curand

using namespace us::curand;

US_EXPORT curandStatus_t curandGetVersion(int *version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = kVersion;
  return CURAND_STATUS_SUCCESS;
}

// Tables are made once and live as long as the library.
US_EXPORT curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                     curandDirectionVectorSet_t set) {
  if (!vectors || (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  static auto table = makeVectors<unsigned>();
  *vectors = reinterpret_cast<curandDirectionVectors32_t *>(table.data());
  return CURAND_STATUS_SUCCESS;
}

US_EXPORT curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                     curandDirectionVectorSet_t set) {
  if (!vectors || (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6))
    return CURAND_STATUS_OUT_OF_RANGE;
  static auto table = makeVectors<unsigned long long>();
  *vectors = reinterpret_cast<curandDirectionVectors64_t *>(table.data());
  return CURAND_STATUS_SUCCESS;
}

US_EXPORT curandStatus_t curandGetScrambleConstants32(unsigned int **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  static auto table = makeConstants<unsigned>();
  *constants = table.data();
  return CURAND_STATUS_SUCCESS;
}

US_EXPORT curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  if (!constants) return CURAND_STATUS_OUT_OF_RANGE;
  static auto table = makeConstants<unsigned long long>();
  *constants = table.data();
  return CURAND_STATUS_SUCCESS;
}
