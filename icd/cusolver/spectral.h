// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eigenvalues and singular values. What cuSOLVER does by Jacobi's method or approximately is done by LAPACK's best,
// too.
#pragma once

#include "icd/cusolver/linear.h"

namespace us::cusolver {

/// Like withWork, of routines that want three areas; those of real numbers do without the second.
template <class H, class Use> int withWorks(Use use) {
  H wanted{};
  Part<H> wantedReal{};
  int wantedInteger = 0, info = 0;
  use(&wanted, -1, &wantedReal, -1, &wantedInteger, -1, &info);
  std::vector<H> work(wantedSize(wanted));
  std::vector<Part<H>> real(wantedSize(wantedReal));
  std::vector<int> integer(std::max(1, wantedInteger));
  use(work.data(), int(work.size()), real.data(), int(real.size()), integer.data(), int(integer.size()), &info);
  return info;
}

/// A becomes its vectors if job is 'V', W its values in ascending order.
template <class H> int eigen(char job, char fill, int n, H *A, int lda, Part<H> *W) {
  return withWorks<H>([=](H *work, int size, Part<H> *real, int realSize, int *integer, int integerSize, int *info) {
    if constexpr (kIsComplex<H>)
      cublas::call<"heevd", H>(job, fill, n, A, lda, W, work, size, real, realSize, integer, integerSize, info);
    else
      cublas::call<"syevd", H>(job, fill, n, A, lda, W, work, size, integer, integerSize, info);
  });
}
template <class H> int generalEigen(int type, char job, char fill, int n, H *A, int lda, H *B, int ldb, Part<H> *W) {
  return withWorks<H>([=](H *work, int size, Part<H> *real, int realSize, int *integer, int integerSize, int *info) {
    if constexpr (kIsComplex<H>)
      cublas::call<"hegvd", H>(type, job, fill, n, A, lda, B, ldb, W, work, size, real, realSize, integer, integerSize,
                               info);
    else
      cublas::call<"sygvd", H>(type, job, fill, n, A, lda, B, ldb, W, work, size, integer, integerSize, info);
  });
}

/// Many matrices that follow one another. "If info = n+1, syevj does not converge."
template <class T, class R, class W>
cusolverStatus_t symmetric(Call call, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, T *A, int64_t lda,
                           R *values, W *work, int64_t lwork, int *infos, int64_t count, bool isJacobi) {
  const char job = call.vectors(jobz), fill = call.triangle(uplo);
  call.sizes(count);
  call.matrix(A, n, n, lda, count, lda * n);
  call.vector(values, n * count);
  call.workspace(work, lwork);
  call.info(infos, count);
  call.needs(eitherRoutine<"syevd", "heevd", Host<T>>());
  return call.run([=] {
    for (int64_t i = 0; i < count; ++i) {
      const int info = eigen<Host<T>>(job, fill, int(n), host(A) + i * lda * n, int(lda), values + i * n);
      infos[i] = isJacobi && info > 0 ? int(n + 1) : info;
    }
  });
}
template <class T, class R, class W>
cusolverStatus_t syevd(Call call, cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, T *A, int64_t lda,
                       R *values, W *work, int64_t lwork, int *infos, int64_t count) {
  return symmetric(call, jobz, uplo, n, A, lda, values, work, lwork, infos, count, false);
}
template <class T, class R>
cusolverStatus_t syevj(Call call, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A, int lda, R *W, T *work,
                       int lwork, int *infos, JacobiInfo *params, int count, bool isBatched) {
  call.require(params != nullptr);
  if (call.isOk()) params->wasBatched = isBatched;
  return symmetric(call, jobz, uplo, n, A, lda, W, work, lwork, infos, count, true);
}

/// Which of the values are wanted: all, those in (vl, vu], or the il-th to the iu-th.
template <class R> struct Selection {
  cusolverEigRange_t range;
  R vl, vu;
  int64_t il, iu;

  void check(Call &call, int64_t n) const {
    call.require(range >= CUSOLVER_EIG_RANGE_ALL && range <= CUSOLVER_EIG_RANGE_V);
    if (range == CUSOLVER_EIG_RANGE_V) call.require(vl < vu);
    if (range == CUSOLVER_EIG_RANGE_I && n > 0) call.require(1 <= il && il <= iu && iu <= n);
  }
  /// Moves them and their vectors to the front; how many there are.
  template <class H> int64_t apply(int64_t n, H *A, int64_t lda, bool hasVectors, R *values) const {
    int64_t first = 0, end = n;
    if (range == CUSOLVER_EIG_RANGE_V) {
      first = std::upper_bound(values, values + n, vl) - values;
      end = std::upper_bound(values, values + n, vu) - values;
    } else if (range == CUSOLVER_EIG_RANGE_I && n > 0) {
      first = il - 1;
      end = iu;
    }
    std::copy(values + first, values + end, values);
    for (int64_t column = first; hasVectors && first > 0 && column < end; ++column)
      std::copy_n(A + column * lda, n, A + (column - first) * lda);
    return end - first;
  }
};

template <class T, class R, class Count, class W>
cusolverStatus_t syevdx(Call call, cusolverEigMode_t jobz, cusolverEigRange_t range, cublasFillMode_t uplo, int64_t n,
                        T *A, int64_t lda, R vl, R vu, int64_t il, int64_t iu, Count *found, R *values, W *work,
                        int64_t lwork, int *info) {
  const char job = call.vectors(jobz), fill = call.triangle(uplo);
  const Selection<R> selection{range, vl, vu, il, iu};
  selection.check(call, n);
  call.matrix(A, n, n, lda);
  call.vector(values, n);
  call.workspace(work, lwork);
  call.require(found != nullptr);
  call.info(info);
  call.needs(eitherRoutine<"syevd", "heevd", Host<T>>());
  return call.run(
      [=] {
        *info = eigen<Host<T>>(job, fill, int(n), host(A), int(lda), values);
        *found = *info == 0 ? Count(selection.apply(n, host(A), lda, job == 'V', values)) : 0;
      },
      true);
}

/// "If devInfo = N + i (i > 0), then the leading minor of order i of B is not positive definite"; sygvj says i of that,
/// and n + 1 of values that do not converge.
template <class T, class R>
cusolverStatus_t sygv(Call call, cusolverEigType_t itype, cusolverEigMode_t jobz, Selection<R> selection,
                      cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, int *found, R *W, T *work, int lwork,
                      int *info, bool isJacobi) {
  const char job = call.vectors(jobz), fill = call.triangle(uplo);
  call.require(itype >= CUSOLVER_EIG_TYPE_1 && itype <= CUSOLVER_EIG_TYPE_3);
  selection.check(call, n);
  call.matrix(A, n, n, lda);
  call.matrix(B, n, n, ldb);
  call.vector(W, n);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(eitherRoutine<"sygvd", "hegvd", Host<T>>());
  return call.run(
      [=] {
        const int failed = generalEigen<Host<T>>(itype, job, fill, n, host(A), lda, host(B), ldb, W);
        const int64_t count = failed == 0 ? selection.apply(n, host(A), lda, job == 'V', W) : 0;
        if (found) *found = int(count);
        *info = !isJacobi || failed <= 0 ? failed : failed > n ? failed - n : n + 1;
      },
      found != nullptr);
}
template <class T, class R>
cusolverStatus_t sygvd(Call call, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,
                       int lda, T *B, int ldb, R *W, T *work, int lwork, int *info) {
  return sygv<T, R>(call, itype, jobz, {CUSOLVER_EIG_RANGE_ALL, 0, 0, 0, 0}, uplo, n, A, lda, B, ldb, nullptr, W, work,
                    lwork, info, false);
}
template <class T, class R>
cusolverStatus_t sygvj(Call call, cusolverEigType_t itype, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T *A,
                       int lda, T *B, int ldb, R *W, T *work, int lwork, int *info, JacobiInfo *params) {
  call.require(params != nullptr);
  if (call.isOk()) params->wasBatched = false;
  return sygv<T, R>(call, itype, jobz, {CUSOLVER_EIG_RANGE_ALL, 0, 0, 0, 0}, uplo, n, A, lda, B, ldb, nullptr, W, work,
                    lwork, info, true);
}
template <class T, class R>
cusolverStatus_t sygvdx(Call call, cusolverEigType_t itype, cusolverEigMode_t jobz, cusolverEigRange_t range,
                        cublasFillMode_t uplo, int n, T *A, int lda, T *B, int ldb, R vl, R vu, int il, int iu,
                        int *found, R *W, T *work, int lwork, int *info) {
  call.require(found != nullptr);
  return sygv<T, R>(call, itype, jobz, {range, vl, vu, il, iu}, uplo, n, A, lda, B, ldb, found, W, work, lwork, info,
                    false);
}

template <class T, class R>
cusolverStatus_t gebrd(Call call, int m, int n, T *A, int lda, R *D, R *E, T *tauQ, T *tauP, T *work, int lwork,
                       int *info) {
  call.require(m >= n); // "Remark: gebrd only supports m>=n."
  call.matrix(A, m, n, lda);
  call.vector(D, n);
  call.vector(E, n - 1);
  call.vector(tauQ, n);
  call.vector(tauP, n);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"gebrd", Host<T>>());
  return call.run([=] {
    *info = withWork<Host<T>>([=](Host<T> *space, int size, int *done) {
      cublas::call<"gebrd", Host<T>>(m, n, host(A), lda, D, E, host(tauQ), host(tauP), space, size, done);
    });
  });
}

