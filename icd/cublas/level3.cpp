// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices with matrices.
#include "icd/cublas/call.h"

#include <vector>

namespace us::cublas {
namespace {

template <class T>
cublasStatus_t gemm(Call call, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                    const T *alpha, const T *A, int64_t lda, const T *B, int64_t ldb, const T *beta, T *C,
                    int64_t ldc) {
  const char opA = call.operation(transa), opB = call.operation(transb);
  call.sizes(m, n, k);
  const int64_t rowsA = opA == 'N' ? m : k, rowsB = opB == 'N' ? k : n;
  call.leading(lda, rowsA);
  call.leading(ldb, rowsB);
  call.leading(ldc, m);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  call.matrix(A, rowsA, m + k - rowsA, lda);
  call.matrix(B, rowsB, k + n - rowsB, ldb);
  call.matrix(C, m, n, ldc);
  return call.run([=] {
    cublas::call<"gemm", Host<T>>(opA, opB, int(m), int(n), int(k), a(), host(A), int(lda), host(B), int(ldb), b(),
                                  host(C), int(ldc));
  });
}

template <Name name, class T>
cublasStatus_t symm(Call call, cublasSideMode_t where, cublasFillMode_t uplo, int64_t m, int64_t n, const T *alpha,
                    const T *A, int64_t lda, const T *B, int64_t ldb, const T *beta, T *C, int64_t ldc) {
  const char side = call.side(where), triangle = call.triangle(uplo);
  call.sizes(m, n);
  const int64_t order = side == 'L' ? m : n;
  call.leading(lda, order);
  call.leading(ldb, m);
  call.leading(ldc, m);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  call.matrix(A, order, order, lda);
  call.matrix(B, m, n, ldb);
  call.matrix(C, m, n, ldc);
  return call.run([=] {
    cublas::call<name, Host<T>>(side, triangle, int(m), int(n), a(), host(A), int(lda), host(B), int(ldb), b(), host(C),
                                int(ldc));
  });
}

/// Of the operations one that is neither A A' nor A' A is wrong: which one that is, BLAS says.
template <Name name, class T> char rankOperation(Call &call, cublasOperation_t trans) {
  const char op = call.operation(trans);
  if constexpr (!kIsComplex<Host<T>>) return op;
  call.require(op != (name.text[0] == 's' ? 'C' : 'T'));
  return op;
}

template <Name name, class S, class T>
cublasStatus_t syrk(Call call, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const S *alpha,
                    const T *A, int64_t lda, const S *beta, T *C, int64_t ldc) {
  const char triangle = call.triangle(uplo), op = rankOperation<name, T>(call, trans);
  call.sizes(n, k);
  const int64_t rows = op == 'N' ? n : k;
  call.leading(lda, rows);
  call.leading(ldc, n);
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || n == 0) return call.status();
  call.matrix(A, rows, n + k - rows, lda);
  call.matrix(C, n, n, ldc);
  return call.run([=] {
    cublas::call<name, Host<T>>(triangle, op, int(n), int(k), a(), host(A), int(lda), b(), host(C), int(ldc));
  });
}

template <Name name, class S, class T>
cublasStatus_t syr2k(Call call, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const T *alpha,
                     const T *A, int64_t lda, const T *B, int64_t ldb, const S *beta, T *C, int64_t ldc) {
  const char triangle = call.triangle(uplo), op = rankOperation<name, T>(call, trans);
  call.sizes(n, k);
  const int64_t rows = op == 'N' ? n : k;
  call.leading(lda, rows);
  call.leading(ldb, rows);
  call.leading(ldc, n);
  const auto a = call.scalar(alpha);
  const auto b = call.scalar(beta);
  if (!call.isOk() || n == 0) return call.status();
  call.matrix(A, rows, n + k - rows, lda);
  call.matrix(B, rows, n + k - rows, ldb);
  call.matrix(C, n, n, ldc);
  return call.run([=] {
    cublas::call<name, Host<T>>(triangle, op, int(n), int(k), a(), host(A), int(lda), host(B), int(ldb), b(), host(C),
                                int(ldc));
  });
}

/// The same with a product that the caller knows to be symmetric: the triangle of a whole product.
template <class S, class T>
cublasStatus_t syrkx(Call call, bool isHermitian, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k,
                     const T *alpha, const T *A, int64_t lda, const T *B, int64_t ldb, const S *beta, T *C,
                     int64_t ldc) {
  const char triangle = call.triangle(uplo), op = call.operation(trans);
  call.sizes(n, k);
  const int64_t rows = op == 'N' ? n : k;
  call.leading(lda, rows);
  call.leading(ldb, rows);
  call.leading(ldc, n);
  const auto a = call.scalar(alpha);
  const auto b = call.scalar(beta);
  if (!call.isOk() || n == 0) return call.status();
  call.matrix(A, rows, n + k - rows, lda);
  call.matrix(B, rows, n + k - rows, ldb);
  call.matrix(C, n, n, ldc);
  return call.run([=] {
    using H = Host<T>;
    std::vector<H> product(size_t(n) * n);
    const char other = isHermitian ? 'C' : 'T';
    cublas::call<"gemm", H>(op == 'N' ? 'N' : other, op == 'N' ? other : 'N', int(n), int(n), int(k), a(), host(A),
                            int(lda), host(B), int(ldb), H(0), product.data(), int(n));
    for (int64_t column = 0; column < n; ++column)
      for (int64_t row = triangle == 'U' ? 0 : column; row < (triangle == 'U' ? column + 1 : n); ++row) {
        H &value = host(C)[column * ldc + row];
        value = b() == Host<S>(0) ? product[column * n + row] : product[column * n + row] + b() * value;
        // "The imaginary parts of the diagonal elements are assumed and set to zero."
        if (isHermitian && row == column) value = H(std::real(value));
      }
  });
}
template <class T>
cublasStatus_t syrkx(Call call, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const T *alpha,
                     const T *A, int64_t lda, const T *B, int64_t ldb, const T *beta, T *C, int64_t ldc) {
  return syrkx(call, false, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
template <class S, class T>
cublasStatus_t herkx(Call call, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const T *alpha,
                     const T *A, int64_t lda, const T *B, int64_t ldb, const S *beta, T *C, int64_t ldc) {
  return syrkx(call, true, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}

template <class T>
void copyMatrix(const T *from, int64_t fromLeading, T *into, int64_t intoLeading, int64_t rows, int64_t columns) {
  if (from == into && fromLeading == intoLeading) return;
  for (int64_t column = 0; column < columns; ++column)
    std::copy_n(from + column * fromLeading, rows, into + column * intoLeading);
}

/// "This routine differs from standard BLAS: C is not B", though it may be.
template <class T>
cublasStatus_t trmm(Call call, cublasSideMode_t where, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int64_t m, int64_t n, const T *alpha, const T *A, int64_t lda, const T *B,
                    int64_t ldb, T *C, int64_t ldc) {
  const char side = call.side(where), triangle = call.triangle(uplo), op = call.operation(trans),
             diagonal = call.diagonal(diag);
  call.sizes(m, n);
  const int64_t order = side == 'L' ? m : n;
  call.leading(lda, order);
  call.leading(ldb, m);
  call.leading(ldc, m);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  call.matrix(A, order, order, lda);
  call.matrix(B, m, n, ldb);
  call.matrix(C, m, n, ldc);
  return call.run([=] {
    copyMatrix(host(B), ldb, host(C), ldc, m, n);
    cublas::call<"trmm", Host<T>>(side, triangle, op, diagonal, int(m), int(n), a(), host(A), int(lda), host(C),
                                  int(ldc));
  });
}

template <class T>
cublasStatus_t trsm(Call call, cublasSideMode_t where, cublasFillMode_t uplo, cublasOperation_t trans,
                    cublasDiagType_t diag, int64_t m, int64_t n, const T *alpha, const T *A, int64_t lda, T *B,
                    int64_t ldb) {
  const char side = call.side(where), triangle = call.triangle(uplo), op = call.operation(trans),
             diagonal = call.diagonal(diag);
  call.sizes(m, n);
  const int64_t order = side == 'L' ? m : n;
  call.leading(lda, order);
  call.leading(ldb, m);
  const auto a = call.scalar(alpha);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  call.matrix(A, order, order, lda);
  call.matrix(B, m, n, ldb);
  return call.run([=] {
    cublas::call<"trsm", Host<T>>(side, triangle, op, diagonal, int(m), int(n), a(), host(A), int(lda), host(B),
                                  int(ldb));
  });
}

/// alpha op(A) + beta op(B). "If beta is zero B is not read", and C may be A or B where that is not transposed.
template <class T>
cublasStatus_t geam(Call call, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const T *alpha,
                    const T *A, int64_t lda, const T *beta, const T *B, int64_t ldb, T *C, int64_t ldc) {
  const char opA = call.operation(transa), opB = call.operation(transb);
  call.sizes(m, n);
  const int64_t rowsA = opA == 'N' ? m : n, rowsB = opB == 'N' ? m : n;
  call.leading(lda, rowsA);
  call.leading(ldb, rowsB);
  call.leading(ldc, m);
  // "C may be A if lda = ldc and transa = CUBLAS_OP_N", and likewise B.
  call.require(C != A || (opA == 'N' && lda == ldc));
  call.require(C != B || (opB == 'N' && ldb == ldc));
  const auto a = call.scalar(alpha), b = call.scalar(beta);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  if (!a.isKnownToBe(0)) call.matrix(A, rowsA, m + n - rowsA, lda);
  if (!b.isKnownToBe(0)) call.matrix(B, rowsB, m + n - rowsB, ldb);
  call.matrix(C, m, n, ldc);
  return call.run([=] {
    using H = Host<T>;
    const H factorA = a(), factorB = b();
    const auto at = [](const H *matrix, char op, int64_t leading, int64_t row, int64_t column) {
      const H value = op == 'N' ? matrix[column * leading + row] : matrix[row * leading + column];
      return op == 'C' ? conjugate(value) : value;
    };
    for (int64_t column = 0; column < n; ++column)
      for (int64_t row = 0; row < m; ++row) {
        H sum = factorA == H(0) ? H(0) : factorA * at(host(A), opA, lda, row, column);
        if (factorB != H(0)) sum += factorB * at(host(B), opB, ldb, row, column);
        host(C)[column * ldc + row] = sum;
      }
  });
}

/// Rows or columns of A, each times an element of x.
template <class T>
cublasStatus_t dgmm(Call call, cublasSideMode_t mode, int64_t m, int64_t n, const T *A, int64_t lda, const T *x,
                    int64_t incx, T *C, int64_t ldc) {
  const char side = call.side(mode);
  call.sizes(m, n);
  call.leading(lda, m);
  call.leading(ldc, m);
  if (!call.isOk() || m == 0 || n == 0) return call.status();
  const int64_t length = side == 'L' ? m : n;
  call.matrix(A, m, n, lda);
  call.vector(x, length, incx);
  call.matrix(C, m, n, ldc);
  return call.run([=] {
    const Host<T> *const factors = incx < 0 ? host(x) - (length - 1) * incx : host(x);
    for (int64_t column = 0; column < n; ++column)
      for (int64_t row = 0; row < m; ++row)
        host(C)[column * ldc + row] = host(A)[column * lda + row] * factors[(side == 'L' ? row : column) * incx];
  });
}

} // namespace
} // namespace us::cublas

using namespace us::cublas;

#define US_CALL Call(handle, __func__)
#define US_ALL(P, T, I, W)                                                                                             \
  US_EXPORT cublasStatus_t cublas##P##gemm_v2##W(cublasHandle_t handle, cublasOperation_t transa,                      \
                                                 cublasOperation_t transb, I m, I n, I k, const T *alpha, const T *A,  \
                                                 I lda, const T *B, I ldb, const T *beta, T *C, I ldc) {               \
    return gemm(US_CALL, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                                \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##symm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
                                                 I m, I n, const T *alpha, const T *A, I lda, const T *B, I ldb,       \
                                                 const T *beta, T *C, I ldc) {                                         \
    return symm<"symm">(US_CALL, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);                               \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##syrk_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, I n, I k, const T *alpha, const T *A, I lda, \
                                                 const T *beta, T *C, I ldc) {                                         \
    return syrk<"syrk">(US_CALL, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);                                      \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##syr2k_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                        \
                                                  cublasOperation_t trans, I n, I k, const T *alpha, const T *A,       \
                                                  I lda, const T *B, I ldb, const T *beta, T *C, I ldc) {              \
    return syr2k<"syr2k">(US_CALL, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##trmm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I m, I n,             \
                                                 const T *alpha, const T *A, I lda, const T *B, I ldb, T *C, I ldc) {  \
    return trmm(US_CALL, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb, C, ldc);                                \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##trsm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
                                                 cublasOperation_t trans, cublasDiagType_t diag, I m, I n,             \
                                                 const T *alpha, const T *A, I lda, T *B, I ldb) {                     \
    return trsm(US_CALL, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb);                                        \
  }
#define US_NEWER(P, T, I, W)                                                                                           \
  US_EXPORT cublasStatus_t cublas##P##syrkx##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,  \
                                               I n, I k, const T *alpha, const T *A, I lda, const T *B, I ldb,         \
                                               const T *beta, T *C, I ldc) {                                           \
    return syrkx(US_CALL, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                                     \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##geam##W(cublasHandle_t handle, cublasOperation_t transa,                         \
                                              cublasOperation_t transb, I m, I n, const T *alpha, const T *A, I lda,   \
                                              const T *beta, const T *B, I ldb, T *C, I ldc) {                         \
    return geam(US_CALL, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                                   \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##dgmm##W(cublasHandle_t handle, cublasSideMode_t mode, I m, I n, const T *A,      \
                                              I lda, const T *x, I incx, T *C, I ldc) {                                \
    return dgmm(US_CALL, mode, m, n, A, lda, x, incx, C, ldc);                                                         \
  }
#define US_COMPLEX(P, T, R, I, W)                                                                                      \
  US_EXPORT cublasStatus_t cublas##P##hemm_v2##W(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
                                                 I m, I n, const T *alpha, const T *A, I lda, const T *B, I ldb,       \
                                                 const T *beta, T *C, I ldc) {                                         \
    return symm<"hemm">(US_CALL, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc);                               \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##herk_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                         \
                                                 cublasOperation_t trans, I n, I k, const R *alpha, const T *A, I lda, \
                                                 const R *beta, T *C, I ldc) {                                         \
    return syrk<"herk">(US_CALL, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);                                      \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##her2k_v2##W(cublasHandle_t handle, cublasFillMode_t uplo,                        \
                                                  cublasOperation_t trans, I n, I k, const T *alpha, const T *A,       \
                                                  I lda, const T *B, I ldb, const R *beta, T *C, I ldc) {              \
    return syr2k<"her2k">(US_CALL, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                            \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##gemm3m##W(cublasHandle_t handle, cublasOperation_t transa,                       \
                                                cublasOperation_t transb, I m, I n, I k, const T *alpha, const T *A,   \
                                                I lda, const T *B, I ldb, const T *beta, T *C, I ldc) {                \
    return gemm(US_CALL, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                                \
  }                                                                                                                    \
  US_EXPORT cublasStatus_t cublas##P##herkx##W(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,  \
                                               I n, I k, const T *alpha, const T *A, I lda, const T *B, I ldb,         \
                                               const R *beta, T *C, I ldc) {                                           \
    return herkx(US_CALL, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc);                                     \
  }
#define US_SIZE(I, W)                                                                                                  \
  US_ALL(S, float, I, W)                                                                                               \
  US_ALL(D, double, I, W)                                                                                              \
  US_ALL(C, cuComplex, I, W)                                                                                           \
  US_ALL(Z, cuDoubleComplex, I, W)                                                                                     \
  US_NEWER(S, float, I, W)                                                                                             \
  US_NEWER(D, double, I, W)                                                                                            \
  US_NEWER(C, cuComplex, I, W)                                                                                         \
  US_NEWER(Z, cuDoubleComplex, I, W)                                                                                   \
  US_COMPLEX(C, cuComplex, float, I, W)                                                                                \
  US_COMPLEX(Z, cuDoubleComplex, double, I, W)
US_SIZE(int, )
US_SIZE(int64_t, _64)
