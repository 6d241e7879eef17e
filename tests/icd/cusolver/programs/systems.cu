// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors and systems of all four kinds of numbers: products of the factors are the matrix, solutions solve.
//! nvcc: -O0 -lcusolver
#include "matrices.h"

#define DECLARE(P, NAME, SYMBOL)                                                                                       \
  static constexpr auto NAME = cusolverDn##P##SYMBOL;                                                                  \
  static constexpr auto NAME##Size = cusolverDn##P##SYMBOL##_bufferSize;
#define DECLARE_ONE(P, NAME) static constexpr auto NAME = cusolverDn##P##NAME;
#define ROUTINES(P, OR)                                                                                                \
  DECLARE(P, potrf, potrf)                                                                                             \
  DECLARE(P, potri, potri)                                                                                             \
  DECLARE(P, getrf, getrf)                                                                                             \
  DECLARE(P, geqrf, geqrf)                                                                                             \
  DECLARE(P, orgqr, OR##gqr)                                                                                           \
  DECLARE(P, ormqr, OR##mqr)                                                                                           \
  DECLARE(P, sytrf, sytrf)                                                                                             \
  DECLARE_ONE(P, potrs)                                                                                                \
  DECLARE_ONE(P, potrfBatched)                                                                                         \
  DECLARE_ONE(P, potrsBatched)                                                                                         \
  DECLARE_ONE(P, getrs)                                                                                                \
  DECLARE_ONE(P, laswp)
struct S {
  using T = float;
  ROUTINES(S, or)
};
struct D {
  using T = double;
  ROUTINES(D, or)
};
struct C {
  using T = cuComplex;
  ROUTINES(C, un)
};
struct Z {
  using T = cuDoubleComplex;
  ROUTINES(Z, un)
};

constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cublasOperation_t kOperations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
static Matrix op(const Matrix &A, cublasOperation_t how) {
  return how == CUBLAS_OP_N ? A : transposed(A, how == CUBLAS_OP_C);
}
/// One triangle and the diagonal of this, the rest of that.
static Matrix joined(const Matrix &mine, const Matrix &other, bool isLower) {
  Matrix A = other;
  for (int j = 0; j < A.columns; ++j)
    for (int i = 0; i < A.rows; ++i)
      if (i == j || (i > j) == isLower) A(i, j) = mine(i, j);
  return A;
}

template <class P> void cholesky() {
  using T = typename P::T;
  constexpr int n = 9, nrhs = 2;
  const Matrix A = hermitian(n, 1, kIsComplex<T>, 2 * n), b = random(n, nrhs, 2, kIsComplex<T>);
  for (const cublasFillMode_t fill : kFills) {
    const bool isLower = fill == CUBLAS_FILL_MODE_LOWER;
    Array<T> a(A, n + 2), x(b, n + 1);
    Integers info;
    int lwork = 0;
    SOLVER(P::potrfSize(handle, fill, n, a.data, a.leading, &lwork));
    Array<T> work(lwork, 1);
    SOLVER(P::potrf(handle, fill, n, a.data, a.leading, work.data, lwork, info.data));
    CHECK(info[0] == 0);
    const Matrix factor = triangle(a.get(), isLower);
    NEAR(isLower ? factor * adjoint(factor) : adjoint(factor) * factor, A);
    NEAR(joined(A, a.get(), isLower), A); // "The function will leave the other part untouched."
    SOLVER(P::potrs(handle, fill, n, nrhs, a.data, a.leading, x.data, x.leading, info.data));
    NEAR(A * x.get(), b);
    SOLVER(P::potriSize(handle, fill, n, a.data, a.leading, &lwork));
    SOLVER(P::potri(handle, fill, n, a.data, a.leading, work.data, lwork, info.data));
    CHECK(info[0] == 0);
    NEAR(A * joined(a.get(), adjoint(a.get()), isLower), unit(n));

    Array<T> first(A), second(A), third(hermitian(n, 3, kIsComplex<T>, -50));
    Array<T> x1(b.part(n, 1)), x2(b.part(n, 1));
    T **pointers = nullptr, **rights = nullptr;
    OK(cudaMallocManaged(&pointers, 3 * sizeof(T *)));
    OK(cudaMallocManaged(&rights, 2 * sizeof(T *)));
    pointers[0] = first.data, pointers[1] = second.data, pointers[2] = third.data;
    rights[0] = x1.data, rights[1] = x2.data;
    Integers infos(3);
    SOLVER(P::potrfBatched(handle, fill, n, pointers, n, infos.data, 3));
    CHECK(infos[0] == 0 && infos[1] == 0 && infos[2] == 1); // "the Cholesky factorization failed at row k"
    SOLVER(P::potrsBatched(handle, fill, n, 1, pointers, n, rights, n, info.data, 2));
    CHECK(info[0] == 0);
    NEAR(A * x2.get(), b.part(n, 1));
    NEAR(x1.get(), x2.get());
    STATUS(CUSOLVER_STATUS_NOT_SUPPORTED, P::potrsBatched(handle, fill, n, 2, pointers, n, rights, n, info.data, 2));
    OK(cudaFree(pointers));
    OK(cudaFree(rights));

    // The same by types that are arguments.
    size_t onDevice = 0, onHost = 0;
    a.put(A);
    x.put(b);
    SOLVER(cusolverDnXpotrf_bufferSize(handle, nullptr, fill, n, kKind<T>, a.data, a.leading, kKind<T>, &onDevice,
                                       &onHost));
    Array<T> area(int(onDevice), 1);
    SOLVER(cusolverDnXpotrf(handle, nullptr, fill, n, kKind<T>, a.data, a.leading, kKind<T>, area.data, onDevice,
                            nullptr, onHost, info.data));
    SOLVER(cusolverDnXpotrs(handle, nullptr, fill, n, nrhs, kKind<T>, a.data, a.leading, kKind<T>, x.data, x.leading,
                            info.data));
    CHECK(info[0] == 0);
    NEAR(A * x.get(), b);
    Array<T> inverse(triangle(a.get(), isLower));
    SOLVER(cusolverDnXtrtri_bufferSize(handle, fill, CUBLAS_DIAG_NON_UNIT, n, kKind<T>, inverse.data, n, &onDevice,
                                       &onHost));
    SOLVER(cusolverDnXtrtri(handle, fill, CUBLAS_DIAG_NON_UNIT, n, kKind<T>, inverse.data, n, area.data, onDevice,
                            nullptr, onHost, info.data));
    NEAR(triangle(a.get(), isLower) * inverse.get(), unit(n));
  }
}

/// Rows in the order that pivots make: each is exchanged with another, one after the other.
template <class Index> Matrix exchanged(Matrix A, const Index *pivots, int count) {
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < A.columns; ++j) std::swap(A(i, j), A(int(pivots[i]) - 1, j));
  return A;
}

template <class P> void lu() {
  using T = typename P::T;
  constexpr int sizes[][2] = {{8, 8}, {10, 7}, {6, 9}};
  for (const auto &[m, n] : sizes)
    for (const bool hasPivots : {true, false}) {
      Matrix A = random(m, n, 5, kIsComplex<T>);
      if (hasPivots)
        A(0, 0) = 0;
      else
        for (int i = 0; i < std::min(m, n); ++i) A(i, i) += 20;
      const int least = std::min(m, n);
      Array<T> a(A, m + 1);
      Integers info, pivots(least);
      int lwork = 0;
      SOLVER(P::getrfSize(handle, m, n, a.data, a.leading, &lwork));
      Array<T> work(lwork, 1);
      SOLVER(P::getrf(handle, m, n, a.data, a.leading, work.data, hasPivots ? pivots.data : nullptr, info.data));
      CHECK(info[0] == 0);
      const Matrix factors = a.get(),
                   product = triangle(factors, true, true).part(m, least) * triangle(factors, false).part(least, n);
      NEAR(product, hasPivots ? exchanged(A, pivots.data, least) : A);
      if (hasPivots) {
        Array<T> swapped(A, m + 1);
        SOLVER(P::laswp(handle, n, swapped.data, swapped.leading, 1, least, pivots.data, 1));
        NEAR(swapped.get(), exchanged(A, pivots.data, least));
      }
      int64_t *wide64 = nullptr; // pivots of 64 bits
      size_t onDevice = 0, onHost = 0;
      OK(cudaMallocManaged(&wide64, least * sizeof *wide64));
      Array<T> other(A, m + 1);
      SOLVER(cusolverDnXgetrf_bufferSize(handle, nullptr, m, n, kKind<T>, other.data, m + 1, kKind<T>, &onDevice,
                                         &onHost));
      Array<T> area(int(onDevice), 1);
      SOLVER(cusolverDnXgetrf(handle, nullptr, m, n, kKind<T>, other.data, m + 1, hasPivots ? wide64 : nullptr,
                              kKind<T>, area.data, onDevice, nullptr, onHost, info.data));
      NEAR(other.get(), factors);
      if (m == n)
        for (const cublasOperation_t how : kOperations) {
          const Matrix b = random(n, 3, 6, kIsComplex<T>);
          Array<T> x(b, n + 2), y(b);
          SOLVER(P::getrs(handle, how, n, 3, a.data, a.leading, hasPivots ? pivots.data : nullptr, x.data, x.leading,
                          info.data));
          CHECK(info[0] == 0);
          NEAR(op(A, how) * x.get(), b);
          SOLVER(cusolverDnXgetrs(handle, nullptr, how, n, 3, kKind<T>, other.data, m + 1, hasPivots ? wide64 : nullptr,
                                  kKind<T>, y.data, n, info.data));
          NEAR(op(A, how) * y.get(), b);
        }
      OK(cudaFree(wide64));
    }
  // "devInfo=i indicates U(i,i) = 0"
  Array<T> singular(Matrix(4, 4));
  Integers info, pivots(4);
  Array<T> work(1, 1);
  for (int *const where : {pivots.data, static_cast<int *>(nullptr)}) {
    SOLVER(P::getrf(handle, 4, 4, singular.data, 4, work.data, where, info.data));
    CHECK(info[0] == 1);
  }
}

template <class P> void qr() {
  using T = typename P::T;
  constexpr int sizes[][2] = {{9, 6}, {6, 6}, {5, 8}};
  for (const auto &[m, n] : sizes) {
    const int least = std::min(m, n);
    const Matrix A = random(m, n, 7, kIsComplex<T>);
    Array<T> a(A, m + 3), tau(least, 1), copy(A), tau64(least, 1);
    Integers info;
    int lwork = 0;
    SOLVER(P::geqrfSize(handle, m, n, a.data, 1, &lwork)); // the leading dimension is the factorization's affair
    Array<T> work(lwork, 1);
    SOLVER(P::geqrf(handle, m, n, a.data, a.leading, tau.data, work.data, lwork, info.data));
    CHECK(info[0] == 0);
    const Matrix R = triangle(a.get(), false).part(least, n);
    size_t onDevice = 0, onHost = 0;
    SOLVER(cusolverDnXgeqrf_bufferSize(handle, nullptr, m, n, kKind<T>, copy.data, m, kKind<T>, tau64.data, kKind<T>,
                                       &onDevice, &onHost));
    Array<T> area(int(onDevice), 1);
    SOLVER(cusolverDnXgeqrf(handle, nullptr, m, n, kKind<T>, copy.data, m, kKind<T>, tau64.data, kKind<T>, area.data,
                            onDevice, nullptr, onHost, info.data));
    NEAR(copy.get(), a.get());
    // op(Q) C and C op(Q) by the reflectors
    for (const cublasOperation_t how : {CUBLAS_OP_N, kIsComplex<T> ? CUBLAS_OP_C : CUBLAS_OP_T}) {
      Array<T> c(unit(m)), d(unit(m));
      SOLVER(P::ormqrSize(handle, CUBLAS_SIDE_LEFT, how, m, m, least, a.data, a.leading, tau.data, c.data, m, &lwork));
      SOLVER(P::ormqr(handle, CUBLAS_SIDE_LEFT, how, m, m, least, a.data, a.leading, tau.data, c.data, m, work.data,
                      lwork, info.data));
      SOLVER(P::ormqr(handle, CUBLAS_SIDE_RIGHT, how, m, m, least, a.data, a.leading, tau.data, d.data, m, work.data,
                      lwork, info.data));
      CHECK(info[0] == 0);
      const Matrix Q = how == CUBLAS_OP_N ? c.get() : adjoint(c.get());
      NEAR(c.get(), d.get());
      NEAR(adjoint(Q) * Q, unit(m));
      NEAR(Q.part(m, least) * R, A);
    }
    if (m < n) continue;
    SOLVER(P::orgqrSize(handle, m, n, n, a.data, a.leading, tau.data, &lwork));
    SOLVER(P::orgqr(handle, m, n, n, a.data, a.leading, tau.data, work.data, lwork, info.data));
    CHECK(info[0] == 0);
    NEAR(adjoint(a.get()) * a.get(), unit(n));
    NEAR(a.get() * R, A);
  }
  Array<T> a(4, 4), work(1, 1);
  Integers info;
  if (kIsComplex<T>) // no plain transpose
    STATUS(CUSOLVER_STATUS_INVALID_VALUE, P::ormqr(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 4, 4, 4, a.data, 4, a.data,
                                                   a.data, 4, work.data, 1, info.data));
}

template <class P> void ldl() {
  using T = typename P::T;
  constexpr int n = 10;
  const Matrix M = random(n, n, 8, kIsComplex<T>), b = random(n, 2, 9, kIsComplex<T>);
  Matrix A(n, n); // symmetric, complex too
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) A(i, j) = M(i, j) + M(j, i);
  for (const cublasFillMode_t fill : kFills)
    for (const bool hasPivots : {true, false}) {
      const bool isLower = fill == CUBLAS_FILL_MODE_LOWER;
      Matrix B = A;
      for (int i = 0; i < n; ++i) B(i, i) = hasPivots ? (i % 3 ? B(i, i) : 0.0) : B(i, i) + 30.0;
      Array<T> a(B, n + 1), x(b);
      Integers info, pivots(n);
      int lwork = 0;
      SOLVER(P::sytrfSize(handle, n, a.data, a.leading, &lwork));
      Array<T> work(lwork, 1);
      SOLVER(
          P::sytrf(handle, fill, n, a.data, a.leading, hasPivots ? pivots.data : nullptr, work.data, lwork, info.data));
      CHECK(info[0] == 0);
      if (!hasPivots) {
        const Matrix factor = triangle(a.get(), isLower, true);
        Matrix D(n, n);
        for (int i = 0; i < n; ++i) D(i, i) = a.get()(i, i);
        NEAR(factor * D * transposed(factor), B);
      }
      int64_t *wide64 = nullptr;
      OK(cudaMallocManaged(&wide64, n * sizeof *wide64));
      for (int i = 0; i < n; ++i) wide64[i] = pivots[i];
      size_t onDevice = 0, onHost = 0;
      int64_t *const where = hasPivots ? wide64 : nullptr;
      SOLVER(cusolverDnXsytrs_bufferSize(handle, fill, n, 2, kKind<T>, a.data, a.leading, where, kKind<T>, x.data, n,
                                         &onDevice, &onHost));
      Array<T> area(int(onDevice), 1);
      SOLVER(cusolverDnXsytrs(handle, fill, n, 2, kKind<T>, a.data, a.leading, where, kKind<T>, x.data, n, area.data,
                              onDevice, nullptr, onHost, info.data));
      CHECK(info[0] == 0);
      NEAR(B * x.get(), b);
      OK(cudaFree(wide64));
    }
}

