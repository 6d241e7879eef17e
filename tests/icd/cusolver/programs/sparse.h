// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse matrices of the programs beside it.
#pragma once
#include "matrices.h"

#include <cusolverSp.h>

inline cusolverSpHandle_t sparse;

struct Csr {
  std::vector<int> offsets = {0}, columns;
  std::vector<Wide> values;
  explicit Csr(const Matrix &A, int base) {
    offsets[0] = base;
    for (int row = 0; row < A.rows; ++row) {
      for (int column = 0; column < A.columns; ++column)
        if (A(row, column) != Wide(0)) {
          columns.push_back(column + base);
          values.push_back(A(row, column));
        }
      offsets.push_back(int(columns.size()) + base);
    }
  }
};

/// Few elements in each row, anywhere, and a diagonal that may be zero.
inline Matrix scattered(int n, bool isComplex) {
  const Matrix M = random(n, n, 61, isComplex);
  Matrix A(n, n);
  for (int row = 0; row < n; ++row) {
    if (row % 4) A(row, row) = 3.0 + M(row, row);
    for (int i = 1; i < 4; ++i) A(row, (row * 7 + i * 11) % n) = M(row, i) + 1.0;
  }
  return A;
}
/// A plane's five points, its rows in another order.
inline Matrix plane(int side, bool isComplex) {
  const int n = side * side;
  const auto at = [&](int x, int y) { return (x * side + y) * 5 % n; };
  Matrix A(n, n);
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y) {
      A(at(x, y), at(x, y)) = 5;
      const Wide near = isComplex ? Wide(-0.8, 0.6) : Wide(-1);
      if (x + 1 < side) A(at(x, y), at(x + 1, y)) = near, A(at(x + 1, y), at(x, y)) = std::conj(near);
      if (y + 1 < side) A(at(x, y), at(x, y + 1)) = near, A(at(x, y + 1), at(x, y)) = std::conj(near);
    }
  return A;
}

/// In memory of the host.
template <class T> struct HostCsr {
  int n, count;
  std::vector<int> offsets, columns;
  std::vector<T> values;
  cusparseMatDescr_t descriptor = nullptr;
  HostCsr(const Matrix &A, int base) : n(A.rows) {
    const Csr csr(A, base);
    offsets = csr.offsets;
    columns = csr.columns;
    count = int(columns.size());
    values.resize(count);
    for (int i = 0; i < count; ++i) set(values[i], csr.values[i]);
    CHECK(cusparseCreateMatDescr(&descriptor) == CUSPARSE_STATUS_SUCCESS);
    CHECK(cusparseSetMatIndexBase(descriptor, cusparseIndexBase_t(base)) == CUSPARSE_STATUS_SUCCESS);
  }
  ~HostCsr() { cusparseDestroyMatDescr(descriptor); }
};
template <class T> Matrix column(const std::vector<T> &values) {
  Matrix A(int(values.size()), 1);
  for (int i = 0; i < A.rows; ++i) A(i, 0) = wide(values[i]);
  return A;
}