inline cusolverStatus_t gesvdSize(Call call, int m, int n, int *lwork) {
  call.require(m >= n); // "Remark 1: gesvd only supports m>=n."
  return size(call, lwork, anyFill, m, n, std::max(1, m));
}

template <class T, class R, class W>
cusolverStatus_t gesvd(Call call, signed char jobu, signed char jobvt, int64_t m, int64_t n, T *A, int64_t lda, R *S,
                       T *U, int64_t ldu, T *VT, int64_t ldvt, W *work, int64_t lwork, R *rwork, int *info) {
  const auto isJob = [](char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; };
  const char left = char(jobu), right = char(jobvt);
  call.require(isJob(left) && isJob(right) && !(left == 'O' && right == 'O') && m >= n);
  call.matrix(A, m, n, lda);
  call.vector(S, n);
  call.leading(ldu, m);
  call.leading(ldvt, n);
  if (left == 'A' || left == 'S') call.matrix(U, m, left == 'A' ? m : n, ldu);
  if (right == 'A' || right == 'S') call.matrix(VT, n, n, ldvt);
  call.workspace(work, lwork);
  if (rwork) call.vector(rwork, n - 1);
  call.info(info);
  call.needs(cublas::routineOf<"gesvd", Host<T>>());
  return call.run([=] {
    using H = Host<T>;
    std::vector<R> rest(5 * n + 1); // of a complex matrix the elements beside the diagonal that did not vanish
    *info = withWork<H>([&](H *space, int size, int *done) {
      if constexpr (kIsComplex<H>)
        cublas::call<"gesvd", H>(left, right, int(m), int(n), host(A), int(lda), S, host(U), int(ldu), host(VT),
                                 int(ldvt), space, size, rest.data(), done);
      else
        cublas::call<"gesvd", H>(left, right, int(m), int(n), host(A), int(lda), S, host(U), int(ldu), host(VT),
                                 int(ldvt), space, size, done);
      if constexpr (!kIsComplex<H>) // of a real one they lie behind the first of the work area
        if (*done > 0) std::copy_n(space + 1, n - 1, rest.begin());
    });
    if (rwork && *info > 0) std::copy_n(rest.begin(), n - 1, rwork);
  });
}

