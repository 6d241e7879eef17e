// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/curand/engines.h"

#include <algorithm>
#include <array>
#include <vector>

#define __device__
#include "frontend/cuda/include/understudy/random_tables.h"

namespace us::curand {
namespace {

/// "The result at offset n ... is from position (n mod 4096) * 2^67 + n / 4096 of the original XORWOW sequence", and
/// with 2^76 of MRG32k3a's: so many subsequences, of which one number each is taken in turn.
constexpr size_t kSubsequences = 4096;

/// As curand_kernel.h spreads a seed.
uint32_t seedWord(uint64_t seed, unsigned i) {
  uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return uint32_t(z >> 32) ^ uint32_t(z);
}

/// Generators that step one subsequence after the other. State: all of them; Derived: start(position / 4096) puts
/// subsequence 0 there, jump() takes one to the next, next(lane) is its number.
template <class Derived> class Interleaved : public Engine {
public:
  void generate(uint64_t position, uint32_t *words, size_t count) override {
    auto &self = static_cast<Derived &>(*this);
    if (!isStarted_ || position != position_) {
      self.start(position / kSubsequences);
      for (size_t lane = 0; lane < position % kSubsequences; ++lane) self.next(lane);
      isStarted_ = true;
    }
    size_t lane = position % kSubsequences;
    for (size_t i = 0; i < count;) {
      const size_t end = std::min(kSubsequences, lane + (count - i));
      for (; lane < end; ++lane) words[i++] = self.next(lane);
      if (lane == kSubsequences) lane = 0;
    }
    position_ = position + count;
  }

private:
  bool isStarted_ = false;
  uint64_t position_ = 0;
};

class Xorwow final : public Interleaved<Xorwow> {
public:
  explicit Xorwow(uint64_t seed) : seed_(seed) {}

  void start(uint64_t offset) {
    State state;
    for (unsigned i = 0; i < 5; ++i) state[i] = seedWord(seed_, i);
    // All of them 0 is the one state that never changes.
    state[4] |= (state[0] | state[1] | state[2] | state[3] | state[4]) == 0;
    const uint32_t counter = 6615241u + seedWord(seed_, 5) + 362437u * uint32_t(offset);
    for (int bit = 0; bit < 64; ++bit)
      if (offset >> bit & 1) jump(state, us_xorwowJumps[bit]);
    for (size_t lane = 0; lane < kSubsequences; ++lane) {
      for (unsigned i = 0; i < 5; ++i) words_[i][lane] = state[i];
      counters_[lane] = counter;
      jump(state, us_xorwowJumps[64]);
    }
  }
  uint32_t next(size_t lane) {
    const uint32_t t = words_[0][lane] ^ words_[0][lane] >> 2, last = words_[4][lane];
    for (unsigned i = 0; i < 4; ++i) words_[i][lane] = words_[i + 1][lane];
    words_[4][lane] = last ^ last << 4 ^ t ^ t << 1;
    return words_[4][lane] + (counters_[lane] += 362437);
  }

private:
  using State = std::array<uint32_t, 5>;
  /// The state times a polynomial, by Horner's rule: x stands for a step.
  static void jump(State &state, const unsigned *polynomial) {
    State sum = {};
    for (int i = 159; i >= 0; --i) {
      const uint32_t t = sum[0] ^ sum[0] >> 2;
      sum = {sum[1], sum[2], sum[3], sum[4], sum[4] ^ sum[4] << 4 ^ t ^ t << 1};
      if (polynomial[i / 32] >> (i % 32) & 1)
        for (unsigned j = 0; j < 5; ++j) sum[j] ^= state[j];
    }
    state = sum;
  }

  uint64_t seed_;
  uint32_t words_[5][kSubsequences], counters_[kSubsequences];
};

class Mrg32k3a final : public Interleaved<Mrg32k3a> {
public:
  explicit Mrg32k3a(uint64_t seed) : seed_(seed) {}

