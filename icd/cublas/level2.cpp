// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices with vectors.
#include "icd/cublas/call.h"

namespace us::cublas {
namespace {

template <class T>
cublasStatus_t gemv(Call call, cublasOperation_t trans, int64_t m, int64_t n, const T *alpha, const T *A, int64_t lda,
                    const T *x, int64_t incx, const T *beta, T *y, int64_t incy) {
  const char op = call.operation(trans);
  call.sizes(m, n);
  call.leading(lda, m);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  call.matrix(A, m, n, lda);
  call.vector(x, op == 'N' ? n : m, incx);
  call.vector(y, op == 'N' ? m : n, incy);
  return call.run([=] {
    cublas::call<"gemv", Host<T>>(op, int(m), int(n), a(), host(A), int(lda), host(x), int(incx), b(), host(y),
                                  int(incy));
  });
}

template <class T>
cublasStatus_t gbmv(Call call, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku, const T *alpha,
                    const T *A, int64_t lda, const T *x, int64_t incx, const T *beta, T *y, int64_t incy) {
  const char op = call.operation(trans);
  call.sizes(m, n, kl, ku);
  call.leading(lda, kl + ku + 1);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  call.matrix(A, kl + ku + 1, n, lda);
  call.vector(x, op == 'N' ? n : m, incx);
  call.vector(y, op == 'N' ? m : n, incy);
  return call.run([=] {
    cublas::call<"gbmv", Host<T>>(op, int(m), int(n), int(kl), int(ku), a(), host(A), int(lda), host(x), int(incx), b(),
                                  host(y), int(incy));
  });
}

template <Name name, class T>
cublasStatus_t triangular(Call call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n,
                          const T *A, int64_t lda, T *x, int64_t incx) {
  const char triangle = call.triangle(uplo), op = call.operation(trans), diagonal = call.diagonal(diag);
  call.sizes(n);
  call.leading(lda, n);
  call.increment(incx);
  if (!call.isOk() || n == 0) return call.status();
  call.matrix(A, n, n, lda);
  call.vector(x, n, incx);
  return call.run(
      [=] { cublas::call<name, Host<T>>(triangle, op, diagonal, int(n), host(A), int(lda), host(x), int(incx)); });
}

template <Name name, class T>
cublasStatus_t triangularBand(Call call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                              int64_t n, int64_t k, const T *A, int64_t lda, T *x, int64_t incx) {
  const char triangle = call.triangle(uplo), op = call.operation(trans), diagonal = call.diagonal(diag);
  call.sizes(n, k);
  call.leading(lda, k + 1);
  call.increment(incx);
  if (!call.isOk() || n == 0) return call.status();
  call.matrix(A, k + 1, n, lda);
  call.vector(x, n, incx);
  return call.run([=] {
    cublas::call<name, Host<T>>(triangle, op, diagonal, int(n), int(k), host(A), int(lda), host(x), int(incx));
  });
}

template <Name name, class T>
cublasStatus_t triangularPacked(Call call, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                                int64_t n, const T *AP, T *x, int64_t incx) {
  const char triangle = call.triangle(uplo), op = call.operation(trans), diagonal = call.diagonal(diag);
  call.sizes(n);
  call.increment(incx);
  if (!call.isOk() || n == 0) return call.status();
  call.vector(AP, n * (n + 1) / 2, 1);
  call.vector(x, n, incx);
  return call.run([=] { cublas::call<name, Host<T>>(triangle, op, diagonal, int(n), host(AP), host(x), int(incx)); });
}

/// LAPACK has the symmetric forms of complex numbers, under the same names.
template <Name name, class T>
cublasStatus_t symv(Call call, cublasFillMode_t uplo, int64_t n, const T *alpha, const T *A, int64_t lda, const T *x,
                    int64_t incx, const T *beta, T *y, int64_t incy) {
  const char triangle = call.triangle(uplo);
  call.sizes(n);
  call.leading(lda, n);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || n == 0) return call.status();
  call.needs(routineOf<name, Host<T>>());
  call.matrix(A, n, n, lda);
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run([=] {
    cublas::call<name, Host<T>>(triangle, int(n), a(), host(A), int(lda), host(x), int(incx), b(), host(y), int(incy));
  });
}

template <Name name, class T>
cublasStatus_t sbmv(Call call, cublasFillMode_t uplo, int64_t n, int64_t k, const T *alpha, const T *A, int64_t lda,
                    const T *x, int64_t incx, const T *beta, T *y, int64_t incy) {
  const char triangle = call.triangle(uplo);
  call.sizes(n, k);
  call.leading(lda, k + 1);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || n == 0) return call.status();
  call.matrix(A, k + 1, n, lda);
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run([=] {
    cublas::call<name, Host<T>>(triangle, int(n), int(k), a(), host(A), int(lda), host(x), int(incx), b(), host(y),
                                int(incy));
  });
}