/// A = U S V^H: the values, and if wanted so many columns of U and of V. A is lost. 0, or min(m, n) + 1 if nothing
/// converged.
template <class H>
int singular(int m, int n, H *A, int lda, Part<H> *S, H *U, int64_t ldu, int64_t columnsU, H *V, int64_t ldv,
             int64_t columnsV) {
  const int least = std::min(m, n), most = std::max(m, n);
  const char job = columnsU + columnsV == 0 ? 'N' : std::max(columnsU, columnsV) > least ? 'A' : 'S';
  const int rowsVT = job == 'A' ? n : job == 'S' ? least : 1, allU = job == 'A' ? m : job == 'S' ? least : 1;
  std::vector<H> left(size_t(m) * allU + 1), right(size_t(rowsVT) * n + 1);
  std::vector<int> integer(8 * size_t(least) + 1);
  std::vector<Part<H>> real(kIsComplex<H> ? size_t(least) * std::max(5 * least + 7, 2 * most + 2 * least + 1) + 1 : 1);
  const int info = withWork<H>([&](H *space, int size, int *done) {
    if constexpr (kIsComplex<H>)
      cublas::call<"gesdd", H>(job, m, n, A, lda, S, left.data(), std::max(1, m), right.data(), std::max(1, rowsVT),
                               space, size, real.data(), integer.data(), done);
    else
      cublas::call<"gesdd", H>(job, m, n, A, lda, S, left.data(), std::max(1, m), right.data(), std::max(1, rowsVT),
                               space, size, integer.data(), done);
  });
  for (int64_t column = 0; column < columnsU; ++column) std::copy_n(left.data() + column * m, m, U + column * ldu);
  for (int64_t column = 0; column < columnsV; ++column)
    for (int64_t row = 0; row < n; ++row)
      V[row + column * ldv] = cublas::conjugate(right[column + row * int64_t(rowsVT)]);
  return info == 0 ? 0 : least + 1;
}

