// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors: products of these have a matrix's elements where the matrix has any. Of blocks, their elements
// are the matrix's: all of a block's may be filled.
#include "icd/cusparse/blocks.h"
#include "icd/cusparse/numbers.h"

#include <atomic>
#include <memory>

namespace us::cusparse {
namespace {

/// What work leaves for whoever asks; it may outlive the structure that it was asked with.
struct State {
  std::atomic<int> zero = -1; ///< the first row (of blocks) without a pivot, in the matrix's base
};
/// "if tol >= fabs(A(j,j)), then A(j,j)=boost_val"
struct Boost {
  bool isOn = false;
  Call::Scalar tolerance, value;
};
struct Info {
  std::shared_ptr<State> state = std::make_shared<State>();
  Boost boost;
  bool isAnalysed = false;
  cusparseSolvePolicy_t policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
};

} // namespace
} // namespace us::cusparse

struct csric02Info : us::cusparse::Info {};
struct bsric02Info : us::cusparse::Info {};
struct csrilu02Info : us::cusparse::Info {};
struct bsrilu02Info : us::cusparse::Info {};

namespace us::cusparse {
namespace {

constexpr size_t kNowhere = size_t(-1);

/// Each row with the places of its elements by their columns: calls use(row, where), where(column) is kNowhere if there
/// is none.
template <class Use> void forRows(const Pattern &A, Use use) {
  std::vector<size_t> where(size_t(A.size()), kNowhere);
  for (int row = 0; row < A.size(); ++row) {
    for (size_t i = A.rows[row]; i < A.rows[row + 1]; ++i) where[A.columns[i]] = i;
    use(row, where);
    for (size_t i = A.rows[row]; i < A.rows[row + 1]; ++i) where[A.columns[i]] = kNowhere;
  }
}
void keepFirst(int &first, int row) {
  if (first < 0) first = row;
}

/// The first row without an element on the diagonal, or -1.
int factorNothing(const Pattern &A) {
  int first = -1;
  forRows(A, [&](int row, const std::vector<size_t> &where) {
    if (where[row] == kNowhere) keepFirst(first, row);
  });
  return first;
}

/// L and U take the places of A, L without its diagonal of ones. Returns the first row whose pivot is missing or zero.
template <class W> int factorLU(const Pattern &A, std::vector<W> &values, const Boost &boost) {
  const double tolerance = boost.isOn ? boost.tolerance().real() : -1;
  const W boosted = boost.isOn ? math::convert<W>(boost.value()) : W{};
  std::vector<size_t> above(size_t(A.size())); // where a row's elements right of the diagonal begin
  std::vector<W> pivots(size_t(A.size()), W{});
  int first = -1;
  forRows(A, [&](int row, const std::vector<size_t> &where) {
    size_t i = A.rows[row];
    for (; i < A.rows[row + 1] && A.columns[i] < row; ++i) {
      const int above_of = A.columns[i];
      const W factor = values[i] /= pivots[above_of];
      for (size_t j = above[above_of]; j < A.rows[above_of + 1]; ++j)
        if (const size_t into = where[A.columns[j]]; into != kNowhere) values[into] -= factor * values[j];
    }
    if (const size_t diagonal = where[row]; diagonal != kNowhere) {
      if (tolerance >= std::abs(values[diagonal])) values[diagonal] = boosted;
      pivots[row] = values[diagonal];
      i = diagonal + 1;
    }
    above[row] = i;
    if (pivots[row] == W{}) keepFirst(first, row);
  });
  return first;
}

/// L takes the places of A's lower triangle; nothing looks at the others. Returns the first row whose pivot is missing
/// or not positive.
template <class W> int factorCholesky(const Pattern &A, std::vector<W> &values) {
  std::vector<double> pivots(size_t(A.size()), 0.0);
  int first = -1;
  forRows(A, [&](int row, const std::vector<size_t> &where) {
    double squares = 0;
    for (size_t i = A.rows[row]; i < A.rows[row + 1] && A.columns[i] < row; ++i) {
      const int other = A.columns[i];
      for (size_t j = A.rows[other]; j < A.rows[other + 1] && A.columns[j] < other; ++j)
        if (const size_t mine = where[A.columns[j]]; mine != kNowhere)
          values[i] -= values[mine] * cublas::conjugate(values[j]);
      values[i] /= pivots[other];
      squares += std::norm(values[i]);
    }
    if (const size_t diagonal = where[row]; diagonal != kNowhere) {
      const double square = std::real(values[diagonal]) - squares;
      if (square > 0) pivots[row] = std::sqrt(square);
      values[diagonal] = std::sqrt(square);
    }
    if (!(pivots[row] > 0)) keepFirst(first, row);
  });
  return first;
}

template <class Size>
cusparseStatus_t size(Call call, const Blocks &A, const cusparseMatDescr *descr, const Info *info, Size *bytes) {
  call.general(descr);
  call.require(A.rows >= 0 && A.count >= 0 && A.size > 0 && info);
  return bufferSize(call, bytes);
}

bool isPolicy(cusparseSolvePolicy_t policy) {
  return policy == CUSPARSE_SOLVE_POLICY_NO_LEVEL || policy == CUSPARSE_SOLVE_POLICY_USE_LEVEL;
}

/// "reports a structural zero": nothing else is prepared.
template <class T>
cusparseStatus_t analyse(Call call, const Blocks &A, const cusparseMatDescr *descr, const T *values, Info *info,
                         cusparseSolvePolicy_t policy, const void *buffer) {
  call.require(info && isPolicy(policy));
  call.buffer(buffer);
  check(call, A, descr, values);
  if (!call.isOk()) return call.status();
  info->isAnalysed = true;
  info->policy = policy;
  return call.run([A, state = info->state] {
    const int row = factorNothing(Pattern(A));
    state->zero = row < 0 ? -1 : row / A.size + A.base;
  });
}

template <class T, class Factor>
cusparseStatus_t factor(Call call, const Blocks &A, const cusparseMatDescr *descr, T *values, Info *info,
                        cusparseSolvePolicy_t policy, const void *buffer, Factor factorise) {
  call.require(info && isPolicy(policy) && info->isAnalysed);
  // "if analysis is called with NO_LEVEL, it can only accept NO_LEVEL; otherwise INVALID_VALUE is returned"
  call.require(!info || policy == CUSPARSE_SOLVE_POLICY_NO_LEVEL || info->policy == policy);
  call.buffer(buffer);
  check(call, A, descr, values);
  if (!call.isOk()) return call.status();
  return call.run([A, values, factorise, state = info->state] {
    const Pattern pattern(A);
    std::vector<Wide<T>> numbers;
    for (const size_t place : pattern.places) numbers.push_back(Wide<T>(host(values)[place]));
    const int row = factorise(pattern, numbers);
    for (size_t i = 0; i < numbers.size(); ++i) host(values)[pattern.places[i]] = Host<T>(numbers[i]);
    state->zero = row < 0 ? -1 : row / A.size + A.base;
  });
}

Blocks csr(int m, int nnz, const cusparseMatDescr *descr, const int *offsets, const int *columns) {
  return {m, nnz, descr ? int(descr->base) : 0, offsets, columns};
}
Blocks bsr(cusparseDirection_t direction, int mb, int nnzb, const cusparseMatDescr *descr, const int *offsets,
           const int *columns, int size) {
  return {mb, nnzb, descr ? int(descr->base) : 0, offsets, columns, size, direction};
}

#define US_CSR int m, int nnz, const cusparseMatDescr *descr
#define US_BSR cusparseDirection_t direction, int mb, int nnzb, const cusparseMatDescr *descr
template <class T, class Size>
cusparseStatus_t csr_bufferSize(Call call, US_CSR, T *, const int *offsets, const int *columns, const Info *info,
                                Size *bytes) {
  return size(call, csr(m, nnz, descr, offsets, columns), descr, info, bytes);
}
template <class T>
cusparseStatus_t csr_analysis(Call call, US_CSR, const T *values, const int *offsets, const int *columns, Info *info,
                              cusparseSolvePolicy_t policy, void *buffer) {
  return analyse(call, csr(m, nnz, descr, offsets, columns), descr, values, info, policy, buffer);
}
template <class T, class Size>
cusparseStatus_t bsr_bufferSize(Call call, US_BSR, T *, const int *offsets, const int *columns, int dim,
                                const Info *info, Size *bytes) {
  return size(call, bsr(direction, mb, nnzb, descr, offsets, columns, dim), descr, info, bytes);
}
template <class T>
cusparseStatus_t bsr_analysis(Call call, US_BSR, const T *values, const int *offsets, const int *columns, int dim,
                              Info *info, cusparseSolvePolicy_t policy, void *buffer) {
  return analyse(call, bsr(direction, mb, nnzb, descr, offsets, columns, dim), descr, values, info, policy, buffer);
}

constexpr auto kCholesky = [](const Pattern &A, auto &values) { return factorCholesky(A, values); };
auto luOf(const Info *info) {
  return [boost = info ? info->boost : Boost{}](const Pattern &A, auto &values) { return factorLU(A, values, boost); };
}
template <class T>
cusparseStatus_t csric02(Call call, US_CSR, T *values, const int *offsets, const int *columns, csric02Info *info,
                         cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, csr(m, nnz, descr, offsets, columns), descr, values, info, policy, buffer, kCholesky);
}
template <class T>
cusparseStatus_t csrilu02(Call call, US_CSR, T *values, const int *offsets, const int *columns, csrilu02Info *info,
                          cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, csr(m, nnz, descr, offsets, columns), descr, values, info, policy, buffer, luOf(info));
}
template <class T>
cusparseStatus_t bsric02(Call call, US_BSR, T *values, const int *offsets, const int *columns, int dim,
                         bsric02Info *info, cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, bsr(direction, mb, nnzb, descr, offsets, columns, dim), descr, values, info, policy, buffer,
                kCholesky);
}
template <class T>
cusparseStatus_t bsrilu02(Call call, US_BSR, T *values, const int *offsets, const int *columns, int dim,
                          bsrilu02Info *info, cusparseSolvePolicy_t policy, void *buffer) {
  return factor(call, bsr(direction, mb, nnzb, descr, offsets, columns, dim), descr, values, info, policy, buffer,
                luOf(info));
}

