// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems and least squares that cuSOLVER solves in a lower precision and refines. All is computed in the main
// precision here, so that nothing is left to refine: no iterations, and A as it was.
#pragma once

#include "icd/cusolver/linear.h"

namespace us::cusolver {

template <class H> std::vector<H> copyOf(const H *A, int64_t rows, int64_t columns, int64_t leading) {
  std::vector<H> copy(size_t(rows) * columns + 1);
  for (int64_t column = 0; column < columns; ++column)
    std::copy_n(A + column * leading, rows, copy.data() + column * rows);
  return copy;
}

/// "CUSOLVER_STATUS_INVALID_WORKSPACE: lwork_bytes is smaller than the required workspace."
inline void refinedWorkspace(Call &call, const void *work, size_t bytes) {
  if (bytes < 1) call.fail(CUSOLVER_STATUS_INVALID_WORKSPACE);
  call.workspace(work, int64_t(bytes));
}
inline cusolverStatus_t refinedSize(Call call, int64_t m, int64_t n, int64_t nrhs, size_t *bytes) {
  call.sizes(m, n, nrhs);
  call.require(bytes != nullptr);
  if (call.isOk()) *bytes = 1;
  return call.status();
}

/// As LAPACK's dsgesv: "If iter is <0: iterative refinement has failed, main precision factorization has been
/// performed", which says -3 of factors that are singular.
constexpr int kSingular = -3;

template <class T>
cusolverStatus_t gesv(Call call, int n, int nrhs, T *A, int lda, int *pivots, T *B, int ldb, T *X, int ldx, void *work,
                      size_t bytes, int *iterations, int *info) {
  using H = Host<T>;
  call.matrix(A, n, n, lda);
  call.matrix(B, n, nrhs, ldb);
  call.matrix(X, n, nrhs, ldx);
  if (pivots) call.vector(pivots, n);
  refinedWorkspace(call, work, bytes);
  call.require(iterations != nullptr);
  call.info(info);
  call.needs(cublas::routineOf<"getrf", H>());
  return call.run(
      [=] {
        std::vector<H> factors = copyOf(host(A), n, n, lda);
        std::vector<int> exchanged(n + 1);
        cublas::call<"getrf", H>(n, n, factors.data(), std::max(1, n), exchanged.data(), info);
        if (pivots) std::copy_n(exchanged.begin(), n, pivots);
        *iterations = *info == 0 ? 0 : kSingular;
        if (*info != 0) return;
        for (int column = 0; column < nrhs; ++column)
          std::copy_n(host(B) + int64_t(column) * ldb, n, host(X) + int64_t(column) * ldx);
        cublas::call<"getrs", H>('N', n, nrhs, factors.data(), std::max(1, n), exchanged.data(), host(X), ldx, info);
      },
      true);
}

template <class T>
cusolverStatus_t gels(Call call, int m, int n, int nrhs, T *A, int lda, T *B, int ldb, T *X, int ldx, void *work,
                      size_t bytes, int *iterations, int *info) {
  using H = Host<T>;
  call.require(m >= n); // "m ... should be ... >= n"
  call.matrix(A, m, n, lda);
  call.matrix(B, m, nrhs, ldb);
  call.matrix(X, n, nrhs, ldx);
  refinedWorkspace(call, work, bytes);
  call.require(iterations != nullptr);
  call.info(info);
  call.needs(cublas::routineOf<"gels", H>());
  return call.run(
      [=] {
        std::vector<H> factors = copyOf(host(A), m, n, lda), right = copyOf(host(B), m, nrhs, ldb);
        *info = withWork<H>([&](H *space, int size, int *done) {
          cublas::call<"gels", H>('N', m, n, nrhs, factors.data(), std::max(1, m), right.data(), std::max(1, m), space,
                                  size, done);
        });
        *iterations = *info == 0 ? 0 : kSingular;
        if (*info != 0) return;
        for (int column = 0; column < nrhs; ++column)
          std::copy_n(right.data() + int64_t(column) * m, n, host(X) + int64_t(column) * ldx);
      },
      true);
}

} // namespace us::cusolver
