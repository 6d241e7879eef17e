// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors of matrices, and systems that are solved with them. Pivots are integers of 32 or of 64 bits, work areas typed
// or bytes, so that both interfaces have the same body.
#pragma once

#include "icd/cusolver/call.h"

#include <cmath>
#include <limits>
#include <vector>

namespace us::cusolver {

using cublas::kIsComplex;
using cublas::Name;
using cublas::Part;

/// Of what has no triangle.
constexpr cublasFillMode_t anyFill = CUBLAS_FILL_MODE_LOWER;

inline cusolverStatus_t size(Call call, int *lwork, cublasFillMode_t uplo, int64_t rows, int64_t columns,
                             int64_t leading) {
  call.triangle(uplo);
  call.sizes(rows, columns);
  call.leading(leading, rows);
  call.require(lwork != nullptr);
  if (call.isOk()) *lwork = 1; // LAPACK works in memory of the host, as much as it wants
  return call.status();
}

/// LAPACK's names differ between real and complex numbers.
template <Name real, Name complex, class H> void *eitherRoutine() {
  if constexpr (kIsComplex<H>)
    return cublas::routineOf<complex, H>();
  else
    return cublas::routineOf<real, H>();
}
template <Name real, Name complex, class H, class... Arguments> void either(const Arguments &...arguments) {
  if constexpr (kIsComplex<H>)
    cublas::call<complex, H>(arguments...);
  else
    cublas::call<real, H>(arguments...);
}

/// The size that a routine wants is a number of its type, which may have been rounded.
template <class H> size_t wantedSize(H wanted) {
  return std::max<size_t>(1, size_t(std::nextafter(std::real(wanted), std::numeric_limits<Part<H>>::max())));
}
/// Calls a routine twice: to hear how much it wants to work with, and to work.
template <class H, class Use> int withWork(Use use) {
  H wanted{};
  int info = 0;
  use(&wanted, -1, &info);
  std::vector<H> work(wantedSize(wanted));
  use(work.data(), int(work.size()), &info);
  return info;
}

/// Pivots for LAPACK. Where there are none, nothing is exchanged.
template <class Index> std::vector<int> pivotsFrom(const Index *pivots, int64_t n) {
  std::vector<int> all(n);
  for (int64_t i = 0; i < n; ++i) all[i] = pivots ? int(pivots[i]) : int(i + 1);
  return all;
}

template <class T, class W>
cusolverStatus_t potrf(Call call, cublasFillMode_t uplo, int64_t n, T *A, int64_t lda, W *work, int64_t lwork,
                       int *info) {
  const char fill = call.triangle(uplo);
  call.matrix(A, n, n, lda);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"potrf", Host<T>>());
  return call.run([=] { cublas::call<"potrf", Host<T>>(fill, int(n), host(A), int(lda), info); });
}

template <class T>
cusolverStatus_t potrs(Call call, cublasFillMode_t uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda, T *B,
                       int64_t ldb, int *info) {
  const char fill = call.triangle(uplo);
  call.matrix(A, n, n, lda);
  call.matrix(B, n, nrhs, ldb);
  call.info(info);
  call.needs(cublas::routineOf<"potrs", Host<T>>());
  return call.run(
      [=] { cublas::call<"potrs", Host<T>>(fill, int(n), int(nrhs), host(A), int(lda), host(B), int(ldb), info); });
}

template <class T>
cusolverStatus_t potri(Call call, cublasFillMode_t uplo, int n, T *A, int lda, T *work, int lwork, int *info) {
  const char fill = call.triangle(uplo);
  call.matrix(A, n, n, lda);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"potri", Host<T>>());
  return call.run([=] { cublas::call<"potri", Host<T>>(fill, n, host(A), lda, info); });
}

/// Is a matrix that an array of pointers names in reach?
template <class T>
bool reachesMatrix(const char *function, const T *matrix, int64_t rows, int64_t columns, int64_t leading) {
  return rows == 0 || columns == 0 ||
         reachesLater(function, matrix, (uint64_t(columns - 1) * leading + rows) * sizeof(T));
}

template <class T>
cusolverStatus_t potrfBatched(Call call, cublasFillMode_t uplo, int n, T *const *A, int lda, int *infos, int count) {
  const char fill = call.triangle(uplo);
  call.sizes(n);
  call.leading(lda, n);
  call.require(count >= 1); // "or batchSize<1"
  call.vector(A, count);
  call.info(infos, count);
  call.needs(cublas::routineOf<"potrf", Host<T>>());
  return call.run([=, function = call.function()] {
    for (int i = 0; i < count; ++i)
      if (reachesMatrix(function, A[i], n, n, lda)) cublas::call<"potrf", Host<T>>(fill, n, host(A[i]), lda, infos + i);
  });
}

