// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many small problems of one size: matrices with vectors, triangles, and what LAPACK has.
#include "icd/cublas/batched.h"

#include <vector>

namespace us::cublas {
namespace {

template <class T>
cublasStatus_t gemv(Call call, cublasOperation_t trans, int64_t m, int64_t n, const T *alpha, const T *A,
                    const T *const *As, int64_t lda, long long strideA, const T *x, const T *const *xs, int64_t incx,
                    long long stridex, const T *beta, T *y, T *const *ys, int64_t incy, long long stridey,
                    int64_t count) {
  const char op = call.operation(trans);
  call.sizes(m, n, count);
  call.leading(lda, m);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || m == 0 || n == 0 || count == 0) return call.status();
  const int64_t lengthX = op == 'N' ? n : m, lengthY = m + n - lengthX;
  const uint64_t bytesA = (uint64_t(n - 1) * lda + m) * sizeof(T);
  const uint64_t bytesX = (uint64_t(lengthX - 1) * std::abs(incx) + 1) * sizeof(T);
  const uint64_t bytesY = (uint64_t(lengthY - 1) * std::abs(incy) + 1) * sizeof(T);
  if (As) {
    call.memory(As, count * sizeof(T *));
    call.memory(xs, count * sizeof(T *));
    call.memory(ys, count * sizeof(T *));
  } else {
    call.require(strideA >= 0 && stridex >= 0 && stridey >= 0);
    call.memory(A, uint64_t(count - 1) * strideA * sizeof(T) + bytesA);
    call.memory(x, uint64_t(count - 1) * stridex * sizeof(T) + bytesX);
    call.memory(y, uint64_t(count - 1) * stridey * sizeof(T) + bytesY);
  }
  return call.run([=, function = call.function()] {
    for (int64_t i = 0; i < count; ++i) {
      const T *const matrix = As ? As[i] : A + i * strideA, *const in = As ? xs[i] : x + i * stridex;
      T *const out = As ? ys[i] : y + i * stridey;
      if (As && (!reachesLater(function, matrix, bytesA) || !reachesLater(function, in, bytesX) ||
                 !reachesLater(function, out, bytesY)))
        continue;
      cublas::call<"gemv", Host<T>>(op, int(m), int(n), a(), host(matrix), int(lda), host(in), int(incx), b(),
                                    host(out), int(incy));
    }
  });
}

template <class T>
cublasStatus_t trsmBatched(Call call, cublasSideMode_t where, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int64_t m, int64_t n, const T *alpha, const T *const A[], int64_t lda,
                           T *const B[], int64_t ldb, int64_t count) {
  const char side = call.side(where), triangle = call.triangle(uplo), op = call.operation(trans),
             diagonal = call.diagonal(diag);
  call.sizes(m, n, count);
  const int64_t order = side == 'L' ? m : n;
  call.leading(lda, order);
  call.leading(ldb, m);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || m == 0 || n == 0 || count == 0) return call.status();
  call.memory(A, count * sizeof(T *));
  call.memory(B, count * sizeof(T *));
  return call.run([=, function = call.function()] {
    for (int64_t i = 0; i < count; ++i) {
      if (!reachesLater(function, A[i], (uint64_t(order - 1) * lda + order) * sizeof(T)) ||
          !reachesLater(function, B[i], (uint64_t(n - 1) * ldb + m) * sizeof(T)))
        continue;
      cublas::call<"trsm", Host<T>>(side, triangle, op, diagonal, int(m), int(n), a(), host(A[i]), int(lda), host(B[i]),
                                    int(ldb));
    }
  });
}

/// Checks what all of LAPACK's have: square or other matrices by pointers, and a status of each in memory of the
/// device.
template <class T> void checkMany(Call &call, const T *const *matrices, const int *info, int count) {
  call.sizes(count);
  if (!call.isOk() || count == 0) return;
  call.memory(matrices, count * sizeof(T *));
  if (info) call.memory(info, count * sizeof(int));
}
template <class T>
bool reachesMatrix(const char *function, const T *matrix, int64_t rows, int64_t columns, int64_t leading) {
  return rows == 0 || columns == 0 ||
         reachesLater(function, matrix, (uint64_t(columns - 1) * leading + rows) * sizeof(T));
}

