// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of three and five diagonals: with pivots by the host's LAPACK, without them from the first row to the last
// and back.
#include "icd/cusparse/call.h"
#include "icd/cusparse/numbers.h"

#include <limits>

namespace us::cusparse {
namespace {

/// A diagonal, or a right-hand side that becomes the solution: one number each stride.
template <class T> struct Line {
  T *first;
  int64_t stride;
  T &operator[](int64_t i) const { return first[i * stride]; }
  std::vector<std::remove_const_t<T>> copy(int64_t begin, int64_t end) const {
    std::vector<std::remove_const_t<T>> values;
    for (int64_t i = begin; i < end; ++i) values.push_back((*this)[i]);
    return values;
  }
};
template <class T> Line<Host<T>> line(T *pointer, int64_t stride = 1) { return {host(pointer), stride}; }
template <class T> Line<const Host<T>> line(const T *pointer, int64_t stride = 1) { return {host(pointer), stride}; }

/// Thomas' method: "does not perform any pivoting".
template <class H>
void solveInOrder(int m, Line<const H> lower, Line<const H> diagonal, Line<const H> upper, Line<H> x) {
  using W = std::conditional_t<cublas::kIsComplex<H>, std::complex<double>, double>;
  std::vector<W> above(m), right(m);
  for (int i = 0; i < m; ++i) {
    const W pivot = W(diagonal[i]) - (i ? W(lower[i]) * above[i - 1] : W{});
    above[i] = i + 1 < m ? W(upper[i]) / pivot : W{};
    right[i] = (W(x[i]) - (i ? W(lower[i]) * right[i - 1] : W{})) / pivot;
  }
  for (int i = m - 2; i >= 0; --i) right[i] -= above[i] * right[i + 1];
  for (int i = 0; i < m; ++i) x[i] = H(right[i]);
}

/// A system without a solution has numbers that are none as one.
template <class H> void keep(int m, const std::vector<H> &solution, int info, Line<H> x) {
  for (int i = 0; i < m; ++i) x[i] = info ? H(std::numeric_limits<cublas::Part<H>>::quiet_NaN()) : solution[i];
}
template <class H> void solveThree(int m, Line<const H> dl, Line<const H> d, Line<const H> du, Line<H> x) {
  std::vector<H> lower = dl.copy(1, m), diagonal = d.copy(0, m), upper = du.copy(0, m - 1), right = x.copy(0, m);
  int info = 0;
  cublas::call<"gtsv", H>(m, 1, lower.data(), diagonal.data(), upper.data(), right.data(), m, &info);
  keep(m, right, info, x);
}
template <class H> void solveFive(int m, const Line<const H> (&diagonals)[5], Line<H> x) {
  constexpr int kBelow = 2, kAbove = 2, kLeading = 2 * kBelow + kAbove + 1;
  std::vector<H> band(size_t(m) * kLeading), right = x.copy(0, m);
  for (int row = 0; row < m; ++row)
    for (int k = 0; k < 5; ++k)
      if (const int column = row + k - kBelow; column >= 0 && column < m)
        band[size_t(column) * kLeading + kBelow + kAbove + row - column] = diagonals[k][row];
  std::vector<int> pivots(m);
  int info = 0;
  cublas::call<"gbsv", H>(m, kBelow, kAbove, 1, band.data(), kLeading, pivots.data(), right.data(), m, &info);
  keep(m, right, info, x);
}

void needs(Call &call, void *routine) {
  if (!call.isOk() || routine) return;
  math::say(call.function(), "the host has no LAPACK: install libopenblas0 or liblapack3");
  call.fail(CUSPARSE_STATUS_NOT_SUPPORTED);
}

/// "m: the size of the linear system (must be >= 3)"
constexpr int kLeast = 3;

template <class T>
cusparseStatus_t three(Call call, int m, int n, const T *dl, const T *d, const T *du, T *B, int ldb, void *buffer,
                       bool isPivoted) {
  call.require(m >= kLeast && n >= 0 && ldb >= m);
  call.buffer(buffer);
  call.vector(dl, m);
  call.vector(d, m);
  call.vector(du, m);
  if (n > 0) call.vector(B, int64_t(n - 1) * ldb + m);
  if (isPivoted) needs(call, cublas::routineOf<"gtsv", Host<T>>());
  return call.run([=] {
    for (int i = 0; i < n; ++i)
      (isPivoted ? solveThree<Host<T>> : solveInOrder<Host<T>>)(m, line(dl), line(d), line(du),
                                                                line(B + int64_t(i) * ldb));
  });
}
template <class T>
cusparseStatus_t gtsv2(Call call, int m, int n, const T *dl, const T *d, const T *du, T *B, int ldb, void *buffer) {
  return three(call, m, n, dl, d, du, B, ldb, buffer, true);
}
template <class T>
cusparseStatus_t gtsv2_nopivot(Call call, int m, int n, const T *dl, const T *d, const T *du, T *B, int ldb,
                               void *buffer) {
  return three(call, m, n, dl, d, du, B, ldb, buffer, false);
}
template <class T>
cusparseStatus_t gtsv2_bufferSizeExt(Call call, int m, int n, const T *, const T *, const T *, const T *, int ldb,
                                     size_t *size) {
  call.require(m >= kLeast && n >= 0 && ldb >= m);
  return bufferSize(call, size);
}
template <class T>
cusparseStatus_t gtsv2_nopivot_bufferSizeExt(Call call, int m, int n, const T *dl, const T *d, const T *du, const T *B,
                                             int ldb, size_t *size) {
  return gtsv2_bufferSizeExt(call, m, n, dl, d, du, B, ldb, size);
}

template <class T>
cusparseStatus_t gtsv2StridedBatch_bufferSizeExt(Call call, int m, const T *, const T *, const T *, const T *,
                                                 int count, int stride, size_t *size) {
  call.require(m >= kLeast && count >= 0 && stride >= m);
  return bufferSize(call, size);
}
/// "stride ... must be at least m", and without pivots.
template <class T>
cusparseStatus_t gtsv2StridedBatch(Call call, int m, const T *dl, const T *d, const T *du, T *x, int count, int stride,
                                   void *buffer) {
  call.require(m >= kLeast && count >= 0 && stride >= m);
  call.buffer(buffer);
  if (count > 0)
    for (const T *pointer : {dl, d, du, static_cast<const T *>(x)})
      call.vector(pointer, int64_t(count - 1) * stride + m);
  return call.run([=] {
    for (int64_t i = 0; i < count; ++i)
      solveInOrder<Host<T>>(m, line(dl + i * stride), line(d + i * stride), line(du + i * stride),
                            line(x + i * stride));
  });
}

template <class T>
cusparseStatus_t gtsvInterleavedBatch_bufferSizeExt(Call call, int algo, int m, const T *, const T *, const T *,
                                                    const T *, int count, size_t *size) {
  call.require(algo >= 0 && algo <= 2 && m >= 0 && count >= 0);
  return bufferSize(call, size);
}
/// "algo = 0: cuThomas (unstable algorithm); algo = 1: LU with pivoting (stable); algo = 2: QR (stable)"
template <class T>
cusparseStatus_t gtsvInterleavedBatch(Call call, int algo, int m, T *dl, T *d, T *du, T *x, int count, void *buffer) {
  call.require(algo >= 0 && algo <= 2 && m >= 0 && count >= 0);
  call.buffer(buffer);
  for (const T *pointer : {dl, d, du, x}) call.vector(pointer, int64_t(m) * count);
  if (algo) needs(call, cublas::routineOf<"gtsv", Host<T>>());
  return call.run([=] {
    using H = Host<T>;
    for (int i = 0; m > 0 && i < count; ++i)
      (algo ? solveThree<H> : solveInOrder<H>)(m, line<const T>(dl + i, count), line<const T>(d + i, count),
                                               line<const T>(du + i, count), line(x + i, count));
  });
}

template <class T>
cusparseStatus_t gpsvInterleavedBatch_bufferSizeExt(Call call, int algo, int m, const T *, const T *, const T *,
                                                    const T *, const T *, const T *, int count, size_t *size) {
  call.require(algo == 0 && m >= 0 && count >= 0);
  return bufferSize(call, size);
}
/// "algo = 0: QR": what LU with pivots solves too.
template <class T>
cusparseStatus_t gpsvInterleavedBatch(Call call, int algo, int m, T *ds, T *dl, T *d, T *du, T *dw, T *x, int count,
                                      void *buffer) {
  call.require(algo == 0 && m >= 0 && count >= 0);
  call.buffer(buffer);
  for (const T *pointer : {ds, dl, d, du, dw, x}) call.vector(pointer, int64_t(m) * count);
  needs(call, cublas::routineOf<"gbsv", Host<T>>());
  return call.run([=] {
    const auto of = [&](const T *first) { return line(first, count); };
    for (int i = 0; m > 0 && i < count; ++i)
      solveFive<Host<T>>(m, {of(ds + i), of(dl + i), of(d + i), of(du + i), of(dw + i)}, line(x + i, count));
  });
}

} // namespace
} // namespace us::cusparse

US_CUSPARSE_DIAGONALS(US_DEFINE)