template <class T>
cusolverStatus_t potrsBatched(Call call, cublasFillMode_t uplo, int n, int nrhs, T *const *A, int lda, T *const *B,
                              int ldb, int *info, int count) {
  const char fill = call.triangle(uplo);
  call.sizes(n, nrhs, count);
  call.leading(lda, n);
  call.leading(ldb, n);
  call.info(info);
  if (nrhs != 1) call.fail(CUSOLVER_STATUS_NOT_SUPPORTED); // "Remark 1: only nrhs=1 is supported."
  call.vector(A, count);
  call.vector(B, count);
  call.needs(cublas::routineOf<"potrs", Host<T>>());
  return call.run([=, function = call.function()] {
    *info = 0;
    for (int i = 0; i < count; ++i)
      if (reachesMatrix(function, A[i], n, n, lda) && reachesMatrix(function, B[i], n, nrhs, ldb))
        cublas::call<"potrs", Host<T>>(fill, n, nrhs, host(A[i]), lda, host(B[i]), ldb, info);
  });
}

/// "If devIpiv is null, no pivoting is performed. The factorization is A=L*U": of which LAPACK has none.
template <class H> int factorWithoutPivots(int64_t m, int64_t n, H *A, int64_t lda) {
  int info = 0;
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    H *const pivot = A + k * lda;
    if (pivot[k] == H(0)) {
      if (!info) info = int(k + 1);
      continue;
    }
    for (int64_t row = k + 1; row < m; ++row) pivot[row] /= pivot[k];
    for (int64_t column = k + 1; column < n; ++column) {
      H *const behind = A + column * lda;
      for (int64_t row = k + 1; row < m; ++row) behind[row] -= pivot[row] * behind[k];
    }
  }
  return info;
}

template <class T, class W, class Index>
cusolverStatus_t getrf(Call call, int64_t m, int64_t n, T *A, int64_t lda, W *work, int64_t lwork, Index *pivots,
                       int *info) {
  const int64_t count = std::min(m, n);
  call.matrix(A, m, n, lda);
  call.workspace(work, lwork);
  if (pivots) call.vector(pivots, count);
  call.info(info);
  call.needs(cublas::routineOf<"getrf", Host<T>>());
  return call.run([=] {
    if (!pivots) {
      *info = factorWithoutPivots(m, n, host(A), lda);
      return;
    }
    std::vector<int> exchanged(count);
    cublas::call<"getrf", Host<T>>(int(m), int(n), host(A), int(lda), exchanged.data(), info);
    std::copy(exchanged.begin(), exchanged.end(), pivots);
  });
}

template <class T, class Index>
cusolverStatus_t getrs(Call call, cublasOperation_t trans, int64_t n, int64_t nrhs, const T *A, int64_t lda,
                       const Index *pivots, T *B, int64_t ldb, int *info) {
  const char op = call.operation(trans);
  call.matrix(A, n, n, lda);
  call.matrix(B, n, nrhs, ldb);
  if (pivots) call.vector(pivots, n);
  call.info(info);
  call.needs(cublas::routineOf<"getrs", Host<T>>());
  return call.run([=] {
    const std::vector<int> exchanged = pivotsFrom(pivots, n);
    cublas::call<"getrs", Host<T>>(op, int(n), int(nrhs), host(A), int(lda), exchanged.data(), host(B), int(ldb), info);
  });
}

template <class T>
cusolverStatus_t laswp(Call call, int n, T *A, int lda, int k1, int k2, const int *pivots, int increment) {
  call.require(k1 >= 1 && k2 >= k1 && increment != 0);
  call.matrix(A, k2, n, lda);
  call.vector(pivots, k1 + int64_t(k2 - k1) * std::abs(increment));
  call.needs(cublas::routineOf<"laswp", Host<T>>());
  return call.run([=] { cublas::call<"laswp", Host<T>>(n, host(A), lda, k1, k2, pivots, increment); });
}

template <class T, class W>
cusolverStatus_t geqrf(Call call, int64_t m, int64_t n, T *A, int64_t lda, T *tau, W *work, int64_t lwork, int *info) {
  call.matrix(A, m, n, lda);
  call.vector(tau, std::min(m, n));
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"geqrf", Host<T>>());
  return call.run([=] {
    *info = withWork<Host<T>>([=](Host<T> *space, int size, int *done) {
      cublas::call<"geqrf", Host<T>>(int(m), int(n), host(A), int(lda), host(tau), space, size, done);
    });
  });
}