  void start(uint64_t offset) {
    State first, second;
    for (unsigned i = 0; i < 3; ++i) { // below both moduli and not 0
      first[i] = 1 + seedWord(seed_, i) % 4294944000u;
      second[i] = 1 + seedWord(seed_, i + 3) % 4294944000u;
    }
    Matrix one, two;
    std::copy_n(us_mrgPowers[0][0], 9, one.begin());
    std::copy_n(us_mrgPowers[0][1], 9, two.begin());
    for (; offset; offset >>= 1) {
      if (offset & 1) {
        first = times(one, first, kFirst);
        second = times(two, second, kSecond);
      }
      one = square(one, kFirst);
      two = square(two, kSecond);
    }
    std::copy_n(us_mrgPowers[1][0], 9, one.begin());
    std::copy_n(us_mrgPowers[1][1], 9, two.begin());
    for (size_t lane = 0; lane < kSubsequences; ++lane) {
      first_[lane] = first;
      second_[lane] = second;
      first = times(one, first, kFirst);
      second = times(two, second, kSecond);
    }
  }
  uint32_t next(size_t lane) {
    State &a = first_[lane], &b = second_[lane];
    const uint64_t p = (1403580 * a[1] + (kFirst - 810728) * a[0]) % kFirst;
    a = {a[1], a[2], p};
    const uint64_t q = (527612 * b[2] + (kSecond - 1370589) * b[0]) % kSecond;
    b = {b[1], b[2], q};
    // 1 to m1, as L'Ecuyer's generator counts; of 32 bits: the m1 values, spread by the fraction that is missing.
    const uint64_t number = p > q ? p - q : p + kFirst - q;
    return uint32_t((number - 1) * 0x1000000d1 >> 32);
  }

private:
  using State = std::array<uint64_t, 3>;
  using Matrix = std::array<uint64_t, 9>;
  static constexpr uint64_t kFirst = 4294967087, kSecond = 4294944443;
  static State times(const Matrix &m, const State &v, uint64_t modulus) {
    State result;
    for (unsigned i = 0; i < 3; ++i)
      result[i] = (m[3 * i] * v[0] % modulus + m[3 * i + 1] * v[1] % modulus + m[3 * i + 2] * v[2] % modulus) % modulus;
    return result;
  }
  static Matrix square(const Matrix &m, uint64_t modulus) {
    Matrix result;
    for (unsigned column = 0; column < 3; ++column) {
      const State product = times(m, {m[column], m[3 + column], m[6 + column]}, modulus);
      for (unsigned row = 0; row < 3; ++row) result[3 * row + column] = product[row];
    }
    return result;
  }

  uint64_t seed_;
  State first_[kSubsequences], second_[kSubsequences];
};

/// Number n is word n mod 4 of the block that n / 4 counts.
class Philox final : public Engine {
public:
  explicit Philox(uint64_t seed) : seed_(seed) {}
  void generate(uint64_t position, uint32_t *words, size_t count) override {
    for (size_t i = 0; i < count;) {
      const auto block = blockAt((position + i) / 4);
      for (size_t word = (position + i) % 4; word < 4 && i < count; ++word) words[i++] = block[word];
    }
  }

private:
  std::array<uint32_t, 4> blockAt(uint64_t number) const {
    std::array<uint32_t, 4> c = {uint32_t(number), uint32_t(number >> 32), 0, 0};
    auto k0 = uint32_t(seed_), k1 = uint32_t(seed_ >> 32);
    for (int round = 0; round < 10; ++round) {
      const uint64_t p0 = uint64_t{0xd2511f53} * c[0], p1 = uint64_t{0xcd9e8d57} * c[2];
      c = {uint32_t(p1 >> 32) ^ c[1] ^ k0, uint32_t(p1), uint32_t(p0 >> 32) ^ c[3] ^ k1, uint32_t(p0)};
      k0 += 0x9e3779b9;
      k1 += 0xbb67ae85;
    }
    return c;
  }
  uint64_t seed_;
};

/// One sequence, as Matsumoto and Nishimura's program begins it with a seed of 32 bits.
class Mt19937 final : public Engine {
public:
  explicit Mt19937(uint64_t seed) : seed_(uint32_t(seed)) { start(); }
  void generate(uint64_t position, uint32_t *words, size_t count) override {
    if (position < position_) start();
    while (position_ < position) next();
    for (size_t i = 0; i < count; ++i) words[i] = next();
  }

private:
  static constexpr unsigned kSize = 624;
  void start() {
    state_[0] = seed_;
    for (unsigned i = 1; i < kSize; ++i) state_[i] = 1812433253 * (state_[i - 1] ^ state_[i - 1] >> 30) + i;
    position_ = 0;
  }
  uint32_t next() {
    const unsigned i = position_++ % kSize;
    const uint32_t y = (state_[i] & 0x80000000) | (state_[(i + 1) % kSize] & 0x7fffffff);
    uint32_t x = state_[i] = state_[(i + 397) % kSize] ^ y >> 1 ^ (y & 1 ? 0x9908b0df : 0);
    x ^= x >> 11;
    x ^= x << 7 & 0x9d2c5680;
    x ^= x << 15 & 0xefc60000;
    return x ^ x >> 18;
  }
  uint32_t seed_, state_[kSize];
  uint64_t position_ = 0;
};

} // namespace

std::unique_ptr<Engine> makeXorwow(uint64_t seed) { return std::make_unique<Xorwow>(seed); }
std::unique_ptr<Engine> makeMrg32k3a(uint64_t seed) { return std::make_unique<Mrg32k3a>(seed); }
std::unique_ptr<Engine> makePhilox(uint64_t seed) { return std::make_unique<Philox>(seed); }
std::unique_ptr<Engine> makeMt19937(uint64_t seed) { return std::make_unique<Mt19937>(seed); }

} // namespace us::curand
