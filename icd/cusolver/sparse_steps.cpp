// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Factors of sparse matrices that are kept, so that many systems are solved with them.
#include "icd/cuda/include/cusolverSp_LOWLEVEL_PREVIEW.h"
#include "icd/cusolver/fill.h"
#include "icd/cusolver/sparse.h"

#include <optional>
#include <variant>

namespace us::cusolver {
namespace {

template <class H> struct Steps {
  std::vector<Entry<H>> entries;
  std::optional<Factors<H>> factors;
  std::optional<Filled> pattern; ///< of L and U, if it was asked for

  /// A(P, Q) row by row, and where its factors have elements.
  const Filled &filled() {
    if (pattern) return *pattern;
    const std::vector<int> rows = placesOf(factors->rowOrder()), columns = placesOf(factors->columnOrder());
    std::vector<std::vector<int>> permuted(rows.size());
    for (const Entry<H> &entry : entries) permuted[rows[entry.row]].push_back(columns[entry.column]);
    return pattern.emplace(fill(permuted));
  }
};
template <class H> using StepsOf = std::shared_ptr<Steps<H>>;

struct Info {
  Method method;
  int size = -1; ///< -1: not analysed
  std::variant<std::monostate, StepsOf<float>, StepsOf<double>, StepsOf<std::complex<float>>,
               StepsOf<std::complex<double>>>
      steps;

  template <class H> StepsOf<H> of() const {
    const auto *const found = std::get_if<StepsOf<H>>(&steps);
    return found ? *found : nullptr;
  }
};

} // namespace
} // namespace us::cusolver

#define US_INFO(NAME, METHOD)                                                                                          \
  struct NAME : us::cusolver::Info {                                                                                   \
    NAME() : Info{us::cusolver::Method::METHOD, -1, {}} {}                                                             \
  };
US_INFO(csrcholInfo, kCholesky)
US_INFO(csrcholInfoHost, kCholesky)
US_INFO(csrqrInfo, kQR)
US_INFO(csrqrInfoHost, kQR)
US_INFO(csrluInfoHost, kLU)