template <class T>
cusolverStatus_t orgqr(Call call, int m, int n, int k, T *A, int lda, const T *tau, T *work, int lwork, int *info) {
  call.sizes(k);
  call.require(n <= m && k <= n); // "m,n,k<0, n>m, k>n or lda<m"
  call.matrix(A, m, n, lda);
  call.vector(tau, k);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(eitherRoutine<"orgqr", "ungqr", Host<T>>());
  return call.run([=] {
    *info = withWork<Host<T>>([=](Host<T> *space, int size, int *done) {
      either<"orgqr", "ungqr", Host<T>>(m, n, k, host(A), lda, host(tau), space, size, done);
    });
  });
}

template <class T>
cusolverStatus_t ormqr(Call call, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k, const T *A,
                       int lda, const T *tau, T *C, int ldc, T *work, int lwork, int *info) {
  char op = call.operation(trans);
  const bool isLeft = side == CUBLAS_SIDE_LEFT;
  // "k > m if CUBLAS_SIDE_LEFT, k > n if CUBLAS_SIDE_RIGHT, wrong lda or ldc or invalid trans": of complex matrices the
  // plain transpose, which LAPACK has not either.
  call.require((isLeft || side == CUBLAS_SIDE_RIGHT) && k <= (isLeft ? m : n));
  call.require(!(kIsComplex<Host<T>> && op == 'T'));
  if (!kIsComplex<Host<T>> && op == 'C') op = 'T';
  call.matrix(A, isLeft ? m : n, k, lda);
  call.vector(tau, k);
  call.matrix(C, m, n, ldc);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(eitherRoutine<"ormqr", "unmqr", Host<T>>());
  return call.run([=] {
    *info = withWork<Host<T>>([=](Host<T> *space, int size, int *done) {
      either<"ormqr", "unmqr", Host<T>>(isLeft ? 'L' : 'R', op, m, n, k, host(A), lda, host(tau), host(C), ldc, space,
                                        size, done);
    });
  });
}

/// "If devIpiv is null, no pivoting is performed": A = L D L^T or U D U^T, with D on the diagonal.
template <class H> int factorSymmetricWithoutPivots(bool isLower, int64_t n, H *A, int64_t lda) {
  int info = 0;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t k = isLower ? step : n - 1 - step, first = isLower ? k + 1 : 0, end = isLower ? n : k;
    H *const pivot = A + k * lda;
    if (pivot[k] == H(0)) {
      if (!info) info = int(k + 1);
      continue;
    }
    for (int64_t column = first; column < end; ++column) {
      const H factor = pivot[column] / pivot[k];
      for (int64_t row = isLower ? column : 0; row < (isLower ? n : column + 1); ++row)
        A[row + column * lda] -= pivot[row] * factor;
    }
    for (int64_t row = first; row < end; ++row) pivot[row] /= pivot[k];
  }
  return info;
}

template <class T>
cusolverStatus_t sytrf(Call call, cublasFillMode_t uplo, int n, T *A, int lda, int *pivots, T *work, int lwork,
                       int *info) {
  const char fill = call.triangle(uplo);
  call.matrix(A, n, n, lda);
  if (pivots) call.vector(pivots, n);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"sytrf", Host<T>>());
  return call.run([=] {
    if (!pivots) {
      *info = factorSymmetricWithoutPivots(fill == 'L', n, host(A), lda);
      return;
    }
    *info = withWork<Host<T>>([=](Host<T> *space, int size, int *done) {
      cublas::call<"sytrf", Host<T>>(fill, n, host(A), lda, pivots, space, size, done);
    });
  });
}

template <class T>
cusolverStatus_t sytrs(Call call, cublasFillMode_t uplo, int64_t n, int64_t nrhs, const T *A, int64_t lda,
                       const int64_t *pivots, T *B, int64_t ldb, const void *work, int64_t lwork, int *info) {
  const char fill = call.triangle(uplo);
  call.matrix(A, n, n, lda);
  call.matrix(B, n, nrhs, ldb);
  if (pivots) call.vector(pivots, n);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"sytrs", Host<T>>());
  return call.run([=] {
    const std::vector<int> exchanged = pivotsFrom(pivots, n);
    cublas::call<"sytrs", Host<T>>(fill, int(n), int(nrhs), host(A), int(lda), exchanged.data(), host(B), int(ldb),
                                   info);
  });
}

template <class T>
cusolverStatus_t trtri(Call call, cublasFillMode_t uplo, cublasDiagType_t diag, int64_t n, T *A, int64_t lda,
                       const void *work, int64_t lwork, int *info) {
  const char fill = call.triangle(uplo), unit = diag == CUBLAS_DIAG_UNIT ? 'U' : 'N';
  call.require(diag == CUBLAS_DIAG_UNIT || diag == CUBLAS_DIAG_NON_UNIT);
  call.matrix(A, n, n, lda);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"trtri", Host<T>>());
  return call.run([=] { cublas::call<"trtri", Host<T>>(fill, unit, int(n), host(A), int(lda), info); });
}

} // namespace us::cusolver