template <Name name, class T>
cublasStatus_t spmv(Call call, cublasFillMode_t uplo, int64_t n, const T *alpha, const T *AP, const T *x, int64_t incx,
                    const T *beta, T *y, int64_t incy) {
  const char triangle = call.triangle(uplo);
  call.sizes(n);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || n == 0) return call.status();
  call.vector(AP, n * (n + 1) / 2, 1);
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  return call.run([=] {
    cublas::call<name, Host<T>>(triangle, int(n), a(), host(AP), host(x), int(incx), b(), host(y), int(incy));
  });
}

template <Name name, class T>
cublasStatus_t ger(Call call, int64_t m, int64_t n, const T *alpha, const T *x, int64_t incx, const T *y, int64_t incy,
                   T *A, int64_t lda) {
  call.sizes(m, n);
  call.leading(lda, m);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  call.vector(x, m, incx);
  call.vector(y, n, incy);
  call.matrix(A, m, n, lda);
  return call.run([=] {
    cublas::call<name, Host<T>>(int(m), int(n), a(), host(x), int(incx), host(y), int(incy), host(A), int(lda));
  });
}

template <Name name, class S, class T>
cublasStatus_t syr(Call call, cublasFillMode_t uplo, int64_t n, const S *alpha, const T *x, int64_t incx, T *A,
                   int64_t lda) {
  const char triangle = call.triangle(uplo);
  call.sizes(n);
  call.leading(lda, n);
  call.increment(incx);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || n == 0) return call.status();
  call.needs(routineOf<name, Host<T>>());
  call.vector(x, n, incx);
  call.matrix(A, n, n, lda);
  return call.run([=] { cublas::call<name, Host<T>>(triangle, int(n), a(), host(x), int(incx), host(A), int(lda)); });
}

/// Neither BLAS nor LAPACK has it for symmetric matrices of complex numbers.
template <class T>
void symmetricRank2(char triangle, int64_t n, T a, const T *x, int64_t incx, const T *y, int64_t incy, T *A,
                    int64_t lda) {
  if (incx < 0) x -= (n - 1) * incx;
  if (incy < 0) y -= (n - 1) * incy;
  for (int64_t column = 0; column < n; ++column)
    for (int64_t row = triangle == 'U' ? 0 : column; row < (triangle == 'U' ? column + 1 : n); ++row)
      A[column * lda + row] += a * (x[row * incx] * y[column * incy] + y[row * incy] * x[column * incx]);
}

template <Name name, class T>
cublasStatus_t syr2(Call call, cublasFillMode_t uplo, int64_t n, const T *alpha, const T *x, int64_t incx, const T *y,
                    int64_t incy, T *A, int64_t lda) {
  const char triangle = call.triangle(uplo);
  call.sizes(n);
  call.leading(lda, n);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || n == 0) return call.status();
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  call.matrix(A, n, n, lda);
  return call.run([=] {
    if constexpr (kIsComplex<Host<T>> && name.text[0] == 's')
      symmetricRank2(triangle, n, a(), host(x), incx, host(y), incy, host(A), lda);
    else
      cublas::call<name, Host<T>>(triangle, int(n), a(), host(x), int(incx), host(y), int(incy), host(A), int(lda));
  });
}