/// "If PivotArray is null, pivoting is disabled."
template <class T> int factorWithoutPivots(T *A, int64_t n, int64_t lda) {
  int info = 0;
  for (int64_t k = 0; k < n; ++k) {
    const T pivot = A[k * lda + k];
    if (pivot == T(0)) {
      if (!info) info = int(k + 1);
      continue;
    }
    for (int64_t row = k + 1; row < n; ++row) A[k * lda + row] /= pivot;
    for (int64_t column = k + 1; column < n; ++column)
      for (int64_t row = k + 1; row < n; ++row) A[column * lda + row] -= A[k * lda + row] * A[column * lda + k];
  }
  return info;
}

template <class T> cublasStatus_t getrf(Call call, int n, T *const A[], int lda, int *pivots, int *info, int count) {
  call.sizes(n);
  call.leading(lda, n);
  call.require(info != nullptr);
  checkMany(call, A, info, count);
  call.needs(routineOf<"getrf", Host<T>>());
  if (pivots && n > 0 && count > 0) call.memory(pivots, uint64_t(n) * count * sizeof(int));
  if (!call.isOk() || count == 0) return call.status();
  return call.run([=, function = call.function()] {
    for (int i = 0; i < count; ++i) {
      if (!reachesMatrix(function, A[i], n, n, lda)) continue;
      if (pivots)
        cublas::call<"getrf", Host<T>>(n, n, host(A[i]), lda, pivots + int64_t(i) * n, info + i);
      else
        info[i] = factorWithoutPivots(host(A[i]), n, lda);
    }
  });
}

/// The pivots that mean that nothing was exchanged.
std::vector<int> noExchange(int n) {
  std::vector<int> pivots(n);
  for (int i = 0; i < n; ++i) pivots[i] = i + 1;
  return pivots;
}

/// Solves for a matrix of which the factors are known. Zero, or which diagonal element is.
template <class H> int solve(char op, int n, int columns, const H *factors, int lda, const int *pivots, H *B, int ldb) {
  for (int i = 0; i < n; ++i)
    if (factors[int64_t(i) * lda + i] == H(0)) return i + 1;
  const std::vector<int> none = pivots ? std::vector<int>() : noExchange(n);
  int info = 0;
  cublas::call<"getrs", H>(op, n, columns, factors, lda, pivots ? pivots : none.data(), B, ldb, &info);
  return info;
}
template <class H> void setIdentity(int n, H *matrix, int64_t leading) {
  for (int column = 0; column < n; ++column)
    for (int row = 0; row < n; ++row) matrix[column * leading + row] = H(row == column);
}

template <class T>
cublasStatus_t getri(Call call, int n, const T *const A[], int lda, const int *pivots, T *const C[], int ldc, int *info,
                     int count) {
  call.sizes(n);
  call.leading(lda, n);
  call.leading(ldc, n);
  call.require(info != nullptr);
  checkMany(call, A, info, count);
  checkMany(call, C, nullptr, count);
  call.needs(routineOf<"getrs", Host<T>>());
  if (pivots && n > 0 && count > 0) call.memory(pivots, uint64_t(n) * count * sizeof(int));
  if (!call.isOk() || count == 0) return call.status();
  return call.run([=, function = call.function()] {
    for (int i = 0; i < count; ++i) {
      if (!reachesMatrix(function, A[i], n, n, lda) || !reachesMatrix(function, C[i], n, n, ldc)) continue;
      setIdentity(n, host(C[i]), ldc);
      info[i] = solve('N', n, n, host(A[i]), lda, pivots ? pivots + int64_t(i) * n : nullptr, host(C[i]), ldc);
    }
  });
}

template <class T>
cublasStatus_t matinv(Call call, int n, const T *const A[], int lda, T *const inverse[], int ldainv, int *info,
                      int count) {
  call.sizes(n);
  call.leading(lda, n);
  call.leading(ldainv, n);
  call.require(info != nullptr && n <= 32); // "n ... less than or equal to 32"
  checkMany(call, A, info, count);
  checkMany(call, inverse, nullptr, count);
  call.needs(routineOf<"getrs", Host<T>>());
  if (!call.isOk() || count == 0 || n == 0) return call.status();
  return call.run([=, function = call.function()] {
    for (int i = 0; i < count; ++i) {
      if (!reachesMatrix(function, A[i], n, n, lda) || !reachesMatrix(function, inverse[i], n, n, ldainv)) continue;
      std::vector<Host<T>> factors(size_t(n) * n);
      std::vector<int> pivots(n);
      for (int column = 0; column < n; ++column)
        std::copy_n(host(A[i]) + int64_t(column) * lda, n, factors.data() + int64_t(column) * n);
      cublas::call<"getrf", Host<T>>(n, n, factors.data(), n, pivots.data(), info + i);
      if (info[i] != 0) continue;
      setIdentity(n, host(inverse[i]), ldainv);
      info[i] = solve('N', n, n, factors.data(), n, pivots.data(), host(inverse[i]), ldainv);
    }
  });
}

