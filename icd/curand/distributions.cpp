// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/curand/distributions.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace us::curand {
namespace {

/// From the middle to both sides, as far as anything is added; ratio(k) is the probability of k by that of k - 1.
template <class Ratio> Counts countsAround(uint32_t middle, uint32_t last, Ratio ratio) {
  constexpr double nothing = 0x1p-80;
  std::vector<double> below, above = {1};
  for (uint32_t k = middle; k > 0; --k) {
    const double next = (below.empty() ? 1 : below.back()) / ratio(k);
    if (next < nothing) break;
    below.push_back(next);
  }
  for (uint32_t k = middle; k < last; ++k) {
    const double next = above.back() * ratio(k + 1);
    if (next < nothing) break;
    above.push_back(next);
  }
  Counts counts;
  counts.first = middle - uint32_t(below.size());
  counts.cumulative.assign(below.rbegin(), below.rend());
  counts.cumulative.insert(counts.cumulative.end(), above.begin(), above.end());
  double sum = 0;
  for (double &probability : counts.cumulative) probability = sum += probability;
  for (double &probability : counts.cumulative) probability /= sum;
  return counts;
}

} // namespace

double inverseNormal(double probability) {
  // Begun near it (Abramowitz and Stegun 26.2.23, to 4.5e-4), then Halley's steps over the error function.
  const double small = std::min(probability, 1 - probability);
  if (small <= 0) return probability < 0.5 ? -INFINITY : INFINITY;
  const double t = std::sqrt(-2 * std::log(small));
  double x = -(t - ((0.010328 * t + 0.802853) * t + 2.515517) / (((0.001308 * t + 0.189269) * t + 1.432788) * t + 1));
  for (int step = 0; step < 3; ++step) {
    const double error = 0.5 * std::erfc(-x * std::numbers::sqrt2 / 2) - small;
    const double change = error * std::sqrt(2 * std::numbers::pi) * std::exp(x * x / 2);
    x -= change / (1 + x * change / 2);
  }
  return probability < 0.5 ? x : -x;
}

uint32_t Counts::at(double uniform) const {
  const auto found = std::lower_bound(cumulative.begin(), cumulative.end(), uniform);
  return first + uint32_t(std::min<size_t>(size_t(found - cumulative.begin()), cumulative.size() - 1));
}

Counts poissonCounts(double lambda) {
  return countsAround(uint32_t(lambda), UINT32_MAX, [=](uint32_t k) { return lambda / k; });
}

Counts binomialCounts(uint32_t trials, double probability) {
  if (probability <= 0) return {0, {1}};
  if (probability >= 1) return {trials, {1}};
  const auto middle = std::min(trials, uint32_t((trials + 1.0) * probability));
  return countsAround(middle, trials,
                      [=](uint32_t k) { return (double(trials) - k + 1) / k * (probability / (1 - probability)); });
}

} // namespace us::curand