template <Name name, class S, class T>
cublasStatus_t spr(Call call, cublasFillMode_t uplo, int64_t n, const S *alpha, const T *x, int64_t incx, T *AP) {
  const char triangle = call.triangle(uplo);
  call.sizes(n);
  call.increment(incx);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || n == 0) return call.status();
  call.vector(x, n, incx);
  call.vector(AP, n * (n + 1) / 2, 1);
  return call.run([=] { cublas::call<name, Host<T>>(triangle, int(n), a(), host(x), int(incx), host(AP)); });
}

template <Name name, class T>
cublasStatus_t spr2(Call call, cublasFillMode_t uplo, int64_t n, const T *alpha, const T *x, int64_t incx, const T *y,
                    int64_t incy, T *AP) {
  const char triangle = call.triangle(uplo);
  call.sizes(n);
  call.increment(incx);
  call.increment(incy);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || n == 0) return call.status();
  call.vector(x, n, incx);
  call.vector(y, n, incy);
  call.vector(AP, n * (n + 1) / 2, 1);
  return call.run(
      [=] { cublas::call<name, Host<T>>(triangle, int(n), a(), host(x), int(incx), host(y), int(incy), host(AP)); });
}

} // namespace
} // namespace us::cublas

using namespace us::cublas;

#define US_CALL Call(handle, __func__)
#define US_ALL(P, T, I, W)                                                                                             \
  US_EXPORT cublasStatus_t cublas##P##gemv_v2##W(cublasHandle_t handle, cublasOperation_t trans, I m, I n,             \
                                                 const T *alpha, const T *A, I lda, const T *x, I incx, const T *beta, \
                                                 T *y, I incy) {                                                       \
    return gemv(US_CALL, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);                                          \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##gbmv_v2##W(cublasHandle_t handle, cublasOperation_t trans, I m, I n, I kl, I ku, \
                                                 const T *alpha, const T *A, I lda, const T *x, I incx, const T *beta, \
                                                 T *y, I incy) {                                                       \
    return gbmv(US_CALL, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy);                                  \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##trmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I n, const T *A,      \
                                                 I lda, T *x, I incx) {                                                \
    return triangular<"trmv">(US_CALL, uplo, trans, diag, n, A, lda, x, incx);                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##tbmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I n, I k, const T *A, \
                                                 I lda, T *x, I incx) {                                                \
    return triangularBand<"tbmv">(US_CALL, uplo, trans, diag, n, k, A, lda, x, incx);                                  \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##tpmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I n, const T *AP,     \
                                                 T *x, I incx) {                                                       \
    return triangularPacked<"tpmv">(US_CALL, uplo, trans, diag, n, AP, x, incx);                                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##trsv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I n, const T *A,      \
                                                 I lda, T *x, I incx) {                                                \
    return triangular<"trsv">(US_CALL, uplo, trans, diag, n, A, lda, x, incx);                                         \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##tbsv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I n, I k, const T *A, \
                                                 I lda, T *x, I incx) {                                                \
    return triangularBand<"tbsv">(US_CALL, uplo, trans, diag, n, k, A, lda, x, incx);                                  \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##tpsv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I n, const T *AP,     \
                                                 T *x, I incx) {                                                       \
    return triangularPacked<"tpsv">(US_CALL, uplo, trans, diag, n, AP, x, incx);                                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##symv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *A, I lda, const T *x, I incx, const T *beta, T *y, I incy) { \
    return symv<"symv">(US_CALL, uplo, n, alpha, A, lda, x, incx, beta, y, incy);                                      \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##syr_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,     \
                                                const T *x, I incx, T *A, I lda) {                                     \
    return syr<"syr">(US_CALL, uplo, n, alpha, x, incx, A, lda);                                                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##syr2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *x, I incx, const T *y, I incy, T *A, I lda) {                \
    return syr2<"syr2">(US_CALL, uplo, n, alpha, x, incx, y, incy, A, lda);                                            \
  }
