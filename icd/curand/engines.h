// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generators behind cuRAND's host functions: words of 32 or 64 bits, in the order in which cuRAND's documentation
// puts them into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace us::curand {

class Engine {
public:
  virtual ~Engine() = default;
  /// The words from this position on.
  virtual void generate(uint64_t position, uint32_t *words, size_t count) = 0;
};

std::unique_ptr<Engine> makeXorwow(uint64_t seed);
std::unique_ptr<Engine> makeMrg32k3a(uint64_t seed);
std::unique_ptr<Engine> makePhilox(uint64_t seed);
std::unique_ptr<Engine> makeMt19937(uint64_t seed);

/// Number i of a dimension of Sobol's sequence, for each of count numbers from `first` on.
template <class Word>
void generateSobol(const Word *vectors, Word scramble, uint64_t first, Word *words, size_t count) {
  constexpr int bits = sizeof(Word) * 8;
  Word x = scramble;
  const uint64_t gray = first ^ (first >> 1);
  for (int bit = 0; bit < bits; ++bit)
    if (gray >> bit & 1) x ^= vectors[bit];
  for (size_t i = 0; i < count; ++i) {
    words[i] = x;
    const uint64_t number = first + i;
    const int zero = number == UINT64_MAX ? bits - 1 : __builtin_ctzll(~number);
    x ^= vectors[zero < bits ? zero : bits - 1];
  }
}

} // namespace us::curand
