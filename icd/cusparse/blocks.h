// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices by rows of square blocks (BSR); by rows (CSR) if these are of one element.
#pragma once

#include "icd/cusparse/call.h"

namespace us::cusparse {

struct Blocks {
  int rows, count, base;
  const int *offsets, *columns;
  int size = 1;
  cusparseDirection_t direction = CUSPARSE_DIRECTION_ROW;

  size_t area() const { return size_t(size) * size_t(size); }
  size_t place(int block, int row, int column) const {
    return size_t(block) * area() +
           (direction == CUSPARSE_DIRECTION_ROW ? size_t(row) * size + column : size_t(column) * size + row);
  }
  /// Calls use(column, block) for the blocks of a row; those outside of the matrix are left out.
  template <class Use> void forRow(int row, int width, Use use) const {
    const int first = std::max(offsets[row] - base, 0), end = std::min(offsets[row + 1] - base, count);
    for (int i = first; i < end; ++i)
      if (const int column = columns[i] - base; column >= 0 && column < width) use(column, i);
  }
};

inline Blocks csrOf(int rows, int count, const cusparseMatDescr *descr, const int *offsets, const int *columns) {
  return {rows, count, descr ? int(descr->base) : 0, offsets, columns};
}
inline Blocks bsrOf(cusparseDirection_t direction, int rows, int count, const cusparseMatDescr *descr,
                    const int *offsets, const int *columns, int size) {
  return {rows, count, descr ? int(descr->base) : 0, offsets, columns, size, direction};
}

/// "INVALID_VALUE: invalid parameters were passed (m, nnz < 0)", and memory for all.
template <class T>
void check(Call &call, const Blocks &A, const cusparseMatDescr *descr, const T *values, bool hasValues = true) {
  call.general(descr);
  call.require(A.rows >= 0 && A.count >= 0 && A.size > 0 &&
               (A.direction == CUSPARSE_DIRECTION_ROW || A.direction == CUSPARSE_DIRECTION_COLUMN));
  call.vector(A.offsets, int64_t(A.rows) + 1);
  call.vector(A.columns, A.count);
  if (hasValues && call.isOk()) call.vector(values, int64_t(A.count) * int64_t(A.area()));
}

/// The elements of a square matrix row by row, columns ascending.
struct Pattern {
  std::vector<size_t> rows, places; ///< rows: where each begins, and the end
  std::vector<int> columns;

  explicit Pattern(const Blocks &A) {
    std::vector<std::pair<int, int>> line; // columns, blocks
    rows.push_back(0);
    for (int row = 0; row < A.rows; ++row) {
      line.clear();
      A.forRow(row, A.rows, [&](int column, int block) { line.emplace_back(column, block); });
      std::sort(line.begin(), line.end());
      for (int i = 0; i < A.size; ++i) {
        for (const auto &[column, block] : line)
          for (int j = 0; j < A.size; ++j) {
            columns.push_back(column * A.size + j);
            places.push_back(A.place(block, i, j));
          }
        rows.push_back(columns.size());
      }
    }
  }
  int size() const { return int(rows.size()) - 1; }
};

} // namespace us::cusparse
