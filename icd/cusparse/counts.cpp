// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is not zero, or larger than a tolerance: how much there is, and matrices of nothing else.
#include "icd/cusparse/call.h"
#include "icd/cusparse/numbers.h"

namespace us::cusparse {
namespace {

/// "nnzPerRowColumn: array of size m or n containing the number of nonzero elements per row or column"
template <class T>
cusparseStatus_t nnz(Call call, cusparseDirection_t direction, int m, int n, const cusparseMatDescr *descr, const T *A,
                     int lda, int *counts, int *total) {
  call.general(descr);
  call.require(m >= 0 && n >= 0 && lda >= std::max(1, m) &&
               (direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN));
  const bool isByRow = direction == CUSPARSE_DIRECTION_ROW;
  if (m > 0 && n > 0) call.vector(A, int64_t(n - 1) * lda + m);
  call.vector(counts, isByRow ? m : n);
  call.answer(total, sizeof *total);
  if (!call.isOk()) return call.status();
  return call.run(
      [=] {
        std::fill_n(counts, isByRow ? m : n, 0);
        int sum = 0;
        for (int column = 0; column < n; ++column)
          for (int row = 0; row < m; ++row)
            if (host(A)[int64_t(column) * lda + row] != Host<T>{}) {
              ++counts[isByRow ? row : column];
              ++sum;
            }
        *total = sum;
      },
      call.answersHost());
}

/// "this tolerance is given as the real part"
template <class T> bool isLarger(const T &value, double tolerance) {
  return std::abs(Wide<T>(*host(&value))) > tolerance;
}
template <class T> double realOf(const T &value) { return std::real(*host(&value)); }

template <class T>
cusparseStatus_t nnz_compress(Call call, int m, const cusparseMatDescr *descr, const T *values, const int *offsets,
                              int *counts, int *total, T tol) {
  const double tolerance = realOf(tol);
  call.general(descr);
  call.require(m >= 0 && tolerance >= 0);
  call.vector(offsets, int64_t(m) + 1);
  call.vector(counts, m);
  call.answer(total, sizeof *total);
  if (!call.isOk()) return call.status();
  return call.run(
      [=, base = int(descr->base), function = call.function()] {
        const int64_t count = int64_t(offsets[m]) - base;
        if (count < 0 || !reachesLater(function, values, uint64_t(count) * sizeof(T))) return;
        int sum = 0;
        for (int row = 0; row < m; ++row) {
          counts[row] = 0;
          for (int64_t i = std::max(offsets[row] - base, 0); i < std::min<int64_t>(offsets[row + 1] - base, count); ++i)
            counts[row] += isLarger(values[i], tolerance);
          sum += counts[row];
        }
        *total = sum;
      },
      call.answersHost());
}

/// "nnzPerRow: this array contains the number of elements kept in the compressed matrix, by row"
template <class T>
cusparseStatus_t csr2csr_compress(Call call, int m, int n, const cusparseMatDescr *descr, const T *values,
                                  const int *columns, const int *offsets, int nnzA, const int *counts, T *valuesC,
                                  int *columnsC, int *offsetsC, T tol) {
  const double tolerance = realOf(tol);
  call.general(descr);
  call.require(m >= 0 && n >= 0 && nnzA >= 0 && tolerance >= 0);
  call.vector(values, nnzA);
  call.vector(columns, nnzA);
  call.vector(offsets, int64_t(m) + 1);
  call.vector(counts, m);
  call.vector(offsetsC, int64_t(m) + 1);
  if (!call.isOk()) return call.status();
  return call.run([=, base = int(descr->base), function = call.function()] {
    int64_t sum = 0;
    for (int row = 0; row < m; ++row) {
      offsetsC[row] = int(sum) + base;
      sum += std::max(counts[row], 0);
    }
    offsetsC[m] = int(sum) + base;
    if (!reachesLater(function, valuesC, uint64_t(sum) * sizeof(T)) ||
        !reachesLater(function, columnsC, uint64_t(sum) * sizeof(int)))
      return;
    for (int row = 0; row < m; ++row) {
      int place = offsetsC[row] - base;
      const int end = offsetsC[row + 1] - base;
      for (int i = std::max(offsets[row] - base, 0); i < std::min(offsets[row + 1] - base, nnzA) && place < end; ++i)
        if (isLarger(values[i], tolerance)) {
          columnsC[place] = columns[i];
          valuesC[place++] = values[i];
        }
    }
  });
}

} // namespace
} // namespace us::cusparse

US_CUSPARSE_COUNTS(US_DEFINE)
