// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where numbers lie that are divided among several devices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace us::cufft {

/// Rows of bytes, each so far behind the one before, in memory that has all numbers in their order and on a device.
struct Piece {
  unsigned device;
  size_t whole, part; ///< where the first row starts
  size_t width, rows = 1;
  size_t wholePitch = width, partPitch = width;

  size_t endOfWhole() const { return whole + (rows - 1) * wholePitch + width; }
  size_t endOfPart() const { return part + (rows - 1) * partPitch + width; }
};
using Pieces = std::vector<Piece>;

/// "The first m % n GPUs" have one more than the others.
struct Part {
  int64_t first, count;
};
Part partOf(int64_t all, size_t devices, size_t device);

/// One transform's complex numbers: its dimensions, the last one next to each other, and what a number takes.
struct Grid {
  unsigned rank;
  std::array<int64_t, 3> sizes;
  size_t bytes;
};

/// Each device has rows of a surface, planes of a volume, or numbers that follow each other.
Pieces inOrder(const Grid &grid, size_t devices);

/// What a transform leaves: surfaces and volumes are divided by their second dimension, and a line by strings.
Pieces shuffled(const Grid &grid, size_t devices);

/// A line that CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED says: in strings, too, for which the two factors change places.
Pieces shuffledInput(const Grid &grid, size_t devices);

/// A line is factor1 * factor2 numbers. String after string is on the devices, and each has the same few of every
/// factor1 numbers: factor2 times as many as follow each other. The factors are those of NVIDIA's library, as seen on
/// two devices with 64 to 32,768 numbers.
struct Strings {
  int64_t size, count, length, substringLength, factor1, factor2;
};
Strings stringsOf(int64_t size, size_t devices);

} // namespace us::cufft
