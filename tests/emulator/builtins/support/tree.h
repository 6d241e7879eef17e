// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which collective functions combine (emulator/builtins/opencl/workgroup/tree.h), said by recursion.
#pragma once
#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "tests/emulator/builtins/support/values.h"

namespace us::test {

/// Left of the split stands the largest complete subtree that is not everything.
template <typename T> T treeReduce(std::span<const T> values, auto combine) {
  if (values.size() == 1) return values[0];
  const std::size_t left = std::bit_floor(values.size() - 1);
  return combine(treeReduce(values.first(left), combine), treeReduce(values.subspan(left), combine));
}

/// The complete subtrees from 0 up to here, the largest first.
template <typename T> T treeScan(std::span<const T> values, auto combine) {
  const std::size_t first = std::bit_floor(values.size());
  T result = treeReduce(values.first(first), combine);
  for (std::size_t at = first; at < values.size();) {
    const std::size_t size = std::bit_floor(values.size() - at);
    result = combine(result, treeReduce(values.subspan(at, size), combine));
    at += size;
  }
  return result;
}

/// The operations, and what an exclusive scan begins with.
template <typename T> struct Combine {
  static T add(T a, T b) { return T(a + b); }
  static T mul(T a, T b) { return T(a * b); }
  static T min(T a, T b) { return std::min(a, b); }
  static T max(T a, T b) { return std::max(a, b); }
  static T highest() {
    if constexpr (std::is_integral_v<T>)
      return Limits<T>::max();
    else
      return Limits<T>::infinity();
  }
  static T lowest() {
    if constexpr (std::is_integral_v<T>)
      return Limits<T>::min();
    else
      return -Limits<T>::infinity();
  }
};
template <typename T> struct CombineBits {
  static T bitAnd(T a, T b) { return T(a & b); }
  static T bitOr(T a, T b) { return T(a | b); }
  static T bitXor(T a, T b) { return T(a ^ b); }
};

/// Values whose sums must be rounded, so that a different order shows.
template <typename T> std::vector<T> thirds(std::size_t n) {
  std::mt19937_64 random(n);
  std::vector<T> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(T(T(std::int64_t(random() % 2001) - 1000) / T(3)));
  return values;
}

} // namespace us::test