/// The solvers with refinement, by their two letters.
template <class T, class GesvSize, class Gesv, class GelsSize, class Gels>
void refined(GesvSize gesvSize, Gesv gesv, GelsSize gelsSize, Gels gels) {
  constexpr int m = 11, n = 6, nrhs = 2;
  const Matrix A = random(m, n, 11, kIsComplex<T>), b = random(m, nrhs, 12, kIsComplex<T>);
  Array<T> a(A, m + 1), right(b), x(n, nrhs, n + 2);
  Integers info, pivots(n);
  size_t bytes = 0;
  int iterations = -99;
  SOLVER(gesvSize(handle, n, nrhs, a.data, a.leading, pivots.data, right.data, m, x.data, x.leading, nullptr, &bytes));
  Array<double> work(int(bytes), 1);
  SOLVER(gesv(handle, n, nrhs, a.data, a.leading, pivots.data, right.data, m, x.data, x.leading, work.data, bytes,
              &iterations, info.data));
  CHECK(info[0] == 0 && iterations >= 0);
  NEAR(A.part(n, n) * x.get(), b.part(n, nrhs));
  SOLVER(gelsSize(handle, m, n, nrhs, a.data, a.leading, right.data, m, x.data, x.leading, nullptr, &bytes));
  SOLVER(gels(handle, m, n, nrhs, a.data, a.leading, right.data, m, x.data, x.leading, work.data, bytes, &iterations,
              info.data));
  CHECK(info[0] == 0 && iterations >= 0);
  NEAR(adjoint(A) * (A * x.get()), adjoint(A) * b); // the residual is orthogonal to A's columns
  STATUS(CUSOLVER_STATUS_INVALID_WORKSPACE, gesv(handle, n, nrhs, a.data, a.leading, pivots.data, right.data, m, x.data,
                                                 x.leading, work.data, 0, &iterations, info.data));
  Array<T> zero(Matrix(n, n));
  SOLVER(gesv(handle, n, nrhs, zero.data, n, pivots.data, right.data, m, x.data, x.leading, work.data, bytes,
              &iterations, info.data));
  CHECK(info[0] == 1 && iterations < 0);
}
#define REFINED(P, T)                                                                                                  \
  refined<T>(cusolverDn##P##gesv_bufferSize, cusolverDn##P##gesv, cusolverDn##P##gels_bufferSize, cusolverDn##P##gels)

void refinedByParameters() {
  using T = double;
  constexpr int m = 7, n = 4;
  const Matrix A = random(m, n, 13, false), b = random(m, 1, 14, false);
  Array<T> a(A), right(b), x(n, 1), work(1, 1);
  Integers info;
  cusolverDnIRSParams_t params;
  cusolverDnIRSInfos_t infos;
  size_t bytes = 0;
  int iterations = -99, most = 0;
  SOLVER(cusolverDnIRSParamsCreate(&params));
  SOLVER(cusolverDnIRSInfosCreate(&infos));
  STATUS(CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &bytes));
  SOLVER(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_16F));
  STATUS(CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE, cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &bytes));
  SOLVER(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_GMRES));
  STATUS(CUSOLVER_STATUS_IRS_NOT_SUPPORTED, cusolverDnIRSXgesv_bufferSize(handle, params, n, 2, &bytes));
  SOLVER(cusolverDnIRSParamsSetMaxIters(params, 12));
  SOLVER(cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &bytes));
  STATUS(CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED,
         cusolverDnIRSXgesv(handle, params, nullptr, n, 1, a.data, m, right.data, m, x.data, n, work.data, bytes,
                            &iterations, info.data));
  SOLVER(cusolverDnIRSXgesv(handle, params, infos, n, 1, a.data, m, right.data, m, x.data, n, work.data, bytes,
                            &iterations, info.data));
  CHECK(info[0] == 0 && iterations >= 0);
  NEAR(A.part(n, n) * x.get(), b.part(n, 1));
  SOLVER(cusolverDnIRSInfosGetMaxIters(infos, &most));
  CHECK(most == 12);
  SOLVER(cusolverDnIRSXgels_bufferSize(handle, params, m, n, 1, &bytes));
  SOLVER(cusolverDnIRSXgels(handle, params, infos, m, n, 1, a.data, m, right.data, m, x.data, n, work.data, bytes,
                            &iterations, info.data));
  NEAR(adjoint(A) * (A * x.get()), adjoint(A) * b);
  SOLVER(cusolverDnIRSInfosDestroy(infos));
  SOLVER(cusolverDnIRSParamsDestroy(params));
}

template <class P> void all() {
  cholesky<P>();
  lu<P>();
  qr<P>();
  ldl<P>();
}

int main() {
  SOLVER(cusolverDnCreate(&handle));
  all<S>();
  all<D>();
  all<C>();
  all<Z>();
  REFINED(SS, float);
  REFINED(SH, float);
  REFINED(SB, float);
  REFINED(SX, float);
  REFINED(DD, double);
  REFINED(DS, double);
  REFINED(DH, double);
  REFINED(DB, double);
  REFINED(DX, double);
  REFINED(CC, cuComplex);
  REFINED(CK, cuComplex);
  REFINED(CE, cuComplex);
  REFINED(CY, cuComplex);
  REFINED(ZZ, cuDoubleComplex);
  REFINED(ZC, cuDoubleComplex);
  REFINED(ZK, cuDoubleComplex);
  REFINED(ZE, cuDoubleComplex);
  REFINED(ZY, cuDoubleComplex);
  refinedByParameters();
  SOLVER(cusolverDnDestroy(handle));
  return failures != 0;
}
