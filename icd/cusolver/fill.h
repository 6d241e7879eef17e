// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors of sparse matrices element by element, without exchanges: where these have elements, and which.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

namespace us::cusolver {

/// L and U in one matrix by rows, columns ascending; L's diagonal of ones is not there.
struct Filled {
  std::vector<int> offsets = {0}, columns, diagonals; ///< diagonals: where they are

  int size() const { return int(diagonals.size()); }
  int below() const { // elements of L
    int count = 0;
    for (int row = 0; row < size(); ++row) count += diagonals[row] - offsets[row];
    return count;
  }
  int above() const { return offsets.back() - below(); } // of U, with its diagonal

  /// The next row, of these columns; a diagonal is there in any case.
  void add(std::vector<int> row) {
    row.push_back(size());
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    diagonals.push_back(offsets.back() + int(std::lower_bound(row.begin(), row.end(), size()) - row.begin()));
    columns.insert(columns.end(), row.begin(), row.end());
    offsets.push_back(int(columns.size()));
  }
};

/// What elimination fills of a matrix with these columns in its rows.
inline Filled fill(const std::vector<std::vector<int>> &rows) {
  Filled F;
  std::vector<int> stamp(rows.size(), -1), row;
  for (int i = 0; i < int(rows.size()); ++i) {
    int first = i, last = i;
    const auto put = [&](int column) {
      stamp[column] = i;
      first = std::min(first, column);
      last = std::max(last, column);
    };
    put(i);
    for (const int column : rows[i]) put(column);
    for (int k = first; k < i; ++k)
      if (stamp[k] == i)
        for (int j = F.diagonals[k] + 1; j < F.offsets[k + 1]; ++j) put(F.columns[j]);
    row.clear();
    for (int k = first; k <= last; ++k)
      if (stamp[k] == i) row.push_back(k);
    F.add(row);
  }
  return F;
}

/// A pivot whose absolute value is not above `zero` is one that is not there, or becomes `boost` if that is not zero.
struct Boost {
  double zero = 0, boost = 0;
};

/// Values become those of L and U. Returns the first row without a pivot, or -1.
template <class H> int eliminate(const Filled &F, std::vector<H> &values, const Boost &boost, bool *wasBoosted) {
  constexpr int kNowhere = -1;
  std::vector<int> where(size_t(F.size()), kNowhere);
  int missing = -1;
  for (int i = 0; i < F.size(); ++i) {
    const int first = F.offsets[i], end = F.offsets[i + 1];
    for (int k = first; k < end; ++k) where[F.columns[k]] = k;
    for (int k = first; k < F.diagonals[i]; ++k) {
      const int above = F.columns[k];
      const H factor = values[k] /= values[F.diagonals[above]];
      for (int j = F.diagonals[above] + 1; j < F.offsets[above + 1]; ++j)
        if (const int into = where[F.columns[j]]; into != kNowhere) values[into] -= factor * values[j];
    }
    H &pivot = values[F.diagonals[i]];
    if (!(std::abs(pivot) > boost.zero)) {
      if (boost.boost != 0) {
        pivot = H(boost.boost);
        if (wasBoosted) *wasBoosted = true;
      } else if (missing < 0) {
        missing = i;
      }
    }
    for (int k = first; k < end; ++k) where[F.columns[k]] = kNowhere;
  }
  return missing;
}

/// L U x = b, x in b's place.
template <class H> void substitute(const Filled &F, const std::vector<H> &values, std::vector<H> &x) {
  for (int i = 0; i < F.size(); ++i)
    for (int k = F.offsets[i]; k < F.diagonals[i]; ++k) x[i] -= values[k] * x[F.columns[k]];
  for (int i = F.size() - 1; i >= 0; --i) {
    for (int k = F.diagonals[i] + 1; k < F.offsets[i + 1]; ++k) x[i] -= values[k] * x[F.columns[k]];
    x[i] /= values[F.diagonals[i]];
  }
}

} // namespace us::cusolver