#define US_REAL(P, T, I, W)                                                                                            \
  US_EXPORT cublasStatus_t cublas##P##ger_v2##W(cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx,   \
                                                const T *y, I incy, T *A, I lda) {                                     \
    return ger<"ger">(US_CALL, m, n, alpha, x, incx, y, incy, A, lda);                                                 \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##sbmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k,               \
                                                 const T *alpha, const T *A, I lda, const T *x, I incx, const T *beta, \
                                                 T *y, I incy) {                                                       \
    return sbmv<"sbmv">(US_CALL, uplo, n, k, alpha, A, lda, x, incx, beta, y, incy);                                   \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##spmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *AP, const T *x, I incx, const T *beta, T *y, I incy) {       \
    return spmv<"spmv">(US_CALL, uplo, n, alpha, AP, x, incx, beta, y, incy);                                          \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##spr_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,     \
                                                const T *x, I incx, T *AP) {                                           \
    return spr<"spr">(US_CALL, uplo, n, alpha, x, incx, AP);                                                           \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##spr2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *x, I incx, const T *y, I incy, T *AP) {                      \
    return spr2<"spr2">(US_CALL, uplo, n, alpha, x, incx, y, incy, AP);                                                \
  }
#define US_COMPLEX(P, T, R, I, W)                                                                                      \
  US_EXPORT cublasStatus_t cublas##P##geru_v2##W(cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx,  \
                                                 const T *y, I incy, T *A, I lda) {                                    \
    return ger<"geru">(US_CALL, m, n, alpha, x, incx, y, incy, A, lda);                                                \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##gerc_v2##W(cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx,  \
                                                 const T *y, I incy, T *A, I lda) {                                    \
    return ger<"gerc">(US_CALL, m, n, alpha, x, incx, y, incy, A, lda);                                                \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##hemv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *A, I lda, const T *x, I incx, const T *beta, T *y, I incy) { \
    return symv<"hemv">(US_CALL, uplo, n, alpha, A, lda, x, incx, beta, y, incy);                                      \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##hbmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k,               \
                                                 const T *alpha, const T *A, I lda, const T *x, I incx, const T *beta, \
                                                 T *y, I incy) {                                                       \
    return sbmv<"hbmv">(US_CALL, uplo, n, k, alpha, A, lda, x, incx, beta, y, incy);                                   \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##hpmv_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *AP, const T *x, I incx, const T *beta, T *y, I incy) {       \
    return spmv<"hpmv">(US_CALL, uplo, n, alpha, AP, x, incx, beta, y, incy);                                          \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##her_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const R *alpha,     \
                                                const T *x, I incx, T *A, I lda) {                                     \
    return syr<"her">(US_CALL, uplo, n, alpha, x, incx, A, lda);                                                       \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##her2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *x, I incx, const T *y, I incy, T *A, I lda) {                \
    return syr2<"her2">(US_CALL, uplo, n, alpha, x, incx, y, incy, A, lda);                                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##hpr_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const R *alpha,     \
                                                const T *x, I incx, T *AP) {                                           \
    return spr<"hpr">(US_CALL, uplo, n, alpha, x, incx, AP);                                                           \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##hpr2_v2##W(cublasHandle_t handle, cublasFillMode_t uplo, I n, const T *alpha,    \
                                                 const T *x, I incx, const T *y, I incy, T *AP) {                      \
    return spr2<"hpr2">(US_CALL, uplo, n, alpha, x, incx, y, incy, AP);                                                \
  }
#define US_SIZE(I, W)                                                                                                  \
  US_ALL(S, float, I, W)                                                                                               \
  US_ALL(D, double, I, W)                                                                                              \
  US_ALL(C, cuComplex, I, W)                                                                                           \
  US_ALL(Z, cuDoubleComplex, I, W)                                                                                     \
  US_REAL(S, float, I, W)                                                                                              \
  US_REAL(D, double, I, W)                                                                                             \
  US_COMPLEX(C, cuComplex, float, I, W)                                                                                \
  US_COMPLEX(Z, cuDoubleComplex, double, I, W)
US_SIZE(int, )
US_SIZE(int64_t, _64)