/// "If enable_boost=0, tol and boost_val are ignored."
template <class T>
cusparseStatus_t numericBoost(Call call, Info *info, int enable, const double *tolerance, const T *value) {
  call.require(info != nullptr);
  Boost boost;
  if (enable) boost = {true, call.scalar(tolerance, CUDA_R_64F), call.scalar(value, kType<T>)};
  if (call.isOk()) info->boost = boost;
  return call.status();
}

/// "a blocking call"
cusparseStatus_t zeroPivot(Call call, const Info *info, int *position) {
  call.require(info != nullptr);
  call.answer(position, sizeof *position);
  if (!call.isOk()) return call.status();
  if (const cusparseStatus_t status = call.synchronize(); status != CUSPARSE_STATUS_SUCCESS) return status;
  *position = info->state->zero;
  return *position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

template <class T> cusparseStatus_t create(T **info) {
  if (!info) return CUSPARSE_STATUS_INVALID_VALUE;
  *info = new T;
  return CUSPARSE_STATUS_SUCCESS;
}

} // namespace
} // namespace us::cusparse

US_CUSPARSE_FACTORS(US_DEFINE)

#define US_INFO(NAME, TYPE)                                                                                            \
  US_EXPORT cusparseStatus_t cusparseCreate##NAME(TYPE##_t *info) { return us::cusparse::create(info); }               \
  US_EXPORT cusparseStatus_t cusparseDestroy##NAME(TYPE##_t info) {                                                    \
    delete info;                                                                                                       \
    return CUSPARSE_STATUS_SUCCESS;                                                                                    \
  }
US_INFO(Csric02Info, csric02Info)
US_INFO(Bsric02Info, bsric02Info)
US_INFO(Csrilu02Info, csrilu02Info)
US_INFO(Bsrilu02Info, bsrilu02Info)
