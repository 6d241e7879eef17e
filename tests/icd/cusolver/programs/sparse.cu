// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of sparse matrices of all four kinds of numbers, with each reordering and base of indices.
//! nvcc: -O0 -lcusolver -lcusparse
#include "sparse.h"

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
  SOLVER(cusolverSpDestroy(sparse));
  STATUS(CUSOLVER_STATUS_NOT_INITIALIZED, cusolverSpDestroy(sparse));
  OK(cudaStreamDestroy(stream));
  return failures != 0;
}