/// "econ = 0: U is m by m and V n by n; econ = 1: U is m by min(m,n) and V n by min(m,n)"
template <class T, class R, class W>
cusolverStatus_t gesvdp(Call call, cusolverEigMode_t jobz, int econ, int64_t m, int64_t n, T *A, int64_t lda, R *S,
                        T *U, int64_t ldu, T *V, int64_t ldv, W *work, int64_t lwork, int *infos, int64_t count) {
  const int64_t least = std::min(m, n);
  const bool hasVectors = call.vectors(jobz) == 'V';
  const int64_t columnsU = !hasVectors ? 0 : econ ? least : m, columnsV = !hasVectors ? 0 : econ ? least : n;
  call.sizes(count);
  call.require(econ == 0 || econ == 1);
  call.matrix(A, m, n, lda, count, lda * n);
  call.vector(S, least * count);
  call.leading(ldu, m);
  call.leading(ldv, n);
  if (hasVectors) {
    call.matrix(U, m, columnsU, ldu, count, ldu * columnsU);
    call.matrix(V, n, columnsV, ldv, count, ldv * columnsV);
  }
  call.workspace(work, lwork);
  call.info(infos, count);
  call.needs(cublas::routineOf<"gesdd", Host<T>>());
  return call.run([=] {
    for (int64_t i = 0; i < count; ++i)
      infos[i] =
          singular<Host<T>>(int(m), int(n), host(A) + i * lda * n, int(lda), S + i * least,
                            host(U) + i * ldu * columnsU, ldu, columnsU, host(V) + i * ldv * columnsV, ldv, columnsV);
  });
}
template <class T, class R>
cusolverStatus_t gesvdj(Call call, cusolverEigMode_t jobz, int econ, int m, int n, T *A, int lda, R *S, T *U, int ldu,
                        T *V, int ldv, T *work, int lwork, int *info, JacobiInfo *params) {
  call.require(params != nullptr);
  if (call.isOk()) params->wasBatched = false;
  return gesvdp(call, jobz, econ, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, info, 1);
}
template <class T, class R>
cusolverStatus_t gesvdjBatched(Call call, cusolverEigMode_t jobz, int m, int n, T *A, int lda, R *S, T *U, int ldu,
                               T *V, int ldv, T *work, int lwork, int *infos, JacobiInfo *params, int count) {
  call.require(params != nullptr && m <= 32 && n <= 32); // "of the same size m,n no greater than 32"
  if (call.isOk()) params->wasBatched = true;
  return gesvdp(call, jobz, 0, m, n, A, lda, S, U, ldu, V, ldv, work, lwork, infos, count);
}

/// "if the parameter rank is equal n" how far U S V^H is from A, "otherwise ... how far U is from unitary".
template <class H>
double residualNorm(int64_t m, int64_t n, int64_t rank, const H *A, int64_t lda, const Part<H> *S, const H *U,
                    int64_t ldu, const H *V, int64_t ldv) {
  double sum = 0;
  for (int64_t column = 0; column < (rank == n ? n : rank); ++column)
    for (int64_t row = 0; row < (rank == n ? m : rank); ++row) {
      H value{};
      if (rank == n)
        for (int64_t i = 0; i < rank; ++i) value += U[row + i * ldu] * S[i] * cublas::conjugate(V[column + i * ldv]);
      else
        for (int64_t i = 0; i < m; ++i) value += cublas::conjugate(U[i + row * ldu]) * U[i + column * ldu];
      sum += double(std::norm(value - (rank == n ? A[row + column * lda] : H(row == column))));
    }
  return std::sqrt(sum);
}

