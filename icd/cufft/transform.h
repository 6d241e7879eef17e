// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fast Fourier transforms of one dimension, all of them forward: sums of x[j] exp(-2 pi i j k / n). The inverse is one
// of numbers whose real and imaginary parts changed places.
#pragma once

#include "icd/cufft/passes.h"

#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace us::cufft {

template <class R> using Numbers = std::unique_ptr<Complex<R>[]>;
template <class R> Numbers<R> makeNumbers(size_t count) { return Numbers<R>(new Complex<R>[count]); }

/// exp(-2 pi i numerator / denominator), rounded once.
template <class R> std::complex<R> root(uint64_t numerator, uint64_t denominator);

/// Transforms of any length, as many at a time as a vector has lanes.
template <class R> class SideBySide {
public:
  explicit SideBySide(size_t length);
  size_t length() const { return length_; }
  size_t scratch() const; ///< numbers that run() needs besides
  /// In place.
  void run(Complex<R> *numbers, Complex<R> *scratch) const;

private:
  void runPasses(Complex<R> *numbers, Complex<R> *scratch) const;
  void runChirped(Complex<R> *numbers, Complex<R> *scratch) const;

  size_t length_;
  RunPass<R> runPass_;
  std::vector<Pass<R>> passes_;
  std::vector<std::vector<R>> tables_;
  // Bluestein's way, for what passes do not do: a convolution of a length that they do.
  std::unique_ptr<SideBySide> longer_;
  std::vector<std::complex<R>> chirp_, filter_;
};

/// One long transform of numbers that follow one another, as short ones side by side of its columns and then its rows.
template <class R> class Long {
public:
  /// Is it worth while, and is there a way?
  static bool isFor(size_t length);
  explicit Long(size_t length);
  void run(std::complex<R> *numbers) const;

private:
  void runRowsAndColumns(std::complex<R> *numbers) const;
  void runChirped(std::complex<R> *numbers) const;

  size_t length_;
  std::unique_ptr<SideBySide<R>> columns_, rows_;
  // exp(-2 pi i k / n) for the lower bits of k, and for the upper ones
  unsigned lowBits_ = 0;
  std::vector<std::complex<double>> low_, high_;
  std::unique_ptr<Long> longer_;
  std::vector<std::complex<R>> chirp_, filter_;
};

/// Calls body(first, last) for pieces of 0 to count, in several threads if that much work is worth them.
void inPieces(size_t count, size_t workEach, const std::function<void(size_t, size_t)> &body);

} // namespace us::cufft