/// Here info is in memory of the host: what was wrong with the parameters.
template <class T>
cublasStatus_t getrs(Call call, cublasOperation_t trans, int n, int nrhs, const T *const A[], int lda,
                     const int *pivots, T *const B[], int ldb, int *info, int count) {
  const char op = call.operation(trans);
  call.sizes(n, nrhs);
  call.leading(lda, n);
  call.leading(ldb, n);
  call.require(info != nullptr);
  checkMany(call, A, nullptr, count);
  checkMany(call, B, nullptr, count);
  call.needs(routineOf<"getrs", Host<T>>());
  if (pivots && n > 0 && count > 0) call.memory(pivots, uint64_t(n) * count * sizeof(int));
  if (!call.isOk()) return call.status();
  *info = 0;
  return call.run([=, function = call.function()] {
    for (int i = 0; i < count; ++i)
      if (reachesMatrix(function, A[i], n, n, lda) && reachesMatrix(function, B[i], n, nrhs, ldb))
        solve(op, n, nrhs, host(A[i]), lda, pivots ? pivots + int64_t(i) * n : nullptr, host(B[i]), ldb);
  });
}

template <class T>
cublasStatus_t geqrf(Call call, int m, int n, T *const A[], int lda, T *const tau[], int *info, int count) {
  call.sizes(m, n);
  call.leading(lda, m);
  call.require(info != nullptr);
  checkMany(call, A, nullptr, count);
  checkMany(call, tau, nullptr, count);
  call.needs(routineOf<"geqrf", Host<T>>());
  if (!call.isOk()) return call.status();
  *info = 0;
  return call.run([=, function = call.function()] {
    const int size = std::max(1, 64 * n);
    std::vector<Host<T>> work(size);
    int done = 0;
    for (int i = 0; i < count; ++i)
      if (reachesMatrix(function, A[i], m, n, lda) && reachesMatrix(function, tau[i], std::min(m, n), 1, 1))
        cublas::call<"geqrf", Host<T>>(m, n, host(A[i]), lda, host(tau[i]), work.data(), size, &done);
  });
}

/// "Only trans = CUBLAS_OP_N and m >= n are supported."
template <class T>
cublasStatus_t gels(Call call, cublasOperation_t trans, int m, int n, int nrhs, T *const A[], int lda, T *const C[],
                    int ldc, int *info, int *infos, int count) {
  const char op = call.operation(trans);
  call.sizes(m, n, nrhs);
  call.leading(lda, m);
  call.leading(ldc, std::max(m, n));
  call.require(info != nullptr);
  if (call.isOk() && (op != 'N' || m < n)) call.fail(CUBLAS_STATUS_NOT_SUPPORTED);
  checkMany(call, A, infos, count);
  checkMany(call, C, nullptr, count);
  call.needs(routineOf<"gels", Host<T>>());
  if (!call.isOk()) return call.status();
  *info = 0;
  return call.run([=, function = call.function()] {
    const int size = std::max(1, n + 64 * std::max(n, nrhs));
    std::vector<Host<T>> work(size);
    for (int i = 0; i < count; ++i) {
      int failed = 0;
      if (reachesMatrix(function, A[i], m, n, lda) && reachesMatrix(function, C[i], m, nrhs, ldc))
        cublas::call<"gels", Host<T>>(op, m, n, nrhs, host(A[i]), lda, host(C[i]), ldc, work.data(), size, &failed);
      if (infos) infos[i] = failed;
    }
  });
}

/// From one into the other: a triangle that lies in a matrix, and the same without gaps.
template <Name name, class T>
cublasStatus_t repack(Call call, cublasFillMode_t uplo, int64_t n, const T *A, T *B, int64_t lda, bool isIntoPacked) {
  const char triangle = call.triangle(uplo);
  call.sizes(n);
  call.leading(lda, n);
  call.needs(routineOf<name, Host<T>>());
  if (!call.isOk() || n == 0) return call.status();
  call.matrix(isIntoPacked ? A : B, n, n, lda);
  call.vector(isIntoPacked ? B : A, n * (n + 1) / 2, 1);
  return call.run([=] {
    int info = 0;
    if (isIntoPacked)
      cublas::call<name, Host<T>>(triangle, int(n), host(A), int(lda), host(B), &info);
    else
      cublas::call<name, Host<T>>(triangle, int(n), host(A), host(B), int(lda), &info);
  });
}

} // namespace
} // namespace us::cublas