namespace us::cusolver {
namespace {

constexpr Where kHost = Where::kHost, kDevice = Where::kDevice;

/// Systems with more rows than columns, which QR would solve as well as can be, are not.
void square(Call &call, int m, int n) {
  call.require(m > 0 && n > 0);
  if (!call.isOk() || m == n) return;
  math::say(call.function(), "%d rows and %d columns: only square matrices are supported", m, n);
  call.fail(CUSOLVER_STATUS_NOT_SUPPORTED);
}

/// Nothing is prepared: how large the matrix is is kept.
template <Where where>
cusolverStatus_t analyse(Call call, int m, int n, int nnz, const cusparseMatDescr *descriptor, const int *offsets,
                         const int *columns, Info *info) {
  square(call, m, n);
  call.require(nnz >= 0 && info);
  check<int>(call, where, csrOf(n, nnz, descriptor, offsets, columns), descriptor, nullptr, false);
  if (!call.isOk()) return call.status();
  info->size = n;
  info->steps = {};
  return call.status();
}

template <Where where, class T>
cusolverStatus_t bufferInfo(Call call, int m, int n, int nnz, const cusparseMatDescr *descriptor, const T *,
                            const int *, const int *, const Info *info, size_t *internal, size_t *workspace) {
  square(call, m, n);
  call.require(nnz >= 0 && descriptor && info && info->size == n && internal && workspace);
  if (call.isOk()) *internal = *workspace = 128; // which nothing needs
  return call.status();
}

/// Elements of A - mu I.
template <Where where, class T>
cusolverStatus_t setUp(Call call, int m, int n, int nnz, const cusparseMatDescr *descriptor, const T *values,
                       const int *offsets, const int *columns, T mu, Info *info) {
  using H = Host<T>;
  const Csr A = csrOf(n, nnz, descriptor, offsets, columns);
  square(call, m, n);
  call.require(nnz >= 0 && info && info->size == n);
  check(call, where, A, descriptor, values);
  if (!call.isOk()) return call.status();
  const auto steps = std::make_shared<Steps<H>>();
  info->steps = steps;
  return compute(call, where, [=] {
    steps->entries = A.entries(host(values));
    if (const H shift = *host(&mu); shift != H{})
      for (int row = 0; row < n; ++row) steps->entries.push_back({row, row, -shift});
  });
}

template <Where where, class T>
cusolverStatus_t solveStep(Call call, int m, int n, const T *b, T *x, const Info *info, void *) {
  using H = Host<T>;
  square(call, m, n);
  const StepsOf<H> steps = info ? info->of<H>() : nullptr;
  call.require(steps && info->size == n && steps->factors);
  vector(call, where, b, n);
  vector(call, where, x, n);
  return compute(call, where, [=] { steps->factors->solve(host(b), host(x)); });
}

/// With a right-hand side it is solved for too.
template <Where where, class T>
cusolverStatus_t factorStep(Call call, int m, int n, int nnz, const T *b, T *x, const Info *info, void *buffer) {
  using H = Host<T>;
  square(call, m, n);
  const StepsOf<H> steps = info ? info->of<H>() : nullptr;
  call.require(nnz >= 0 && steps && info->size == n);
  if (!call.isOk()) return call.status();
  call.needs(Factors<H>::needs(info->method));
  const cusolverStatus_t status = compute(
      call, where, [=, method = info->method] { steps->factors.emplace(method, n, steps->entries, true, true); });
  return status == CUSOLVER_STATUS_SUCCESS && b && x ? solveStep<where, T>(call, m, n, b, x, info, buffer) : status;
}

/// What has no setup: all at once.
template <Where where, class T>
cusolverStatus_t factorNow(Call call, int n, int nnz, const cusparseMatDescr *descriptor, const T *values,
                           const int *offsets, const int *columns, Info *info, void *buffer) {
  if (const cusolverStatus_t status = setUp<where, T>(call, n, n, nnz, descriptor, values, offsets, columns, T{}, info);
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  return factorStep<where, T>(call, n, n, nnz, nullptr, nullptr, info, buffer);
}

/// "-1 if the matrix is invertible": else the first pivot that is not above the tolerance, in our order.
template <Where where, class R> cusolverStatus_t zeroPivot(Call call, const Info *info, R tolerance, int *position) {
  call.require(info && position);
  if (!call.isOk()) return call.status();
  const auto ask = [&]<class H>(const StepsOf<H> &steps) {
    if (!steps || !steps->factors) return false;
    *position = steps->factors->singularity(Part<H>(std::max(tolerance, R(0))));
    return true;
  };
  call.require(ask(info->of<R>()) || ask(info->of<std::complex<R>>()));
  return call.status();
}

/// "nnzL, nnzU": without L's diagonal of ones. Whatever kind of numbers it is.
cusolverStatus_t luNnz(Call call, int *nnzL, int *nnzU, const Info *info) {
  call.require(nnzL && nnzU && info);
  if (!call.isOk()) return call.status();
  const auto count = [&](const auto &steps) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(steps)>, std::monostate>) {
      call.require(steps && steps->factors);
      if (!call.isOk()) return;
      *nnzL = steps->filled().below();
      *nnzU = steps->filled().above();
    } else {
      call.require(false);
    }
  };
  std::visit(count, info->steps);
  return call.status();
}

/// "P A Q^T = L U", as matrices by rows: eliminated once more, element by element.
template <class T>
cusolverStatus_t luExtract(Call call, int *P, int *Q, const cusparseMatDescr *descrL, T *valuesL, int *offsetsL,
                           int *columnsL, const cusparseMatDescr *descrU, T *valuesU, int *offsetsU, int *columnsU,
                           const Info *info, void *) {
  using H = Host<T>;
  const StepsOf<H> steps = info ? info->of<H>() : nullptr;
  call.require(steps && steps->factors && P && Q && descrL && descrU && offsetsL && offsetsU && valuesU && columnsU);
  return compute(call, kHost, [=] {
    const Filled &F = steps->filled();
    if (F.below() > 0 && (!valuesL || !columnsL)) return;
    const std::vector<int> rowOrder = steps->factors->rowOrder(), columnOrder = steps->factors->columnOrder(),
                           rows = placesOf(rowOrder), columns = placesOf(columnOrder);
    std::vector<H> values(F.columns.size());
    for (const Entry<H> &entry : steps->entries) {
      const int row = rows[entry.row];
      const auto found = std::lower_bound(F.columns.begin() + F.offsets[row], F.columns.begin() + F.offsets[row + 1],
                                          columns[entry.column]);
      values[size_t(found - F.columns.begin())] += entry.value;
    }
    eliminate(F, values, {}, nullptr);
    int below = 0, above = 0;
    for (int row = 0; row < F.size(); ++row) {
      offsetsL[row] = below + descrL->base;
      offsetsU[row] = above + descrU->base;
      for (int k = F.offsets[row]; k < F.offsets[row + 1]; ++k)
        if (k < F.diagonals[row]) {
          columnsL[below] = F.columns[k] + descrL->base;
          host(valuesL)[below++] = values[k];
        } else {
          columnsU[above] = F.columns[k] + descrU->base;
          host(valuesU)[above++] = values[k];
        }
    }
    offsetsL[F.size()] = below + descrL->base;
    offsetsU[F.size()] = above + descrU->base;
    std::copy(rowOrder.begin(), rowOrder.end(), P);
    std::copy(columnOrder.begin(), columnOrder.end(), Q);
  });
}

template <class T> cusolverStatus_t create(T **info) {
  if (!info) return CUSOLVER_STATUS_INVALID_VALUE;
  *info = new T;
  return CUSOLVER_STATUS_SUCCESS;
}

} // namespace
} // namespace us::cusolver

using namespace us::cusolver;

US_CUSOLVERSP_STEPS(US_DEFINE)

#define US_LIFE(NAME, TYPE)                                                                                            \
  US_EXPORT cusolverStatus_t cusolverSpCreate##NAME(TYPE *info) { return create(info); }                               \
  US_EXPORT cusolverStatus_t cusolverSpDestroy##NAME(TYPE info) {                                                      \
    delete info;                                                                                                       \
    return CUSOLVER_STATUS_SUCCESS;                                                                                    \
  }
US_LIFE(CsrcholInfo, csrcholInfo_t)
US_LIFE(CsrcholInfoHost, csrcholInfoHost_t)
US_LIFE(CsrqrInfo, csrqrInfo_t)
US_LIFE(CsrqrInfoHost, csrqrInfoHost_t)
US_LIFE(CsrluInfoHost, csrluInfoHost_t)
