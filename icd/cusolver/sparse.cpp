// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems of sparse matrices: these are reordered so that all lies near the diagonal, and factored as bands.
#include "icd/cusolver/linear.h"
#include "icd/cusparse/descriptor.h"

#include <memory>
#include <new>
#include <numeric>

namespace us::cusolver {
namespace {

template <class H> struct Entry {
  int row, column;
  H value;
};

/// Diagonals below and above the main one, column by column.
template <class H> struct Band {
  int64_t size, below, above, leading;
  std::vector<H> values;
  Band(int64_t size, int64_t below, int64_t above)
      : size(size), below(below), above(above), leading(below + above + 1), values(size_t(size * leading)) {}
  H &operator()(int64_t row, int64_t column) { return values[column * leading + above + row - column]; }
};

/// Rows in the order of Cuthill and McKee, reversed: neighbours get numbers near one another. Where each row goes.
template <class H> std::vector<int> reordered(int n, const std::vector<Entry<H>> &entries) {
  std::vector<std::vector<int>> neighbours(n);
  for (const Entry<H> &entry : entries)
    if (entry.row != entry.column) {
      neighbours[entry.row].push_back(entry.column);
      neighbours[entry.column].push_back(entry.row);
    }
  const auto byDegree = [&](int a, int b) { return neighbours[a].size() < neighbours[b].size(); };
  for (std::vector<int> &near : neighbours) std::stable_sort(near.begin(), near.end(), byDegree);

  std::vector<int> seen(n, 0), starts(n), order;
  int walks = 0;
  const auto walk = [&](int start) { // all that is connected with it, nearest first
    std::vector<int> found = {start};
    seen[start] = ++walks;
    for (size_t i = 0; i < found.size(); ++i)
      for (const int next : neighbours[found[i]])
        if (seen[next] != walks) {
          seen[next] = walks;
          found.push_back(next);
        }
    return found;
  };
  std::iota(starts.begin(), starts.end(), 0);
  std::stable_sort(starts.begin(), starts.end(), byDegree);
  for (const int start : starts)
    if (!seen[start]) {
      const std::vector<int> part = walk(walk(walk(start).back()).back()); // from one end of the graph
      order.insert(order.end(), part.begin(), part.end());
    }
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i) places[order[i]] = n - 1 - i;
  return places;
}

/// x becomes the solution; -1, or the first j for which |R(j,j)| is not above the tolerance.
template <class H> int solveByQR(Band<H> &A, Part<H> tolerance, std::vector<H> &x) {
  int singular = -1;
  std::vector<H> reflector(A.below + 1);
  for (int64_t j = 0; j < A.size; ++j) {
    const int64_t count = std::min(A.below, A.size - 1 - j) + 1, end = std::min(A.size, j + A.above + 1);
    Part<H> squares = 0;
    for (int64_t i = 0; i < count; ++i) {
      reflector[i] = A(j + i, j);
      squares += std::norm(reflector[i]);
    }
    const Part<H> norm = std::sqrt(squares), first = std::abs(reflector[0]);
    if (singular < 0 && !(norm > tolerance)) singular = int(j);
    if (norm == 0) continue;
    const H diagonal = first == 0 ? H(-norm) : -reflector[0] * (norm / first);
    reflector[0] -= diagonal;
    const Part<H> scale = 1 / (norm * (norm + first)); // two over the reflector's square
    const auto reflect = [&](auto at) {
      H product{};
      for (int64_t i = 0; i < count; ++i) product += cublas::conjugate(reflector[i]) * at(i);
      for (int64_t i = 0; i < count; ++i) at(i) -= reflector[i] * (product * scale);
    };
    for (int64_t column = j + 1; column < end; ++column) reflect([&](int64_t i) -> H & { return A(j + i, column); });
    reflect([&](int64_t i) -> H & { return x[j + i]; });
    A(j, j) = diagonal;
  }
  for (int64_t j = A.size - 1; j >= 0; --j) {
    x[j] /= A(j, j);
    for (int64_t row = std::max<int64_t>(0, j - A.above); row < j; ++row) x[row] -= A(row, j) * x[j];
  }
  return singular;
}

/// "singularity is the minimum" k for which A(0:k, 0:k) is not positive definite, or G(k,k) not above the tolerance.
template <class H> int solveByCholesky(Band<H> &A, Part<H> tolerance, std::vector<H> &x) {
  int info = 0;
  const int n = int(A.size), below = int(A.below), leading = int(A.leading);
  cublas::call<"pbtrf", H>('L', n, below, A.values.data(), leading, &info);
  if (info != 0) return info - 1;
  cublas::call<"pbtrs", H>('L', n, below, 1, A.values.data(), leading, x.data(), n, &info);
  for (int j = 0; j < n; ++j)
    if (!(std::real(A(j, j)) > tolerance)) return j;
  return -1;
}

template <class T, class R>
cusolverStatus_t solve(Call call, int n, int nnz, const cusparseMatDescr *descriptor, const T *values,
                       const int *offsets, const int *columns, const T *b, R tolerance, int reorder, T *x,
                       int *singularity, bool isCholesky) {
  // "m,nnz<=0, base index is not 0 or 1, reorder is not 0,1,2,3"
  call.require(n > 0 && nnz > 0 && descriptor && reorder >= 0 && reorder <= 3 && singularity);
  if (call.isOk() && descriptor->type != CUSPARSE_MATRIX_TYPE_GENERAL)
    call.fail(CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  call.vector(values, nnz);
  call.vector(offsets, int64_t(n) + 1);
  call.vector(columns, nnz);
  call.vector(b, n);
  call.vector(x, n);
  if (isCholesky) call.needs(cublas::routineOf<"pbtrf", Host<T>>());
  if (!call.isOk()) return call.status();
  const auto isTooLarge = std::make_shared<bool>(false);
  const cusolverStatus_t status = call.run(
      [=, base = int(descriptor->base)] {
        using H = Host<T>;
        std::vector<Entry<H>> entries;
        for (int row = 0; row < n; ++row)
          for (int i = std::max(0, offsets[row] - base); i < std::min(nnz, offsets[row + 1] - base); ++i)
            if (const int column = columns[i] - base; column >= 0 && column < n)
              entries.push_back({row, column, host(values)[i]});
        std::vector<int> places(n);
        std::iota(places.begin(), places.end(), 0);
        if (reorder) places = reordered(n, entries);
        int64_t below = 0, above = 0;
        for (const Entry<H> &entry : entries) {
          below = std::max<int64_t>(below, places[entry.row] - places[entry.column]);
          above = std::max<int64_t>(above, places[entry.column] - places[entry.row]);
        }
        try {
          // R has what is above, and what reflections bring there; Cholesky's factor nothing.
          Band<H> A(n, below, isCholesky ? 0 : below + above);
          for (const Entry<H> &entry : entries)
            if (const int row = places[entry.row], column = places[entry.column]; !isCholesky || row >= column)
              A(row, column) += entry.value;
          std::vector<H> solution(n);
          for (int i = 0; i < n; ++i) solution[places[i]] = host(b)[i];
          const R least = std::max(tolerance, R(0));
          *singularity = isCholesky ? solveByCholesky(A, least, solution) : solveByQR(A, least, solution);
          for (int i = 0; i < n; ++i) host(x)[i] = solution[places[i]];
        } catch (const std::bad_alloc &) {
          *isTooLarge = true;
        }
      },
      true);
  return *isTooLarge ? CUSOLVER_STATUS_ALLOC_FAILED : status;
}

template <class T, class R>
cusolverStatus_t csrlsvqr(Call call, int n, int nnz, const cusparseMatDescr *descriptor, const T *values,
                          const int *offsets, const int *columns, const T *b, R tolerance, int reorder, T *x,
                          int *singularity) {
  return solve(call, n, nnz, descriptor, values, offsets, columns, b, tolerance, reorder, x, singularity, false);
}
template <class T, class R>
cusolverStatus_t csrlsvchol(Call call, int n, int nnz, const cusparseMatDescr *descriptor, const T *values,
                            const int *offsets, const int *columns, const T *b, R tolerance, int reorder, T *x,
                            int *singularity) {
  return solve(call, n, nnz, descriptor, values, offsets, columns, b, tolerance, reorder, x, singularity, true);
}

cusolverStatus_t missing(Call call) {
  if (call.isOk()) math::say(call.function(), "this function is not supported");
  call.fail(CUSOLVER_STATUS_NOT_SUPPORTED);
  return call.status();
}

} // namespace
} // namespace us::cusolver

using namespace us::cusolver;

US_CUSOLVERSP(US_DEFINE)
