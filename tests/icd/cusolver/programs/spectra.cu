// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and singular values of all four kinds of numbers: vectors are orthonormal and make the matrix again.
//! nvcc: -O0 -lcusolver
#include "matrices.h"

#define DECLARE(P, NAME, SYMBOL)                                                                                       \
  static constexpr auto NAME = cusolverDn##P##SYMBOL;                                                                  \
  static constexpr auto NAME##Size = cusolverDn##P##SYMBOL##_bufferSize;
#define ROUTINES(P, SY)                                                                                                \
  DECLARE(P, gebrd, gebrd)                                                                                             \
  DECLARE(P, gesvd, gesvd)                                                                                             \
  DECLARE(P, gesvdj, gesvdj)                                                                                           \
  DECLARE(P, gesvdjBatched, gesvdjBatched)                                                                             \
  DECLARE(P, gesvda, gesvdaStridedBatched)                                                                             \
  DECLARE(P, syevd, SY##evd)                                                                                           \
  DECLARE(P, syevdx, SY##evdx)                                                                                         \
  DECLARE(P, syevj, SY##evj)                                                                                           \
  DECLARE(P, syevjBatched, SY##evjBatched)                                                                             \
  DECLARE(P, sygvd, SY##gvd)                                                                                           \
  DECLARE(P, sygvdx, SY##gvdx)                                                                                         \
  DECLARE(P, sygvj, SY##gvj)
struct S {
  using T = float;
  using R = float;
  ROUTINES(S, sy)
};
struct D {
  using T = double;
  using R = double;
  ROUTINES(D, sy)
};
struct C {
  using T = cuComplex;
  using R = float;
  ROUTINES(C, he)
};
struct Z {
  using T = cuDoubleComplex;
  using R = double;
  ROUTINES(Z, he)
};

constexpr cublasFillMode_t kFills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
constexpr cusolverEigMode_t kModes[] = {CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR};
/// The n-th of matrices that follow one another, column by column.
static Matrix nth(const Matrix &all, int n, int columns) {
  Matrix A(all.rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < all.rows; ++i) A(i, j) = all(i, n * columns + j);
  return A;
}
static bool isSorted(const Matrix &values, bool isDescending) {
  for (int i = 1; i < values.rows; ++i)
    if (isDescending ? values(i, 0).real() > values(i - 1, 0).real() : values(i, 0).real() < values(i - 1, 0).real())
      return false;
  return true;
}
static double trace(const Matrix &A) {
  double sum = 0;
  for (int i = 0; i < A.rows; ++i) sum += A(i, i).real();
  return sum;
}
static double sum(const Matrix &values) {
  double all = 0;
  for (const Wide &value : values.values) all += value.real();
  return all;
}

/// A = U S V^H with orthonormal columns; only so many of them.
template <class T> void checkSingular(const Matrix &A, const Matrix &U, const Matrix &S, const Matrix &V) {
  NEAR(adjoint(U) * U, unit(U.columns));
  NEAR(adjoint(V) * V, unit(V.columns));
  NEAR(U * diagonal(U.columns, V.columns, S) * adjoint(V), A);
  CHECK(isSorted(S, true) && S(S.rows - 1, 0).real() >= 0);
}
/// Values without vectors: their squares' sum is that of A's elements, and that of the fourth powers is A A^H's.
template <class T> void checkValues(const Matrix &A, const Matrix &S) {
  const Matrix squares = diagonal(S.rows, S.rows, S) * diagonal(S.rows, S.rows, S), product = A * adjoint(A);
  CHECK(std::abs(trace(squares) - trace(product)) < kTolerance<T> * 100);
  CHECK(std::abs(trace(squares * squares) - trace(product * product)) < kTolerance<T> * 1000);
}

template <class P> void singular() {
  using T = typename P::T;
  using R = typename P::R;
  Integers info;
  int lwork = 0;
  constexpr int m = 9, n = 6;
  const Matrix A = random(m, n, 21, kIsComplex<T>);
  SOLVER(P::gesvdSize(handle, m, n, &lwork));
  STATUS(CUSOLVER_STATUS_INVALID_VALUE, P::gesvdSize(handle, n, m, &lwork)); // "gesvd only supports m>=n"
  Array<T> work(lwork, 1);
  for (const char left : {'A', 'S', 'O', 'N'})
    for (const char right : {'A', 'S', 'O', 'N'}) {
      if (left == 'O' && right == 'O') continue;
      Array<T> a(A, m + 1), U(m, left == 'A' ? m : n, m + 2), VT(n, n, n + 1);
      Array<R> values(n, 1), rest(n, 1);
      SOLVER(P::gesvd(handle, left, right, m, n, a.data, a.leading, values.data, U.data, U.leading, VT.data, VT.leading,
                      work.data, lwork, rest.data, info.data));
      CHECK(info[0] == 0);
      checkValues<T>(A, values.get());
      const Matrix vectors = left == 'O' ? a.get() : U.get(), others = right == 'O' ? a.get().part(n, n) : VT.get();
      if (left != 'N' && right != 'N') checkSingular<T>(A, vectors, values.get(), adjoint(others));
    }
  size_t onDevice = 0, onHost = 0;
  {
    Array<T> a(A), U(m, m), VT(n, n);
    Array<R> values(n, 1);
    SOLVER(cusolverDnXgesvd_bufferSize(handle, nullptr, 'A', 'A', m, n, kKind<T>, a.data, m, kKind<R>, values.data,
                                       kKind<T>, U.data, m, kKind<T>, VT.data, n, kKind<T>, &onDevice, &onHost));
    Array<T> area(int(onDevice), 1);
    SOLVER(cusolverDnXgesvd(handle, nullptr, 'A', 'A', m, n, kKind<T>, a.data, m, kKind<R>, values.data, kKind<T>,
                            U.data, m, kKind<T>, VT.data, n, kKind<T>, area.data, onDevice, nullptr, onHost,
                            info.data));
    CHECK(info[0] == 0);
    checkSingular<T>(A, U.get(), values.get(), adjoint(VT.get()));
    STATUS(CUSOLVER_STATUS_INVALID_VALUE, // S is real
           cusolverDnXgesvd(handle, nullptr, 'A', 'A', m, n, kKind<T>, a.data, m, CUDA_R_16F, values.data, kKind<T>,
                            U.data, m, kKind<T>, VT.data, n, kKind<T>, area.data, onDevice, nullptr, onHost,
                            info.data));
  }

  gesvdjInfo_t params;
  double residual = -1;
  int sweeps = -1;
  SOLVER(cusolverDnCreateGesvdjInfo(&params));
  SOLVER(cusolverDnXgesvdjSetTolerance(params, 1e-7));
  SOLVER(cusolverDnXgesvdjSetMaxSweeps(params, 30));
  SOLVER(cusolverDnXgesvdjSetSortEig(params, 1));
  constexpr int sizes[][2] = {{9, 6}, {6, 9}, {5, 5}};
  for (const auto &[rows, columns] : sizes)
    for (const int econ : {0, 1})
      for (const cusolverEigMode_t mode : kModes) {
        const Matrix B = random(rows, columns, 22, kIsComplex<T>);
        const int least = std::min(rows, columns);
        Array<T> a(B, rows + 1), U(rows, econ ? least : rows, rows + 2),
            V(columns, econ ? least : columns, columns + 1);
        Array<R> values(least, 1);
        SOLVER(P::gesvdjSize(handle, mode, econ, rows, columns, a.data, a.leading, values.data, U.data, U.leading,
                             V.data, V.leading, &lwork, params));
        SOLVER(P::gesvdj(handle, mode, econ, rows, columns, a.data, a.leading, values.data, U.data, U.leading, V.data,
                         V.leading, work.data, lwork, info.data, params));
        CHECK(info[0] == 0);
        if (mode == CUSOLVER_EIG_MODE_VECTOR)
          checkSingular<T>(B, U.get(), values.get(), V.get());
        else
          checkValues<T>(B, values.get());
        Array<T> again(B);
        double perturbation = -1;
        SOLVER(cusolverDnXgesvdp_bufferSize(handle, nullptr, mode, econ, rows, columns, kKind<T>, again.data, rows,
                                            kKind<R>, values.data, kKind<T>, U.data, U.leading, kKind<T>, V.data,
                                            V.leading, kKind<T>, &onDevice, &onHost));
        Array<T> area(int(onDevice), 1);
        SOLVER(cusolverDnXgesvdp(handle, nullptr, mode, econ, rows, columns, kKind<T>, again.data, rows, kKind<R>,
                                 values.data, kKind<T>, U.data, U.leading, kKind<T>, V.data, V.leading, kKind<T>,
                                 area.data, onDevice, nullptr, onHost, info.data, &perturbation));
        CHECK(info[0] == 0 && perturbation >= 0);
        if (mode == CUSOLVER_EIG_MODE_VECTOR) checkSingular<T>(B, U.get(), values.get(), V.get());
      }
  SOLVER(cusolverDnXgesvdjGetResidual(handle, params, &residual));
  SOLVER(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps));
  CHECK(residual >= 0 && residual < kTolerance<T> && sweeps >= 0 && sweeps <= 30);

  constexpr int count = 3;
  const Matrix many = random(m, n * count, 23, kIsComplex<T>);
  {
    Array<T> a(many, m + 1), U(m, m * count, m + 2), V(n, n * count, n + 1);
    Array<R> values(n, count);
    Integers infos(count);
    SOLVER(P::gesvdjBatchedSize(handle, CUSOLVER_EIG_MODE_VECTOR, m, n, a.data, a.leading, values.data, U.data,
                                U.leading, V.data, V.leading, &lwork, params, count));
    SOLVER(P::gesvdjBatched(handle, CUSOLVER_EIG_MODE_VECTOR, m, n, a.data, a.leading, values.data, U.data, U.leading,
                            V.data, V.leading, work.data, lwork, infos.data, params, count));
    for (int i = 0; i < count; ++i) {
      CHECK(infos[i] == 0);
      checkSingular<T>(nth(many, i, n), nth(U.get(), i, m), nth(values.get(), i, 1), nth(V.get(), i, n));
    }
    // "If the user calls this function after gesvdjBatched, the error CUSOLVER_STATUS_NOT_SUPPORTED is returned."
    STATUS(CUSOLVER_STATUS_NOT_SUPPORTED, cusolverDnXgesvdjGetResidual(handle, params, &residual));
    STATUS(CUSOLVER_STATUS_NOT_SUPPORTED, cusolverDnXgesvdjGetSweeps(handle, params, &sweeps));
    STATUS(CUSOLVER_STATUS_INVALID_VALUE, // "no greater than 32"
           P::gesvdjBatched(handle, CUSOLVER_EIG_MODE_VECTOR, 33, n, a.data, 33, values.data, U.data, 33, V.data,
                            V.leading, work.data, lwork, infos.data, params, 1));
  }
  SOLVER(cusolverDnDestroyGesvdjInfo(params));

  for (const int rank : {n, 2}) {
    Array<T> a(many), U(m, rank * count), V(n, rank * count);
    Array<R> values(rank, count);
    Integers infos(count);
    double norms[count] = {-1, -1, -1};
    SOLVER(P::gesvdaSize(handle, CUSOLVER_EIG_MODE_VECTOR, rank, m, n, a.data, m, m * n, values.data, rank, U.data, m,
                         m * rank, V.data, n, n * rank, &lwork, count));
    SOLVER(P::gesvda(handle, CUSOLVER_EIG_MODE_VECTOR, rank, m, n, a.data, m, m * n, values.data, rank, U.data, m,
                     m * rank, V.data, n, n * rank, work.data, lwork, infos.data, norms, count));
    for (int i = 0; i < count; ++i) {
      const Matrix u = nth(U.get(), i, rank), v = nth(V.get(), i, rank), s = nth(values.get(), i, 1),
                   B = nth(many, i, n);
      CHECK(infos[i] == 0 && norms[i] >= 0 && norms[i] < kTolerance<T>);
      NEAR(adjoint(u) * u, unit(rank));
      NEAR(adjoint(v) * v, unit(rank));
      NEAR(adjoint(u) * B * v, diagonal(rank, rank, s)); // the greatest ones only
      if (rank == n) NEAR(u * diagonal(n, n, s) * adjoint(v), B);
      CHECK(isSorted(s, true));
    }
    STATUS(CUSOLVER_STATUS_INVALID_VALUE,
           P::gesvda(handle, CUSOLVER_EIG_MODE_VECTOR, rank, m, n, a.data, m, m * n - 1, values.data, rank, U.data, m,
                     m * rank, V.data, n, n * rank, work.data, lwork, infos.data, norms, count));
  }
  {
    constexpr int k = 2;
    Array<T> a(A), U(m, k), V(n, k);
    Array<R> values(k, 1);
    SOLVER(cusolverDnXgesvdr_bufferSize(handle, nullptr, 'S', 'S', m, n, k, 2, 2, kKind<T>, a.data, m, kKind<R>,
                                        values.data, kKind<T>, U.data, m, kKind<T>, V.data, n, kKind<T>, &onDevice,
                                        &onHost));
    Array<T> area(int(onDevice), 1);
    SOLVER(cusolverDnXgesvdr(handle, nullptr, 'S', 'S', m, n, k, 2, 2, kKind<T>, a.data, m, kKind<R>, values.data,
                             kKind<T>, U.data, m, kKind<T>, V.data, n, kKind<T>, area.data, onDevice, nullptr, onHost,
                             info.data));
    CHECK(info[0] == 0);
    NEAR(adjoint(U.get()) * A * V.get(), diagonal(k, k, values.get()));
  }
  // An orthogonal transformation to two diagonals keeps both sums.
  Array<T> a(A, m + 1), tauQ(n, 1), tauP(n, 1);
  Array<R> d(n, 1), e(n - 1, 1);
  SOLVER(P::gebrdSize(handle, m, n, &lwork));
  SOLVER(P::gebrd(handle, m, n, a.data, a.leading, d.data, e.data, tauQ.data, tauP.data, work.data, lwork, info.data));
  CHECK(info[0] == 0);
  Matrix B = diagonal(n, n, d.get());
  for (int i = 0; i + 1 < n; ++i) B(i, i + 1) = e.get()(i, 0);
  const Matrix mine = B * adjoint(B), wanted = A * adjoint(A);
  CHECK(std::abs(trace(mine) - trace(wanted)) < kTolerance<T> * 100);
  CHECK(std::abs(trace(mine * mine) - trace(wanted * wanted)) < kTolerance<T> * 1000);
}

template <class P> void symmetric() {
  using T = typename P::T;
  using R = typename P::R;
  constexpr int n = 8, count = 3;
  const Matrix A = hermitian(n, 31, kIsComplex<T>), M = hermitian(n, 32, kIsComplex<T>, 2 * n);
  Integers info;
  int lwork = 0;
  size_t onDevice = 0, onHost = 0;
  syevjInfo_t params;
  SOLVER(cusolverDnCreateSyevjInfo(&params));
  Array<T> work(1, 1);
  for (const cublasFillMode_t fill : kFills)
    for (const cusolverEigMode_t mode : kModes) {
      const bool hasVectors = mode == CUSOLVER_EIG_MODE_VECTOR;
      const auto check = [&](const Matrix &V, const Matrix &values) {
        CHECK(info[0] == 0);
        CHECK(isSorted(values, false) && std::abs(sum(values) - trace(A)) < kTolerance<T> * 10);
        if (!hasVectors) return;
        NEAR(adjoint(V) * V, unit(n));
        NEAR(A * V, V * diagonal(n, n, values));
      };
      Array<T> a(A, n + 1);
      Array<R> values(n, 1);
      SOLVER(P::syevdSize(handle, mode, fill, n, a.data, a.leading, values.data, &lwork));
      SOLVER(P::syevd(handle, mode, fill, n, a.data, a.leading, values.data, work.data, lwork, info.data));
      check(a.get(), values.get());
      const Matrix all = values.get();
      a.put(A);
      SOLVER(P::syevjSize(handle, mode, fill, n, a.data, a.leading, values.data, &lwork, params));
      SOLVER(P::syevj(handle, mode, fill, n, a.data, a.leading, values.data, work.data, lwork, info.data, params));
      check(a.get(), values.get());
      a.put(A);
      SOLVER(cusolverDnXsyevd_bufferSize(handle, nullptr, mode, fill, n, kKind<T>, a.data, a.leading, kKind<R>,
                                         values.data, kKind<T>, &onDevice, &onHost));
      Array<T> area(int(onDevice), 1);
      SOLVER(cusolverDnXsyevd(handle, nullptr, mode, fill, n, kKind<T>, a.data, a.leading, kKind<R>, values.data,
                              kKind<T>, area.data, onDevice, nullptr, onHost, info.data));
      check(a.get(), values.get());

      // The third to the fifth, and those within an interval that has just these.
      int found = -1;
      int64_t found64 = -1;
      R lower = R((all(1, 0).real() + all(2, 0).real()) / 2), upper = R((all(4, 0).real() + all(5, 0).real()) / 2);
      const auto checkSome = [&](const Matrix &left, const Matrix &right, int howMany) {
        CHECK(info[0] == 0 && howMany == 3);
        const Matrix some = values.get().part(3, 1), V = a.get().part(n, 3);
        for (int i = 0; i < 3; ++i) CHECK(std::abs(some(i, 0) - all(2 + i, 0)) < kTolerance<T>);
        if (hasVectors) NEAR(left * V, right * V * diagonal(3, 3, some));
      };
      for (const cusolverEigRange_t range : {CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
        a.put(A);
        SOLVER(P::syevdxSize(handle, mode, range, fill, n, a.data, a.leading, lower, upper, 3, 5, &found, values.data,
                             &lwork));
        SOLVER(P::syevdx(handle, mode, range, fill, n, a.data, a.leading, lower, upper, 3, 5, &found, values.data,
                         work.data, lwork, info.data));
        checkSome(A, unit(n), found);
        a.put(A);
        SOLVER(cusolverDnXsyevdx(handle, nullptr, mode, range, fill, n, kKind<T>, a.data, a.leading, &lower, &upper, 3,
                                 5, &found64, kKind<R>, values.data, kKind<T>, area.data, onDevice, nullptr, onHost,
                                 info.data));
        checkSome(A, unit(n), int(found64));
      }

      // A v = w B v, A B v = w v and B A v = w v
      for (const cusolverEigType_t type : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3}) {
        const Matrix left = type == CUSOLVER_EIG_TYPE_1   ? A
                            : type == CUSOLVER_EIG_TYPE_2 ? A * M
                                                          : M * A,
                     right = type == CUSOLVER_EIG_TYPE_1 ? M : unit(n);
        const auto checkGeneral = [&](const Matrix &V, const Matrix &w) {
          CHECK(info[0] == 0 && isSorted(w, false));
          if (hasVectors) CHECK(distance(left * V, right * V * diagonal(n, n, w)) < kTolerance<T> * 100);
        };
        Array<T> b(M, n + 1);
        a.put(A);
        SOLVER(P::sygvdSize(handle, type, mode, fill, n, a.data, n + 1, b.data, n + 1, values.data, &lwork));
        SOLVER(P::sygvd(handle, type, mode, fill, n, a.data, n + 1, b.data, n + 1, values.data, work.data, lwork,
                        info.data));
        checkGeneral(a.get(), values.get());
        const Matrix general = values.get();
        a.put(A), b.put(M);
        SOLVER(P::sygvjSize(handle, type, mode, fill, n, a.data, n + 1, b.data, n + 1, values.data, &lwork, params));
        SOLVER(P::sygvj(handle, type, mode, fill, n, a.data, n + 1, b.data, n + 1, values.data, work.data, lwork,
                        info.data, params));
        checkGeneral(a.get(), values.get());
        a.put(A), b.put(M);
        SOLVER(P::sygvdxSize(handle, type, mode, CUSOLVER_EIG_RANGE_I, fill, n, a.data, n + 1, b.data, n + 1, 0, 0, 2,
                             3, &found, values.data, &lwork));
        SOLVER(P::sygvdx(handle, type, mode, CUSOLVER_EIG_RANGE_I, fill, n, a.data, n + 1, b.data, n + 1, 0, 0, 2, 3,
                         &found, values.data, work.data, lwork, info.data));
        CHECK(info[0] == 0 && found == 2);
        for (int i = 0; i < 2; ++i) CHECK(std::abs(values.get()(i, 0) - general(1 + i, 0)) < kTolerance<T> * 100);
        // "If devInfo = N + i (i > 0), then the leading minor of order i of B is not positive definite"
        a.put(A), b.put(Matrix(n, n));
        SOLVER(P::sygvd(handle, type, mode, fill, n, a.data, n + 1, b.data, n + 1, values.data, work.data, lwork,
                        info.data));
        CHECK(info[0] == n + 1);
        SOLVER(P::sygvj(handle, type, mode, fill, n, a.data, n + 1, b.data, n + 1, values.data, work.data, lwork,
                        info.data, params));
        CHECK(info[0] == 1); // "If info = i (i > 0 and i<=n), B is not positive definite"
      }

      Matrix many(n, n * count);
      for (int i = 0; i < count; ++i) {
        const Matrix one = hermitian(n, 40 + i, kIsComplex<T>);
        std::copy(one.values.begin(), one.values.end(), many.values.begin() + i * n * n);
      }
      Array<T> b(many, n + 2);
      Array<R> w(n, count);
      Integers infos(count);
      const auto checkMany = [&] {
        for (int i = 0; i < count; ++i) {
          CHECK(infos[i] == 0);
          const Matrix B = nth(many, i, n), V = nth(b.get(), i, n), values = nth(w.get(), i, 1);
          CHECK(isSorted(values, false) && std::abs(sum(values) - trace(B)) < kTolerance<T> * 10);
          if (hasVectors) NEAR(B * V, V * diagonal(n, n, values));
        }
      };
      SOLVER(P::syevjBatchedSize(handle, mode, fill, n, b.data, b.leading, w.data, &lwork, params, count));
      SOLVER(P::syevjBatched(handle, mode, fill, n, b.data, b.leading, w.data, work.data, lwork, infos.data, params,
                             count));
      checkMany();
      b.put(many);
      SOLVER(cusolverDnXsyevBatched_bufferSize(handle, nullptr, mode, fill, n, kKind<T>, b.data, b.leading, kKind<R>,
                                               w.data, kKind<T>, &onDevice, &onHost, count));
      SOLVER(cusolverDnXsyevBatched(handle, nullptr, mode, fill, n, kKind<T>, b.data, b.leading, kKind<R>, w.data,
                                    kKind<T>, area.data, onDevice, nullptr, onHost, infos.data, count));
      checkMany();
    }
  SOLVER(cusolverDnDestroySyevjInfo(params));
}

/// Any matrix: A V = V W. Of a real one complex pairs lie in two columns, and values may be real and imaginary parts.
template <class T, class W> void general() {
  constexpr int n = 7;
  const Matrix A = random(n, n, 51, kIsComplex<T>);
  Array<T> a(A, n + 1), vectors(n, n, n + 2);
  constexpr bool hasParts = !kIsComplex<W>;
  Array<W> values(n, hasParts ? 2 : 1);
  Integers info;
  size_t onDevice = 0, onHost = 0;
  SOLVER(cusolverDnXgeev_bufferSize(handle, nullptr, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR, n, kKind<T>,
                                    a.data, a.leading, kKind<W>, values.data, kKind<T>, nullptr, 1, kKind<T>,
                                    vectors.data, vectors.leading, kKind<T>, &onDevice, &onHost));
  Array<T> area(int(onDevice), 1);
  SOLVER(cusolverDnXgeev(handle, nullptr, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR, n, kKind<T>, a.data,
                         a.leading, kKind<W>, values.data, kKind<T>, nullptr, 1, kKind<T>, vectors.data,
                         vectors.leading, kKind<T>, area.data, onDevice, nullptr, onHost, info.data));
  CHECK(info[0] == 0);
  Matrix w(n, 1), V = vectors.get();
  for (int i = 0; i < n; ++i)
    w(i, 0) = hasParts ? values.get()(i, 0) + Wide(0, 1) * values.get()(i, 1) : values.get()(i, 0);
  int pairs = 0;
  for (int j = 0; !kIsComplex<T> && j + 1 < n; ++j)
    if (w(j, 0).imag() != 0) {
      ++pairs;
      for (int i = 0; i < n; ++i) {
        const Wide value = V(i, j).real() + Wide(0, 1) * V(i, j + 1).real();
        V(i, j) = value, V(i, j + 1) = std::conj(value);
      }
      ++j;
    }
  CHECK(kIsComplex<T> || pairs > 0);
  NEAR(A * V, V * diagonal(n, n, w));
  a.put(A);
  SOLVER(cusolverDnXgeev(handle, nullptr, CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_NOVECTOR, n, kKind<T>, a.data,
                         a.leading, kKind<W>, values.data, kKind<T>, nullptr, 1, kKind<T>, nullptr, 1, kKind<T>,
                         area.data, onDevice, nullptr, onHost, info.data));
  CHECK(info[0] == 0);
  // "geev only supports the computation of right eigenvectors"
  STATUS(CUSOLVER_STATUS_INVALID_VALUE,
         cusolverDnXgeev(handle, nullptr, CUSOLVER_EIG_MODE_VECTOR, CUSOLVER_EIG_MODE_NOVECTOR, n, kKind<T>, a.data,
                         a.leading, kKind<W>, values.data, kKind<T>, vectors.data, n, kKind<T>, nullptr, 1, kKind<T>,
                         area.data, onDevice, nullptr, onHost, info.data));
}

template <class P> void all() {
  singular<P>();
  symmetric<P>();
}

int main() {
  SOLVER(cusolverDnCreate(&handle));
  all<S>();
  all<D>();
  all<C>();
  all<Z>();
  general<float, float>();
  general<float, cuComplex>();
  general<double, double>();
  general<double, cuDoubleComplex>();
  general<cuComplex, cuComplex>();
  general<cuDoubleComplex, cuDoubleComplex>();
  SOLVER(cusolverDnDestroy(handle));
  return failures != 0;
}
