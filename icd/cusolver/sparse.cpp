// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Systems and eigenvalues of sparse matrices, in memory of the device or, where a name ends with Host, of the host;
// orders of such matrices.
#include "icd/cusolver/sparse.h"

#include <memory>

namespace us::cusolver {
namespace {

template <class T, class R>
cusolverStatus_t solve(Call call, Where where, Method method, int n, int nnz, const cusparseMatDescr *descriptor,
                       const T *values, const int *offsets, const int *columns, const T *b, R tolerance, int reorder,
                       T *x, int *singularity) {
  using H = Host<T>;
  const Csr A = csrOf(n, nnz, descriptor, offsets, columns);
  // "m,nnz<=0, base index is not 0 or 1, reorder is not 0,1,2,3"
  call.require(n > 0 && nnz > 0 && reorder >= 0 && reorder <= 3 && singularity);
  check(call, where, A, descriptor, values);
  vector(call, where, b, n);
  vector(call, where, x, n);
  call.needs(Factors<H>::needs(method));
  return compute(call, where, [=] {
    const std::vector<Entry<H>> entries = A.entries(host(values));
    const R least = std::max(tolerance, R(0));
    const bool isFree = reorder != 0;
    auto factors = std::make_unique<Factors<H>>(method, n, entries, true, isFree);
    *singularity = factors->singularity(least);
    if (*singularity >= 0 && !isFree && factors->isReordered()) { // where is asked for in the order that was given
      factors.reset();
      factors = std::make_unique<Factors<H>>(method, n, entries, false, false);
      *singularity = factors->singularity(least);
    }
    factors->solve(host(b), host(x));
  });
}

#define US_SYSTEM                                                                                                      \
  int n, int nnz, const cusparseMatDescr *descriptor, const T *values, const int *offsets, const int *columns,         \
      const T *b, R tolerance, int reorder, T *x, int *singularity
#define US_SOLVE(NAME, WHERE, METHOD)                                                                                  \
  template <class T, class R> cusolverStatus_t NAME(Call call, US_SYSTEM) {                                            \
    return solve(call, WHERE, METHOD, n, nnz, descriptor, values, offsets, columns, b, tolerance, reorder, x,          \
                 singularity);                                                                                         \
  }
US_SOLVE(csrlsvqr, Where::kDevice, Method::kQR)
US_SOLVE(csrlsvchol, Where::kDevice, Method::kCholesky)
US_SOLVE(csrlsvluHost, Where::kHost, Method::kLU)
US_SOLVE(csrlsvqrHost, Where::kHost, Method::kQR)
US_SOLVE(csrlsvcholHost, Where::kHost, Method::kCholesky)

/// The eigenvalue nearest to mu0: "shift-inverse power method".
template <class T, class R>
cusolverStatus_t eigenvalue(Call call, Where where, int n, int nnz, const cusparseMatDescr *descriptor, const T *values,
                            const int *offsets, const int *columns, T mu0, const T *x0, int most, R tolerance, T *mu,
                            T *x) {
  using H = Host<T>;
  const Csr A = csrOf(n, nnz, descriptor, offsets, columns);
  call.require(n > 0 && nnz > 0 && most > 0);
  check(call, where, A, descriptor, values);
  vector(call, where, x0, n);
  vector(call, where, x, n);
  vector(call, where, mu, 1);
  return compute(call, where, [=] {
    const std::vector<Entry<H>> entries = A.entries(host(values));
    const H wanted = *host(&mu0);
    const auto shifted = [&](H shift) {
      std::vector<Entry<H>> all = entries;
      for (int row = 0; row < n; ++row) all.push_back({row, row, -shift});
      return Factors<H>(Method::kQR, n, all, true, true);
    };
    Factors<H> factors = shifted(wanted);
    if (factors.singularity(0) >= 0) { // an eigenvalue itself: near it is as good
      R size = std::abs(wanted);
      for (const Entry<H> &entry : entries) size = std::max(size, R(std::abs(entry.value)));
      factors = shifted(wanted + H(size * std::sqrt(std::numeric_limits<R>::epsilon())));
    }
    std::vector<H> vector(host(x0), host(x0) + n), image(static_cast<size_t>(n));
    H value = wanted;
    for (int step = 0; step < most; ++step) {
      factors.solve(vector.data(), vector.data());
      R squares = 0;
      for (const H &one : vector) squares += std::norm(one);
      for (H &one : vector) one /= std::sqrt(squares);
      std::fill(image.begin(), image.end(), H{});
      for (const Entry<H> &entry : entries) image[entry.row] += entry.value * vector[entry.column];
      value = H{};
      for (int i = 0; i < n; ++i) value += cublas::conjugate(vector[i]) * image[i];
      R rest = 0;
      for (int i = 0; i < n; ++i) rest += std::norm(image[i] - value * vector[i]);
      if (std::sqrt(rest) < tolerance) break;
    }
    std::copy(vector.begin(), vector.end(), host(x));
    *host(mu) = value;
  });
}
#define US_EIGENVALUE                                                                                                  \
  int n, int nnz, const cusparseMatDescr *descriptor, const T *values, const int *offsets, const int *columns, T mu0,  \
      const T *x0, int most, R tolerance, T *mu, T *x
template <class T, class R> cusolverStatus_t csreigvsi(Call call, US_EIGENVALUE) {
  return eigenvalue(call, Where::kDevice, n, nnz, descriptor, values, offsets, columns, mu0, x0, most, tolerance, mu,
                    x);
}
template <class T, class R> cusolverStatus_t csreigvsiHost(Call call, US_EIGENVALUE) {
  return eigenvalue(call, Where::kHost, n, nnz, descriptor, values, offsets, columns, mu0, x0, most, tolerance, mu, x);
}

/// "permutation vector p of base-0": A(p, p) is what is asked for.
cusolverStatus_t orderBy(Call call, int n, int nnz, const cusparseMatDescr *descriptor, const int *offsets,
                         const int *columns, int *p, std::vector<int> (*order)(const Graph &)) {
  const Csr A = csrOf(n, nnz, descriptor, offsets, columns);
  call.require(n >= 0 && nnz >= 0);
  check<int>(call, Where::kHost, A, descriptor, nullptr, false);
  vector(call, Where::kHost, p, n);
  return compute(call, Where::kHost, [=] {
    const std::vector<int> rows = order(graphOf(n, A.entries<char>(nullptr)));
    std::copy(rows.begin(), rows.end(), p);
  });
}
#define US_PATTERN int n, int nnz, const cusparseMatDescr *descriptor, const int *offsets, const int *columns
cusolverStatus_t csrsymrcmHost(Call call, US_PATTERN, int *p) {
  return orderBy(call, n, nnz, descriptor, offsets, columns, p, reverseCuthillMcKee);
}
cusolverStatus_t csrsymmdqHost(Call call, US_PATTERN, int *p) {
  return orderBy(call, n, nnz, descriptor, offsets, columns, p, minimumDegree);
}
cusolverStatus_t csrsymamdHost(Call call, US_PATTERN, int *p) {
  return orderBy(call, n, nnz, descriptor, offsets, columns, p, minimumDegree);
}
/// METIS' options say how to part the graph; ours are none.
cusolverStatus_t csrmetisndHost(Call call, US_PATTERN, const int64_t *, int *p) {
  return orderBy(call, n, nnz, descriptor, offsets, columns, p, nestedDissection);
}

template <class T>
cusolverStatus_t csrzfdHost(Call call, int n, int nnz, const cusparseMatDescr *descriptor, const T *values,
                            const int *offsets, const int *columns, int *P, int *count) {
  const Csr A = csrOf(n, nnz, descriptor, offsets, columns);
  call.require(n >= 0 && nnz >= 0 && count);
  check(call, Where::kHost, A, descriptor, values);
  vector(call, Where::kHost, P, n);
  return compute(call, Where::kHost, [=] {
    using H = Host<T>;
    Graph graph(static_cast<size_t>(n));
    for (const Entry<H> &entry : A.entries(host(values)))
      if (entry.value != H{}) graph[entry.row].push_back(entry.column);
    std::vector<int> order;
    *count = zeroFreeDiagonal(graph, order);
    std::copy(order.begin(), order.end(), P);
  });
}

/// "issym: 1 if A is symmetric; 0 otherwise": its pattern.
cusolverStatus_t csrissymHost(Call call, int m, int nnz, const cusparseMatDescr *descriptor, const int *offsets,
                              const int *ends, const int *columns, int *issym) {
  call.require(m >= 0 && nnz >= 0 && descriptor && issym);
  vector(call, Where::kHost, offsets, m);
  vector(call, Where::kHost, ends, m);
  vector(call, Where::kHost, columns, nnz);
  return compute(call, Where::kHost, [=] {
    Graph rows(static_cast<size_t>(m)), turned(static_cast<size_t>(m));
    for (int row = 0; row < m; ++row)
      for (int i = std::max(0, offsets[row] - int(descriptor->base));
           i < std::min(nnz, ends[row] - int(descriptor->base)); ++i)
        if (const int column = columns[i] - int(descriptor->base); column >= 0 && column < m) {
          rows[row].push_back(column);
          turned[column].push_back(row);
        }
    finish(rows);
    finish(turned);
    *issym = rows == turned;
  });
}

cusolverStatus_t csrperm_bufferSizeHost(Call call, int m, int n, int nnz, const cusparseMatDescr *descriptor,
                                        const int *, const int *, const int *, const int *, size_t *size) {
  call.require(m >= 0 && n >= 0 && nnz >= 0 && descriptor && size);
  if (call.isOk()) *size = 1;
  return call.status();
}
/// "B = A(p, q)", and map is permuted along: B's values are A's at map.
cusolverStatus_t csrpermHost(Call call, int m, int n, int nnz, const cusparseMatDescr *descriptor, int *offsets,
                             int *columns, const int *p, const int *q, int *map, void *) {
  call.require(m >= 0 && n >= 0 && nnz >= 0 && descriptor);
  vector(call, Where::kHost, offsets, m + int64_t(1));
  vector(call, Where::kHost, columns, nnz);
  vector(call, Where::kHost, p, m);
  vector(call, Where::kHost, q, n);
  vector(call, Where::kHost, map, nnz);
  for (int i = 0; call.isOk() && i < m; ++i) call.require(p[i] >= 0 && p[i] < m);
  for (int i = 0; call.isOk() && i < n; ++i) call.require(q[i] >= 0 && q[i] < n);
  return compute(call, Where::kHost, [=, base = int(descriptor ? descriptor->base : 0)] {
    const std::vector<int> places = placesOf(std::vector<int>(q, q + n)), oldOffsets(offsets, offsets + m + 1),
                           oldColumns(columns, columns + nnz), oldMap(map, map + nnz);
    std::vector<std::pair<int, int>> line; // columns, and where they were
    int place = 0;
    for (int row = 0; row < m; ++row) {
      line.clear();
      for (int i = std::max(0, oldOffsets[p[row]] - base); i < std::min(nnz, oldOffsets[p[row] + 1] - base); ++i)
        if (const int column = oldColumns[i] - base; column >= 0 && column < n) line.emplace_back(places[column], i);
      std::sort(line.begin(), line.end());
      offsets[row] = place + base;
      for (const auto &[column, was] : line) {
        columns[place] = column + base;
        map[place++] = oldMap[was];
      }
    }
    offsets[m] = place + base;
  });
}

} // namespace
} // namespace us::cusolver

using namespace us::cusolver;

US_CUSOLVERSP(US_DEFINE)
