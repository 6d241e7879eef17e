// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cufft/order.h"

#include <algorithm>

namespace us::cufft {

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
  Pieces pieces;
  if (grid.rank == 1) {
    const Strings strings = stringsOf(grid.sizes[0], devices);
    const int64_t each = strings.count / int64_t(devices);
    for (int64_t i = 0; i < strings.count; ++i)
      pieces.push_back({unsigned(i / each), size_t(i * strings.substringLength) * grid.bytes,
                        size_t(i % each * strings.length) * grid.bytes, size_t(strings.substringLength) * grid.bytes,
                        size_t(strings.factor2), size_t(strings.factor1) * grid.bytes});
    return pieces;
  }
  const size_t row = (grid.rank == 3 ? size_t(grid.sizes[2]) : 1) * grid.bytes;
  for (unsigned device = 0; device < devices; ++device) {
    const auto [first, count] = partOf(grid.sizes[1], devices, device);
    if (!count) continue;
    pieces.push_back(
        {device, size_t(first) * row, 0, size_t(count) * row, size_t(grid.sizes[0]), size_t(grid.sizes[1]) * row});
  }
  return pieces;
}

Strings stringsOf(int64_t size, size_t devices) {
  int64_t factor1 = 2;
  while (factor1 * factor1 < 4 * size) factor1 *= 2; // the documentation's: 64 of 1024
  const int64_t count = std::max<int64_t>(8, int64_t(devices)), substringLength = factor1 / count;
  return {size, count, size / count, substringLength, factor1, size / factor1};
}

} // namespace us::cufft
