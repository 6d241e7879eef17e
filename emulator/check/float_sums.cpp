// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/float_sums.h"

#include <algorithm>
#include <cmath>

namespace us::check {
namespace {

/// Sums that are kept.
constexpr size_t kMostSums = 100'000;

/// What is lost in a sum of two numbers of the type (Knuth), 0: nothing.
template <typename T> T lost(T a, T b) {
  const T sum = a + b, others = sum - a;
  return (a - (sum - others)) + (b - others);
}

/// The sum of two halves is exact in double: has it more bits than a half?
bool isExactHalf(double sum) {
  int exponent = 0;
  const double digits = std::frexp(sum, &exponent) * 2048;
  return digits == std::floor(digits);
}

bool isExact(const abi::FloatAddition &addition) {
  const auto [before, number] = std::pair(addition.before, addition.number);
  if (!std::isfinite(before) || !std::isfinite(number)) return true; // in any order
  if (addition.bytes == sizeof(float)) return lost(float(before), float(number)) == 0;
  return addition.bytes == sizeof(double) ? lost(before, number) == 0 : isExactHalf(before + number);
}

} // namespace

void FloatSums::added(uint64_t group, uint64_t item, const abi::FloatAddition &addition) {
  if (addition.number == 0) return;
  if (sums_.size() >= kMostSums && !sums_.contains(addition.address)) return;
  Sum &sum = sums_[addition.address];
  if (sum.terms == 0) {
    sum = {.site = addition.site, .group = group, .item = item, .first = addition.number, .bytes = addition.bytes};
    sum.terms = addition.before != 0;
  }
  ++sum.terms;
  sum.several |= sum.group != group || sum.item != item;
  sum.different |= addition.number != sum.first;
  sum.inexact |= !isExact(addition);
  sum.items.add(group, item);
}

std::vector<OrderedSum> FloatSums::take() const {
  std::vector<OrderedSum> found;
  for (const auto &[address, sum] : sums_) {
    if (!sum.several || !sum.different || !sum.inexact || sum.terms < 3) continue;
    auto at = std::ranges::find(found, sum.site, &OrderedSum::site);
    if (at == found.end()) at = found.insert(at, {sum.site, address, sum.bytes, 0, {}});
    ++at->sums;
    at->items.add(sum.items);
  }
  return found;
}

} // namespace us::check
