// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of sparse matrices of all four kinds of numbers, with each reordering and base of indices.
//! nvcc: -O0 -lcusolver -lcusparse
#include "matrices.h"

#include <cusolverSp.h>

static cusolverSpHandle_t sparse;

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
static Matrix scattered(int n, bool isComplex) {
  const Matrix M = random(n, n, 61, isComplex);
  Matrix A(n, n);
  for (int row = 0; row < n; ++row) {
    if (row % 4) A(row, row) = 3.0 + M(row, row);
    for (int i = 1; i < 4; ++i) A(row, (row * 7 + i * 11) % n) = M(row, i) + 1.0;
  }
  return A;
}
/// A plane's five points, its rows in another order.
static Matrix plane(int side, bool isComplex) {
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

template <class T, class R, class Solve> void solves(Solve solve, const Matrix &A, int tolerated = -1) {
  const int n = A.rows;
  const Matrix b = random(n, 1, 62, kIsComplex<T>);
  for (const int base : {0, 1})
    for (int reorder = 0; reorder <= 3; ++reorder) {
      const Csr csr(A, base);
      const int count = int(csr.values.size());
      Array<T> values(count, 1), right(b), x(n, 1);
      Integers offsets(n + 1), columns(count);
      std::copy(csr.offsets.begin(), csr.offsets.end(), offsets.data);
      std::copy(csr.columns.begin(), csr.columns.end(), columns.data);
      for (int i = 0; i < count; ++i) set(values.data[i], csr.values[i]);
      cusparseMatDescr_t descriptor;
      CHECK(cusparseCreateMatDescr(&descriptor) == CUSPARSE_STATUS_SUCCESS);
      CHECK(cusparseSetMatIndexBase(descriptor, cusparseIndexBase_t(base)) == CUSPARSE_STATUS_SUCCESS);
      int singularity = -99;
      SOLVER(solve(sparse, n, count, descriptor, values.data, offsets.data, columns.data, right.data, R(1e-5), reorder,
                   x.data, &singularity));
      if (tolerated < 0) {
        CHECK(singularity == -1);
        NEAR(A * x.get(), b);
      } else {
        CHECK(reorder ? singularity >= 0 : singularity == tolerated);
      }
      STATUS(CUSOLVER_STATUS_INVALID_VALUE, solve(sparse, n, count, descriptor, values.data, offsets.data, columns.data,
                                                  right.data, R(0), 4, x.data, &singularity));
      CHECK(cusparseSetMatType(descriptor, CUSPARSE_MATRIX_TYPE_SYMMETRIC) == CUSPARSE_STATUS_SUCCESS);
      STATUS(CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED, solve(sparse, n, count, descriptor, values.data, offsets.data,
                                                              columns.data, right.data, R(0), 0, x.data, &singularity));
      CHECK(cusparseDestroyMatDescr(descriptor) == CUSPARSE_STATUS_SUCCESS);
    }
}

template <class T, class R, class QR, class Cholesky> void all(QR qr, Cholesky cholesky) {
  solves<T, R>(qr, scattered(37, kIsComplex<T>));
  solves<T, R>(qr, plane(6, kIsComplex<T>));
  solves<T, R>(qr, plane(1, kIsComplex<T>));
  solves<T, R>(cholesky, plane(6, kIsComplex<T>));
  // "if 2nd column of A is the same as first column, then A is singular and singularity = 1"
  Matrix A = scattered(12, kIsComplex<T>);
  for (int row = 0; row < 12; ++row) A(row, 1) = A(row, 0);
  solves<T, R>(qr, A, 1);
  // A(0:k, 0:k) is not positive definite.
  A = plane(4, kIsComplex<T>);
  A(6, 6) = -1;
  solves<T, R>(cholesky, A, 6);
}

int main() {
  SOLVER(cusolverSpCreate(&sparse));
  cudaStream_t stream, got = nullptr;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  SOLVER(cusolverSpSetStream(sparse, stream));
  SOLVER(cusolverSpGetStream(sparse, &got));
  CHECK(got == stream);
  all<float, float>(cusolverSpScsrlsvqr, cusolverSpScsrlsvchol);
  all<double, double>(cusolverSpDcsrlsvqr, cusolverSpDcsrlsvchol);
  all<cuComplex, float>(cusolverSpCcsrlsvqr, cusolverSpCcsrlsvchol);
  all<cuDoubleComplex, double>(cusolverSpZcsrlsvqr, cusolverSpZcsrlsvchol);
  double number = 0;
  STATUS(CUSOLVER_STATUS_NOT_SUPPORTED, // is said
         cusolverSpDcsreigvsi(sparse, 1, 1, nullptr, &number, nullptr, nullptr, 0, &number, 1, 0, &number, &number));
  SOLVER(cusolverSpDestroy(sparse));
  STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverSpDestroy(sparse));
  OK(cudaStreamDestroy(stream));
  return failures != 0;
}
