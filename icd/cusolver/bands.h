// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors of sparse matrices, as bands: rows are put in an order in which all lies near the diagonal.
#pragma once

#include "icd/cublas/blas.h"
#include "icd/cusolver/orderings.h"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace us::cusolver {

using cublas::Part;

template <class H> struct Entry {
  int row, column;
  H value;
};

/// Diagonals below and above the main one, column by column, as LAPACK has them.
template <class H> struct Band {
  int64_t size = 0, below = 0, above = 0, leading = 1;
  std::vector<H> values;
  Band() = default;
  Band(int64_t size, int64_t below, int64_t above)
      : size(size), below(below), above(above), leading(below + above + 1), values(size_t(size * leading)) {}
  H &operator()(int64_t row, int64_t column) { return values[size_t(column * leading + above + row - column)]; }
};

enum class Method { kLU, kQR, kCholesky };

/// What a matrix is factored into, and systems solved with.
template <class H> class Factors {
public:
  /// The matrix in an order that makes the band narrow if told so, or if it is much narrower than as it is.
  Factors(Method method, int n, const std::vector<Entry<H>> &entries, bool mayReorder, bool mustReorder)
      : method_(method), places_(size_t(n)) {
    std::iota(places_.begin(), places_.end(), 0);
    auto [below, above] = reach(entries);
    if (mayReorder) {
      const std::vector<int> asItWas = places_;
      places_ = placesOf(reverseCuthillMcKee(graphOf(n, entries)));
      const auto [newBelow, newAbove] = reach(entries);
      isReordered_ = mustReorder || 2 * (newBelow + newAbove) < below + above;
      if (isReordered_)
        below = newBelow, above = newAbove;
      else
        places_ = asItWas;
    }
    // R has what is above and what reflections bring there, U what exchanges do; Cholesky's factor nothing.
    A_ = Band<H>(n, below, method == Method::kCholesky ? 0 : below + above);
    for (const Entry<H> &entry : entries)
      if (const int row = places_[entry.row], column = places_[entry.column];
          method != Method::kCholesky || row >= column)
        A_(row, column) += entry.value;
    factor();
  }

  bool isReordered() const { return isReordered_; }

  /// -1, or the first pivot that is not above the tolerance: "singularity is the minimum" k for which A(0:k, 0:k) is
  /// not positive definite, or R(k,k) or U(k,k) is (nearly) zero.
  int singularity(Part<H> tolerance) {
    if (failed_ >= 0 && method_ == Method::kCholesky) return failed_;
    for (int64_t j = 0; j < A_.size; ++j)
      if (const Part<H> pivot = method_ == Method::kCholesky ? std::real(A_(j, j)) : std::abs(A_(j, j));
          !(pivot > tolerance))
        return int(j);
    return -1;
  }

  /// A x = b. Without Cholesky's factor x is b.
  void solve(const H *b, H *x) {
    std::vector<H> right(places_.size());
    for (size_t i = 0; i < right.size(); ++i) right[places_[i]] = b[i];
    const int n = int(A_.size), below = int(A_.below), above = int(A_.above - A_.below), leading = int(A_.leading);
    int info = 0;
    switch (method_) {
    case Method::kLU:
      cublas::call<"gbtrs", H>('N', n, below, above, 1, A_.values.data(), leading, pivots_.data(), right.data(), n,
                               &info);
      break;
    case Method::kQR:
      solveByQR(right);
      break;
    case Method::kCholesky:
      if (failed_ < 0) cublas::call<"pbtrs", H>('L', n, below, 1, A_.values.data(), leading, right.data(), n, &info);
      break;
    }
    for (size_t i = 0; i < right.size(); ++i) x[i] = right[places_[i]];
  }

  /// Of LU the rows and columns in the order that they were eliminated in: those of A(rows, columns) need no exchanges.
  std::vector<int> columnOrder() const { return placesOf(places_); }
  std::vector<int> rowOrder() const {
    std::vector<int> order = columnOrder();
    for (size_t i = 0; i < pivots_.size(); ++i) std::swap(order[i], order[size_t(pivots_[i] - 1)]);
    return order;
  }

  /// The routine of the host's library without which there are no factors.
  static void *needs(Method method) {
    return method == Method::kCholesky ? cublas::routineOf<"pbtrf", H>()
           : method == Method::kLU     ? cublas::routineOf<"gbtrf", H>()
                                       : cublas::routineOf<"getrf", H>();
  }

private:
  struct Reach {
    int64_t below, above;
  };
  Reach reach(const std::vector<Entry<H>> &entries) const {
    Reach reach = {};
    for (const Entry<H> &entry : entries) {
      const int64_t distance = int64_t(places_[entry.row]) - places_[entry.column];
      reach.below = std::max(reach.below, distance);
      reach.above = std::max(reach.above, -distance);
    }
    return reach;
  }

  void factor() {
    const int n = int(A_.size), below = int(A_.below), above = int(A_.above - A_.below), leading = int(A_.leading);
    int info = 0;
    switch (method_) {
    case Method::kLU:
      pivots_.resize(size_t(n));
      cublas::call<"gbtrf", H>(n, n, below, above, A_.values.data(), leading, pivots_.data(), &info);
      break;
    case Method::kQR:
      factorByQR();
      break;
    case Method::kCholesky:
      cublas::call<"pbtrf", H>('L', n, below, A_.values.data(), leading, &info);
      break;
    }
    failed_ = info - 1;
  }

  int64_t count(int64_t j) const { return std::min(A_.below, A_.size - 1 - j) + 1; }
  /// I - scale * v v^H, with the v of column j.
  template <class At> void reflect(int64_t j, At at) {
    const H *const v = &reflectors_[size_t(j * (A_.below + 1))];
    H product{};
    for (int64_t i = 0; i < count(j); ++i) product += cublas::conjugate(v[i]) * at(i);
    for (int64_t i = 0; i < count(j); ++i) at(i) -= v[i] * (product * scales_[size_t(j)]);
  }
  void factorByQR() {
    reflectors_.resize(size_t(A_.size * (A_.below + 1)));
    scales_.resize(size_t(A_.size));
    for (int64_t j = 0; j < A_.size; ++j) {
      H *const v = &reflectors_[size_t(j * (A_.below + 1))];
      Part<H> squares = 0;
      for (int64_t i = 0; i < count(j); ++i) {
        v[i] = A_(j + i, j);
        squares += std::norm(v[i]);
      }
      const Part<H> norm = std::sqrt(squares), first = std::abs(v[0]);
      if (norm == 0) continue;
      const H diagonal = first == 0 ? H(-norm) : -v[0] * (norm / first);
      v[0] -= diagonal;
      scales_[size_t(j)] = 1 / (norm * (norm + first)); // two over the reflector's square
      for (int64_t column = j + 1; column < std::min(A_.size, j + A_.above + 1); ++column)
        reflect(j, [&](int64_t i) -> H & { return A_(j + i, column); });
      A_(j, j) = diagonal;
    }
  }
  void solveByQR(std::vector<H> &x) {
    for (int64_t j = 0; j < A_.size; ++j) reflect(j, [&](int64_t i) -> H & { return x[size_t(j + i)]; });
    for (int64_t j = A_.size - 1; j >= 0; --j) {
      x[size_t(j)] /= A_(j, j);
      for (int64_t row = std::max<int64_t>(0, j - A_.above); row < j; ++row)
        x[size_t(row)] -= A_(row, j) * x[size_t(j)];
    }
  }

  Method method_;
  std::vector<int> places_; ///< where each row goes
  bool isReordered_ = false;
  Band<H> A_;
  int failed_ = -1;
  std::vector<int> pivots_;
  std::vector<H> reflectors_;
  std::vector<Part<H>> scales_;
};

} // namespace us::cusolver