using namespace us::cublas;

#define US_CALL Call(handle, __func__)
#define US_ALL(P, T, I, W)                                                                                             \
  US_EXPORT cublasStatus_t cublas##P##gemvBatched##W(cublasHandle_t handle, cublasOperation_t trans, I m, I n,         \
                                                     const T *alpha, const T *const A[], I lda, const T *const x[],    \
                                                     I incx, const T *beta, T *const y[], I incy, I batchCount) {      \
    return gemv<T>(US_CALL, trans, m, n, alpha, nullptr, A, lda, 0, nullptr, x, incx, 0, beta, nullptr, y, incy, 0,    \
                   batchCount);                                                                                        \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##gemvStridedBatched##W(                                                           \
      cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T *alpha, const T *A, I lda, long long strideA,  \
      const T *x, I incx, long long stridex, const T *beta, T *y, I incy, long long stridey, I batchCount) {           \
    return gemv<T>(US_CALL, trans, m, n, alpha, A, nullptr, lda, strideA, x, nullptr, incx, stridex, beta, y, nullptr, \
                   incy, stridey, batchCount);                                                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##trsmBatched##W(                                                                  \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,                    \
      cublasDiagType_t diag, I m, I n, const T *alpha, const T *const A[], I lda, T *const B[], I ldb, I batchCount) { \
    return trsmBatched(US_CALL, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, batchCount);                     \
  }
#define US_SIZE(I, W)                                                                                                  \
  US_ALL(S, float, I, W)                                                                                               \
  US_ALL(D, double, I, W)                                                                                              \
  US_ALL(C, cuComplex, I, W)                                                                                           \
  US_ALL(Z, cuDoubleComplex, I, W)
US_SIZE(int, )
US_SIZE(int64_t, _64)

#define US_LAPACK(P, T)                                                                                                \
  US_EXPORT cublasStatus_t cublas##P##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *AP, T *A,    \
                                            int lda) {                                                                 \
    return repack<"tpttr">(US_CALL, uplo, n, AP, A, lda, false);                                                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *A, int lda,  \
                                            T *AP) {                                                                   \
    return repack<"trttp">(US_CALL, uplo, n, A, AP, lda, true);                                                        \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##getrfBatched(cublasHandle_t handle, int n, T *const A[], int lda, int *pivots,   \
                                                   int *info, int batchSize) {                                         \
    return getrf(US_CALL, n, A, lda, pivots, info, batchSize);                                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##getriBatched(cublasHandle_t handle, int n, const T *const A[], int lda,          \
                                                   const int *pivots, T *const C[], int ldc, int *info,                \
                                                   int batchSize) {                                                    \
    return getri(US_CALL, n, A, lda, pivots, C, ldc, info, batchSize);                                                 \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,    \
                                                   const T *const A[], int lda, const int *pivots, T *const B[],       \
                                                   int ldb, int *info, int batchSize) {                                \
    return getrs(US_CALL, trans, n, nrhs, A, lda, pivots, B, ldb, info, batchSize);                                    \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##matinvBatched(cublasHandle_t handle, int n, const T *const A[], int lda,         \
                                                    T *const Ainv[], int ldainv, int *info, int batchSize) {           \
    return matinv(US_CALL, n, A, lda, Ainv, ldainv, info, batchSize);                                                  \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##geqrfBatched(cublasHandle_t handle, int m, int n, T *const A[], int lda,         \
                                                   T *const Tau[], int *info, int batchSize) {                         \
    return geqrf(US_CALL, m, n, A, lda, Tau, info, batchSize);                                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##gelsBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,        \
                                                  int nrhs, T *const A[], int lda, T *const C[], int ldc, int *info,   \
                                                  int *devInfoArray, int batchSize) {                                  \
    return gels(US_CALL, trans, m, n, nrhs, A, lda, C, ldc, info, devInfoArray, batchSize);                            \
  }
US_LAPACK(S, float)
US_LAPACK(D, double)
US_LAPACK(C, cuComplex)
US_LAPACK(Z, cuDoubleComplex)
