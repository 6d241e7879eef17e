// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of other distributions from uniform ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace us::curand {

/// 0 is excluded, 1 is not.
inline float uniformOf(uint32_t word) { return float(word) * 0x1p-32f + 0x1p-33f; }
inline float uniformOf(uint64_t word) { return uniformOf(uint32_t(word >> 32)); }
inline double uniformDoubleOf(uint32_t word) { return word * 0x1p-32 + 0x1p-33; }
inline double uniformDoubleOf(uint64_t word) { return double(word >> 11) * 0x1p-53 + 0x1p-54; }

/// The number below which a standard normal one is with this probability.
double inverseNormal(double probability);

/// A distribution of counts: how probable it is that one is at most `first` + i.
struct Counts {
  uint32_t first = 0;
  std::vector<double> cumulative;
  uint32_t at(double uniform) const;
};
Counts poissonCounts(double lambda);
Counts binomialCounts(uint32_t trials, double probability);

} // namespace us::curand
