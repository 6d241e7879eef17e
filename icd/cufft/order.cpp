// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cufft/order.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace us::cufft {
namespace {

Pieces inStrings(const Strings &strings, size_t bytes, size_t devices) {
  Pieces pieces;
  const int64_t each = strings.count / int64_t(devices);
  for (int64_t i = 0; i < strings.count; ++i)
    pieces.push_back({unsigned(i / each), size_t(i * strings.substringLength) * bytes,
                      size_t(i % each * strings.length) * bytes, size_t(strings.substringLength) * bytes,
                      size_t(strings.factor2), size_t(strings.factor1) * bytes});
  return pieces;
}

} // namespace

Part partOf(int64_t all, size_t devices, size_t device) {
  const auto n = int64_t(devices), i = int64_t(device);
  return {all / n * i + std::min(all % n, i), all / n + (i < all % n ? 1 : 0)};
}

Pieces inOrder(const Grid &grid, size_t devices) {
  size_t row = grid.bytes;
  for (unsigned i = 1; i < grid.rank; ++i) row *= size_t(grid.sizes[i]);
  Pieces pieces;
  for (unsigned device = 0; device < devices; ++device) {
    const auto [first, count] = partOf(grid.sizes[0], devices, device);
    if (count) pieces.push_back({device, size_t(first) * row, 0, size_t(count) * row});
  }
  return pieces;
}

Pieces shuffled(const Grid &grid, size_t devices) {
  if (grid.rank == 1) return inStrings(stringsOf(grid.sizes[0], devices), grid.bytes, devices);
  Pieces pieces;
  const size_t row = (grid.rank == 3 ? size_t(grid.sizes[2]) : 1) * grid.bytes;
  for (unsigned device = 0; device < devices; ++device) {
    const auto [first, count] = partOf(grid.sizes[1], devices, device);
    if (!count) continue;
    pieces.push_back(
        {device, size_t(first) * row, 0, size_t(count) * row, size_t(grid.sizes[0]), size_t(grid.sizes[1]) * row});
  }
  return pieces;
}

Pieces shuffledInput(const Grid &grid, size_t devices) {
  Strings strings = stringsOf(grid.sizes[0], devices);
  std::swap(strings.factor1, strings.factor2);
  strings.substringLength = strings.factor1 / strings.count;
  return inStrings(strings, grid.bytes, devices);
}

Strings stringsOf(int64_t size, size_t devices) {
  const int numbers = int(std::bit_width(uint64_t(size))) - 1; // 2^numbers of them
  const int64_t factor1 = int64_t(1) << 2 * numbers / 3;
  const int64_t count = size == 64 ? int64_t(devices) : std::max<int64_t>(8, int64_t(devices));
  return {size, count, size / count, factor1 / count, factor1, size / factor1};
}

} // namespace us::cufft