template <class T, class R>
cusolverStatus_t gesvda(Call call, cusolverEigMode_t jobz, int rank, int m, int n, const T *A, int lda,
                        long long strideA, R *S, long long strideS, T *U, int ldu, long long strideU, T *V, int ldv,
                        long long strideV, T *work, int lwork, int *infos, double *norms, int count) {
  const bool hasVectors = call.vectors(jobz) == 'V';
  call.sizes(rank);
  // "Remark 2: The routine only supports m >=n"; "strideA<lda*n or strideS<rank or strideU<ldu*rank or strideV<ldv*rank
  // or batchSize<1"
  call.require(m >= n && rank <= n && count >= 1 && strideA >= int64_t(lda) * n && strideS >= rank);
  call.matrix(A, m, n, lda, count, strideA);
  call.vector(S, (count - 1) * strideS + rank);
  if (hasVectors) {
    call.require(strideU >= int64_t(ldu) * rank && strideV >= int64_t(ldv) * rank);
    call.matrix(U, m, rank, ldu, count, strideU);
    call.matrix(V, n, rank, ldv, count, strideV);
  }
  call.workspace(work, lwork);
  if (infos) call.vector(infos, count);
  call.needs(cublas::routineOf<"gesdd", Host<T>>());
  return call.run(
      [=] {
        using H = Host<T>;
        std::vector<H> copy(size_t(m) * n + 1);
        std::vector<R> values(n + 1);
        for (int64_t i = 0; i < count; ++i) {
          const H *const from = host(A) + i * strideA;
          H *const left = host(U) + i * strideU, *const right = host(V) + i * strideV;
          for (int64_t column = 0; column < n; ++column) std::copy_n(from + column * lda, m, copy.data() + column * m);
          const int info = singular<H>(m, n, copy.data(), std::max(1, m), values.data(), left, ldu,
                                       hasVectors ? rank : 0, right, ldv, hasVectors ? rank : 0);
          std::copy_n(values.data(), rank, S + i * strideS);
          if (infos) infos[i] = info;
          if (norms && hasVectors)
            norms[i] = residualNorm<H>(m, n, rank, from, lda, values.data(), left, ldu, right, ldv);
        }
      },
      norms != nullptr);
}

/// The k greatest of them, which cuSOLVER finds by chance: "jobu = 'S': the first k columns of U".
template <class T, class R>
cusolverStatus_t gesvdr(Call call, signed char jobu, signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p, T *A,
                        int64_t lda, R *S, T *U, int64_t ldu, T *V, int64_t ldv, const void *work, int64_t lwork,
                        int *info) {
  const int64_t least = std::min(m, n), columnsU = jobu == 'S' ? k : 0, columnsV = jobv == 'S' ? k : 0;
  call.require((jobu == 'S' || jobu == 'N') && (jobv == 'S' || jobv == 'N'));
  call.sizes(k, p);
  call.require(k + p <= least); // "1 <= k <= min(m,n)" and "k+p < min(m,n)"
  call.matrix(A, m, n, lda);
  call.vector(S, k);
  if (columnsU) call.matrix(U, m, k, ldu);
  if (columnsV) call.matrix(V, n, k, ldv);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"gesdd", Host<T>>());
  return call.run([=] {
    std::vector<R> values(least + 1);
    *info = singular<Host<T>>(int(m), int(n), host(A), int(lda), values.data(), host(U), ldu, columnsU, host(V), ldv,
                              columnsV);
    std::copy_n(values.data(), k, S);
  });
}

/// Eigenvalues of any square matrix. W is complex, or real with the imaginary parts behind the real ones.
template <class T, class W>
cusolverStatus_t geev(Call call, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n, T *A, int64_t lda,
                      W *values, T *VR, int64_t ldvr, const void *work, int64_t lwork, int *info) {
  using H = Host<T>;
  const char right = call.vectors(jobvr);
  call.require(jobvl == CUSOLVER_EIG_MODE_NOVECTOR); // "geev only supports the computation of right eigenvectors"
  call.matrix(A, n, n, lda);
  call.vector(values, kIsComplex<W> ? n : 2 * n);
  if (right == 'V') call.matrix(VR, n, n, ldvr);
  call.workspace(work, lwork);
  call.info(info);
  call.needs(cublas::routineOf<"geev", H>());
  const int leadingRight = int(right == 'V' ? ldvr : std::max<int64_t>(1, n));
  return call.run([=] {
    std::vector<Part<H>> real(2 * n + 1);
    H none{};
    *info = withWork<H>([&](H *space, int size, int *done) {
      if constexpr (kIsComplex<H>)
        cublas::call<"geev", H>('N', right, int(n), A, int(lda), values, &none, 1, VR, leadingRight, space, size,
                                real.data(), done);
      else
        cublas::call<"geev", H>('N', right, int(n), A, int(lda), real.data(), real.data() + n, &none, 1, VR,
                                leadingRight, space, size, done);
    });
    if constexpr (!kIsComplex<H> && kIsComplex<W>)
      for (int64_t i = 0; i < n; ++i) values[i] = W(real[i], real[i + n]);
    else if constexpr (!kIsComplex<H>)
      std::copy_n(real.begin(), 2 * n, values);
  });
}

} // namespace us::cusolver
